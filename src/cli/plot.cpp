#include "plot.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "output.h"
#include "report.h"

namespace cli {

namespace {

constexpr double kSide = 280, kLeft = 58, kTop = 44, kBottom = 54, kGap = 76;  // of a panel, in pixels
constexpr const char* kBlue = "#1f5fa8";
constexpr const char* kGray = "#8a8a8a";

struct Point {
    double x, y;  // both from 0 to 1
};

struct Row {
    double score, weight;
    bool larger;  // whether it has the larger label
};

// Rows of one score, from the highest score down.
struct Group {
    double score, larger, smaller;  // weights by label
};

// Those of weight above 0, from the highest score down.
std::vector<Row> scored_rows_of(const sl_model* model, const sl_dataset* data) {
    std::vector<double> scores(rows_of(data));
    call(sl_model_predict_dataset, model, data, scores.data(), scores.size());
    const double larger = labels_of(model)[1];
    std::vector<Row> rows;
    for (size_t r = 0; r < scores.size(); ++r) {
        const auto [label, weight] = target_of(data, r);
        if (weight > 0) rows.push_back({scores[r], weight, label == larger});
    }
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.score > b.score; });
    return rows;
}

std::vector<Group> groups_of(const std::vector<Row>& rows) {
    std::vector<Group> groups;
    for (const Row& row : rows) {
        if (groups.empty() || groups.back().score != row.score) groups.push_back({row.score, 0, 0});
        (row.larger ? groups.back().larger : groups.back().smaller) += row.weight;
    }
    return groups;
}

std::string number(double value) { return rounded(std::round(value * 100) / 100, 6); }

// A square with axes from 0 to 1.
class Panel {
  public:
    Panel(std::string& svg, int place) : svg_(svg), left_(kLeft + place * (kSide + kGap)) {}

    void frame(const std::string& title, const std::string& x, const std::string& y) {
        const double middle = left_ + kSide / 2;
        text(middle, kTop - 16, "middle", title, "font-size='15' font-weight='bold' fill='#222'");
        for (int tick = 0; tick <= 4; ++tick) {
            const double at = tick / 4.0;
            line({at, 0}, {at, 1}, "stroke='#e6e6e6'");
            line({0, at}, {1, at}, "stroke='#e6e6e6'");
            text(left_ + kSide * at, kTop + kSide + 18, "middle", rounded(at, 3), "fill='#555'");
            text(left_ - 8, kTop + kSide * (1 - at) + 4, "end", rounded(at, 3), "fill='#555'");
        }
        svg_ += "<rect x='" + number(left_) + "' y='" + number(kTop) + "' width='" + number(kSide) + "' height='" + number(kSide) +
                "' fill='none' stroke='#555'/>\n";
        text(middle, kTop + kSide + 40, "middle", x, "fill='#222'");
        const double side = left_ - 42, height = kTop + kSide / 2;
        text(side, height, "middle", y, "fill='#222' transform='rotate(-90 " + number(side) + " " + number(height) + ")'");
    }
    void line(Point from, Point to, const std::string& style) {
        svg_ += "<line x1='" + x(from) + "' y1='" + y(from) + "' x2='" + x(to) + "' y2='" + y(to) + "' " + style + "/>\n";
    }
    void dashes(Point from, Point to) { line(from, to, std::string("stroke='") + kGray + "' stroke-dasharray='5 4'"); }
    void dot(Point at) { svg_ += "<circle cx='" + x(at) + "' cy='" + y(at) + "' r='4' fill='" + kBlue + "'/>\n"; }

    // Leaves out points that cannot be told from the one before.
    void curve(const std::vector<Point>& points) {
        svg_ += "<polyline fill='none' stroke='" + std::string(kBlue) + "' stroke-width='2' stroke-linejoin='round' points='";
        const Point* before = nullptr;
        for (const Point& p : points) {
            const bool near = before && std::max(std::fabs(p.x - before->x), std::fabs(p.y - before->y)) * kSide < 0.25;
            if (near && &p != &points.back()) continue;
            svg_ += (before ? " " : "") + x(p) + "," + y(p);
            before = &p;
        }
        svg_ += "'/>\n";
    }

