/* A process that is forked between calls: both have a model of their own, and go on with it as if they were alone, threads included. */
#include <sys/wait.h>
#include <unistd.h>

#include "helpers.h"

enum { LINES = 20000 };

/* Learns text that is parsed in several threads, and gives all bytes of the model, which the caller frees. */
static unsigned char* learn(sl_model* model, const char* text, size_t* length) {
    sl_options* options = new_options("threads", "4");
    sl_dataset* data = NULL;
    text_source source = {text};
    assert_ok(sl_dataset_read(give_text, &source, options, &data, &error));
    assert_ok(sl_model_feed_dataset(model, data, NULL, &error));
    sl_dataset_free(data);
    sl_options_free(options);
    assert_ok(sl_model_to_bytes(model, SL_KEEP_EVERYTHING, NULL, 0, length, &error));
    unsigned char* const bytes = malloc(*length);
    assert_non_null(bytes);
    assert_ok(sl_model_to_bytes(model, SL_KEEP_EVERYTHING, bytes, *length, length, &error));
    return bytes;
}

static void both_go_on(void** state) {
    static char text[LINES * 40];
    char* end = text;
    uint64_t random = 3;
    size_t length = 0, of_child = 0;
    sl_model* model = new_model("l1", "0.0001");
    (void)state;
    for (size_t r = 0; r < LINES; ++r) {
        const unsigned draw = (unsigned)next_random(&random);
        end += sprintf(end, "%s %u:%u %u:0.5\n", draw & 1 ? "1" : "-1", 1 + (draw >> 8 & 63), 1 + (draw >> 16 & 7), 100 + (draw >> 24));
    }
    free(learn(model, text, &length));

    FILE* const file = tmpfile();
    assert_non_null(file);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        unsigned char* const bytes = learn(model, text, &length);
        const int written = fwrite(bytes, 1, length, file) == length && fflush(file) == 0;
        free(bytes); /* valgrind looks for leaks here too */
        _exit(written ? 0 : 1);
    }
    unsigned char* const bytes = learn(model, text, &length);
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);

    unsigned char* const childs = malloc(length + 1);
    assert_non_null(childs);
    rewind(file);
    of_child = fread(childs, 1, length + 1, file);
    assert_int_equal(of_child, length);
    assert_memory_equal(bytes, childs, length);
    fclose(file);
    free(childs);
    free(bytes);
    sl_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_go_on)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
