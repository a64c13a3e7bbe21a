// Bytes that a caller's function gives, whose first ones may be looked at before they are read.
#pragma once
#include <sparselin.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sparselin {

class Stream {
  public:
    // `size` is that of the whole stream; 0 where it is not known.
    Stream(sl_read_fn read, void* user, uint64_t size = 0) : read_(read), user_(user), size_(size) {}

    uint64_t size() const { return size_; }

    // Before anything was read. Calls the function no more often than it needs to tell.
    bool begins_with(std::string_view start);

    // Up to `capacity` bytes, 0 at the end. Throws SL_ERROR_IO where the function fails or returns what cannot be.
    size_t read(void* to, size_t capacity);

  private:
    size_t ask(void* to, size_t capacity);

    sl_read_fn read_;
    void* user_;
    uint64_t size_;
    std::vector<char> head_;  // [head_begin_, head_end_) was looked at, but not read
    size_t head_begin_ = 0, head_end_ = 0;
    bool at_end_ = false;
};

}  // namespace sparselin
