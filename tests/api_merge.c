/* Merging models and starting from one: what is refused and what is left as it was. That the numbers are right is for random_merges. */
#include <math.h>

#include "encoder.h"
#include "keeping.h"

static sample rows;

static sl_model* trained(const char* const* pairs, size_t first, size_t last) {
    sl_model* model = model_from(pairs);
    for (size_t r = first; r < last; ++r)
        assert_ok(sl_model_observe(model, rows.indices + rows.pointers[r], rows.values + rows.pointers[r], row_count(&rows, r),
                                   rows.weights[r], &error));
    feed_rows(model, &rows, first, last);
    return model;
}
static const char* const plain[] = {NULL};

/* Fails the test unless the model's bytes are these, which are freed. */
static void stayed(const sl_model* model, sl_keep keep, bytes before) {
    bytes after = bytes_of(model, keep);
    assert_same_bytes(after, before);
    free(after.data);
    free(before.data);
}

/* `a` and `b` are refused together, with words that say why, and stay what they were; both are freed. */
static void refused(sl_status status, sl_model* a, sl_model* b, const char* words) {
    const bytes before[] = {bytes_of(a, SL_KEEP_EVERYTHING), bytes_of(b, SL_KEEP_PREDICTOR)};
    const sl_model* const models[] = {a, b};
    sl_model* merged = a;
    assert_status(status, sl_model_merge(models, 2, &merged, &error));
    assert_message(words);
    assert_ptr_equal(merged, a);
    stayed(a, SL_KEEP_EVERYTHING, before[0]);
    stayed(b, SL_KEEP_PREDICTOR, before[1]);
    sl_model_free(a);
    sl_model_free(b);
}

static sl_model* predictor_of(sl_model* model) {
    sl_model* predictor = NULL;
    assert_ok(sl_model_predictor(model, &predictor, &error));
    sl_model_free(model);
    return predictor;
}

static void what_cannot_be_merged_is_named(void** state) {
    static const double pair[] = {3, 4}, three[] = {1, 5, 9};
    static const uint32_t index = 1;
    (void)state;
    fill_sample(&rows, 100, 40, 1);
    refused(SL_ERROR_INVALID_ARGUMENT, trained(plain, 0, 50), trained((const char* const[]){"l2", "0.5", NULL}, 50, 100),
            "model number 1 has the option l2 at 0.5, and model number 0 at auto");
    refused(SL_ERROR_STATE, trained(plain, 0, 50), new_model(NULL), "model number 1 is not trained, and model number 0 is");
    refused(SL_ERROR_STATE, new_model(NULL), trained(plain, 0, 50), "model number 1 is trained, and model number 0 is not");
    refused(SL_ERROR_STATE, trained(plain, 0, 50), predictor_of(trained(plain, 50, 100)), "model number 1 was saved as a predictor");

    sl_model* labelled = new_model(NULL);
    assert_ok(sl_model_set_labels(labelled, pair, 2, &error));
    refused(SL_ERROR_INVALID_ARGUMENT, new_model(NULL), labelled,
            "model number 1 has other labels (3 and 4) than model number 0 (none yet)");
    labelled = new_model(NULL);
    assert_ok(sl_model_set_labels(labelled, three, 3, &error));
    sl_model* other = new_model(NULL);
    assert_ok(sl_model_set_labels(other, pair, 2, &error));
    refused(SL_ERROR_INVALID_ARGUMENT, labelled, other, "model number 1 has other labels (3 and 4) than model number 0 (3 from 1 to 9)");

    sl_encoder* encoder = NULL;
    sl_model* encoded = trained(plain, 0, 50);
    assert_ok(sl_encoder_create(NULL, &encoder, &error));
    assert_ok(sl_model_set_encoder(encoded, encoder, &error));
    refused(SL_ERROR_INVALID_ARGUMENT, trained(plain, 50, 100), encoded,
            "model number 1 has another encoder than model number 0; copies of one encoder merge, and hashed features");
    sl_encoder_free(encoder);

    sl_model *source = trained(plain, 0, 50), *started = new_model(NULL);
    assert_ok(sl_model_start(started, source, &error));
    sl_model_free(source);
    refused(SL_ERROR_STATE, new_model(NULL), started, "model number 1 starts from another model");

    /* What adds up to more than a double holds. */
    static const char* const unscaled[] = {"scale", "none", "eta0", "1e-300", "noise", "0", NULL};
    sl_model* heavy[2] = {model_from(unscaled), model_from(unscaled)};
    for (size_t i = 0; i < 2; ++i) assert_ok(sl_model_feed(heavy[i], &index, NULL, 1, 1, 1e308, &error));
    refused(SL_ERROR_INVALID_DATA, heavy[0], heavy[1], "the weights of all examples add up to more than a double holds");
}

