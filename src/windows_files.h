// Files of Windows as the library and the program ask for them: names are UTF-8, and what fails leaves its reason in errno.
#pragma once
#ifdef _WIN32
#include <cstdint>
#include <string>
#include <string_view>

namespace sparselin {

std::wstring to_wide(std::string_view text);  // empty if it is no UTF-8, which is the name of no file
std::string to_utf8(std::wstring_view text);

// Has errno say what GetLastError() does.
void set_errno();

// A descriptor for bytes as they are, which goes to no child; -1 if it cannot be had. Others may write, replace and remove the file.
int open_to_read(const char* path);

enum class FileKind { nothing, file, other };
FileKind what_is_at(const char* path);

// A file that is not there yet: it has another name beside its place, and goes when this object or the process does, unless replace() has
// given it its own. What a process left there that was killed just then is removed.
class UnfinishedFile {
  public:
    UnfinishedFile() = default;
    UnfinishedFile(const UnfinishedFile&) = delete;
    UnfinishedFile& operator=(const UnfinishedFile&) = delete;
    ~UnfinishedFile();

    bool create(const char* path);  // fails where a file is there that may not be written
    bool write(std::string_view bytes);
    bool flush();
    bool replace();

  private:
    void* handle_ = nullptr;
    std::wstring place_;
    bool finished_ = false;
};

}  // namespace sparselin
#endif
