// Whole files: read at once, replaced at once. Both throw SL_ERROR_IO with the path and the system's reason.
#pragma once
#include <string>
#include <string_view>

namespace sparselin {

std::string read_file(const char* path);

// Writes a new file beside `path`, flushes it to disk and renames it: whenever the machine stops, the path holds the old bytes or the new
// ones. Leaves nothing behind when it fails. Replaces regular files only.
void replace_file(const char* path, std::string_view bytes);

[[noreturn]] void fail_io(const char* doing, const char* path, int error_number);

}  // namespace sparselin
