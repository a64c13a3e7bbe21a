// The exception barrier, by which what is thrown inside becomes a status and one printable line; versions; the names of statuses.
#include <algorithm>
#include <new>
#include <stdexcept>

#include "c_api.h"

using namespace sparselin;

namespace {

// Whether a character stays on its line and leaves those beside it where they are: it is no control character, line or paragraph separator,
// or mark of the direction of writing.
bool is_printable(uint32_t c) noexcept {
    const auto within = [=](uint32_t first, uint32_t last) { return c >= first && c <= last; };
    return !(c < 0x20 || within(0x7f, 0x9f) || c == 0x61c || within(0x200e, 0x200f) || within(0x2028, 0x202e) || within(0x2066, 0x2069));
}

// Bytes of the printable UTF-8 character at `text`, 0 if there is none.
size_t character_size(const char* text) noexcept {
    constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};  // fewer bytes would do for what is below
    const auto first = static_cast<unsigned char>(*text);
    const size_t size = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;
    uint32_t character = size < 2 ? first : first & (0x7f >> size);
    for (size_t k = 1; k < size; ++k) {
        if ((text[k] & 0xc0) != 0x80) return 0;
        character = character << 6 | (text[k] & 0x3f);
    }
    const bool is_surrogate = character >= 0xd800 && character <= 0xdfff;
    return character >= kLeast[size] && character <= 0x10ffff && !is_surrogate && is_printable(character) ? size : 0;
}

sl_status report(sl_status status, int64_t row, const char* message, sl_error* error) noexcept {
    if (!error) return status;
    error->status = status;
    error->row = row;
    // One printable line of UTF-8, whatever names from outside are in it: other bytes become question marks.
    size_t length = 0;
    while (*message) {
        const size_t size = character_size(message);
        if (length + std::max<size_t>(size, 1) >= sizeof error->message) break;
        if (size == 0) {
            error->message[length++] = '?';
            ++message;
        }
        for (size_t k = 0; k < size; ++k) error->message[length++] = *message++;
    }
    error->message[length] = '\0';
    return status;
}

}  // namespace

sl_status sparselin::report_caught(sl_error* error, int& system) noexcept {
    try {
        throw;
    } catch (const Error& e) {
        system = e.system();
        return report(e.status(), e.row(), e.message().c_str(), error);
    } catch (const std::bad_alloc&) {
        return report(SL_ERROR_OUT_OF_MEMORY, Error::kNoRow, "out of memory", error);
    } catch (const std::length_error&) {
        return report(SL_ERROR_OUT_OF_MEMORY, Error::kNoRow, "out of memory: more was asked for than there can be", error);
    } catch (const std::exception& e) {
        return report(SL_ERROR_INTERNAL, Error::kNoRow, e.what(), error);
    } catch (...) {
        return report(SL_ERROR_INTERNAL, Error::kNoRow, "an unknown exception", error);
    }
}

void sparselin::refuse_pointers(const char* what, size_t r, int64_t begin, int64_t end) {
    const std::string reason = concat("its pointers are ", begin, " and ", end, ", which do not ascend from 0");
    if (std::strcmp(what, "row") == 0) throw_row_error(SL_ERROR_INVALID_ARGUMENT, r, reason);
    fail(SL_ERROR_INVALID_ARGUMENT, what, " ", uint64_t{r}, ": ", reason);
}

extern "C" {

const char* sl_version(void) {
#define SL_TEXT_(x) #x
#define SL_TEXT(x) SL_TEXT_(x)
    return SL_TEXT(SL_VERSION_MAJOR) "." SL_TEXT(SL_VERSION_MINOR) "." SL_TEXT(SL_VERSION_PATCH);
}

int sl_version_number(void) { return 10000 * SL_VERSION_MAJOR + 100 * SL_VERSION_MINOR + SL_VERSION_PATCH; }

const char* sl_status_name(sl_status status) {
    static constexpr const char* kNames[] = {"SL_OK",
                                             "SL_ERROR_INVALID_ARGUMENT",
                                             "SL_ERROR_INVALID_OPTION",
                                             "SL_ERROR_INVALID_DATA",
                                             "SL_ERROR_STATE",
                                             "SL_ERROR_OUT_OF_MEMORY",
                                             "SL_ERROR_IO",
                                             "SL_ERROR_FORMAT",
                                             "SL_ERROR_VERSION",
                                             "SL_ERROR_DIVERGED",
                                             "SL_ERROR_CANCELLED",
                                             "SL_ERROR_INTERNAL"};
    const auto i = static_cast<size_t>(status);
    return i < sizeof kNames / sizeof *kNames ? kNames[i] : "SL_ERROR_UNKNOWN";
}

const char* sl_error_reason(const sl_error* error) {
    return error ? reason_of(error->message, error->row).data() : "";  // to the message's end
}

}  // extern "C"
