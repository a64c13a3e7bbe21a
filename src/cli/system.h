// All that the program asks of the operating system: its words, streams and files, the terminal, signals. system_posix.cpp is this for
// POSIX, system_windows.cpp for Windows, where all text is UTF-8 too.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

// The words of the command line behind the program's name.
std::vector<std::string> arguments(int count, char** words);

// What errno says, from any thread.
std::string system_reason();

// Called before anything is opened: what is written to a closed standard stream goes into no file, and a reader that went away is an error
// of the write.
void prepare_standard_streams();

// A file to read, or with "-" standard input. Throws Failure with the system's reason.
class InputFile {
  public:
    explicit InputFile(const std::string& path);
    ~InputFile();
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    const std::string& name() const { return name_; }  // for messages
    uint64_t size() const;                             // of a regular file; 0 of a pipe or device

    // Up to `capacity` bytes; 0 at the end, -1 with errno on failure, nothing where none came within a tenth of a second or a signal did.
    std::optional<int64_t> read(void* buffer, size_t capacity);

  private:
    std::string name_;
    int descriptor_ = 0;
};

// A file to write, or with "-" standard output. A regular file is written whole or not at all: until finish() it has another name, and
// what is not finished goes. It keeps its permissions. Throws Failure with the system's reason.
class OutputFile {
  public:
    explicit OutputFile(const std::string& path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    const std::string& name() const { return name_; }
    size_t write(std::string_view text);  // how many bytes it took: none where a signal came
    void finish();

  private:
    [[noreturn]] void fail() const;

    std::string name_;
    struct Unfinished;  // a file that is not there yet
    std::unique_ptr<Unfinished> unfinished_;
    int descriptor_ = 1;
};

// Whether `output` is the file that is read as `input`, by whatever way. Standard input, which is -, may be a file too.
bool same_file(const std::string& output, const std::string& input);

// Why no file can be written there; empty if one can, as far as is known before.
std::string why_not_written(const std::string& path);

// Standard error. Where it is gone there is nobody to tell, which is no reason to stop.
bool errors_go_to_terminal();
size_t terminal_columns();  // 0 where they are not known
void write_error(std::string_view text);

// The first SIGINT or SIGTERM asks a run to stop where it can be taken up again; a second one ends the program at once.
void catch_stop_signals();
void let_stop_signals_end_the_program();

// The signal that asked to stop, 0 if none did.
int stop_signal();

}  // namespace cli
