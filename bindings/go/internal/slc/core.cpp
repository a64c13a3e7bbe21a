// The whole library. What this includes lies in src and include, which the keep.go in each makes packages of Go.
#include "../../../../src/all.cpp"

// Go's cache looks at the files of this folder alone. So that a new version is never taken for the old one, each release changes this one.
static_assert(SL_VERSION_MAJOR == 1 && SL_VERSION_MINOR == 0 && SL_VERSION_PATCH == 0, "core.cpp is of another version");
