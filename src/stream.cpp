#include "stream.h"

#include <algorithm>
#include <cstring>

#include "error.h"

namespace sparselin {

bool Stream::begins_with(std::string_view start) {
    constexpr size_t kRoom =
        size_t{1} << 18;  // as much as SvmlightReader asks for, since a function that gives whole rows may have none that fits in less
    head_.resize(kRoom);
    for (;;) {
        const size_t told = std::min(head_end_, start.size());
        const bool same = std::string_view(head_.data(), told) == start.substr(0, told);
        if (!same || told == start.size()) return same;
        const size_t count = ask(head_.data() + head_end_, head_.size() - head_end_);
        if (count == 0) return false;
        head_end_ += count;
    }
}

size_t Stream::read(void* to, size_t capacity) {
    const size_t count = std::min(capacity, head_end_ - head_begin_);
    if (count == 0) return ask(to, capacity);
    std::memcpy(to, head_.data() + head_begin_, count);
    head_begin_ += count;
    if (head_begin_ == head_end_) std::vector<char>().swap(head_);
    return count;
}

size_t Stream::ask(void* to, size_t capacity) {
    if (at_end_) return 0;
    const int64_t count = read_(user_, to, capacity);
    if (count < 0) fail(SL_ERROR_IO, "the read function failed");
    if (static_cast<uint64_t>(count) > capacity)
        fail(SL_ERROR_IO, "the read function returned ", count, ", more than the ", uint64_t{capacity}, " bytes it was asked for");
    at_end_ = count == 0;
    return static_cast<size_t>(count);
}

}  // namespace sparselin