/* Records of parts become rows by encoders of their own, which are equal if they hash: what is merged carries one, and scores a record with
   the mean of the parts' scores. */
static void models_with_encoders_merge(void** state) {
    static const char* const cities[] = {"Delft", "Breda", "Utrecht"};
    static const char* const unscaled[] = {"scale", "none", "average", "none", NULL};
    sl_model *parts[2], *merged = NULL;
    sl_encoder* carried = NULL;
    double scores[3] = {0}, weights[2] = {60, 20};
    (void)state;
    for (size_t k = 0; k < 2; ++k) {
        sl_encoder* encoder = new_encoder("hash_bits", "18");
        parts[k] = model_from(unscaled);
        for (size_t r = 0; r < (size_t)weights[k]; ++r) {
            assert_ok(sl_encoder_clear(encoder, &error));
            assert_ok(sl_encoder_category(encoder, "city", cities[(r + k) % 3], &error));
            assert_ok(sl_encoder_number(encoder, "age", (double)(r % 7) / 7, &error));
            const encoded row = row_of(encoder);
            assert_ok(sl_model_feed(parts[k], row.indices, row.values, row.count, (r + k) % 3 == 0 ? 1 : -1, 1, &error));
        }
        assert_ok(sl_model_set_encoder(parts[k], encoder, &error));
        sl_encoder_free(encoder);
    }
    assert_ok(sl_model_merge((const sl_model* const*)parts, 2, &merged, &error));
    assert_ok(sl_model_encoder(merged, &carried, &error));
    assert_ok(sl_encoder_category(carried, "city", "Breda", &error));
    assert_ok(sl_encoder_number(carried, "age", 0.5, &error));
    const encoded row = row_of(carried);
    assert_int_equal(row.count, 2);
    assert_ok(sl_model_predict(parts[0], row.indices, row.values, row.count, &scores[0], &error));
    assert_ok(sl_model_predict(parts[1], row.indices, row.values, row.count, &scores[1], &error));
    assert_ok(sl_model_predict(merged, row.indices, row.values, row.count, &scores[2], &error));
    assert_true(fabs(scores[0] - scores[1]) > 0.01);
    assert_near(scores[2], (60 * scores[0] + 20 * scores[1]) / 80, 1e-12);
    sl_encoder_free(carried);
    sl_model_free(merged);
    for (size_t k = 0; k < 2; ++k) sl_model_free(parts[k]);
}

static void arguments_are_checked(void** state) {
    sl_model *model = trained(plain, 0, 10), *merged = NULL;
    const sl_model* const models[] = {model, NULL};
    (void)state;
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_merge(models, 0, &merged, &error));
    assert_message("there is no model to merge");
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_merge(NULL, 1, &merged, &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_merge(models, 2, &merged, &error));
    assert_message("models[1] is NULL");
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_merge(models, 1, NULL, &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_start(model, NULL, &error));
    assert_status(SL_ERROR_INVALID_ARGUMENT, sl_model_start(NULL, model, &error));
    assert_null(merged);
    sl_model_free(model);
}

/* `model` cannot start from `source`, says why, and stays what it was; both are freed. */
static void does_not_start(sl_status status, sl_model* model, sl_model* source, const char* words) {
    const bytes before = bytes_of(model, SL_KEEP_EVERYTHING);
    assert_status(status, sl_model_start(model, source, &error));
    assert_message(words);
    stayed(model, SL_KEEP_EVERYTHING, before);
    sl_model_free(model);
    sl_model_free(source);
}

