#include <sparselin.h>

size_t error_size_in_c(void);

size_t error_size_in_c(void) { return sizeof(sl_error); }
