#include "labels.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "error.h"

namespace sparselin {
namespace {

constexpr size_t kMostFound = 1000;  // classes that a data set makes by itself

struct Found {
    double label;
    size_t row;  // the first that has it
};

// The distinct labels of the rows that count, ascending, or the first `most` of them that come.
std::vector<Found> distinct_labels(const Dataset& data, size_t most) {
    std::vector<Found> found;
    double last = NAN, before = NAN;  // two, joined without a branch, since which of two labels comes is as good as random
    for (size_t r = 0; r < data.rows() && found.size() < most; ++r) {
        const double label = data.label(r) + 0.0;  // + 0.0 makes -0 the same as 0 in messages too
        if (data.weight(r) == 0 || unsigned{label == last} | unsigned{label == before}) continue;
        before = std::exchange(last, label);
        const auto place = std::lower_bound(found.begin(), found.end(), label, [](const Found& f, double l) { return f.label < l; });
        if (place == found.end() || place->label != label) found.insert(place, {label, r});
    }
    return found;
}

bool is_whole(double label) { return label == std::floor(label); }

const Found& last_to_come(const std::vector<Found>& found) {
    return *std::max_element(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.row < b.row; });
}

// Of labels that are more than two, or that no number of classes was said for.
void check_as_classes(const std::vector<Found>& found) {
    static constexpr char kAdvice[] = ", but this model's loss tells classes apart: for numbers use loss squared";
    for (const Found& f : found)
        if (!is_whole(f.label))
            with_row(f.row, [&] {
                fail(SL_ERROR_INVALID_DATA, "the label ", f.label, ", one of ", uint64_t{found.size()}, " or more, is no whole number",
                     kAdvice, ", for such classes set the option classes");
            });
    if (found.size() <= kMostFound) return;
    const Found& last = last_to_come(found);
    with_row(last.row, [&] {
        fail(SL_ERROR_INVALID_DATA, "the label ", last.label, " is one more than ", uint64_t{kMostFound}, " that differ", kAdvice,
             ", for so many classes set the option classes");
    });
}

}  // namespace

std::string Labels::text() const {
    if (!known()) return "none yet";
    if (count() == 2) return concat(all_[0], " and ", all_[1]);
    return concat(uint64_t{count()}, " from ", all_.front(), " to ", all_.back());
}

Labels Labels::standard(size_t classes) {
    if (classes <= 2) return Labels({-1, 1});
    std::vector<double> numbers(classes);
    for (size_t k = 0; k < classes; ++k) numbers[k] = static_cast<double>(k);
    return Labels(std::move(numbers));
}

double Labels::taken_otherwise(double label) const {
    if (count() == 2) {
        if (smaller_ == -1 && larger_ == 1 && label == 0) return -1;
        refuse(label);
    }
    const double from_first = label - all_[0];  // mostly labels are whole numbers one after another
    if (from_first >= 0 && from_first < static_cast<double>(count())) {
        const auto k = static_cast<size_t>(from_first);
        if (all_[k] == label) return static_cast<double>(k);
    }
    const auto place = std::lower_bound(all_.begin(), all_.end(), label);
    if (place == all_.end() || *place != label) refuse(label);
    return static_cast<double>(place - all_.begin());
}

void Labels::refuse(double label) const {
    if (count() == 2)
        fail(SL_ERROR_INVALID_DATA, "the label is ", label, ", but this model's loss knows two labels, which are ", smaller_,
             smaller_ == -1 && larger_ == 1 ? " (or 0)" : "", " and ", larger_,
             "; for more classes set the option classes, for numbers use loss squared");
    std::string classes;
    for (size_t k = 0; k < count(); ++k)
        if (count() <= 5 || k < 2 || k + 1 == count())
            classes += concat(k ? ", " : "", count() > 5 && k + 1 == count() ? "..., " : "", all_[k]);
    fail(SL_ERROR_INVALID_DATA, "the label is ", label, ", which is none of this model's ", count(), " classes: ", classes,
         "; others are set before the first is fed (sl_model_set_labels)");
}

Labels Labels::for_data(const Dataset& data, uint32_t classes) const {
    Labels labels = *this;
    if (!known()) {
        const std::vector<Found> found = distinct_labels(data, (classes ? classes : kMostFound) + 1);
        if (found.empty()) return labels;
        if (classes && found.size() > classes) {
            const Found& last = last_to_come(found);
            with_row(last.row, [&] {
                fail(SL_ERROR_INVALID_DATA, "the label ", last.label, " is one more than the option classes says, ", uint64_t{classes},
                     "; set it to the number of labels, or to auto");
            });
        }
        if (classes == 0 && found.size() > 2) check_as_classes(found);
        if (classes == 0 && found.size() == 1 && std::fabs(found[0].label) != 1 && found[0].label != 0)
            fail(SL_ERROR_INVALID_DATA, "all labels are ", found[0].label,
                 "; a data set of one label must have -1, 0 or 1, or follow data that fixed the pair of labels");
        labels = standard(classes);
        if (found.size() == classes || (classes == 0 && found.size() > 1)) {
            std::vector<double> all;
            all.reserve(found.size());
            for (const Found& f : found) all.push_back(f.label);
            labels = Labels(std::move(all));
        }
    }
    for (size_t r = 0; r < data.rows(); ++r) with_row(r, [&] { labels.taken(data.label(r)); });
    return labels;
}

size_t predicted_class(const double* scores, size_t count) {
    if (count == 1) return scores[0] > 0;
    return static_cast<size_t>(std::max_element(scores, scores + count) - scores);
}

}  // namespace sparselin
