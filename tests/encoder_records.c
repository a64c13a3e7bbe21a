/* Records of an encoder: what becomes a feature, options, and what is refused. */
#include <math.h>

#include "encoder.h"

static void a_number_a_category_and_a_text_make_a_row(void** state) {
    sl_encoder* encoder = new_encoder("features", "dictionary");
    (void)state;
    assert_ok(sl_encoder_number(encoder, "age", 34, &error));
    assert_ok(sl_encoder_category(encoder, "city", "Delft", &error));
    add_text(encoder, "", "To be, or not to be");
    add_text(encoder, "title", "Hamlet");
    assert_row(encoder, 0, 34, 1, 1, 2, 2, 3, 2, 4, 1, 5, 1, 6, 1);
    static const char* const names[] = {"age", "city=Delft", "to", "be", "or", "not", "title=hamlet"};
    for (uint32_t i = 0; i < 7; ++i) assert_string_equal(name_of(encoder, i), names[i]);
    uint64_t dimension = 0;
    assert_ok(sl_encoder_dimension(encoder, &dimension, &error));
    assert_int_equal(dimension, 7);
    assert_ok(sl_encoder_clear(encoder, &error));
    assert_int_equal(row_of(encoder).count, 0);
    add_text(encoder, "", "or else");
    assert_row(encoder, 4, 1, 7, 1);
    sl_encoder_free(encoder);
}

static void equal_features_add_up_and_zeros_are_not_there(void** state) {
    sl_encoder* encoder = new_encoder("features", "dictionary");
    (void)state;
    assert_ok(sl_encoder_number(encoder, "zero", 0, &error));
    assert_ok(sl_encoder_number(encoder, "minus zero", -0.0, &error));
    assert_ok(sl_encoder_number(encoder, "a", 1.5, &error));
    assert_ok(sl_encoder_number(encoder, "b", 2, &error));
    assert_ok(sl_encoder_number(encoder, "a", 0.25, &error));
    assert_ok(sl_encoder_number(encoder, "b", -2, &error));
    assert_ok(sl_encoder_category(encoder, "c", "x", &error));
    assert_ok(sl_encoder_category(encoder, "c", "y", &error));
    assert_ok(sl_encoder_category(encoder, "c", "x", &error));
    assert_row(encoder, 0, 1.75, 2, 2, 3, 1);
    assert_row(encoder, 0, 1.75, 2, 2, 3, 1); /* asked for again */
    assert_ok(sl_encoder_number(encoder, "b", 7, &error));
    assert_row(encoder, 0, 1.75, 1, 7, 2, 2, 3, 1);
    assert_string_equal(name_of(encoder, 0), "a");
    sl_encoder_free(encoder);
}

/* Hashed features are the same numbers, whatever came before. */
static void a_hashed_row_is_ready_to_feed(void** state) {
    sl_encoder *encoder = new_encoder("hash_bits", "18"), *again = new_encoder("hash_bits", "18", "threads", "3");
    sl_model* model = new_model("loss", "squared");
    double score = 0;
    (void)state;
    add_text(again, "x", "something else before");
    assert_ok(sl_encoder_clear(again, &error));
    for (int k = 0; k < 2; ++k) {
        sl_encoder* e = k ? again : encoder;
        add_text(e, "words", "the quick brown fox jumps over the lazy dog");
        assert_ok(sl_encoder_number(e, "age", 0.5, &error));
    }
    const encoded row = row_of(encoder), other = row_of(again);
    assert_int_equal(row.count, 9);
    assert_int_equal(other.count, 9);
    assert_memory_equal(row.indices, other.indices, 9 * sizeof *row.indices);
    assert_memory_equal(row.values, other.values, 9 * sizeof *row.values);
    for (size_t j = 0; j < row.count; ++j) assert_true(row.indices[j] < 1 << 18);
    assert_ok(sl_model_feed(model, row.indices, row.values, row.count, 3, 1, &error));
    assert_ok(sl_model_predict(model, row.indices, row.values, row.count, &score, &error));
    uint64_t dimension = 0;
    assert_ok(sl_encoder_dimension(encoder, &dimension, &error));
    assert_int_equal(dimension, 1 << 18);
    sl_encoder_free(encoder);
    sl_encoder_free(again);
    sl_model_free(model);
}

