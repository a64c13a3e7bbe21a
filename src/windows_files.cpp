#ifdef _WIN32
#include "windows_files.h"

#define NOMINMAX 1
#define WIN32_LEAN_AND_MEAN 1
#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

namespace sparselin {
namespace {

constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

class OpenHandle {
  public:
    explicit OpenHandle(HANDLE handle) : handle_(handle) {}
    OpenHandle(const OpenHandle&) = delete;
    OpenHandle& operator=(const OpenHandle&) = delete;
    ~OpenHandle() {
        if (*this) ::CloseHandle(handle_);
    }
    explicit operator bool() const { return handle_ != INVALID_HANDLE_VALUE; }
    HANDLE get() const { return handle_; }

  private:
    HANDLE handle_;
};

bool done(BOOL success) {
    if (!success) set_errno();
    return success != 0;
}

HANDLE open(const std::wstring& name, DWORD access, DWORD share, DWORD flags = 0) {
    return ::CreateFileW(name.c_str(), access, share, nullptr, OPEN_EXISTING, flags, nullptr);
}

// The name in wide characters, which a link of that name leads to; empty, and errno set, if it is no name.
std::wstring place_of(const char* path) {
    const auto answer = [](auto ask) {
        std::wstring place(MAX_PATH, 0);
        for (;;) {
            const size_t length = ask(place.data(), static_cast<DWORD>(place.size()));
            const bool fits = length < place.size();
            place.resize(length);
            if (fits) return place;
        }
    };
    const std::wstring name = to_wide(path);
    if (const OpenHandle there(open(name, 0, kShared, FILE_FLAG_BACKUP_SEMANTICS)); there) {
        const std::wstring place = answer([&](wchar_t* to, DWORD room) { return ::GetFinalPathNameByHandleW(there.get(), to, room, 0); });
        if (!place.empty()) return place;
    }
    const std::wstring place = answer([&](wchar_t* to, DWORD room) { return ::GetFullPathNameW(name.c_str(), room, to, nullptr); });
    if (place.empty()) set_errno();
    return place;
}

// While a process writes one of these files nobody else can open it to remove it.
void remove_dead(const std::wstring& stem) {
    const size_t name = stem.rfind(L'\\') + 1;
    WIN32_FIND_DATAW found;
    const HANDLE search = ::FindFirstFileW((stem + L"*.tmp").c_str(), &found);
    if (search == INVALID_HANDLE_VALUE) return;
    do OpenHandle(open(stem.substr(0, name) + found.cFileName, DELETE, 0, FILE_FLAG_DELETE_ON_CLOSE | FILE_FLAG_OPEN_REPARSE_POINT));
    while (::FindNextFileW(search, &found));
    ::FindClose(search);
}

// As the attribute has it, even of who may write in spite of it.
bool may_be_written(const std::wstring& name) {
    const DWORD attributes = ::GetFileAttributesW(name.c_str());
    if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_READONLY)) {
        ::SetLastError(ERROR_ACCESS_DENIED);
        return false;
    }
    return OpenHandle(open(name, GENERIC_WRITE, kShared)) || ::GetLastError() == ERROR_SHARING_VIOLATION;
}

bool set_to_go(HANDLE file, bool goes) {
    FILE_DISPOSITION_INFO disposition = {goes};
    return ::SetFileInformationByHandle(file, FileDispositionInfo, &disposition, sizeof disposition) != 0;
}

// Who may do what with the file, as far as the system lets us.
void copy_permissions(const std::wstring& from, HANDLE to) {
    DWORD size = 0;
    ::GetFileSecurityW(from.c_str(), DACL_SECURITY_INFORMATION, nullptr, 0, &size);
    std::vector<char> permissions(size);
    if (size && ::GetFileSecurityW(from.c_str(), DACL_SECURITY_INFORMATION, permissions.data(), size, &size))
        ::SetKernelObjectSecurity(to, DACL_SECURITY_INFORMATION, permissions.data());
}

}  // namespace

std::wstring to_wide(std::string_view text) {
    const int size = static_cast<int>(text.size()),
              length = ::MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text.data(), size, nullptr, 0);
    std::wstring wide(static_cast<size_t>(length), 0);
    ::MultiByteToWideChar(CP_UTF8, 0, text.data(), size, wide.data(), length);
    return wide;
}

std::string to_utf8(std::wstring_view text) {
    const int length = static_cast<int>(text.size()),
              size = ::WideCharToMultiByte(CP_UTF8, 0, text.data(), length, nullptr, 0, nullptr, nullptr);
    std::string utf8(static_cast<size_t>(size), 0);
    ::WideCharToMultiByte(CP_UTF8, 0, text.data(), length, utf8.data(), size, nullptr, nullptr);
    return utf8;
}

