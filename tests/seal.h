/* The head and the checksum of the bytes of a model or a data set (src/README.md), for those who change what is between. */
#ifndef SPARSELIN_TESTS_SEAL_H
#define SPARSELIN_TESTS_SEAL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The head of every model: 8 bytes of magic, version, kind, length; a CRC-64 at the end. */
enum { VERSION_AT = 8, KIND_AT = 12, LENGTH_AT = 16, BODY_AT = 24, CRC_SIZE = 8 };

static inline void put_number(unsigned char* at, uint64_t value, int size) {
    for (int i = 0; i < size; ++i) at[i] = (unsigned char)(value >> 8 * i);
}

static inline void put_double(unsigned char* at, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_number(at, bits, 8);
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

static inline uint64_t get_number(const unsigned char* at, int size) {
    uint64_t value = 0;
    for (int i = 0; i < size; ++i) value |= (uint64_t)at[i] << 8 * i;
    return value;
}

/* Makes the checksum of a data set fit, behind a header and arrays of these sizes. */
static inline void seal_data(unsigned char* data, const size_t* sizes, size_t count) {
    uint64_t lanes[4] = {1, 2, 3, 4}, sum = 0;
    for (size_t s = 0; s < count; ++s)
        for (size_t k = 0; k < sizes[s]; k += 8, data += 8) {
            uint64_t* lane = &lanes[k / 8 % 4];
            *lane = (*lane ^ get_number(data, 8)) * 0x9e3779b97f4a7c15u;
            *lane ^= *lane >> 32;
        }
    for (size_t k = 0; k < 4; ++k) {
        sum += lanes[k];
        sum = (sum ^ sum >> 30) * 0xbf58476d1ce4e5b9u;
        sum = (sum ^ sum >> 27) * 0x94d049bb133111ebu;
        sum ^= sum >> 31;
    }
    put_number(data, sum, 8);
}

#endif
