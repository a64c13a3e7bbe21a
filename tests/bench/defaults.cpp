// Whether the defaults need tuning: the test error of the default model after one pass, beside the best that a grid over learning rate,
// decay, l2 and averaging finds in one pass. The grid is searched on the test set itself with seeds 1 to 5, and the winner judged with
// seeds 6 to 10, with which the defaults are run too: the grid has every advantage but that of its luckiest seeds.
//   defaults [--no-grid] TRAIN,TEST|FILE ...
// svmlight text (.gz too), or FILE to be split 4 : 1: .csv of numbers with the label last, .tsv of `ham|spam TAB message`.
#include <sparselin.h>
#include <zlib.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using Settings = std::vector<std::pair<const char*, std::string>>;

[[noreturn]] void stop(const std::string& what) {
    std::fprintf(stderr, "%s\n", what.c_str());
    std::exit(1);
}

struct FreeDataset {
    void operator()(sl_dataset* data) const { sl_dataset_free(data); }
};
using Dataset = std::unique_ptr<sl_dataset, FreeDataset>;

struct Split {
    std::string name;
    Dataset train, test;
};

int64_t read_gz(void* file, void* buffer, size_t capacity) {
    return gzread(static_cast<gzFile>(file), buffer, static_cast<unsigned>(std::min<size_t>(capacity, 1 << 20)));
}

Dataset load_svmlight(const std::string& path) {
    const gzFile file = gzopen(path.c_str(), "rb");
    if (!file) stop("cannot open " + path);
    sl_dataset* data = nullptr;
    sl_error error;
    if (sl_dataset_read(read_gz, file, nullptr, &data, &error) != SL_OK) stop(path + ": " + error.message);
    gzclose(file);
    return Dataset(data);
}

struct Rows {
    std::vector<int64_t> pointers{0};
    std::vector<uint32_t> indices;
    std::vector<double> values, labels;

    void end_row(double label) {
        pointers.push_back(static_cast<int64_t>(indices.size()));
        labels.push_back(label);
    }
    Dataset dataset() const {
        sl_dataset* data = nullptr;
        sl_error error;
        if (sl_dataset_from_csr(labels.size(), pointers.data(), indices.data(), values.data(), labels.data(), nullptr, &data, &error) !=
            SL_OK)
            stop(error.message);
        return Dataset(data);
    }
};

// FNV-1a, 32 bits.
uint32_t hash(const std::string& text) {
    uint32_t h = 2166136261u;
    for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 16777619u;
    return h;
}

void add_numbers(Rows& rows, const std::string& line) {
    uint32_t column = 0;
    for (const char* p = line.c_str();; ++column) {
        char* end;
        const double value = std::strtod(p, &end);
        if (end == p) stop("not a number: " + std::string(p));
        if (*end != ',') return rows.end_row(value > 0 ? 1 : -1);
        rows.indices.push_back(column);
        rows.values.push_back(value);
        p = end + 1;
    }
}

// Each lower-cased word is a feature by its hash; a word that occurs n times has the value n.
void add_message(Rows& rows, const std::string& line) {
    const size_t tab = line.find('\t');
    if (tab == line.npos) stop("no label: " + line);
    std::string word;
    for (size_t i = tab + 1; i <= line.size(); ++i) {
        const unsigned char c = i < line.size() ? static_cast<unsigned char>(line[i]) : ' ';
        if (std::isalnum(c) || c >= 128) {
            word += static_cast<char>(std::tolower(c));
        } else if (!word.empty()) {
            rows.indices.push_back(hash(word));
            rows.values.push_back(1);
            word.clear();
        }
    }
    rows.end_row(line.compare(0, tab, "spam") == 0 ? 1 : -1);
}

Split load_and_split(const std::string& path, void (*add)(Rows&, const std::string&)) {
    const gzFile file = gzopen(path.c_str(), "rb");
    if (!file) stop("cannot open " + path);
    static char line[1 << 16];
    Rows train, test;
    for (size_t row = 0; gzgets(file, line, sizeof line); ++row) {
        std::string text(line);
        while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
        if (!text.empty()) add(hash(std::to_string(row)) % 5 == 0 ? test : train, text);
    }
    gzclose(file);
    return {path, train.dataset(), test.dataset()};
}

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