/* MurmurHash3's published values, by which the index of 32 bits is the hash itself. */
static void an_index_of_32_bits_is_the_hash(void** state) {
    static const struct {
        const char* name;
        uint32_t hash;
    } known[] = {{"", 0}, {"hello", 0x248bfa47}, {"hello, world", 0x149bbb7f}, {"The quick brown fox jumps over the lazy dog", 0x2e4ff723}};
    sl_encoder* encoder = new_encoder(NULL);
    uint64_t dimension = 0;
    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof *known; ++k) {
        assert_ok(sl_encoder_clear(encoder, &error));
        assert_ok(sl_encoder_number(encoder, known[k].name, -2.5, &error));
        assert_row(encoder, known[k].hash, -2.5);
    }
    assert_ok(sl_encoder_dimension(encoder, &dimension, &error));
    assert_int_equal(dimension, (uint64_t)1 << 32);
    sl_encoder_free(encoder);
}

static void numbers_that_are_none_are_refused_by_name(void** state) {
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    sl_encoder* encoder = new_encoder("features", "dictionary");
    uint64_t dimension = 77;
    (void)state;
    assert_ok(sl_encoder_number(encoder, "age", 2, &error));
    for (size_t k = 0; k < 3; ++k) {
        assert_status(SL_ERROR_INVALID_DATA, sl_encoder_number(encoder, "height", bad[k], &error));
        assert_message("'height'");
        assert_message("not finite");
    }
    assert_row(encoder, 0, 2);
    assert_ok(sl_encoder_dimension(encoder, &dimension, &error));
    assert_int_equal(dimension, 1);
    sl_encoder_free(encoder);
}

/* A row that cannot be made leaves record and dictionary as they were. */
static void what_overflows_is_refused(void** state) {
    sl_encoder* encoder = new_encoder("features", "dictionary");
    uint64_t dimension = 77;
    (void)state;
    assert_ok(sl_encoder_cross(encoder, "a", "b", &error));
    assert_ok(sl_encoder_cross(encoder, "a", "c", &error));
    assert_ok(sl_encoder_number(encoder, "a", 1e200, &error));
    assert_ok(sl_encoder_category(encoder, "b", "fine", &error));
    assert_ok(sl_encoder_number(encoder, "c", 1e200, &error));
    for (int k = 0; k < 2; ++k) {
        assert_status(SL_ERROR_INVALID_DATA,
                      sl_encoder_row(encoder, &(const uint32_t*){NULL}, &(const double*){NULL}, &(size_t){0}, &error));
        assert_message("a*c");
        assert_message("1e+200");
        assert_ok(sl_encoder_dimension(encoder, &dimension, &error));
        assert_int_equal(dimension, 3);
    }
    sl_encoder_free(encoder);
    encoder = new_encoder(NULL);
    assert_ok(sl_encoder_number(encoder, "a", 1e200, &error));
    assert_status(SL_ERROR_INVALID_DATA, sl_encoder_row(encoder, &(const uint32_t*){NULL}, &(const double*){NULL}, &(size_t){0}, &error));
    assert_message("overflows");
    sl_encoder_free(encoder);
}

static void options_without_effect_are_refused(void** state) {
    static const char* const bad[][7] = {
        {"features", "dictionary", "hash_bits", "20"},
        {"features", "dictionary", "hash_like", "spark"},
        {"features", "dictionary", "hash_sign", "true"},
        {"features", "dictionary", "keep_names", "true"},
        {"min_count", "2"},
        {"hash_sign", "true"},
        {"hash_sign", "true", "hash_like", "spark", "hash_bits", "20"},
        {"ngram_min", "2"},
        {"loss", "hinge"},
        {"preset", "dekel-sgd"},
        {"index_base", "zero"},
    };
    static const char* const words[] = {"features",  "features",  "features",        "features",        "features",       "hash_bits",
                                        "HashingTF", "ngram_max", "sl_model_create", "sl_model_create", "sl_model_create"};
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        sl_options* options = options_from(bad[k]);
        sl_encoder* encoder = NULL;
        assert_status(SL_ERROR_INVALID_OPTION, sl_encoder_create(options, &encoder, &error));
        assert_null(encoder);
        assert_message(words[k]);
        sl_options_free(options);
    }
}

