#include "error.h"

#include "number.h"

namespace sparselin {

void Part::append_to(std::string& text) const {
    switch (kind_) {
        case Kind::text: text += text_; break;
        case Kind::real: text += to_text(real_); break;
        case Kind::whole: text += std::to_string(whole_); break;
        case Kind::natural: text += std::to_string(natural_); break;
    }
}

std::string join(std::initializer_list<Part> parts) {
    std::string text;
    for (const Part& part : parts) part.append_to(text);
    return text;
}

std::string shown(std::string_view text) { return text.size() <= 40 ? std::string(text) : concat(text.substr(0, 37), "..."); }

void throw_error(sl_status status, std::initializer_list<Part> parts) { throw Error(status, join(parts)); }

void throw_row_error(sl_status status, uint64_t row, const std::string& reason) {
    throw Error(status, concat("row ", row, ": ", reason), static_cast<int64_t>(row));
}

std::string_view reason_of(std::string_view message, int64_t row) {
    const size_t colon = row == Error::kNoRow ? message.npos : message.find(": ");
    return colon == message.npos ? message : message.substr(colon + 2);
}

}  // namespace sparselin
