// A value with several owners, which goes with the last of them, whichever threads they are in. std::shared_ptr would need a symbol of the
// C library, __libc_single_threaded, that is newer than the oldest systems served.
#pragma once
#include <atomic>
#include <cstddef>
#include <utility>

namespace sparselin {

template <class T>
class SharedValue {
  public:
    SharedValue() : held_(new Held) {}
    SharedValue(const SharedValue& other) : held_(other.held_) { held_->owners.fetch_add(1, std::memory_order_relaxed); }
    SharedValue(SharedValue&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
    SharedValue& operator=(SharedValue other) noexcept {
        std::swap(held_, other.held_);
        return *this;
    }
    ~SharedValue() {
        if (held_ && held_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete held_;
    }
    T* operator->() const { return &held_->value; }
    T& operator*() const { return held_->value; }

  private:
    struct Held {
        T value;
        std::atomic<size_t> owners{1};
    };
    Held* held_;  // none: moved from
};

}  // namespace sparselin
