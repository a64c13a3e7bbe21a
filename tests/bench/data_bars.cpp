// Rows from elsewhere than text: from a binary file beside reading its bytes, and from columns.
#include <algorithm>

#include "floors.h"
#include "programs.h"

namespace bench {
namespace {

void binary_file(Table& table, const std::string& name, const Matrix& matrix) {
    const TemporaryFile file;
    sl_error error;
    check(sl_dataset_save(Data(matrix).handle, file.path(), &error), error);
    const auto load = [&] {
        sl_dataset* data = nullptr;
        check(sl_dataset_load(file.path(), nullptr, &data, &error), error);
        sl_dataset_free(data);
    };
    const Peak peak;
    load();
    const double megabytes = peak.megabytes();
    volatile uint64_t sum = 0;
    const std::vector<double> times = table.race(matrix.nonzeros(), {
                                                                        load,
                                                                        [&] { sum = sum_of_mapped_file(file.path()); },
                                                                        [&] { sum = sum_of_read_file(file.path()); },
                                                                    });
    const double floor = std::min(times[1], times[2]);
    table.add(name + ", binary file, beside the sum of its bytes", times[0], floor, 3, megabytes);
}

// The matrix by columns.
struct Columns {
    explicit Columns(const Matrix& matrix) : pointers(matrix.features + 1), rows(matrix.nonzeros()), values(matrix.nonzeros()) {
        for (const uint32_t index : matrix.indices) ++pointers[index + 1];
        for (size_t c = 0; c < matrix.features; ++c) pointers[c + 1] += pointers[c];
        std::vector<int64_t> next = pointers;
        for (size_t r = 0; r < matrix.rows(); ++r)
            for (auto k = static_cast<size_t>(matrix.pointers[r]); k < static_cast<size_t>(matrix.pointers[r + 1]); ++k) {
                const auto to = static_cast<size_t>(next[matrix.indices[k]]++);
                rows[to] = static_cast<uint32_t>(r);
                values[to] = static_cast<double>(matrix.values[k]);
            }
    }
    std::vector<int64_t> pointers;
    std::vector<uint32_t> rows;
    std::vector<double> values;
};

void from_columns(Table& table, const Matrix& matrix) {
    const Columns columns(matrix);
    const auto convert = [&] {
        sl_error error;
        sl_dataset* data = nullptr;
        check(sl_dataset_from_csc(matrix.rows(), matrix.features, columns.pointers.data(), columns.rows.data(), columns.values.data(),
                                  matrix.labels.data(), nullptr, &data, &error),
              error);
        sl_dataset_free(data);
    };
    const Peak peak;
    convert();
    const double megabytes = peak.megabytes();
    const double time = table.race(matrix.nonzeros(), {convert})[0];
    table.add("columns to rows, 50,000 columns, 75 nonzeros a row; beside 6 ns", time, 6, 1, megabytes);
}

}  // namespace

void data_bars(Table& table) {
    table.heading("Binary data files, and columns");
    binary_file(table, "r100", words(table.rows(100000), 47236, 75.7, 1));
    binary_file(table, "a24, 300,000 rows", ads(table.rows(300000), 24, 3));
    from_columns(table, uniform(table.rows(100000), 50000, 75, 7));
}

}  // namespace bench