static void what_cannot_start_says_why(void** state) {
    static const double pair[] = {3, 4};
    (void)state;
    does_not_start(SL_ERROR_STATE, trained(plain, 0, 50), trained(plain, 0, 50), "this model has made 50 steps");
    does_not_start(SL_ERROR_STATE, new_model(NULL), new_model(NULL), "the model to start from has learned nothing");
    does_not_start(SL_ERROR_INVALID_ARGUMENT, new_model("loss", "squared"), trained(plain, 0, 50), "the loss log, and this one squared");
    does_not_start(SL_ERROR_INVALID_ARGUMENT, new_model("normalize", "l2"), trained(plain, 0, 50),
                   "the option normalize at none, and this one at l2");
    does_not_start(SL_ERROR_STATE, new_model("preset", "dekel-sgd", "l2", "0.1"), trained(plain, 0, 50), "inverse_lambda");
    does_not_start(SL_ERROR_INVALID_ARGUMENT, new_model("classes", "3"), trained(plain, 0, 50),
                   "has 2 labels, but the option classes is 3");
    does_not_start(SL_ERROR_INVALID_DATA, new_model("dimension", "3"), trained(plain, 0, 50), "is not below the option dimension, 3");
    sl_model* model = new_model(NULL);
    assert_ok(sl_model_set_labels(model, pair, 2, &error));
    does_not_start(SL_ERROR_INVALID_ARGUMENT, model, trained(plain, 0, 50), "other labels (-1 and 1) than this one (3 and 4)");
}

/* A model of which an encoder is carried that was given these options, and has seen these names, in this order. */
static sl_model* encoding(sl_model* model, const char* option, const char* value, const char* first, const char* second) {
    sl_encoder* encoder = new_encoder(option, value);
    for (size_t k = 0; k < 2; ++k) assert_ok(sl_encoder_number(encoder, k == 0 ? first : second, 1, &error));
    (void)row_of(encoder);
    assert_ok(sl_model_set_encoder(model, encoder, &error));
    sl_encoder_free(encoder);
    return model;
}

static void a_start_has_the_same_features(void** state) {
    static const char other[] = "gives names other indices than this one's";
    (void)state;
#define encoding_new(...) encoding(new_model(NULL), __VA_ARGS__)
#define encoding_trained(...) encoding(trained(plain, 0, 50), __VA_ARGS__)
    does_not_start(SL_ERROR_INVALID_ARGUMENT, encoding_new("hash_bits", "20", "a", "b"), encoding_trained("hash_bits", "18", "a", "b"),
                   other);
    does_not_start(SL_ERROR_INVALID_ARGUMENT, encoding_new("hash_like", "spark", "a", "b"), encoding_trained("hash_bits", "32", "a", "b"),
                   other);
    does_not_start(SL_ERROR_INVALID_ARGUMENT, encoding_new("features", "dictionary", "a", "b"),
                   encoding_trained("hash_bits", "18", "a", "b"), other);
    does_not_start(SL_ERROR_INVALID_ARGUMENT, encoding_new("features", "dictionary", "a", "b"),
                   encoding_trained("features", "dictionary", "b", "a"), other);
    does_not_start(SL_ERROR_INVALID_ARGUMENT, encoding_new("features", "dictionary", "a", "a"),
                   encoding_trained("features", "dictionary", "a", "b"), other);
    sl_model* const models[][2] = {{encoding_new("features", "dictionary", "a", "b"), encoding_trained("features", "dictionary", "a", "a")},
                                   {encoding_new("ngram_max", "2", "a", "b"), encoding_trained("lowercase", "false", "c", "d")},
                                   {new_model(NULL), encoding_trained("features", "dictionary", "a", "b")}};
    for (size_t k = 0; k < 3; ++k) {
        assert_ok(sl_model_start(models[k][0], models[k][1], &error));
        sl_model_free(models[k][0]);
        sl_model_free(models[k][1]);
    }
}

