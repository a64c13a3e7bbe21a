/* Rows as scikit-learn and Spark make them: tests/data/hashing.txt and hashing-spark.txt. */
#include <stdio.h>

#include "encoder.h"

/* Takes the next field of a line, which ends at a tab, a byte for each escape; NULL at the end of the line. */
static char* field(char** at, size_t* length) {
    char *begin = *at, *to = *at, *from = *at;
    if (!begin) return NULL;
    while (*from && *from != '\t' && *from != '\n') {
        if (from[0] == '\\' && from[1] == '\\') {
            *to++ = '\\';
            from += 2;
        } else if (from[0] == '\\') {
            unsigned byte = 0;
            assert_int_equal(sscanf(from, "\\x%2x", &byte), 1);
            *to++ = (char)byte;
            from += 4;
        } else {
            *to++ = *from++;
        }
    }
    *at = *from == '\t' ? from + 1 : NULL;
    *to = 0;
    *length = (size_t)(to - begin);
    return begin;
}

enum { LONGEST = 1 << 14 };

typedef struct one_case {
    sl_options* options;
    sl_encoder* encoder; /* made by the first line that is no option */
} one_case;

static sl_encoder* encoder_of(one_case* c) {
    if (!c->encoder) assert_ok(sl_encoder_create(c->options, &c->encoder, &error));
    return c->encoder;
}

static void check_case(one_case* c, char* expected, size_t line) {
    const encoded row = row_of(encoder_of(c));
    size_t count = 0, length;
    for (char* at = expected; at; ++count) {
        unsigned index = 0;
        double value = 0;
        const char* pair = field(&at, &length);
        assert_int_equal(sscanf(pair, "%u:%lf", &index, &value), 2);
        if (count >= row.count || row.indices[count] != index || !same_bits(row.values[count], value))
            fail_msg("line %zu: entry %zu of %zu is not %s", line, count, row.count, pair);
    }
    if (row.count != count) fail_msg("line %zu: %zu entries, not %zu", line, row.count, count);
}

static void replay(const char* file_name, size_t cases) {
    static char line[LONGEST];
    size_t number = 0, found = 0;
    one_case c = {NULL, NULL};
    FILE* file = fopen(file_name, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char* at = line;
        size_t length, value_length = 0;
        ++number;
        if (*line == '#' || *line == '\n') continue;
        if (!c.options) assert_ok(sl_options_create(&c.options, &error));
        const char* kind = field(&at, &length);
        if (strcmp(kind, "row") == 0) {
            check_case(&c, at, number);
            sl_encoder_free(c.encoder);
            sl_options_free(c.options);
            c = (one_case){NULL, NULL};
            ++found;
            continue;
        }
        const char *name = field(&at, &length), *value = field(&at, &value_length);
        assert_non_null(value);
        if (strcmp(kind, "option") == 0) assert_ok(sl_options_set(c.options, name, value, &error));
        if (strcmp(kind, "text") == 0) assert_ok(sl_encoder_text(encoder_of(&c), name, value, value_length, &error));
        if (strcmp(kind, "category") == 0) assert_ok(sl_encoder_category(encoder_of(&c), name, value, &error));
        if (strcmp(kind, "number") == 0) assert_ok(sl_encoder_number(encoder_of(&c), name, atof(value), &error));
    }
    fclose(file);
    assert_null(c.options);
    assert_int_equal(found, cases);
}

static void rows_are_those_of_scikit_learn(void** state) {
    (void)state;
    replay(SL_TEST_DATA "/hashing.txt", 200);
}

static void rows_are_those_of_spark(void** state) {
    (void)state;
    replay(SL_TEST_DATA "/hashing-spark.txt", 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_those_of_scikit_learn),
        cmocka_unit_test(rows_are_those_of_spark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
