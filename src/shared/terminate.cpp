// Part of the shared library alone, which has a C++ runtime of its own: what the runtime says before it ends a program needs 48 KB to make
// names readable. An exception that nobody catches ends it without a word.
#include <cstdlib>

namespace __gnu_cxx {  // NOLINT: a name of the runtime's

void __verbose_terminate_handler() { std::abort(); }  // NOLINT

}  // namespace __gnu_cxx