/* A predictor of several classes, other options, another start, observing before and after, and a fit. */
static void a_start_takes_labels_and_goes_on(void** state) {
    static const char* const source_options[] = {"classes", "3", "scale", "max_abs", NULL};
    double of_source[3], of_model[3], labels[3];
    size_t count = 0;
    (void)state;
    for (size_t r = 0; r < rows.rows; ++r) rows.labels[r] = (double)(r % 3);
    sl_model *source = predictor_of(trained(source_options, 0, 100)), *other = trained(source_options, 0, 10);
    sl_model* model = new_model("storage", "hash", "scale", "rms", "center", "true", "multiclass", "one_vs_rest");
    sl_dataset* data = dataset_of(&rows);
    assert_ok(sl_model_observe_dataset(model, data, NULL, &error));
    assert_ok(sl_model_start(model, other, &error));
    assert_ok(sl_model_start(model, source, &error));
    assert_ok(sl_model_class_labels(model, labels, 3, &count, &error));
    assert_int_equal(count, 3);
    for (size_t r = 0; r < rows.rows; ++r) {
        const size_t first = (size_t)rows.pointers[r];
        assert_ok(sl_model_scores(source, rows.indices + first, rows.values + first, row_count(&rows, r), of_source, 3, &error));
        assert_ok(sl_model_scores(model, rows.indices + first, rows.values + first, row_count(&rows, r), of_model, 3, &error));
        for (size_t k = 0; k < 3; ++k) assert_bits(of_source[k], of_model[k]);
    }
    /* A row that is refused is no first step. */
    assert_status(SL_ERROR_INVALID_DATA, sl_model_feed(model, rows.indices, rows.values, row_count(&rows, 0), 7, 1, &error));
    sl_model* again = NULL;
    assert_ok(sl_model_clone(model, &again, &error));
    assert_ok(sl_model_fit(model, data, NULL, NULL, &error));
    assert_ok(sl_model_fit(again, data, NULL, NULL, &error));
    assert_same_kept(model, again);
    sl_model_free(model);
    sl_model_free(again);
    sl_model_free(source);
    sl_model_free(other);
    sl_dataset_free(data);
}

/* Steps so small that slopes are the labels': what a row does to the weights tells its scale and means, which are those of one model that
   has observed all rows. In the later cases the first part has seen values of 1 alone, and has no factors stored. */
static void trained_parts_have_the_statistics_of_the_whole(void** state) {
    static const char* const scales[] = {"rms", "max_abs", "none"};
    enum { FEATURES = 12, HALF = 40 };
    static sample s;
    (void)state;
    fill_sample(&s, 2 * HALF, FEATURES, 9);
    for (size_t r = 0; r < s.rows; ++r) s.weights[r] = (double)(r % 5 + 1);
    for (size_t i = 0; i < 10; ++i) {
        const size_t c = i % 5;
        sl_model *models[3], *merged = NULL;
        for (int64_t k = 0; i == 5 && k < s.pointers[HALF]; ++k) s.values[k] = 1;
        for (size_t m = 0; m < 3; ++m) {
            const size_t first = m == 1 ? HALF : 0, last = m == 0 ? HALF : s.rows;
            models[m] = new_model("loss", "squared", "schedule", "constant", "eta0", "1e-9", "l2", "0", "average", "none", "scale",
                                  scales[c / 2], "center", c % 2 || c == 4 ? "true" : "false");
            for (size_t r = first; r < last; ++r)
                assert_ok(sl_model_observe(models[m], s.indices + s.pointers[r], s.values + s.pointers[r], row_count(&s, r), s.weights[r],
                                           &error));
            feed_rows(models[m], &s, first, first + 1);
        }
        assert_ok(sl_model_merge((const sl_model* const*)models, 2, &merged, &error));
        for (size_t r = 10; r < 20; ++r) {
            double before[2][FEATURES], after = 0, change[2];
            for (uint32_t j = 0; j < FEATURES; ++j) {
                assert_ok(sl_model_weight(merged, j, &before[0][j], &error));
                assert_ok(sl_model_weight(models[2], j, &before[1][j], &error));
            }
            feed_rows(merged, &s, r, r + 1);
            feed_rows(models[2], &s, r, r + 1);
            for (uint32_t j = 0; j < FEATURES; ++j) {
                assert_ok(sl_model_weight(merged, j, &after, &error));
                change[0] = after - before[0][j];
                assert_ok(sl_model_weight(models[2], j, &after, &error));
                change[1] = after - before[1][j];
                assert_near(change[0], change[1], 1e-5 * fabs(change[1]) + 1e-15);
            }
        }
        for (size_t m = 0; m < 3; ++m) sl_model_free(models[m]);
        sl_model_free(merged);
    }
}

