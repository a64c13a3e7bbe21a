// For the tests of the text reader: text as a stream, and rows as text.
#pragma once
#include <algorithm>
#include <cstring>
#include <string>

#include "rows.h"
#include "svmlight.h"

namespace sparselin {

struct Source {
    std::string text;
    size_t chunk = SIZE_MAX;  // bytes a read gives at most
    size_t at = 0;
    int reads = 0;

    static int64_t read(void* user, void* buffer, size_t capacity) {
        auto& self = *static_cast<Source*>(user);
        const size_t count = std::min({self.text.size() - self.at, self.chunk, capacity});
        std::memcpy(buffer, self.text.data() + self.at, count);
        self.at += count;
        ++self.reads;
        return static_cast<int64_t>(count);
    }
};

// Rows as `label index:value ...`, each closed by a semicolon.
inline std::string shown(const Dataset& data) {
    std::string text;
    for (size_t r = 0; r < data.rows(); ++r) text += row_text(data, r) + ";";
    return text;
}

inline std::string read_text(const std::string& text, uint32_t base = 1, size_t chunk = SIZE_MAX, size_t rows_a_call = SIZE_MAX) {
    Source source{text, chunk};
    SvmlightReader reader({&Source::read, &source}, base);
    Dataset data;
    for (size_t before = SIZE_MAX; data.rows() != before;) {
        before = data.rows();
        reader.next(rows_a_call, data);
    }
    return shown(data);
}

}  // namespace sparselin