Split load(const std::string& argument) {
    const size_t comma = argument.find(',');
    Split split;
    if (comma != argument.npos)
        split = {argument.substr(0, comma), load_svmlight(argument.substr(0, comma)), load_svmlight(argument.substr(comma + 1))};
    else if (ends_with(argument, ".csv"))
        split = load_and_split(argument, add_numbers);
    else if (ends_with(argument, ".tsv"))
        split = load_and_split(argument, add_message);
    else
        stop("neither TRAIN,TEST nor .csv nor .tsv: " + argument);
    split.name.erase(0, split.name.rfind('/') + 1);
    split.name.erase(std::min(split.name.find('.'), split.name.size()));
    return split;
}

// Mean test error over five seeds, or -1 if the settings exclude each other. A model that overflows is as bad as any can be.
double mean_error(const Split& split, const Settings& settings, int first_seed) {
    double sum = 0;
    for (int seed = first_seed; seed < first_seed + 5; ++seed) {
        sl_options* options = nullptr;
        sl_model* model = nullptr;
        sl_error error;
        double error_rate = 1;
        if (sl_options_create(&options, &error) != SL_OK) stop(error.message);
        for (const auto& s : settings)
            if (sl_options_set(options, s.first, s.second.c_str(), &error) != SL_OK) stop(error.message);
        if (sl_options_set_number(options, "seed", seed, &error) != SL_OK) stop(error.message);
        const sl_status status = sl_model_create(options, &model, &error);
        sl_options_free(options);
        if (status == SL_ERROR_INVALID_OPTION) return -1;
        if (status != SL_OK) stop(error.message);
        const sl_status fitted = sl_model_fit(model, split.train.get(), nullptr, nullptr, &error);
        if (fitted != SL_OK && fitted != SL_ERROR_DIVERGED) stop(error.message);
        if (fitted == SL_OK && sl_model_evaluate(model, split.test.get(), "error_rate", &error_rate, &error) != SL_OK) stop(error.message);
        sl_model_free(model);
        sum += error_rate;
    }
    return sum / 5;
}

std::vector<Settings> grid(const char* loss) {
    std::vector<Settings> all;
    std::vector<std::string> rates = {"auto"};
    for (double eta0 = 1.0 / 1024; eta0 <= 256; eta0 *= 4) rates.push_back(std::to_string(eta0));
    const std::vector<Settings> decays = {{{"schedule", "constant"}},
                                          {{"schedule", "inverse_scaling"}, {"power", "0.25"}},
                                          {{"schedule", "inverse_scaling"}, {"power", "0.5"}},
                                          {{"schedule", "inverse_scaling"}, {"power", "0.75"}},
                                          {{"schedule", "xu"}, {"decay", "0.01"}}};
    for (const std::string& eta0 : rates)
        for (const Settings& decay : decays)
            for (const char* l2 : {"0", "1e-6", "1e-5", "1e-4", "1e-3"})
                for (const char* average : {"none", "uniform", "polynomial"}) {
                    all.push_back({{"loss", loss}, {"eta0", eta0}, {"l2", l2}, {"average", average}});
                    all.back().insert(all.back().end(), decay.begin(), decay.end());
                }
    return all;
}

std::string described(const Settings& settings) {
    std::string text;
    for (const auto& s : settings)
        if (std::string(s.first) != "loss") text += std::string(text.empty() ? "" : " ") + s.first + "=" + s.second;
    return text;
}

void run(const Split& split, const char* loss, bool searches) {
    const double standard = mean_error(split, {{"loss", loss}}, 6);
    std::printf("%-12s %-6s %8.2f", split.name.c_str(), loss, 100 * standard);
    std::fflush(stdout);
    if (searches) {
        Settings best;
        double least = 2;
        for (const Settings& settings : grid(loss)) {
            const double error = mean_error(split, settings, 1);
            if (error >= 0 && error < least) least = error, best = settings;
        }
        const double judged = mean_error(split, best, 6);
        std::printf(" %8.2f %8.2f %8.3f  %s", 100 * least, 100 * judged, standard == judged ? 1 : standard / judged,
                    described(best).c_str());
    }
    std::printf("\n");
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    bool searches = true;
    std::vector<std::string> files;
    for (int i = 1; i < argc; ++i) {
        if (std::string(argv[i]) == "--no-grid")
            searches = false;
        else
            files.push_back(argv[i]);
    }
    if (files.empty()) stop("usage: defaults [--no-grid] TRAIN,TEST|FILE.csv|FILE.tsv ...");
    std::printf("%-12s %-6s %8s", "test errors", "loss", "default");
    if (searches) std::printf(" %8s %8s %8s  %s", "found", "grid", "ratio", "best of the grid");
    std::printf("\n");
    for (const std::string& file : files) {
        const Split split = load(file);
        for (const char* loss : {"log", "hinge"}) run(split, loss, searches);
    }
    return 0;
}
