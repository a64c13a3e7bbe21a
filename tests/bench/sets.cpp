#include "sets.h"

#include <zlib.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "draws.h"

namespace bench {
namespace {

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

    void add(uint32_t index, double value) {
        indices.push_back(index);
        values.push_back(value);
    }
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
        rows.add(column, value);
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
            rows.add(hash(word), 1);
            word.clear();
        }
    }
    rows.end_row(line.compare(0, tab, "spam") == 0 ? 1 : -1);
}

Set load_and_split(const std::string& path, void (*add)(Rows&, const std::string&)) {
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

// Adds the entries of a row, and returns its score.
using Row = std::function<double(Rows&, Draws&)>;
using Label = std::function<double(double score, Draws&)>;

Set made(const char* name, size_t train, size_t test, const Row& row, const Label& label) {
    Draws draws(hash(name));
    Rows rows[2];
    for (size_t r = 0; r < train + test; ++r) {
        Rows& side = rows[r < train ? 0 : 1];
        const double score = row(side, draws);
        side.end_row(label(score, draws));
    }
    return {name, rows[0].dataset(), rows[1].dataset()};
}

Set two_labels(const char* name, size_t train, size_t test, const Row& row) {
    double sum = 0;
    size_t count = 0;
    Set set = made(name, train, test, row, [&](double score, Draws& draws) {
        const double label = draws.unit() < 1 / (1 + std::exp(-score)) ? 1 : -1;
        if (count++ >= train) sum += std::log1p(std::exp(-score * label));
        return label;
    });
    set.truth = sum / static_cast<double>(test);
    return set;
}

// A number of the normal law that belongs to `key` for good.
double weight_of(uint64_t key) { return Draws(key).normal(); }

// Normal columns whose score has the standard deviation `spread`.
Row columns(uint32_t count, double spread, double offset) {
    return [=](Rows& rows, Draws& draws) {
        double score = 0, squares = 0;
        for (uint32_t j = 0; j < count; ++j) {
            const double w = weight_of(j), x = draws.normal();
            rows.add(j, x);
            score += w * x;
            squares += w * w;
        }
        return offset + spread * score / std::sqrt(squares);
    };
}

Row fields(uint32_t count, uint32_t values, double spread, double offset) {
    return [=](Rows& rows, Draws& draws) {
        double score = offset;
        for (uint32_t f = 0; f < count; ++f) {
            const uint32_t index = f * values + static_cast<uint32_t>(draws.below(values));
            rows.add(index, 1);
            score += spread * weight_of(index) / std::sqrt(count);
        }
        return score;
    };
}

// Words, the k-th most frequent of which comes with a chance of about 1 / (k + 10). One in ten means something.
Row bag(uint32_t words, uint32_t length, double spread, double offset) {
    return [=](Rows& rows, Draws& draws) {
        double score = offset;
        for (uint32_t k = 0; k < length; ++k) {
            const auto word = static_cast<uint32_t>(10 * (std::exp(draws.unit() * std::log1p(words / 10.0)) - 1));
            rows.add(word, 1);
            if (weight_of(word + (uint64_t{1} << 40)) > 1.28) score += spread * weight_of(word);
        }
        return score;
    };
}

// Five normal columns, and one between 1 and 3e5, small numbers being as frequent as large ones.
Row uneven(double spread) {
    return [rest = columns(5, spread, 0)](Rows& rows, Draws& draws) {
        const double x = std::exp(draws.unit() * std::log(3e5));
        rows.add(5, x);
        return rest(rows, draws) + x / 3e4 - 1;
    };
}

Label noise(double size, bool heavy_tails = false) {
    return [=](double score, Draws& draws) {
        const double normal = draws.normal();  // over the root of half an exponential number: Student's t, two degrees of freedom
        return score + size * (heavy_tails ? normal / std::sqrt(-std::log(1 - draws.unit())) : normal);
    };
}

}  // namespace

void stop(const std::string& what) {
    std::fprintf(stderr, "%s\n", what.c_str());
    std::exit(1);
}

Set load(const std::string& argument) {
    const size_t comma = argument.find(',');
    Set set;
    if (comma != argument.npos)
        set = {argument.substr(0, comma), load_svmlight(argument.substr(0, comma)), load_svmlight(argument.substr(comma + 1))};
    else if (ends_with(argument, ".csv"))
        set = load_and_split(argument, add_numbers);
    else if (ends_with(argument, ".tsv"))
        set = load_and_split(argument, add_message);
    else
        stop("neither TRAIN,TEST nor .csv nor .tsv: " + argument);
    set.name.erase(0, set.name.rfind('/') + 1);
    set.name.erase(std::min(set.name.find('.'), set.name.size()));
    return set;
}

Set clicks(size_t part) { return two_labels("noisy clicks", 200000 / part, 50000, fields(8, 2000, 1.2, -1.1)); }

std::vector<Set> two_label_sets(size_t part) {
    std::vector<Set> sets;
    sets.push_back(clicks(part));
    sets.push_back(two_labels("rare clicks", 200000 / part, 50000, fields(20, 1000, 1.2, -6)));
    sets.push_back(two_labels("5 columns", 50000 / part, 20000, columns(5, 1.5, 0.5)));
    sets.push_back(two_labels("50 columns", 20000 / part, 20000, columns(50, 2, 0)));
    sets.push_back(two_labels("1 in 60", 100000 / part, 50000, columns(10, 1.5, -5)));
    sets.push_back(two_labels("bags", 50000 / part, 20000, bag(20000, 40, 1, 0)));
    sets.push_back(two_labels("300 rows", 300, 20000, columns(10, 1.5, 0)));
    sets.push_back(two_labels("uneven column", 50000 / part, 20000, uneven(1)));
    return sets;
}

std::vector<Set> regression_sets(size_t part) {
    const size_t rows = 20000 / part;
    std::vector<Set> sets;
    sets.push_back(made("clean", rows, 5000, columns(20, 2, 0), noise(0)));
    sets.push_back(made("100 clean", rows, 5000, columns(100, 2, 0), noise(0)));
    sets.push_back(made("noisy", rows, 5000, columns(20, 2, 0), noise(1)));
    sets.push_back(made("heavy tails", rows, 5000, columns(20, 2, 0), noise(1, true)));
    sets.push_back(made("offset 100", rows, 5000, columns(20, 2, 100), noise(1)));
    sets.push_back(made("bags", 2 * rows, 5000, bag(20000, 40, 1, 0), noise(1)));
    sets.push_back(made("300 rows", 300, 5000, columns(10, 2, 0), noise(1)));
    sets.push_back(made("uneven column", rows, 5000, uneven(2), noise(1)));
    return sets;
}

}  // namespace bench
