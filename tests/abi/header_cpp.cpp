#include <sparselin.h>

extern "C" size_t error_size_in_cpp() { return sizeof(sl_error); }
extern "C" int version_in_cpp() { return 10000 * SL_VERSION_MAJOR + 100 * SL_VERSION_MINOR + SL_VERSION_PATCH; }
