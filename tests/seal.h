/* The head and the checksum of a model's bytes, for those who change what is between. */
#ifndef SPARSELIN_TESTS_SEAL_H
#define SPARSELIN_TESTS_SEAL_H

#include <stddef.h>
#include <stdint.h>

/* The head of every model: 8 bytes of magic, version, kind, length; a CRC-64 at the end. */
enum { VERSION_AT = 8, KIND_AT = 12, LENGTH_AT = 16, BODY_AT = 24, CRC_SIZE = 8 };

static inline void put_number(unsigned char* at, uint64_t value, int size) {
    for (int i = 0; i < size; ++i) at[i] = (unsigned char)(value >> 8 * i);
}

static inline uint64_t crc64(const unsigned char* data, size_t size) {
    static uint64_t table[256];
    uint64_t crc = ~(uint64_t)0;
    if (!table[1])
        for (uint64_t i = 0; i < 256; ++i) {
            table[i] = i;
            for (int bit = 0; bit < 8; ++bit) table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xc96c5795d7870f42u : 0);
        }
    for (size_t i = 0; i < size; ++i) crc = table[(crc ^ data[i]) & 0xff] ^ crc >> 8;
    return ~crc;
}

/* Makes length and checksum fit, so that what is inside has to be judged. At least a head and a checksum are there. */
static inline void seal_bytes(unsigned char* data, size_t size) {
    put_number(data + LENGTH_AT, size, 8);
    put_number(data + size - CRC_SIZE, crc64(data, size - CRC_SIZE), 8);
}

#endif
