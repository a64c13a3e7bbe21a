// All that the library asks of the operating system: files, threads, large pages, the plain locale. system_posix.cpp is this for POSIX,
// system_windows.cpp for Windows, where names of files are UTF-8; system_any.cpp is what needs neither.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace sparselin {

// Files: read as a stream or at once, replaced at once. Errors are SL_ERROR_IO with the path and the system's reason.

// A file as a sl_read_fn, which remembers why a read failed. It is opened once, since a pipe opened again is another one.
class InputFile {
  public:
    explicit InputFile(const char* path);  // which is not copied
    ~InputFile();
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    int error() const { return error_; }  // errno of the read that failed, 0 before
    uint64_t size() const;                // of a regular file; 0 of a pipe or device

    static int64_t read(void* file, void* buffer, size_t capacity);

    // Reads on until `bytes` has `size` of them, fewer only at the end of the file. Asks for memory as there are bytes.
    void read_to(uint64_t size, std::string& bytes);

  private:
    const char* path_;
    int descriptor_;
    int error_ = 0;
};

// Writes a new file beside `path`, flushes it to disk and renames it: whenever the machine stops, the path holds the old bytes or the new
// ones. Leaves nothing behind when it fails, nor, where a file needs no name while it is written, when the process is killed before the
// file is whole; what a process that was killed has left there is removed. Replaces regular files only, and those only that the process may
// write; they keep their permissions, and their owner and group as far as the system lets them. Follows links to them. `write` hands the
// bytes to its argument, piece by piece; it is called again where only then it shows that the file cannot be given a name.
using PutBytes = std::function<void(std::string_view)>;
void replace_file(const char* path, const std::function<void(const PutBytes&)>& write);
void replace_file(const char* path, std::string_view bytes);

// A path as messages show it: of a long one the end, to leave room for the reason.
std::string shown_path(const char* path);

// The system's words for a number of errno, in English whatever the program's locale says.
std::string system_reason(int error_number);

[[noreturn]] void fail_io(const char* doing, const char* path, int error_number);

// Threads, where the library was asked for them.

// The option `threads`, 0 being as many as the machine has cores.
size_t thread_count(uint32_t threads);

// Adds one that runs `work`, which may not throw; false if it cannot be had. It takes no signals, which are the business of the program's
// own threads, whose handlers may rely on that.
bool start_thread(std::vector<std::thread>& threads, const std::function<void()>& work);

// strtod by the C library's own locale, in which numbers have a point whatever the program's locale says.
double plain_strtod(const char* text, char** end);

// Large pages for a block of memory, of which it gains only if it has several. If the request fails nothing is lost.
void ask_for_large_pages(void* block, size_t bytes);

}  // namespace sparselin
