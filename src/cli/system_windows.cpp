#ifdef _WIN32
#define NOMINMAX 1
#define WIN32_LEAN_AND_MEAN 1
#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <shellapi.h>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

#include "../windows_files.h"
#include "library.h"
#include "system.h"

namespace cli {

namespace {
constexpr DWORD kPatience = 100;  // milliseconds
constexpr size_t kAtOnce = size_t{1} << 30;

std::atomic<int> received{0};
std::atomic<bool> caught{false};

// Called in a thread of its own. Where the window is closed or the session ends the system waits for its return, and then ends the program.
BOOL WINAPI remember_event(DWORD event) {
    if (!caught.exchange(false)) return FALSE;
    received = event == CTRL_C_EVENT ? SIGINT : SIGTERM;
    if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) ::Sleep(INFINITE);
    return TRUE;
}

HANDLE handle_of(int descriptor) { return reinterpret_cast<HANDLE>(::_get_osfhandle(descriptor)); }

bool is_console(int descriptor) {
    DWORD mode;
    return ::GetConsoleMode(handle_of(descriptor), &mode) != 0;
}

// A console takes wide characters, whatever its code page is.
int write_some(int descriptor, std::string_view text) {
    if (is_console(descriptor)) {
        const std::wstring wide = sparselin::to_wide(text);
        DWORD written = 0;
        if (!wide.empty() && ::WriteConsoleW(handle_of(descriptor), wide.data(), static_cast<DWORD>(wide.size()), &written, nullptr))
            return static_cast<int>(text.size());
    }
    DWORD written = 0;
    if (::WriteFile(handle_of(descriptor), text.data(), static_cast<DWORD>(std::min(text.size(), kAtOnce)), &written, nullptr))
        return static_cast<int>(written);
    sparselin::set_errno();
    return -1;
}
}  // namespace

std::vector<std::string> arguments(int, char**) {
    std::vector<std::string> words;
    int count = 0;
    wchar_t** const wide = ::CommandLineToArgvW(::GetCommandLineW(), &count);
    for (int k = 1; k < count; ++k) words.push_back(sparselin::to_utf8(wide[k]));
    ::LocalFree(wide);
    return words;
}

std::string system_reason() { return std::generic_category().message(errno); }

void prepare_standard_streams() {
    for (int descriptor = 0; descriptor <= 2; ++descriptor) ::_setmode(descriptor, _O_BINARY);
}

InputFile::InputFile(const std::string& path) : name_(path == "-" ? "standard input" : path) {
    if (path == "-") return;
    descriptor_ = sparselin::open_to_read(path.c_str());
    if (descriptor_ < 0) throw Failure(kBadData, name_ + ": " + system_reason());
}

InputFile::~InputFile() {
    if (descriptor_ != 0) ::_close(descriptor_);
}

uint64_t InputFile::size() const {
    struct _stat64 status;
    return ::_fstat64(descriptor_, &status) == 0 && (status.st_mode & _S_IFMT) == _S_IFREG ? static_cast<uint64_t>(status.st_size) : 0;
}

// A pipe cannot be waited for, and a read from it cannot be stopped, so it is asked again and again, ever less often.
std::optional<int64_t> InputFile::read(void* buffer, size_t capacity) {
    const HANDLE file = handle_of(descriptor_);
    if (::GetFileType(file) == FILE_TYPE_PIPE) {
        DWORD waiting = 0;
        for (DWORD tries = 0; ::PeekNamedPipe(file, nullptr, 0, nullptr, &waiting, nullptr) && waiting == 0; ++tries) {
            if (stop_signal() != 0 || tries == 2 * kPatience) return {};
            ::Sleep(tries < kPatience ? 0 : 1);
        }
    } else if (is_console(descriptor_) && ::WaitForSingleObject(file, kPatience) == WAIT_TIMEOUT) {
        return {};
    }
    return ::_read(descriptor_, buffer, static_cast<unsigned>(std::min(capacity, kAtOnce)));
}

struct OutputFile::Unfinished : sparselin::UnfinishedFile {};

OutputFile::OutputFile(const std::string& path) : name_(path == "-" ? "standard output" : path) {
    if (path == "-") return;
    if (sparselin::what_is_at(path.c_str()) == sparselin::FileKind::other) {
        descriptor_ = ::_wopen(sparselin::to_wide(path).c_str(), _O_WRONLY | _O_BINARY | _O_NOINHERIT);
        if (descriptor_ < 0) fail();
    } else {
        unfinished_ = std::make_unique<Unfinished>();
        if (!unfinished_->create(path.c_str())) fail();
    }
}

OutputFile::~OutputFile() {
    if (descriptor_ > 1) ::_close(descriptor_);
}

void OutputFile::fail() const { throw Failure(kBadData, name_ + ": " + system_reason()); }

size_t OutputFile::write(std::string_view text) {
    if (unfinished_) {
        if (!unfinished_->write(text)) fail();
        return text.size();
    }
    const int count = write_some(descriptor_, text);
    if (count < 0) fail();
    return static_cast<size_t>(count);
}

void OutputFile::finish() {
    if (unfinished_) {
        if (!unfinished_->flush() || !unfinished_->replace()) fail();
        unfinished_.reset();
    } else if (::_close(std::exchange(descriptor_, -1)) != 0) {
        fail();
    }
}

bool same_file(const std::string& output, const std::string& input) {
    const int written = sparselin::open_to_read(output.c_str()), read = input == "-" ? 0 : sparselin::open_to_read(input.c_str());
    BY_HANDLE_FILE_INFORMATION one, other;
    const bool same = written >= 0 && read >= 0 && ::GetFileInformationByHandle(handle_of(written), &one) &&
                      ::GetFileInformationByHandle(handle_of(read), &other) && one.dwVolumeSerialNumber == other.dwVolumeSerialNumber &&
                      one.nFileIndexHigh == other.nFileIndexHigh && one.nFileIndexLow == other.nFileIndexLow;
    if (written >= 0) ::_close(written);
    if (read > 0) ::_close(read);
    return same;
}

std::string why_not_written(const std::string& path) {
    const size_t slash = path.find_last_of("/\\:");
    const std::string folder = slash == path.npos ? "." : path.substr(0, slash + 1);
    if (::_waccess(sparselin::to_wide(folder).c_str(), 2) != 0) return system_reason();
    return sparselin::what_is_at(path.c_str()) == sparselin::FileKind::other ? "it is not a regular file" : "";
}

bool errors_go_to_terminal() { return is_console(2); }

size_t terminal_columns() {
    CONSOLE_SCREEN_BUFFER_INFO window;
    return ::GetConsoleScreenBufferInfo(handle_of(2), &window) ? static_cast<size_t>(window.srWindow.Right - window.srWindow.Left + 1) : 0;
}

void write_error(std::string_view text) { write_some(2, text); }

void catch_stop_signals() {
    caught = true;
    ::SetConsoleCtrlHandler(remember_event, TRUE);
}

void let_stop_signals_end_the_program() { ::SetConsoleCtrlHandler(remember_event, FALSE); }

int stop_signal() { return received; }

}  // namespace cli
#endif