/* One list of settings, as a command line has it, makes a model and an encoder. */
static void one_list_of_settings_serves_both(void** state) {
    static const char* const settings[] = {"loss", "hinge", "hash_bits", "20", "threads", "2", "tokens", "char_wb"};
    sl_options *for_models = new_options(NULL), *for_encoders = new_options(NULL), *all = new_options(NULL);
    sl_model* model = NULL;
    sl_encoder* encoder = NULL;
    int models = 7, encoders = 7;
    char value[40];
    size_t length = 0;
    (void)state;
    for (size_t k = 0; k < 8; k += 2) {
        assert_ok(sl_options_set(all, settings[k], settings[k + 1], &error));
        assert_ok(sl_option_is_for(settings[k], &models, &encoders, &error));
        if (models) assert_ok(sl_options_set(for_models, settings[k], settings[k + 1], &error));
        if (encoders) assert_ok(sl_options_set(for_encoders, settings[k], settings[k + 1], &error));
    }
    assert_status(SL_ERROR_INVALID_OPTION, sl_model_create(all, &model, &error));
    assert_message("hash_bits");
    assert_message("sl_encoder_create");
    assert_status(SL_ERROR_INVALID_OPTION, sl_encoder_create(all, &encoder, &error));
    assert_message("loss");
    assert_ok(sl_model_create(for_models, &model, &error));
    assert_ok(sl_encoder_create(for_encoders, &encoder, &error));
    assert_ok(sl_encoder_option(encoder, "tokens", value, sizeof value, &length, &error));
    assert_string_equal(value, "char_wb");
    assert_status(SL_ERROR_INVALID_OPTION, sl_option_is_for("tokenz", NULL, &encoders, &error));
    assert_message("tokens");
    assert_ok(sl_option_is_for("threads", &models, &encoders, &error));
    assert_true(models == 1 && encoders == 1);
    assert_ok(sl_option_is_for("loss", NULL, &encoders, &error));
    assert_int_equal(encoders, 0);
    assert_ok(sl_option_is_for("tokens", &models, NULL, &error));
    assert_int_equal(models, 0);
    sl_options_free(for_models);
    sl_options_free(for_encoders);
    sl_options_free(all);
    sl_model_free(model);
    sl_encoder_free(encoder);
}