  private:
    std::string x(Point p) const { return number(left_ + kSide * p.x); }
    static std::string y(Point p) { return number(kTop + kSide * (1 - p.y)); }
    void text(double x, double y, const char* anchor, const std::string& words, const std::string& style) {
        svg_ += "<text x='" + number(x) + "' y='" + number(y) + "' text-anchor='" + anchor + "' " + style + ">" + words + "</text>\n";
    }

    std::string& svg_;
    double left_;
};

std::string figure(const sl_model* model, const sl_dataset* data, const char* metric) {
    double value = 0;
    call(sl_model_evaluate, model, data, metric, &value);
    return rounded(value, 4);
}

// Of ten bins of equal weight the mean probability and how often the label was the larger, with two standard deviations of chance each way.
void plot_calibration(Panel& panel, const sl_model* model, const std::vector<Row>& rows) {
    constexpr size_t kBins = 10;
    std::vector<double> probabilities, labels, weights, predicted(kBins), observed(kBins), chance(kBins);
    for (const Row& row : rows) {
        probabilities.push_back(row.score);
        labels.push_back(row.larger ? 1 : -1);
        weights.push_back(row.weight);
    }
    call(sl_model_probabilities, model, probabilities.data(), rows.size(), probabilities.data());
    call(sl_calibration, probabilities.data(), rows.size(), labels.data(), weights.data(), kBins, predicted.data(), observed.data(),
         chance.data());
    for (size_t k = 0; k < kBins; ++k) {
        const Point at{predicted[k], observed[k]};
        panel.line({at.x, std::max(0.0, at.y - 2 * chance[k])}, {at.x, std::min(1.0, at.y + 2 * chance[k])},
                   std::string("stroke='") + kBlue + "' stroke-width='1.5'");
        panel.dot(at);
    }
}

}  // namespace

void require_plottable(const sl_model* model) {
    if (labels_of(model).size() != 2) throw Failure(kBadUsage, "--plot needs a model of two labels");
}

void plot(const std::string& path, const sl_model* model, const sl_dataset* data) {
    const std::string area = figure(model, data, "auc"), precision = figure(model, data, "average_precision");
    const std::vector<Row> rows = scored_rows_of(model, data);
    const std::vector<Group> groups = groups_of(rows);
    double larger = 0, smaller = 0;
    for (const Group& group : groups) {
        larger += group.larger;
        smaller += group.smaller;
    }
    std::vector<Point> rates = {{0, 0}}, steps;
    double right = 0, wrong = 0;
    for (const Group& group : groups) {
        const double recall_before = right / larger;
        right += group.larger;
        wrong += group.smaller;
        rates.push_back({wrong / smaller, right / larger});
        steps.push_back({recall_before, right / (right + wrong)});
        steps.push_back({right / larger, right / (right + wrong)});
    }
    const bool calibrates = has_probabilities(model);
    const double width = kLeft + (kSide + kGap) * (calibrates ? 3 : 2) - kGap + 24, height = kTop + kSide + kBottom;
    std::string svg = "<svg xmlns='http://www.w3.org/2000/svg' width='" + number(width) + "' height='" + number(height) +
                      "' viewBox='0 0 " + number(width) + " " + number(height) + "' font-family='sans-serif' font-size='12'>\n" +
                      "<rect width='100%' height='100%' fill='white'/>\n";
    Panel roc(svg, 0);
    roc.frame("ROC, area " + area, "false positives", "true positives");
    roc.dashes({0, 0}, {1, 1});
    roc.curve(rates);
    Panel recall(svg, 1);
    recall.frame("Average precision " + precision, "recall", "precision");
    recall.dashes({0, larger / (larger + smaller)}, {1, larger / (larger + smaller)});
    recall.curve(steps);
    if (calibrates) {
        Panel calibration(svg, 2);
        calibration.frame("Calibration error " + figure(model, data, "calibration_error"), "predicted probability", "observed share");
        calibration.dashes({0, 0}, {1, 1});
        plot_calibration(calibration, model, rows);
    }
    Output output(path);
    output.write(svg + "</svg>\n");
    output.finish();
}

}  // namespace cli