void set_errno() {
    const std::error_condition reason = std::system_category().default_error_condition(static_cast<int>(::GetLastError()));
    errno = ::GetLastError() == ERROR_NO_DATA ? EPIPE : reason.category() == std::generic_category() ? reason.value() : EIO;
}

int open_to_read(const char* path) {
    const HANDLE file = open(to_wide(path), GENERIC_READ, kShared);
    if (file == INVALID_HANDLE_VALUE) {
        set_errno();
        if (errno == EACCES && what_is_at(path) == FileKind::other) errno = EISDIR;
        return -1;
    }
    const int descriptor = ::_open_osfhandle(reinterpret_cast<intptr_t>(file), _O_RDONLY | _O_BINARY);
    if (descriptor < 0) ::CloseHandle(file);
    return descriptor;
}

FileKind what_is_at(const char* path) {
    const OpenHandle there(open(to_wide(path), 0, kShared, FILE_FLAG_BACKUP_SEMANTICS));
    if (!there) return FileKind::nothing;
    BY_HANDLE_FILE_INFORMATION about;
    const bool file = ::GetFileType(there.get()) == FILE_TYPE_DISK && ::GetFileInformationByHandle(there.get(), &about) &&
                      !(about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY);
    return file ? FileKind::file : FileKind::other;
}

UnfinishedFile::~UnfinishedFile() {
    if (!handle_) return;
    if (!finished_) set_to_go(handle_, true);
    ::CloseHandle(handle_);
}

bool UnfinishedFile::create(const char* path) {
    place_ = place_of(path);
    if (place_.empty()) return false;
    const bool replaces = what_is_at(path) != FileKind::nothing;
    if (replaces && !may_be_written(place_)) return done(false);
    constexpr size_t kKept = 100;  // so that it is no longer than a file's name may be
    const std::wstring stem = place_.substr(0, place_.rfind(L'\\') + 1 + kKept) + L".sparselin-";
    remove_dead(stem);
    // No two threads of the system have the same number.
    const std::wstring name = stem + std::to_wstring(::GetCurrentThreadId()) + L".tmp";
    const HANDLE file = ::CreateFileW(name.c_str(), GENERIC_WRITE | DELETE | WRITE_DAC, FILE_SHARE_READ, nullptr, CREATE_NEW, 0, nullptr);
    if (file == INVALID_HANDLE_VALUE) return done(false);
    handle_ = file;
    set_to_go(handle_, true);
    if (replaces) copy_permissions(place_, handle_);
    return true;
}

bool UnfinishedFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        constexpr size_t kAtOnce = size_t{1} << 30;
        DWORD written = 0;
        if (!done(::WriteFile(handle_, bytes.data(), static_cast<DWORD>(std::min(bytes.size(), kAtOnce)), &written, nullptr))) return false;
        bytes.remove_prefix(written);
    }
    return true;
}

bool UnfinishedFile::flush() { return done(::FlushFileBuffers(handle_)); }

// Where the system can, the way POSIX has it: whoever has the old file open goes on reading that. Elsewhere nobody may have it open, and
// who looks at it just now is waited for. The new name reaches the disk too.
bool UnfinishedFile::replace() {
    constexpr DWORD kReplace = 1, kAsPosix = 2;
    constexpr auto kRenameByFlags = static_cast<FILE_INFO_BY_HANDLE_CLASS>(22);  // FileRenameInfoEx, since Windows 10
    const size_t length = place_.size() * sizeof(wchar_t);
    std::vector<char> bytes(sizeof(FILE_RENAME_INFO) + length);
    const auto rename = reinterpret_cast<FILE_RENAME_INFO*>(bytes.data());
    rename->FileNameLength = static_cast<DWORD>(length);
    std::memcpy(rename->FileName, place_.data(), length);
    const auto renamed = [&](FILE_INFO_BY_HANDLE_CLASS how, DWORD flags) {
        std::memcpy(bytes.data(), &flags, sizeof flags);  // or ReplaceIfExists, which is their first byte
        return ::SetFileInformationByHandle(handle_, how, rename, static_cast<DWORD>(bytes.size())) != 0;
    };
    constexpr int kTries = 200;
    for (int tries = 0;; ++tries) {
        set_to_go(handle_, false);
        finished_ = renamed(kRenameByFlags, kReplace | kAsPosix) || renamed(FileRenameInfo, kReplace);
        if (finished_) break;
        const DWORD reason = ::GetLastError();
        set_to_go(handle_, true);
        ::SetLastError(reason);
        if (tries == kTries || (reason != ERROR_ACCESS_DENIED && reason != ERROR_SHARING_VIOLATION)) return done(false);
        ::Sleep(5);
    }
    ::FlushFileBuffers(handle_);
    return true;
}

}  // namespace sparselin
#endif
