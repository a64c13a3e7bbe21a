// Handles of the C library that free themselves, and its failures as exceptions.
#pragma once
#include <sparselin.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace cli {

enum ExitCode { kBadData = 1, kBadUsage = 2 };

// Ends the command; what() is what the user is told.
class Failure : public std::runtime_error {
  public:
    Failure(int exit_code, const std::string& message) : std::runtime_error(message), exit_code_(exit_code) {}
    int exit_code() const { return exit_code_; }

  private:
    int exit_code_;
};

// A call of the library that failed. Wrong names and values are the user's usage, anything else is the data's or the system's fault.
class LibraryError : public Failure {
  public:
    explicit LibraryError(const sl_error& error)
        : Failure(error.status == SL_ERROR_INVALID_OPTION || error.status == SL_ERROR_INVALID_ARGUMENT ? kBadUsage : kBadData,
                  as_told(error).message),
          error_(as_told(error)) {}
    sl_status status() const { return error_.status; }
    const char* reason() const { return sl_error_reason(&error_); }  // what() without the row

  private:
    static sl_error as_told(sl_error error);  // without functions of C that it names in brackets, which no user of the program can call
    sl_error error_;
};

// Calls function(arguments..., &error).
template <class Function, class... Arguments>
void call(Function function, Arguments... arguments) {
    sl_error error;
    if (function(arguments..., &error) != SL_OK) throw LibraryError(error);
}

struct Free {
    void operator()(sl_options* options) const { sl_options_free(options); }
    void operator()(sl_model* model) const { sl_model_free(model); }
    void operator()(sl_dataset* data) const { sl_dataset_free(data); }
    void operator()(sl_reader* reader) const { sl_reader_free(reader); }
    void operator()(sl_encoder* encoder) const { sl_encoder_free(encoder); }
    void operator()(sl_search* search) const { sl_search_free(search); }
    void operator()(sl_builder* builder) const { sl_builder_free(builder); }
};
using Options = std::unique_ptr<sl_options, Free>;
using Model = std::unique_ptr<sl_model, Free>;
using Data = std::unique_ptr<sl_dataset, Free>;
using Reader = std::unique_ptr<sl_reader, Free>;
using Encoder = std::unique_ptr<sl_encoder, Free>;

// Calls function(arguments..., &handle, &error) and owns the handle.
template <class Handle, class Function, class... Arguments>
std::unique_ptr<Handle, Free> make(Function function, Arguments... arguments) {
    Handle* handle = nullptr;
    call(function, arguments..., &handle);
    return std::unique_ptr<Handle, Free>(handle);
}

// The text that a function gives in the two-call pattern.
template <class Function, class... Arguments>
std::string text_of(Function function, Arguments... arguments) {
    size_t length = 0;
    call(function, arguments..., nullptr, size_t{0}, &length);
    std::string text(length, '\0');
    call(function, arguments..., text.data(), text.size(), &length);
    text.resize(length - 1);
    return text;
}

// The answer of a query such as sl_model_steps.
template <class Answer, class Function>
Answer ask(Function function, const sl_model* model) {
    Answer answer{};
    call(function, model, &answer);
    return answer;
}

// A copy of the encoder that the model carries; null where it carries none.
Encoder encoder_of(const sl_model* model);

Model load_model(const std::string& path);
std::string model_option(const sl_model* model, const char* name);
uint64_t rows_of(const sl_dataset* data);

// What there is of a row beside its features.
struct Target {
    double label = 0, weight = 0;
};
Target target_of(const sl_dataset* data, uint64_t row);

}  // namespace cli