/* A weight that a sparse average leaves out, since it has just been moved from 0, is as young in what is merged. */
static void young_weights_stay_young(void** state) {
    static const uint32_t old = 0, young = 1;
    const sl_model* parts[2];
    double weight = 7;
    (void)state;
    sl_model *model = new_model("sparse_average", "true", "l1", "1e-6", "scale", "none"), *merged = NULL, *last = NULL;
    for (size_t r = 0; r < 60; ++r) assert_ok(sl_model_feed(model, &old, NULL, 1, r % 3 ? 1 : -1, 1, &error));
    assert_ok(sl_model_feed(model, &young, NULL, 1, 1, 1, &error));
    parts[0] = parts[1] = model;
    assert_ok(sl_model_merge(parts, 2, &merged, &error));
    for (size_t i = 0; i < 2; ++i) {
        last = i ? merged : model;
        assert_ok(sl_model_feed(last, &old, NULL, 1, 1, 1, &error));
        assert_ok(sl_model_weight(last, young, &weight, &error));
        assert_true(weight == 0);
        for (size_t r = 0; r < 10; ++r) assert_ok(sl_model_feed(last, &old, NULL, 1, 1, 1, &error));
        assert_ok(sl_model_weight(last, young, &weight, &error));
        assert_true(weight > 0);
    }
    sl_model_free(model);
    sl_model_free(merged);
}

/* Rounds of parts, each of which begins with what was merged, come near one model. */
static void rounds_come_near_one_model(void** state) {
    enum { PARTS = 4 };
    static sample sample;
    double whole_loss = 0, merged_loss = 0, first_loss = 0;
    (void)state;
    fill_sample(&sample, SAMPLE_ROWS, 60, 5);
    sl_dataset* data = dataset_of(&sample);
    sl_model *whole = new_model("sampling", "sequential", "epochs", "4"), *merged = new_model(NULL);
    assert_ok(sl_model_fit(whole, data, NULL, NULL, &error));
    assert_ok(sl_model_evaluate(whole, data, "log_loss", &whole_loss, &error));
    assert_ok(sl_model_observe_dataset(merged, data, NULL, &error));
    for (size_t round = 0; round < 4; ++round) {
        sl_model* parts[PARTS];
        for (size_t p = 0; p < PARTS; ++p) {
            assert_ok(sl_model_clone(merged, &parts[p], &error));
            feed_rows(parts[p], &sample, p * sample.rows / PARTS, (p + 1) * sample.rows / PARTS);
        }
        sl_model_free(merged);
        assert_ok(sl_model_merge((const sl_model* const*)parts, PARTS, &merged, &error));
        for (size_t p = 0; p < PARTS; ++p) sl_model_free(parts[p]);
        assert_ok(sl_model_evaluate(merged, data, "log_loss", round ? &merged_loss : &first_loss, &error));
    }
    assert_true(merged_loss < first_loss);
    assert_true(merged_loss < 1.3 * whole_loss);
    sl_model_free(whole);
    sl_model_free(merged);
    sl_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_merged_is_named),
        cmocka_unit_test(models_with_encoders_merge),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(what_cannot_start_says_why),
        cmocka_unit_test(a_start_has_the_same_features),
        cmocka_unit_test(a_start_takes_labels_and_goes_on),
        cmocka_unit_test(trained_parts_have_the_statistics_of_the_whole),
        cmocka_unit_test(young_weights_stay_young),
        cmocka_unit_test(rounds_come_near_one_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
