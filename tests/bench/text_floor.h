// What reading svmlight text cannot do without: every digit looked at, every number made and written.
#pragma once
#include <cstdint>

namespace bench {

// Indices and values of [text, end), lines as printf writes them (`%d %u:%g ... \n`), to arrays that are large enough. Eight bytes at a
// time, digits counted without a branch on their number, one exact division a value. Checks nothing; 16 bytes behind the end are read.
void text_floor(const char* text, const char* end, uint32_t* indices, double* values);

}  // namespace bench