static void every_argument_is_checked(void** state) {
    sl_encoder *encoder = new_encoder("features", "dictionary"), *other = NULL;
    sl_options* options = new_options(NULL);
    sl_model* model = new_model(NULL);
    sl_dataset* data = NULL;
    const uint32_t* indices = NULL;
    const double* values = NULL;
    const char* texts[] = {"fine", NULL};
    size_t count = 0;
    (void)state;
#define REFUSED(call) assert_status(SL_ERROR_INVALID_ARGUMENT, call)
    REFUSED(sl_encoder_create(NULL, NULL, &error));
    REFUSED(sl_encoder_create((const sl_options*)(const void*)encoder, &other, &error));
    REFUSED(sl_encoder_cross(NULL, "a", "b", &error));
    REFUSED(sl_encoder_cross((sl_encoder*)(void*)model, "a", "b", &error));
    REFUSED(sl_encoder_cross(encoder, NULL, "b", &error));
    REFUSED(sl_encoder_cross(encoder, "a", NULL, &error));
    REFUSED(sl_encoder_set_threads(NULL, 1, &error));
    REFUSED(sl_encoder_set_threads(encoder, 1025, &error));
    assert_message("1025");
    REFUSED(sl_encoder_clear(NULL, &error));
    REFUSED(sl_encoder_number(NULL, "a", 1, &error));
    REFUSED(sl_encoder_number(encoder, NULL, 1, &error));
    REFUSED(sl_encoder_category(NULL, "a", "b", &error));
    REFUSED(sl_encoder_category(encoder, NULL, "b", &error));
    REFUSED(sl_encoder_category(encoder, "a", NULL, &error));
    REFUSED(sl_encoder_text(NULL, "a", "b", 1, &error));
    REFUSED(sl_encoder_text(encoder, NULL, "b", 1, &error));
    REFUSED(sl_encoder_text(encoder, "a", NULL, 1, &error));
    assert_ok(sl_encoder_text(encoder, "a", NULL, 0, &error));
    REFUSED(sl_encoder_row(NULL, &indices, &values, &count, &error));
    REFUSED(sl_encoder_row(encoder, NULL, &values, &count, &error));
    REFUSED(sl_encoder_row(encoder, &indices, NULL, &count, &error));
    REFUSED(sl_encoder_row(encoder, &indices, &values, NULL, &error));
    REFUSED(sl_encoder_texts(NULL, "", texts, NULL, 1, NULL, NULL, &data, &error));
    REFUSED(sl_encoder_texts(encoder, NULL, texts, NULL, 1, NULL, NULL, &data, &error));
    REFUSED(sl_encoder_texts(encoder, "", NULL, NULL, 1, NULL, NULL, &data, &error));
    REFUSED(sl_encoder_texts(encoder, "", texts, NULL, SIZE_MAX, NULL, NULL, &data, &error));
    REFUSED(sl_encoder_texts(encoder, "", texts, NULL, 1, NULL, NULL, NULL, &error));
    REFUSED(sl_encoder_texts(encoder, "", texts, NULL, 2, NULL, NULL, &data, &error));
    assert_message("row 1");
    assert_null(data);
    REFUSED(sl_encoder_freeze(NULL, &error));
    REFUSED(sl_encoder_dimension(NULL, &(uint64_t){0}, &error));
    REFUSED(sl_encoder_dimension(encoder, NULL, &error));
    REFUSED(sl_encoder_memory(NULL, &(uint64_t){0}, &error));
    REFUSED(sl_encoder_memory(encoder, NULL, &error));
    assert_ok(sl_encoder_number(encoder, "a", 1, &error));
    REFUSED(sl_encoder_name(NULL, 0, NULL, 0, &count, &error));
    REFUSED(sl_encoder_name(encoder, 0, NULL, 0, NULL, &error));
    REFUSED(sl_encoder_name(encoder, 0, NULL, 1, &count, &error));
    REFUSED(sl_encoder_option(NULL, "tokens", NULL, 0, &count, &error));
    REFUSED(sl_encoder_option(encoder, NULL, NULL, 0, &count, &error));
    REFUSED(sl_encoder_option(encoder, "tokens", NULL, 0, NULL, &error));
    REFUSED(sl_encoder_set_note(NULL, "x", &error));
    REFUSED(sl_encoder_set_note(encoder, NULL, &error));
    REFUSED(sl_encoder_note(NULL, NULL, 0, &count, &error));
    REFUSED(sl_encoder_note(encoder, NULL, 0, NULL, &error));
    REFUSED(sl_encoder_save(NULL, "x", &error));
    REFUSED(sl_encoder_save(encoder, NULL, &error));
    REFUSED(sl_encoder_load(NULL, &other, &error));
    REFUSED(sl_encoder_load("x", NULL, &error));
    REFUSED(sl_encoder_to_bytes(NULL, NULL, 0, &count, &error));
    REFUSED(sl_encoder_to_bytes(encoder, NULL, 0, NULL, &error));
    REFUSED(sl_encoder_to_bytes(encoder, NULL, 1, &count, &error));
    REFUSED(sl_encoder_from_bytes(NULL, 0, &other, &error));
    REFUSED(sl_encoder_from_bytes("x", 1, NULL, &error));
    REFUSED(sl_model_set_encoder(NULL, encoder, &error));
    REFUSED(sl_model_set_encoder(model, (const sl_encoder*)(const void*)options, &error));
    REFUSED(sl_model_encoder(NULL, &other, &error));
    REFUSED(sl_model_encoder(model, NULL, &error));
    REFUSED(sl_option_is_for(NULL, NULL, NULL, &error));
    assert_null(other);
    sl_encoder_free(NULL);
    sl_encoder_free(encoder);
    sl_options_free(options);
    sl_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_a_category_and_a_text_make_a_row),
        cmocka_unit_test(equal_features_add_up_and_zeros_are_not_there),
        cmocka_unit_test(a_hashed_row_is_ready_to_feed),
        cmocka_unit_test(an_index_of_32_bits_is_the_hash),
        cmocka_unit_test(numbers_that_are_none_are_refused_by_name),
        cmocka_unit_test(what_overflows_is_refused),
        cmocka_unit_test(options_without_effect_are_refused),
        cmocka_unit_test(one_list_of_settings_serves_both),
        cmocka_unit_test(every_argument_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
