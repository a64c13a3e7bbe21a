// Bytes of a file or of standard input, unpacked where they are gzip.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "system.h"

struct z_stream_s;

namespace cli {

class Input {
  public:
    // "-" is standard input. Throws Failure with the system's reason.
    explicit Input(const std::string& path);
    ~Input();
    Input(const Input&) = delete;
    Input& operator=(const Input&) = delete;

    // Up to `capacity` bytes of text; 0 at the end, -1 on failure, of which failure() has the reason. gzip is told by its first two
    // bytes, so it may come through a pipe; several members after each other are one text.
    int64_t read(void* buffer, size_t capacity);

    // `read` in the library's shape; `input` is an Input*. Throws nothing.
    static int64_t read_for_library(void* input, void* buffer, size_t capacity) noexcept;

    // Asked before each read and every tenth of a second while there is nothing to read; where it says false, the read fails.
    void set_go_on(std::function<bool()> go_on) { go_on_ = std::move(go_on); }

    // Makes a read that runs in another thread fail, and all later ones.
    void stop() { stopped_ = true; }

    const std::string& name() const { return file_.name(); }  // for messages
    const std::string& failure() const { return failure_; }
    uint64_t position() const { return position_; }  // bytes of the file read so far, packed as they are
    double fraction() const;                         // of the file's bytes read so far; -1 where its size is not known

  private:
    int64_t read_file(void* to, size_t capacity);
    int64_t fill();
    int64_t inflate_into(void* buffer, size_t capacity);
    int64_t fail(const std::string& reason);

    InputFile file_;
    const uint64_t size_;
    uint64_t position_ = 0;
    std::string failure_;
    std::atomic<bool> stopped_{false};
    std::function<bool()> go_on_;

    std::vector<unsigned char> packed_;  // [begin_, end_) is read but not handed out
    size_t begin_ = 0, end_ = 0;
    bool at_start_ = true;
    bool between_members_ = false;
    std::unique_ptr<z_stream_s> gzip_;  // null for plain text
};

// All lines of a file, without their line ends.
std::vector<std::string> read_lines(const std::string& path);

}  // namespace cli
