/*
 * sparselin: linear predictors on sparse data, trained by stochastic gradient descent.
 *
 * A model is fed labelled sparse examples and gives scores w.x + b. A step costs O(nonzeros of the example), whatever
 * the number of features, and yet l1, l2, elastic net, truncated gradient and iterate averaging are exactly those of
 * the recursion that touches every weight at every step. The same examples in the same order give the same bits, in
 * every language and on every machine.
 *
 * This header is the specification of the library. It reads in learning order: errors, options, a model's life,
 * training, prediction, looking inside, several classes, keeping models, data, choosing a model, features by name. A
 * whole program:
 *
 *     #include <sparselin.h>
 *     #include <stdio.h>
 *
 *     int main(void)
 *     {
 *         sl_model *model = NULL;
 *         sl_error error;
 *         uint32_t good[] = {3, 17}, bad[] = {5, 17};
 *         double score;
 *         if (sl_model_create(NULL, &model, &error) != SL_OK ||                      // NULL: default options
 *             sl_model_feed(model, good, NULL, 2, +1.0, 1.0, &error) != SL_OK ||     // NULL: all values are 1
 *             sl_model_feed(model, bad, NULL, 2, -1.0, 1.0, &error) != SL_OK ||
 *             sl_model_predict(model, good, NULL, 2, &score, &error) != SL_OK) {
 *             fprintf(stderr, "%s\n", error.message);
 *             return 1;
 *         }
 *         printf("score %.3f\n", score);
 *         sl_model_free(model);
 *         return 0;
 *     }
 *
 * Conventions
 *  - Every function that can fail returns an sl_status and takes a last parameter `error`, which may be NULL. On
 *    failure *error holds the status and one line that names the value and the place; on success it is untouched. There
 *    is no hidden last error.
 *  - A call that fails changes nothing: the model is as it was, outputs are unwritten. Calls over many rows are so row
 *    by row: the rows before the failure are learned, and `rows_done` is written in every case.
 *  - Every function that returns sl_status gives SL_ERROR_INVALID_ARGUMENT where a required pointer is NULL or a handle
 *    is of the wrong kind or freed (as far as that can be told), SL_ERROR_OUT_OF_MEMORY where memory is short, and
 *    SL_ERROR_INTERNAL for a bug of the library; the comments below name only what comes on top.
 *  - Arrays that go in are borrowed for the duration of the call. Where the size of an output is not known before, call
 *    twice: if `capacity` is too small nothing but the needed length is written, and the status is SL_OK. Text lengths
 *    include the closing NUL.
 *  - Indices are 0-based uint32_t, row pointers int64_t. `values == NULL` means all ones, `weights == NULL` means all
 *    ones.
 *  - Threads: distinct handles are independent. One handle belongs to one thread at a time, except that calls which
 *    take a `const` handle may run in any number of threads while no other call on that handle runs.
 *  - Numbers are those of IEEE 754, rounded to nearest, whatever the caller's thread has its floating point unit do
 *    (rounding, traps, denormals as 0): that is put aside during a call, callbacks included, and is back at its end.
 *    Valid input raises neither the flag of an invalid operation nor that of a division by 0. Compiling the library
 *    with -ffast-math or the like is refused; the program that calls it may be compiled and linked so, and may set any
 *    locale at any time.
 *  - A process may fork between calls, and the child goes on with its copy of every handle by itself. If another thread
 *    is in a call meanwhile the child can do nothing with the handles of that call, not even free them.
 *  - The library prints nothing, never exits or aborts, reads neither the locale nor the environment, keeps no global
 *    state, and starts no thread unless asked.
 *
 * Unless a comment says otherwise a function exists since version 1.0. Numbers in this file never change their meaning
 * once released.
 *
 * Sources named in the comments: Dekel 2017 (Linear Learning with Sparse Data), Xu 2011 (Towards Optimal One Pass Large
 * Scale Learning with Averaged SGD), Langford, Li & Zhang 2009 (Sparse Online Learning via Truncated Gradient), Lipton
 * & Elkan 2015 (Efficient Elastic Net Regularization for Sparse Linear Models).
 */
#ifndef SPARSELIN_H
#define SPARSELIN_H

#include <stddef.h>
#include <stdint.h>

#define SL_VERSION_MAJOR 1
#define SL_VERSION_MINOR 0
#define SL_VERSION_PATCH 0

/* On Windows the DLL is compiled with SL_BUILD_DLL. Programs that call it may be compiled with SL_USE_DLL, for faster
 * calls, but not those that take the static library in. */
#if defined(_WIN32) && defined(SL_BUILD_DLL)
#define SL_API __declspec(dllexport)
#elif defined(_WIN32) && defined(SL_USE_DLL)
#define SL_API __declspec(dllimport)
#elif defined(__GNUC__)
#define SL_API __attribute__((visibility("default")))
#else
#define SL_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ errors and versions */

/* What became of a call. */
typedef enum sl_status {
    SL_OK = 0,
    SL_ERROR_INVALID_ARGUMENT = 1, /* a NULL pointer or wrong handle, an array missing though its count is not 0, row
                                      pointers that do not ascend */
    SL_ERROR_INVALID_OPTION = 2,   /* an unknown option name, a value out of range, options that exclude each other */
    SL_ERROR_INVALID_DATA = 3,     /* a NaN, an infinity, a negative weight, a label the loss cannot take, an index out
                                      of range */
    SL_ERROR_STATE = 4,            /* not now: the message says what has to come first */
    SL_ERROR_OUT_OF_MEMORY = 5,
    SL_ERROR_IO = 6,               /* the message holds the system's reason, errno its number (0 if there is none) */
    SL_ERROR_FORMAT = 7,           /* not a file of this library, a damaged one, or a malformed line of text (its number
                                      is in the message) */
    SL_ERROR_VERSION = 8,          /* written by a newer version of the library */
    SL_ERROR_DIVERGED = 9,         /* the step would overflow, or come near it: change a weight, or shrink weights, by
                                      more than about 1e158 */
    SL_ERROR_CANCELLED = 10,       /* the progress callback asked to stop */
    SL_ERROR_INTERNAL = 11,        /* a bug in the library; please report it with the message */
    SL_STATUS_WIDEST_ = 0x7fffffff /* never given: the type has 32 bits under every compiler flag (-fshort-enums) */
} sl_status;

/* Why a call failed. The caller owns it; it holds no resources. `message` is one line of English in valid UTF-8, closed
   by a NUL: names from outside are shown with `?` for each byte that is no UTF-8, or of a control character, line
   separator or mark of writing direction. `row` is the row, from 0, of the call's matrix or data set that is at fault;
   the message begins with it, as in "row 7: the label is nan". -1: the call has no rows, or none of them is to blame
   (lines of text have numbers of their own, which stand in the message). */
typedef struct sl_error {
    sl_status status;
    int64_t row;
    char message[256];
} sl_error;

typedef struct sl_options sl_options; /* settings by name */
typedef struct sl_model sl_model;     /* training state and predictor */
typedef struct sl_dataset sl_dataset; /* labelled sparse examples in memory; never changes once made */
typedef struct sl_reader sl_reader;   /* a stream of rows, read in chunks */
typedef struct sl_encoder sl_encoder; /* names, categories and text to rows */
typedef struct sl_builder sl_builder; /* rows that come one by one and become a data set */
typedef struct sl_search sl_search;   /* what a search among models found */

/* The version of the library that runs, as "1.0.0" (static storage) and as 10000 * major + 100 * minor + patch. Compare
   with the SL_VERSION_ macros, which are those of the header the program was compiled with. Any thread, O(1). */
SL_API const char *sl_version(void);
SL_API int sl_version_number(void);

/* The name of a status, such as "SL_ERROR_IO"; "SL_ERROR_UNKNOWN" for a number that is none. Static storage, never
   NULL. Any thread, O(1). */
SL_API const char *sl_status_name(sl_status status);

/* The message of an error without the row that it begins with, for callers who count rows otherwise: a part of
   error->message, or all of it where no row is at fault. Never NULL; "" for NULL. Any thread, O(1). */
SL_API const char *sl_error_reason(const sl_error *error);

/* ------------------------------------------------------------------ options */

/*
 * Options are settings by name, the same names in every language and in the command line program. What they are, with
 * their kinds, ranges and defaults, is in one table, which sl_option_describe reads out. The defaults are meant to work
 * untuned: log loss, SGD with a learning rate that needs no tuning and shrinks where the data are noisy, l2 of 1e-6,
 * and an average that favours late iterates.
 *
 *   loss               log | hinge | squared_hinge, which tell labels apart ("losses with labels"; log gives
 *                      probabilities, too), squared | absolute | huber | epsilon_insensitive | quantile, for labels of
 *                      any number
 *   classes, multiclass   how many classes losses with labels tell apart, and how (see "several classes")
 *   balance, positive_weight   what rows count by their label (see "training")
 *   update             sgd | fobos | truncated_gradient | rounding
 *   l1, l2             penalties l1 |w| + l2/2 w^2, of sgd and fobos (Lipton & Elkan, section 2)
 *   gravity, theta, period   shrinkage of truncated_gradient; theta and period also rounding's (Langford et al.,
 *                            sections 3.1 to 3.3)
 *   nonnegative        true: weights are at least 0, the bias is free: after the gradient of a step each weight of
 *                      the row's features that would be negative is 0. No penalty moves a weight past 0, so this is
 *                      the dense recursion with max(0, w) after every step. Averages, classes and merging keep it;
 *                      `center`, whose rows have every feature, is refused, and so is a start from negative weights
 *   schedule           adaptive | xu | constant | inverse_scaling | inverse_lambda: the learning rate at step
 *                      t = 1, 2, ...
 *                      xu: eta0 (1 + decay eta0 t)^-power (Xu, equation 22); constant: eta0; inverse_scaling: eta0
 *                      t^-power; inverse_lambda: 1/(l2 t) (Dekel); adaptive: the lesser of xu's and eta0 (1 + noise
 *                      tau)^-1/2, where tau, the noise clock, is the sum over the steps of weight * slope^2. Where
 *                      labels can be told apart slopes vanish, the clock stands still and steps stay long; where they
 *                      are noisy it runs (AdaGrad-Norm's idea, with one scalar: Ward, Wu & Bottou 2019), the faster the
 *                      fewer features there are (noise auto; its help has the formula)
 *   eta0               the first step size, or auto: the inverse of the rows' mean curvature as they come, times the
 *                      error of late for the losses whose slope does not know the labels' scale, with a cap for each
 *                      row
 *   average            none | uniform | polynomial (with average_power), from step average_start on (or auto: Xu,
 *                      section 4); sparse_average: 0 wherever the last iterate is 0, or was within the last sixteenth
 *                      of the steps (with l1, gravity or rounding): about as few weights as the optimum has, and nearly
 *                      as good as the average
 *   bias, bias_regularized, normalize, scale, center, clip_min, clip_max
 *   storage            auto | dense | hash: where weights live: an array up to the largest index, a table of the
 *                      features seen, or an array once an eighth of its features have been seen; never changes a number
 *   dimension          number of features, 0: grow as indices come
 *   epochs, sampling, seed   passes of sl_model_fit, their order, and what fixes that order for good
 *   index_base, threads      reading text: what the first index is called, and how many threads parse (1; 0: as many as
 *                            there are cores)
 *   features, hash_bits, hash_sign, hash_like, keep_names, min_count, tokens, ngram_min, ngram_max, lowercase
 *                      of encoders: see `features by name`
 *   preset             sets several options at once, to an algorithm as its paper has it
 */

/* A new set of options, all at their defaults. The caller frees it with sl_options_free. */
SL_API sl_status sl_options_create(sl_options **options, sl_error *error);

/* Frees options; NULL is a no-op. A model keeps a copy of its options, so they may be freed once the model is
   created. */
SL_API void sl_options_free(sl_options *options);

/* Sets option `name` from text. Numbers have a decimal point in every locale; booleans are true or false (or 1 or 0).
   SL_ERROR_INVALID_OPTION: no such name (the message suggests the nearest), or a value of the wrong kind or out of
   range; out of range is never clamped. Which options exclude each other is judged by sl_model_create. A value that the
   option has already is no change. O(1). */
SL_API sl_status sl_options_set(sl_options *options, const char *name, const char *value, sl_error *error);

/* The same from a number, for options that hold numbers or booleans (0 and 1); a whole number where the option counts
   something. For `seed` beyond 2^53 use text. */
SL_API sl_status sl_options_set_number(sl_options *options, const char *name, double value, sl_error *error);

/* Reads option `name` back as text, in a form that sl_options_set accepts and that gives the same value to the bit.
   value     out, `capacity` bytes; may be NULL if capacity is 0
   length    out, bytes needed, with the closing NUL; if it is larger than `capacity`, `value` is unwritten
   SL_ERROR_INVALID_OPTION: no such name. */
SL_API sl_status sl_options_get(const sl_options *options, const char *name, char *value, size_t capacity,
                                size_t *length, sl_error *error);

/* The number of options in the table. */
SL_API size_t sl_option_count(void);

/* Row `i` (from 0) of the option table, as static text: the name; the kind: "number", "integer", "boolean", or the
   choices as "a|b|c", "|auto" appended where a number may be left to the library; the default as sl_options_get gives
   it; one or two sentences of help. Any of the outputs may be NULL. SL_ERROR_INVALID_ARGUMENT: i is not below
   sl_option_count(). */
SL_API sl_status sl_option_describe(size_t i, const char **name, const char **kind, const char **standard,
                                    const char **help, sl_error *error);

/* Who reads option `name`: 1 or 0 each; either output may be NULL. An option of encoders that was set is refused by
   sl_model_create, and one of models by sl_encoder_create; `threads` is for both. So whoever has settings for both in
   one list, a command line say, gives each to two sets of options by what is said here. SL_ERROR_INVALID_OPTION: no
   such name. */
SL_API sl_status sl_option_is_for(const char *name, int *model, int *encoder, sl_error *error);

/* ------------------------------------------------------------------ a model's life */

/* A new, untrained model. `options` may be NULL (all defaults) and is copied. The caller frees the model with
   sl_model_free.
   SL_ERROR_INVALID_OPTION: options that exclude each other, or one that was set and would have no effect beside another
   (quantile with loss log, say; a default never offends, nor what a preset chose, nor l2 or noise of 0); the message
   names both. O(1). */
SL_API sl_status sl_model_create(const sl_options *options, sl_model **model, sl_error *error);

/* An independent copy: from here on the two give the same bits for the same calls. O(features stored). */
SL_API sl_status sl_model_clone(const sl_model *model, sl_model **copy, sl_error *error);

/* What predicting needs of a model, as it is now, in a model of its own, which can only predict: what saving it with
   SL_KEEP_PREDICTOR and loading that would give, without the bytes. It gives the same scores to the bit, whatever
   becomes of the first. O(features stored), and their sorting for hash storage. */
SL_API sl_status sl_model_predictor(const sl_model *model, sl_model **predictor, sl_error *error);

/* What `count` models have observed, or learned from their parts of the data, together, as a new model (iterative
   parameter mixing: McDonald, Hall and Mann 2010). With a_i the share of model i in the sum of all example weights
   that were learned:
   - observed, not trained: statistics add up, as if one model had observed all; the parts can then train with the
     statistics of the whole;
   - trained: weights, biases and averages are the sums of a_i times the models', for raw rows, where a feature that
     a model has not seen counts as 0; statistics and sl_model_steps add up; and what else the learning rate and the
     average rest on (the clock t, rounded down, among it) is the sum of a_i times the models'. The result can be
     trained on, saved, and merged again: a tree of merges differs from one merge of all by rounding only.
   One model alone is copied, to the bit. The order of the list fixes the bits, storage does not. Data is not in it,
   nor whether a fit was stopped. One round is not a pass over the whole: on 100,000 documents 6.3 % were wrong after
   a pass of one model, 7.0 and 8.4 % merged from 4 and 16 parts, and 6.6 to 6.9 % after three rounds of 16 parts,
   each of which began with what was merged: prefer several rounds.
   SL_ERROR_INVALID_ARGUMENT, naming the model and what differs: options, labels or encoders that are not the same
   (option threads may differ), no model at all. SL_ERROR_STATE: some are trained and some are not; one can only
   predict, or starts from another (sl_model_start) and has learned nothing. SL_ERROR_INVALID_DATA: the sums
   overflow. O(sum of the models' features), and their sorting. */
SL_API sl_status sl_model_merge(const sl_model *const *models, size_t count, sl_model **merged, sl_error *error);

/* What `count` models have learned since each was a copy of `begin`, together: the end of a round of training in parts,
   the next of which begins with it. What begin had learned counts once: steps and sums are begin's and what each model
   added, shares are of the example weight learned since, and statistics are the first model's (where begin has observed
   nothing, they add up). `parts` is of how many parts the result is made in the end; where shares differ, 1 / (the sum
   of their squares). With 1 weights are the shares' mean, as in sl_model_merge; merge so in a tree, but at its root.
   With more, each weight goes on from begin's through that mean, sqrt((parts + a) / (1 + a)) times as far, but not past
   0, and its average moves as much: few of a rare feature's rows are in any one part, and the mean is short of what all
   of them would teach. a is the sum of s v^2 over the feature's rows in the round, v being its scaled value, over the
   mean of |x|^2, plus 1 with a bias. It is known where scale is rms without center; elsewhere parts changes nothing. On
   100,000 documents in 16 parts, after 10 rounds, 9.5 % were wrong with parts at 1 and 8.5 % at 16, and 8.4 % after 10
   passes of one model.
   Errors as of sl_model_merge, begin being one more model with the same options, labels and encoder, and
   parts at least 1; and SL_ERROR_INVALID_ARGUMENT: a model is no copy of begin that has learned something since.
   SL_ERROR_STATE: begin can only predict, or starts from another. O(sum of the models' features), and their sorting. */
SL_API sl_status sl_model_merge_round(const sl_model *begin, const sl_model *const *models, size_t count, double parts,
                                      sl_model **merged, sl_error *error);

/* Lets a model that has made no step begin at what `source` returns (weights and biases for raw rows), whatever the
   source's options: a model of last week goes on with another learning rate, say. Steps, averages and statistics
   begin anew; labels are the source's, its encoder is not taken. Where the option bias is false, the source's bias
   stays as it is. What model has observed stays, before this call or after, and changes no score of the start: its
   scale and means count from the first step on. Called again, it begins at another source.
   SL_ERROR_STATE: model has made steps, its schedule is inverse_lambda (whose first step forgets the start), or
   source has learned nothing. SL_ERROR_INVALID_ARGUMENT: other labels, another kind of loss or another `normalize`;
   or both models carry an encoder, and names have other indices in model's than in source's.
   SL_ERROR_INVALID_DATA: an index beyond the option dimension, or a weight beyond 1e165. O(features of the source),
   and their sorting; the first step, too. */
SL_API sl_status sl_model_start(sl_model *model, const sl_model *source, sl_error *error);

/* For languages that have no unsigned integers: from here on an index of 2^31 or more in an example is taken for the
   negative number that it was before it came here, and refused (SL_ERROR_INVALID_DATA). Data sets may hold such indices
   all the same. Belongs to the handle: sl_model_clone copies it, sl_model_save does not keep it. O(1), and costs no
   time in the calls that look for such indices. */
SL_API sl_status sl_model_take_indices_as_signed(sl_model *model, sl_error *error);

/* Frees a model; NULL is a no-op. */
SL_API void sl_model_free(sl_model *model);

/* ------------------------------------------------------------------ training */

/*
 * An example is `count` pairs (indices[i], values[i]) in any order, a label and an importance weight.
 *  - Repeated indices add up; a value of 0, or a sum of 0, is as if it were not there. Rows with ascending indices are
 *    fastest: others are copied and sorted, O(count), which takes longer than a step of training on a row that is
 *    sorted.
 *  - `count` 0 is a valid example (indices may then be NULL): it moves the bias and counts as a step.
 *  - `weight` is at least 0 and should average about 1. 0 makes the call do nothing at all once the example is found
 *    valid.
 *  - Losses with labels know two, a smaller and a larger one, which act as -1 and +1. Feeding fixes
 *    the pair to (-1, +1), where 0 counts as -1; fitting a data set with exactly two distinct labels fixes those two.
 *    The pair never changes again.
 *  - positive_weight multiplies the weight of rows of the larger label, fed or fitted; with more than two classes it
 *    is refused. balance has sl_model_fit multiply the weight of a row by W / (C W_c), W being the weight of all rows
 *    of its data set, W_c that of the row's class and C the number of classes that have any: so all classes count
 *    alike, and weights average what they did. Feeding knows no such sums, and is refused (SL_ERROR_STATE). Either is
 *    to the bit as if the rows came with these weights, in the mean loss, too; but statistics for `center` and
 *    `scale`, and sl_model_evaluate, go by the weights that the rows come with. Probabilities are those of data that
 *    are so weighted: with a row of the larger label counted a times as much as one of the smaller, score - log(a) is
 *    the score of the data as they are, where a is positive_weight, or with balance W_smaller / W_larger; of several
 *    classes under softmax it is score_c + log(W_c).
 * SL_ERROR_INVALID_DATA, in every function that takes examples: a value, label or weight that is not finite, a squared
 * norm that overflows, a negative weight, a label outside the pair, and in training an index not below the option
 * `dimension` where that is set.
 */

/* Counts an example into the statistics that `center` and `scale` rest on (means, root mean squares, largest
   magnitudes), without training on it. Only before the first step. SL_ERROR_STATE: a step has been made, or the options
   need no statistics (center false and scale none). Expected O(count). */
SL_API sl_status sl_model_observe(sl_model *model, const uint32_t *indices, const double *values, size_t count,
                                  double weight, sl_error *error);

/* As if each row of a data set were observed in turn, with its weight.
   rows_done   out, may be NULL: rows observed, all of them unless the call failed; the message then names the row */
SL_API sl_status sl_model_observe_dataset(sl_model *model, const sl_dataset *data, size_t *rows_done, sl_error *error);

/* The same for the `count` rows from row `first` on, so that a caller can look up between the parts of long work. The
   message names the row of the data set. SL_ERROR_INVALID_ARGUMENT: the rows are not all there. */
SL_API sl_status sl_model_observe_rows(sl_model *model, const sl_dataset *data, uint64_t first, uint64_t count,
                                       size_t *rows_done, sl_error *error);

/* One step of training. SL_ERROR_STATE: nothing was observed though `center` is true or `scale` is rms or max_abs, or
   the model can only predict. SL_ERROR_DIVERGED: the step would overflow; lower eta0, or normalize. Expected O(count),
   amortised over the steps between two settlings of the lazy weights (src/README.md). */
SL_API sl_status sl_model_feed(sl_model *model, const uint32_t *indices, const double *values, size_t count,
                               double label, double weight, sl_error *error);

/* As if each row of a compressed-sparse-row matrix were fed in turn.
   row_pointers   rows + 1 ascending offsets into indices and values, the first >= 0; row r is [row_pointers[r],
                  row_pointers[r + 1])
   rows_done      out, may be NULL: rows learned, all of them unless the call failed; the message then names the row
   SL_ERROR_INVALID_ARGUMENT: row pointers that are negative or do not ascend. */
SL_API sl_status sl_model_feed_csr(sl_model *model, size_t rows, const int64_t *row_pointers, const uint32_t *indices,
                                   const double *values, const double *labels, const double *weights, size_t *rows_done,
                                   sl_error *error);

/* As if each row of a data set were fed in turn: in order, once, without gathering statistics and without fixing the
   pair of labels to the data set's (both are what sl_model_fit does on top). For text that is read chunk by chunk, see
   sl_reader_next. */
SL_API sl_status sl_model_feed_dataset(sl_model *model, const sl_dataset *data, size_t *rows_done, sl_error *error);

/* The same for the `count` rows from row `first` on: the parts of a data set, one after the other, are learned to the
   bits of all of it. As sl_model_observe_rows. */
SL_API sl_status sl_model_feed_rows(sl_model *model, const sl_dataset *data, uint64_t first, uint64_t count,
                                    size_t *rows_done, sl_error *error);

/* How far a fit has come. */
typedef struct sl_progress {
    uint64_t steps;      /* steps of the model since it was created */
    uint64_t rows;       /* rows of this fit, all its passes counted, that are done */
    uint64_t rows_total; /* rows of this fit in all: epochs * rows of the data set */
    double mean_loss;    /* as sl_model_mean_loss */
    uint64_t epoch;      /* passes of this fit that are complete */
} sl_progress;

/* Called on the thread that called sl_model_fit, about every 0.02 seconds, or after every step that takes longer
   (bringing all weights current, src/README.md), and after each pass. `progress` is valid during the call. Calls on the
   model that is being fitted give SL_ERROR_STATE, and if it is freed it goes when sl_model_fit returns; the data set
   must not be freed. Nonzero: stop with SL_ERROR_CANCELLED. */
typedef int (*sl_progress_fn)(const sl_progress *progress, void *user);

/* Trains on a data set: `epochs` passes in the order that `sampling` and `seed` fix. Gathers statistics first where the
   options call for them and none were observed; fixes the pair of labels (see above).
   progress   may be NULL; `user` is handed through to it
   SL_ERROR_CANCELLED: the rows before are learned; called again with the same data (told by a fingerprint), fit goes on
   where it stopped, with other data it starts anew. That holds for a model that was saved and loaded in between, too,
   and while statistics are gathered for the same handle only: of those nothing is saved or cloned.
   Early stopping: have `progress` return nonzero where `epoch` is one more than at the call before, which is the end of
   a pass; judge the model (sl_model_evaluate on rows that it does not learn), keep a copy of the best so far
   (sl_model_clone), and call again for the next pass, or do not. A fit that was stopped so after each pass gives the
   bits of one that ran through; taking it up again costs a look at the data, O(nonzeros).
   SL_ERROR_INVALID_DATA: an empty data set is fine; labels of which the loss cannot make a pair are not, and nothing is
   learned. SL_ERROR_INVALID_OPTION: `epochs` times the rows is more than 2^63 - 1. SL_ERROR_DIVERGED as in
   sl_model_feed; the steps before are kept.
   O(epochs * nonzeros), and 8 bytes a row for the order. */
SL_API sl_status sl_model_fit(sl_model *model, const sl_dataset *data, sl_progress_fn progress, void *user,
                              sl_error *error);

/* What sl_model_fit would do with a data set. */
typedef enum sl_fit_state {
    SL_FIT_NEW = 0,     /* all of its passes, from the first row on */
    SL_FIT_STOPPED = 1, /* go on with the fit that was cancelled */
    SL_FIT_DONE = 2     /* all passes once more: the last fit of the model learned this data to the end */
} sl_fit_state;

/* So a checkpoint, which is a cancelled fit that was saved, can be told from a model that is finished. The data of a
   cancelled fit are told by all rows, O(nonzeros), those of a finished one by their shape and some 256 rows. */
SL_API sl_status sl_model_fit_state(const sl_model *model, const sl_dataset *data, sl_fit_state *state,
                                    sl_error *error);

/* Lays the predictor out for fast prediction: O(features stored), once. Changes no prediction and no later training;
   the next step drops the layout again. Predicting works without it, at a cost of some divisions a nonzero. */
SL_API sl_status sl_model_finalize(sl_model *model, sl_error *error);

/* What the option `threads` said (0 to 1024, SL_ERROR_INVALID_ARGUMENT; 0: as many as there are cores), for a model
   that was loaded: how many threads there are is up to the machine, and not saved. The functions below that score many
   rows, and those that evaluate, run in so many where the rows are worth it, and give the same bits. */
SL_API sl_status sl_model_set_threads(sl_model *model, uint32_t threads, sl_error *error);

/* ------------------------------------------------------------------ prediction */

/* score = w.x + b of the returned predictor (the average, where the options average), within [clip_min, clip_max] where
   these are set. The same bits before and after sl_model_finalize. An index never seen in training contributes 0, one
   beyond the option `dimension` too. Any number of threads. SL_ERROR_INVALID_DATA: a value that is not finite, a
   squared norm that overflows, or w.x + b that does: a score is always a finite number. O(count). */
SL_API sl_status sl_model_predict(const sl_model *model, const uint32_t *indices, const double *values, size_t count,
                                  double *score, sl_error *error);

/* The same for the rows of a matrix as in sl_model_feed_csr. scores: out, `rows` numbers; unwritten if the call fails,
   whose message then names the row. */
SL_API sl_status sl_model_predict_csr(const sl_model *model, size_t rows, const int64_t *row_pointers,
                                      const uint32_t *indices, const double *values, double *scores, sl_error *error);

/* The same for the rows of a data set. scores: out, `capacity` numbers; SL_ERROR_INVALID_ARGUMENT if that is less than
   the rows. */
SL_API sl_status sl_model_predict_dataset(const sl_model *model, const sl_dataset *data, double *scores,
                                          size_t capacity, sl_error *error);

/* The same for the `count` rows from row `first` on. scores: out, `count` numbers. As sl_model_observe_rows. */
SL_API sl_status sl_model_predict_rows(const sl_model *model, const sl_dataset *data, uint64_t first, uint64_t count,
                                       double *scores, sl_error *error);

/* The probability of the larger label, 1 / (1 + exp(-score)). SL_ERROR_STATE: the loss gives none. */
SL_API sl_status sl_model_probability(const sl_model *model, double score, double *probability, sl_error *error);

/* The label a score stands for: the larger if score > 0, else the smaller. SL_ERROR_INVALID_DATA: nan. SL_ERROR_STATE:
   the loss knows no pair of labels, or nothing has fixed the pair yet. */
SL_API sl_status sl_model_label(const sl_model *model, double score, double *label, sl_error *error);

/* The pair of labels. Errors as for sl_model_label. */
SL_API sl_status sl_model_labels(const sl_model *model, double *smaller, double *larger, sl_error *error);

/* A figure of merit of the returned predictor on a data set, every row counted with its weight.
   metric   loss        mean of the model's loss
            objective   loss + l1 |w|_1 + l2/2 |w|^2 over the (scaled) weights, + l2/2 b^2 with bias_regularized
            error_rate  share of rows whose label differs from the predicted one  (losses with labels)
            f1          2 right / (labelled + predicted) of the larger label: the harmonic mean of its precision and
                        recall   (two labels)
            macro_f1    mean of the same over the classes that occur, as labels or predictions   (losses with labels)
            mcc         correlation of labels and predictions, Matthews' and of several classes Gorodkin's: 1 where all
                        are right, 0 for chance, or where either are all of one class   (losses with labels)
            auc         chance that a row of the larger label scores higher, ties half   (two labels)
            average_precision
                        mean over the rows of the larger label of its share among the rows that score as high or higher:
                        the area under the steps of precision against recall   (two labels)
            log_loss    mean of -ln P(label)   (losses with probabilities)
            brier       mean of (P(larger label) - [the label is the larger])^2   (the same)
            calibration_error
                        how far probabilities are from frequencies (the same): rows in ascending order of P(larger
                        label) fill ten bins of a tenth of the total weight each; sum over the bins of their share of
                        the weight times abs(mean P - weighted share of the larger label). A row of weight 2 is two rows
                        of weight 1. Rows of equal P that a boundary parts, or one heavy row, go to both sides in
                        proportion, so the order of the rows does not matter. Beware of few rows: 1,000 give about 0.03
                        by chance
            rmse, mae, r2
                        root mean squared error, mean absolute error, 1 - squared error / variance; of the score
                        against the label, which for two-label losses is -1 or +1
            Models of several classes have loss, objective (over the weights of all classes), error_rate, macro_f1, mcc
            and log_loss.
   SL_ERROR_INVALID_ARGUMENT: no such metric. SL_ERROR_STATE: a metric the model's loss or number of classes does not
   know, or objective of a model that can only predict. SL_ERROR_INVALID_DATA: undefined on this data (no rows, weights
   all 0, auc or r2 of one label, average_precision without rows of the larger label, f1 where it is neither there nor
   predicted), a label the model does not have, a row whose score overflows, or a result
   beyond what a double can hold: it is always a finite number. O(nonzeros), auc, average_precision and
   calibration_error O(rows log rows) on top. */
SL_API sl_status sl_model_evaluate(const sl_model *model, const sl_dataset *data, const char *metric, double *value,
                                   sl_error *error);

/* A metric for a model, as sl_model_evaluate takes it: its name, as text, and 1 if a larger value is a better one, else
   0 (may be NULL). metric NULL: log_loss of losses with probabilities, error_rate of others with labels, else loss. So
   it also tells whether the model's loss has labels (it knows error_rate) and probabilities (log_loss).
   SL_ERROR_INVALID_ARGUMENT, SL_ERROR_STATE: as sl_model_evaluate, whatever the data. O(1). */
SL_API sl_status sl_model_metric(const sl_model *model, const char *metric, char *name, size_t capacity, size_t *length,
                                 int *larger_is_better, sl_error *error);

/* The same figures of scores from anywhere, without a model.
   metric    one of those above but loss and objective
   scores    rows times classes numbers, row by row. Of two labels a row is predicted to be of the larger where its
             score is above 0, whose probability is 1 / (1 + exp(-score)): the score of a probability p is log(p / (1 -
             p)). Of several classes the first of the largest scores is predicted, and probabilities are softmax's: the
             score of a probability p is log(p)
   classes   1 for a score a row; of several classes, from 3 to 65,536, a score each, and the figures are those of
             models of several classes
   labels    -1 (or 0) and 1; of several classes 0 .. classes - 1; of rmse, mae and r2 any numbers
   weights   NULL: all 1
   SL_ERROR_INVALID_ARGUMENT: no such metric, or number of classes. SL_ERROR_INVALID_DATA: a score, label or weight that
   is not finite, a negative weight, another label (the message names the row), or undefined as above. O(rows classes),
   and O(rows log rows) where that is said above. */
SL_API sl_status sl_evaluate_scores(const char *metric, const double *scores, size_t rows, size_t classes,
                                    const double *labels, const double *weights, double *value, sl_error *error);

/* How far probabilities are from frequencies, bin by bin: those of calibration_error, of any number.
   probabilities   of the larger label, from 0 to 1, one a row
   labels          -1 (or 0) and 1
   weights         NULL: all 1
   bins            from 1 to 1,048,576: the rows in ascending order of their probabilities fill as many, of equal
                   weight; rows of equal probability that a boundary parts go to both sides in proportion
   predicted, observed   out, `bins` numbers each: mean probability, and weighted share of the label 1
   chance          out, as many: the standard deviation that the share has where the probabilities are right; may be
                   NULL
   SL_ERROR_INVALID_ARGUMENT: another number of bins. SL_ERROR_INVALID_DATA: a probability or a label that is none, or a
   weight as above (the message names the row); no row of weight above 0. O(rows log rows). */
SL_API sl_status sl_calibration(const double *probabilities, size_t rows, const double *labels, const double *weights,
                                size_t bins, double *predicted, double *observed, double *chance, sl_error *error);

/* ------------------------------------------------------------------ looking inside */

/* Largest index fed or observed, + 1; 0 before. */
SL_API sl_status sl_model_dimension(const sl_model *model, uint64_t *dimension, sl_error *error);

/* Steps made since the model was created (examples of weight 0 are none). */
SL_API sl_status sl_model_steps(const sl_model *model, uint64_t *steps, sl_error *error);

/* Mean of the loss of each example just before it was learned, weighted, since the model was created. It is the loss of
   the iterates: that of their average, which predicts, is mostly lower. After one pass it is an estimate for new data,
   if rows came in random order; in any other order, and after more passes, it is none. SL_ERROR_STATE: no steps yet. */
SL_API sl_status sl_model_mean_loss(const sl_model *model, double *loss, sl_error *error);

/* The bias b of the returned predictor, for raw examples: with `center` it holds -w.mean. */
SL_API sl_status sl_model_bias(const sl_model *model, double *bias, sl_error *error);

/* The weight of one feature in the returned predictor, for raw values (scaling undone). 0 for an index never seen. */
SL_API sl_status sl_model_weight(const sl_model *model, uint32_t index, double *weight, sl_error *error);

/* All weights that are not 0, by ascending index.
   indices, weights   out, `capacity` entries each; may be NULL if capacity is 0
   count              out, how many there are; if it is larger than `capacity` the arrays are unwritten
   O(features stored), and their sorting for hash storage. */
SL_API sl_status sl_model_nonzeros(const sl_model *model, uint32_t *indices, double *weights, size_t capacity,
                                   size_t *count, sl_error *error);

/* An option the model was created with; as sl_options_get. Of a model that was loaded, `threads` is at its default: how
   many threads read text is up to the machine, and not saved. */
SL_API sl_status sl_model_option(const sl_model *model, const char *name, char *value, size_t capacity, size_t *length,
                                 sl_error *error);

/* Bytes of memory the model holds. Unless storage is dense that follows the features that have been seen, whatever
   their indices: at most 4 KB and 336 bytes a feature (400 with sparse_average), finalized and loaded models included;
   where storage is hash 128 (144). Of K classes there are 24 K bytes a feature more (32 K), 200 a class and half a MB.
   What comes on top are copies of the longest row, and where l1, gravity or rounding meet an average 24 bytes (48 while
   they grow) for each step between two settlings (src/README.md). */
SL_API sl_status sl_model_memory(const sl_model *model, uint64_t *bytes, sl_error *error);

/* ------------------------------------------------------------------ several classes */

/*
 * With losses with labels a model can tell 3 classes and more apart. It then has a weight vector, a bias and
 * a score for each of its K classes, which one pass over the rows trains: statistics, learning rate, penalties and
 * averages are those of a model of two labels, one set for all classes. What `multiclass` says decides the loss of a
 * row of class y and scores p_0 .. p_(K-1):
 *   softmax       -log(exp(p_y) / sum_j exp(p_j)); loss log only, whose default it is
 *   one_vs_rest   the sum over the classes of the loss of their score with label +1 for class y and -1 for the others;
 *                 the default of all but log
 * Which labels the classes have, and with `classes` at auto how many there are, is fixed by what comes first, and for
 * good:
 *  - sl_model_set_labels;
 *  - sl_model_fit of a data set. With `classes` at auto: one with 3 to 1000 distinct labels (of rows of weight above
 *    0), all whole numbers, makes an untrained model one of these classes; with more, or fractions, it is refused. With
 *    `classes` at K: exactly K distinct labels, whatever they are, are the classes; with fewer or more all have to be 0
 *    .. K-1.
 *  - feeding. With `classes` at K the labels are 0 .. K-1; at auto, or 2, it makes the pair (-1, +1), see "training".
 * Classes are numbered 0 .. K-1 by ascending label. Where a function below takes or gives a class it is this number;
 * labels are the caller's. A model of K classes refuses the functions of one score (SL_ERROR_STATE, naming the one to
 * use): sl_model_predict, _predict_csr, _predict_dataset, _probability, _label, _labels, _bias, _weight, _nonzeros.
 * Those below serve models of one score, too, so that a program needs no others. Memory: 16 K bytes a feature, 8 K
 * without averaging, and some 20 more to find them by. SL_ERROR_OUT_OF_MEMORY says how many bytes all features together
 * would take.
 */

/* Fixes the labels of the classes, and with `classes` at auto their number: 2 are the pair of labels, 3 and more make
   it a model of so many classes. For streams, of which nobody knows all labels beforehand but the caller, and for
   labels that a part of the data lacks.
   labels   `count` of 2 to 65,536 finite, distinct numbers in any order
   SL_ERROR_STATE: the labels are fixed already, the loss has none, or the model can only predict.
   SL_ERROR_INVALID_ARGUMENT: `count` is out of range, or not what the option `classes` says. SL_ERROR_INVALID_DATA: a
   label that is not finite, or there twice; the message names it.
   O(count log count). */
SL_API sl_status sl_model_set_labels(sl_model *model, const double *labels, size_t count, sl_error *error);

/* Scores a row: K of a model of K = 3 classes and more, 1 of any other (two labels, regression, or not yet decided).
   O(1). */
SL_API sl_status sl_model_classes(const sl_model *model, size_t *count, sl_error *error);

/* The labels of the classes, ascending, with the two-call pattern; of a model of two labels its pair.
   SL_ERROR_STATE: the loss has no labels, or nothing has fixed them yet. O(K). */
SL_API sl_status sl_model_class_labels(const sl_model *model, double *labels, size_t capacity, size_t *count,
                                       sl_error *error);

/* The scores of a row, w.x + b of each class, clipped where `clip_min` or `clip_max` is set; as sl_model_predict in all
   else.
   scores   out, `capacity` numbers, of which as many as sl_model_classes says are written; unwritten if the call fails
   SL_ERROR_INVALID_ARGUMENT: the capacity is less. O(count K). */
SL_API sl_status sl_model_scores(const sl_model *model, const uint32_t *indices, const double *values, size_t count,
                                 double *scores, size_t capacity, sl_error *error);

/* The same for the rows of a matrix as in sl_model_feed_csr.
   scores   out, rows times classes numbers, row by row: score k of row r is scores[r * classes + k]; unwritten if the
            call fails, whose message then names the row */
SL_API sl_status sl_model_scores_csr(const sl_model *model, size_t rows, const int64_t *row_pointers,
                                     const uint32_t *indices, const double *values, double *scores, size_t capacity,
                                     sl_error *error);

/* The same for the rows of a data set. */
SL_API sl_status sl_model_scores_dataset(const sl_model *model, const sl_dataset *data, double *scores, size_t capacity,
                                         sl_error *error);

/* The same for the `count` rows from row `first` on, as sl_model_observe_rows. scores: out, `capacity`
   numbers, count times classes are written. */
SL_API sl_status sl_model_scores_rows(const sl_model *model, const sl_dataset *data, uint64_t first, uint64_t count,
                                      double *scores, size_t capacity, sl_error *error);

/* Probabilities of rows whose scores are known. Softmax: exp(p_k) / sum_j exp(p_j). one_vs_rest: 1 / (1 + exp(-p_k)),
   divided by the sum of these over the classes (if all are 0, 1 / K). Of a model of two labels: the larger label's, one
   a row, as sl_model_probability.
   scores          `rows` times classes numbers, as the calls above give them
   probabilities   out, as many; may be `scores` itself
   SL_ERROR_STATE: the loss gives none. SL_ERROR_INVALID_DATA: a score that is not finite (of one score: nan); the
   message names the row, and nothing is written. O(rows K). */
SL_API sl_status sl_model_probabilities(const sl_model *model, const double *scores, size_t rows, double *probabilities,
                                        sl_error *error);

/* The labels that scores stand for: that of the largest score, of equal ones the smaller label; of a model of two
   labels as sl_model_label.
   labels   out, one a row. Errors as above, and SL_ERROR_STATE if the labels are not known (sl_model_class_labels). */
SL_API sl_status sl_model_predicted_labels(const sl_model *model, const double *scores, size_t rows, double *labels,
                                           sl_error *error);

/* As sl_model_bias, sl_model_weight and sl_model_nonzeros, of class number k; of a model of one score k is 0.
   SL_ERROR_INVALID_ARGUMENT: there is no such class. */
SL_API sl_status sl_model_class_bias(const sl_model *model, size_t k, double *bias, sl_error *error);
SL_API sl_status sl_model_class_weight(const sl_model *model, size_t k, uint32_t index, double *weight,
                                       sl_error *error);
SL_API sl_status sl_model_class_nonzeros(const sl_model *model, size_t k, uint32_t *indices, double *weights,
                                         size_t capacity, size_t *count, sl_error *error);

/* What is taken for what: the weights of the rows, summed up by their class and the class predicted.
   counts   out, `capacity` numbers, of which labels times labels are written (2 x 2 of a model of two): counts[true *
            labels + predicted]; unwritten if the call fails
   SL_ERROR_INVALID_ARGUMENT: the capacity is less. SL_ERROR_STATE: the loss has no labels, or nothing has fixed them
   yet.
   SL_ERROR_INVALID_DATA: a label that is none of the classes, a row whose score overflows, weights that add up to more
   than a double can hold; the message names the row. O(nonzeros K + labels^2), and 16 bytes a row meanwhile. */
SL_API sl_status sl_model_confusion(const sl_model *model, const sl_dataset *data, double *counts, size_t capacity,
                                    sl_error *error);

/* ------------------------------------------------------------------ keeping models */

typedef enum sl_keep {
    SL_KEEP_EVERYTHING = 0, /* can be trained on, to the same bits as if it had never been saved */
    SL_KEEP_PREDICTOR = 1,  /* can only predict; small */
    SL_KEEP_WIDEST_ = 0x7fffffff
} sl_keep;

/* Writes a model to a file, whole or not at all: a temporary file in the same folder is flushed to disk and renamed. It
   is NAME.sparselin-NUMBER.tmp, of a long name the first 100 bytes; where the system can do that (O_TMPFILE and /proc
   of Linux) it has this name only for the moment before it is renamed. What a process that was killed has left there
   the next save to the path removes: of the first 16 numbers, files that nobody holds locked (flock). A file that is
   replaced keeps its permissions, and its owner and group as far as the system lets the process give files away; one
   that the process may not write is not replaced. The format is the same on every machine.
   SL_ERROR_IO: the system's reason is in the message. SL_ERROR_STATE: SL_KEEP_EVERYTHING of a model that can only
   predict.
   SL_ERROR_DIVERGED: training went on from a file that somebody made up, to what could not be loaded. */
SL_API sl_status sl_model_save(const sl_model *model, sl_keep keep, const char *path, sl_error *error);

/* Reads a model that sl_model_save wrote, on any machine. SL_ERROR_IO, SL_ERROR_FORMAT (not a model, or damaged),
   SL_ERROR_VERSION. What is no model is refused by its first bytes, however large it is. */
SL_API sl_status sl_model_load(const char *path, sl_model **model, sl_error *error);

/* The same bytes into memory, with the two-call pattern, and back. */
SL_API sl_status sl_model_to_bytes(const sl_model *model, sl_keep keep, void *bytes, size_t capacity, size_t *length,
                                   sl_error *error);
SL_API sl_status sl_model_from_bytes(const void *bytes, size_t length, sl_model **model, sl_error *error);

/* ------------------------------------------------------------------ data */

/*
 * A data set holds labelled rows: 4 bytes a nonzero where all values are 1, 8 where all of them are floats, else 12,
 * and 24 a row. Rows are kept in canonical form: indices ascending, repeated ones added up, zeros left out. Values,
 * labels and weights are checked to be finite when it is made (SL_ERROR_INVALID_DATA, naming the row); what the labels
 * mean is up to the model that is fitted. It never changes, so any number of threads may use it.
 */

/* Copies the rows of a matrix as in sl_model_feed_csr. */
SL_API sl_status sl_dataset_from_csr(size_t rows, const int64_t *row_pointers, const uint32_t *indices,
                                     const double *values, const double *labels, const double *weights,
                                     sl_dataset **data, sl_error *error);

/* Turns a compressed-sparse-column matrix (R's dgCMatrix) into rows.
   column_pointers   columns + 1 ascending offsets, the first >= 0; columns at most 2^32
   row_indices       0-based rows; SL_ERROR_INVALID_DATA: one is not below `rows`
   O(nonzeros + rows + columns). */
SL_API sl_status sl_dataset_from_csc(size_t rows, size_t columns, const int64_t *column_pointers,
                                     const uint32_t *row_indices, const double *values, const double *labels,
                                     const double *weights, sl_dataset **data, sl_error *error);

/* Reads svmlight/LIBSVM text from a file: a line is `label [qid:n] index:value ... [# comment]`, blanks and tabs
   between, any line ending; blank lines are skipped, a label alone is an example, indices come in any order and may
   repeat, every weight is 1.
   options   NULL, or index_base: `one` (the default: the file's index 1 is feature 0) or `zero`; and threads, of which
             any number gives the same rows and errors. They take no signals and end with the call; one that cannot be
             started is done without.
   SL_ERROR_IO. SL_ERROR_FORMAT: a malformed line; the message says its number, the column, and what stands there. Not
   accepted: index 0 in a 1-based file, indices beyond 2^32 - 1 after the base is taken away, nan, inf, anything that is
   not a number, a line of more than 1 GiB. A line that fills 256 KiB and does not begin as a label can is refused
   without its rest. O(bytes), about 2 bytes of memory more a byte of text while reading.
   What sl_dataset_save wrote is told by its first bytes and read as such, whatever the options: SL_ERROR_FORMAT if it
   is damaged (cut short while it is read, too), or holds what no data set does; the message says what and where.
   SL_ERROR_VERSION. */
SL_API sl_status sl_dataset_load(const char *path, const sl_options *options, sl_dataset **data, sl_error *error);

/* Writes a data set in a binary form (src/README.md) that loads faster than text, whole or not at all as in
   sl_model_save. The format is the same on every machine. SL_ERROR_IO: the system's reason is in the message.
   O(nonzeros), in constant memory. */
SL_API sl_status sl_dataset_save(const sl_dataset *data, const char *path, sl_error *error);

/* A source of bytes: up to `capacity` of them into `buffer`; returns how many, 0 at the end, negative on failure. Calls
   on the reader that calls it give SL_ERROR_STATE, and if it is freed it goes when sl_reader_next returns. */
typedef int64_t (*sl_read_fn)(void *user, void *buffer, size_t capacity);

/* Reads `read` until its end, as sl_dataset_load does a file: svmlight text, or what sl_dataset_save wrote. `read` is
   called on the caller's thread.
   SL_ERROR_IO: `read` failed, or returned more than `capacity`. */
SL_API sl_status sl_dataset_read(sl_read_fn read, void *user, const sl_options *options, sl_dataset **data,
                                 sl_error *error);

/* Reads svmlight text chunk by chunk, so that a stream of any length can be learned in constant memory: that of a chunk
   and, twice for each of `threads`, that of the longest line, for which there is room for 256 KiB at least and 1 GiB at
   most. What sl_dataset_save wrote is read, too, as a whole by the first sl_reader_next, which takes the memory of the
   whole. `read` and `user` are used until sl_reader_free. */
SL_API sl_status sl_reader_create(sl_read_fn read, void *user, const sl_options *options, sl_reader **reader,
                                  sl_error *error);

/* The next rows, at least one and about `rows` at most (SL_ERROR_INVALID_ARGUMENT: 0), as a data set that the caller
   frees; a data set of no rows at the end of the stream. Errors as sl_dataset_read, with the line's number in the whole
   stream; the rows of the chunk before the malformed line are lost, and later calls give the same error. */
SL_API sl_status sl_reader_next(sl_reader *reader, size_t rows, sl_dataset **data, sl_error *error);

/* Frees a reader; NULL is a no-op. */
SL_API void sl_reader_free(sl_reader *reader);

/* The same rows with other labels or weights, for models of several targets: the two data sets share the rows
   themselves, in whichever order they are freed. labels, weights: `rows` numbers each; NULL: those of `data`.
   SL_ERROR_INVALID_DATA: one that is not finite, a negative weight. O(rows), 16 bytes a row. */
SL_API sl_status sl_dataset_with_labels(const sl_dataset *data, const double *labels, const double *weights,
                                        sl_dataset **relabelled, sl_error *error);

/* A builder, to which rows are added one by one: for those who have them in no matrix. rows, nonzeros: how many there
   will be, for which room is made at once, or 0 where that is not known: then there is up to twice the room that is
   needed. The caller frees it with sl_builder_free. */
SL_API sl_status sl_builder_create(uint64_t rows, uint64_t nonzeros, sl_builder **builder, sl_error *error);

/* Adds a row, given as an example is (see training). The message names it by the number it would have had in the data
   set. SL_ERROR_INVALID_DATA: as for data sets. O(count), amortised. */
SL_API sl_status sl_builder_add(sl_builder *builder, const uint32_t *indices, const double *values, size_t count,
                                double label, double weight, sl_error *error);

/* Makes the rows a data set, which takes them over, and leaves the builder as new, without rows. O(1). */
SL_API sl_status sl_builder_finish(sl_builder *builder, sl_dataset **data, sl_error *error);

/* Frees a builder and the rows in it; NULL is a no-op. */
SL_API void sl_builder_free(sl_builder *builder);

/* Frees a data set; NULL is a no-op. */
SL_API void sl_dataset_free(sl_dataset *data);

/* Rows, nonzeros held, and largest index + 1. Each output may be NULL. */
SL_API sl_status sl_dataset_shape(const sl_dataset *data, uint64_t *rows, uint64_t *nonzeros, uint64_t *dimension,
                                  sl_error *error);

/* One row (from 0), as it is held.
   indices, values   out, `capacity` entries each; may be NULL if capacity is 0
   count             out, nonzeros of the row; if it is larger than `capacity` the arrays are unwritten
   label, weight     out, may be NULL; written in either case
   SL_ERROR_INVALID_ARGUMENT: no such row. */
SL_API sl_status sl_dataset_row(const sl_dataset *data, uint64_t row, uint32_t *indices, double *values,
                                size_t capacity, size_t *count, double *label, double *weight, sl_error *error);

/* ------------------------------------------------------------------ choosing a model */

/* Fits the models of a grid of options and judges each by rows that it did not learn: k-fold cross-validation, a part
   held out, or a test set.
   options     what all models have in common; NULL: all defaults
   grid        values by name, "l1=0,1e-7,1e-6 l2=0,1e-6": every combination is a model, 65,536 at most, of which the
               last name's values change fastest. A value takes the place of the one in `options`. "": one model, which
               is that of `options`. Otherwise, where neither of both names preset, average, sparse_average or center,
               the grid has sparse_average=true besides: else averages keep weights that l1 would have be 0
   folds       at least 2: each model is fitted so many times, to all folds but one, which judges it; or 0
   holdout     above 0 and below 1: about this share of the rows judges, and the others are learned; or 0
   test        rows that judge models that learn all of `data`; or NULL. One of these three is given, and it alone
   metric      as sl_model_evaluate; NULL: that of the models' loss, which is the same of all, as sl_model_metric
   threads     that fit, a model each, and take the memory of so many models: at most 1024; 0: as many as there are
               cores. Any number gives the same bits and errors. They take no signals and end with the call; one that
               cannot be started is done without
   progress    as in sl_model_fit, on the caller's thread: `rows` of all fits together, `epoch` fits that are complete,
               `steps` and `mean_loss` 0. Neither data set may be freed. Nonzero: stop with SL_ERROR_CANCELLED
   search      out, freed by the caller with sl_search_free; unwritten if the call fails

   Which rows are held out is fixed by the option `seed` of the first model; every fold has its share of every label,
   to one row, and rows of weight 0 are in none. Rows are not copied: a fit is that of sl_dataset_with_labels with
   weight 0 for the rows held out, of a model whose labels are those of all of `data` (sl_model_set_labels), and is
   judged with weight 0 for the rows learned. Where options ask for statistics, they are of the rows learned only.
   SL_ERROR_INVALID_ARGUMENT: a grid that is no such text, a number out of range, no such metric, or none named where
   models differ in loss. SL_ERROR_INVALID_OPTION, SL_ERROR_STATE: as sl_model_create and sl_model_evaluate, found
   before the first fit. SL_ERROR_INVALID_DATA: as sl_model_fit and sl_model_evaluate; fewer than 2 rows, or than folds.
   SL_ERROR_DIVERGED: a model did, which the message names. Costs the fits, and 32 bytes a row for each thread. */
SL_API sl_status sl_search_run(const sl_options *options, const char *grid, const sl_dataset *data,
                               const sl_dataset *test, uint32_t folds, double holdout, const char *metric,
                               uint32_t threads, sl_progress_fn progress, void *user, sl_search **search,
                               sl_error *error);

/* Frees what a search found; NULL is a no-op. */
SL_API void sl_search_free(sl_search *search);

/* How many models there were, how many times each was fitted (`folds`, else 1), the number of the best, and that of the
   sparsest whose mean is within one standard error of the best's (Breiman et al. 1984, section 3.4.3). Of models that
   are equal in what counts, the sparser or the better one, and then the first. Each output may be NULL. */
SL_API sl_status sl_search_shape(const sl_search *search, size_t *models, size_t *splits, size_t *best,
                                 size_t *sparsest, sl_error *error);

/* The name of the metric, as text, and 1 if a larger value is a better one, else 0 (may be NULL). */
SL_API sl_status sl_search_metric(const sl_search *search, char *metric, size_t capacity, size_t *length,
                                  int *larger_is_better, sl_error *error);

/* Of model i, from 0: the mean of the metric over the folds, the standard error of that mean (0 where there is one
   value only), and the mean number of weights that are not 0, those of all classes. Each output may be NULL.
   SL_ERROR_INVALID_ARGUMENT, here and below: there is no such model. */
SL_API sl_status sl_search_model(const sl_search *search, size_t i, double *mean, double *standard_error,
                                 double *nonzeros, sl_error *error);

/* What the grid has for model i, as text: "l1=0 l2=1e-6 sparse_average=true". */
SL_API sl_status sl_search_settings(const sl_search *search, size_t i, char *settings, size_t capacity, size_t *length,
                                    sl_error *error);

/* All options of model i, which the caller frees: to fit it to all rows. */
SL_API sl_status sl_search_options(const sl_search *search, size_t i, sl_options **options, sl_error *error);

/* The metric's value of model i in each fold, with the two-call pattern. */
SL_API sl_status sl_search_values(const sl_search *search, size_t i, double *values, size_t capacity, size_t *count,
                                  sl_error *error);

/* Of each row of `data` the number of the fold that it is in (0 if it is held out), and of a row that judges nothing
   the number of folds (1), with the two-call pattern. None where there was a test set. */
SL_API sl_status sl_search_splits(const sl_search *search, uint32_t *splits, size_t capacity, size_t *count,
                                  sl_error *error);

/* ------------------------------------------------------------------ features by name */

/*
 * An encoder turns records of named numbers, categories and texts into rows, which models are fed:
 *
 *     sl_encoder_clear(encoder, &error);
 *     sl_encoder_number(encoder, "age", 34, &error);
 *     sl_encoder_category(encoder, "city", "Delft", &error);
 *     sl_encoder_text(encoder, "", text, strlen(text), &error);
 *     sl_encoder_row(encoder, &indices, &values, &count, &error);
 *     sl_model_feed(model, indices, values, count, label, 1, &error);
 *
 *   number `name`, v       feature `name` with value v
 *   category `name`, c     feature `name=c` with value 1
 *   text `name`, t         a feature `name=u` for each token u of t, with the number of times it is there; `u` alone
 *                          where `name` is empty
 *   cross of two fields    for each feature A of the first and B of the second: feature `A*B` with the product of their
 *                          values
 *
 * Values of features that are there more than once add up; a value of 0, or a sum of 0, is as if it were not there.
 * Names are bytes: UTF-8 is neither asked for nor changed.
 *
 *   features     hash         (the default) the index is computed from the name: MurmurHash3 (x86, 32 bits, seed 0), as
 *                             a signed number h. Nothing is stored or learned, and encoders of equal options give equal
 *                             rows
 *                dictionary   names get the indices 0, 1, 2, ... in the order in which they are first seen, until the
 *                             encoder is frozen
 *   hash_bits    B from 1 to 31: the index is abs(h) mod 2^B; 32 (the default): it is h's 32 bits
 *   hash_sign    true: where h < 0 the value's sign is turned. These are the numbers of scikit-learn's FeatureHasher
 *                and HashingVectorizer (alternate_sign, which is on there; norm=None)
 *   hash_like    spark: the seed is 42, and the index h mod 2^B, not negative, as in Spark's HashingTF; no signs
 *   keep_names   true: hashed features can be asked for their names. The first name of each index is kept
 *   min_count    freezing a dictionary drops the names that fewer rows than this had
 *   tokens       word      runs of two or more letters, digits and underscores; every byte beyond ASCII counts as a
 *                          letter
 *                char      characters; two and more blanks, tabs or ends of lines in a row count as one blank
 *                char_wb   characters of each piece between blanks, with a blank before and after it
 *   ngram_min, ngram_max   tokens are runs of so many neighbouring words, joined by a blank, or characters; both 1 by
 *                          default, at most 64. In char_wb a piece that is shorter than a run is a token once
 *   lowercase    true (the default): A to Z count as a to z
 *
 * On ASCII text tokens are those of scikit-learn's analyzers. A character is one of UTF-8; a byte that belongs to none
 * is one of its own, and NUL is a character like another.
 *
 * A record that misses a field has no features of it, nor of its crosses. Texts, names and categories have at most 2^31
 * - 1 bytes (SL_ERROR_INVALID_DATA), as a dictionary has at most 2^32 - 1 names. A call that fails leaves record and
 * dictionary as they were.
 */

/* A new encoder. `options` may be NULL (all defaults) and is copied. The caller frees it with sl_encoder_free.
   SL_ERROR_INVALID_OPTION: options that exclude each other, one that would have no effect beside another (hash_bits of
   a dictionary, say, or hash_sign of 32 bits, whose sign is in the index), or one that is read by models only. O(1). */
SL_API sl_status sl_encoder_create(const sl_options *options, sl_encoder **encoder, sl_error *error);

/* Frees an encoder; NULL is a no-op. */
SL_API void sl_encoder_free(sl_encoder *encoder);

/* From here on records have the crosses of two fields too. Only before the first number, category or text
   (SL_ERROR_STATE).
   SL_ERROR_INVALID_ARGUMENT: a field with itself, or two that are crossed already. */
SL_API sl_status sl_encoder_cross(sl_encoder *encoder, const char *first, const char *second, sl_error *error);

/* Begins a new record; the one before is forgotten, the memory it took is used again. */
SL_API sl_status sl_encoder_clear(sl_encoder *encoder, sl_error *error);

/* Adds a number to the record. SL_ERROR_INVALID_DATA, here and below as above: it is not finite. Expected O(bytes). */
SL_API sl_status sl_encoder_number(sl_encoder *encoder, const char *name, double value, sl_error *error);

/* Adds a category. Several of one name are several features. Expected O(bytes). */
SL_API sl_status sl_encoder_category(sl_encoder *encoder, const char *name, const char *value, sl_error *error);

/* Adds a text of `length` bytes, which may be any. `text` may be NULL if length is 0. Expected O(bytes of all
   tokens). */
SL_API sl_status sl_encoder_text(sl_encoder *encoder, const char *name, const char *text, size_t length,
                                 sl_error *error);

/* The record as a row: indices ascend, none is there twice, no value is 0. More may be added to the record afterwards.
   indices, values   out, memory of the encoder that is valid until the next call on it; may be NULL where count is 0
   A dictionary learns the names of crosses here, and counts the record for min_count: once each name, however often the
   row is asked for.
   SL_ERROR_INVALID_DATA: a squared norm or a cross that overflows, or crosses of more than 2^24 features. Expected
   O(nonzeros), and for crosses O(bytes) and sorting. */
SL_API sl_status sl_encoder_row(sl_encoder *encoder, const uint32_t **indices, const double **values, size_t *count,
                                sl_error *error);

/* Each of many texts as a record of its own, with the one field `name`, all of them in a data set that the caller
   frees. The record in progress stays as it is.
   texts     `rows` texts, none of them NULL (SL_ERROR_INVALID_ARGUMENT)
   lengths   bytes of each; NULL: each ends with a NUL
   labels    may be NULL, for rows that are only predicted: all 0
   Runs in as many threads as the option `threads` says, to the same rows, but while names are learned, when it runs in
   one. Messages name the row; of a call that fails a dictionary has learned nothing. */
SL_API sl_status sl_encoder_texts(sl_encoder *encoder, const char *name, const char *const *texts,
                                  const size_t *lengths, size_t rows, const double *labels, const double *weights,
                                  sl_dataset **data, sl_error *error);

/* What the option `threads` said (0 to 1024, SL_ERROR_INVALID_ARGUMENT; 0: as many as there are cores), for one that
   was loaded: how many threads there are is up to the machine, and not saved. */
SL_API sl_status sl_encoder_set_threads(sl_encoder *encoder, uint32_t threads, sl_error *error);

/* Ends the learning of names: from here on names that are not known are left out, or, of hashed features, not kept.
   Names that fewer than min_count rows had are dropped; indices stay as they are, so that rows made before mean the
   same. Begins a new record. Once more, or where no names are learned, it changes nothing. O(names). */
SL_API sl_status sl_encoder_freeze(sl_encoder *encoder, sl_error *error);

/* What all indices are below: the number of names of a dictionary, those that were dropped included, or 2^hash_bits. */
SL_API sl_status sl_encoder_dimension(const sl_encoder *encoder, uint64_t *dimension, sl_error *error);

/* Bytes of memory the encoder holds: its names, and the longest record so far. O(fields that are crossed). */
SL_API sl_status sl_encoder_memory(const sl_encoder *encoder, uint64_t *bytes, sl_error *error);

/* The name of a feature, as bytes in the two-call pattern of text; a NUL may be among them.
   SL_ERROR_STATE: features are hashed, and keep_names is false. SL_ERROR_INVALID_ARGUMENT: no feature of this index was
   seen, or it was dropped. */
SL_API sl_status sl_encoder_name(const sl_encoder *encoder, uint32_t index, char *name, size_t capacity, size_t *length,
                                 sl_error *error);

/* An option the encoder was created with; as sl_model_option. */
SL_API sl_status sl_encoder_option(const sl_encoder *encoder, const char *name, char *value, size_t capacity,
                                   size_t *length, sl_error *error);

/* A text of the caller's that goes where the encoder goes, into its copies and files and those of models that carry it:
   how the columns of a table become fields, say. The library does not read it. Empty at first. Returned as by
   sl_model_option. */
SL_API sl_status sl_encoder_set_note(sl_encoder *encoder, const char *note, sl_error *error);
SL_API sl_status sl_encoder_note(const sl_encoder *encoder, char *note, size_t capacity, size_t *length,
                                 sl_error *error);

/* An encoder as a file and as bytes, all but the record: as sl_model_save, sl_model_load, sl_model_to_bytes and
   sl_model_from_bytes. One that was learning goes on where it was. */
SL_API sl_status sl_encoder_save(const sl_encoder *encoder, const char *path, sl_error *error);
SL_API sl_status sl_encoder_load(const char *path, sl_encoder **encoder, sl_error *error);
SL_API sl_status sl_encoder_to_bytes(const sl_encoder *encoder, void *bytes, size_t capacity, size_t *length,
                                     sl_error *error);
SL_API sl_status sl_encoder_from_bytes(const void *bytes, size_t length, sl_encoder **encoder, sl_error *error);

/* Gives a model a copy of the encoder that makes its rows, so that its file, that of a predictor too, is all that is
   deployed. It changes nothing else about the model. NULL takes it out. */
SL_API sl_status sl_model_set_encoder(sl_model *model, const sl_encoder *encoder, sl_error *error);

/* A copy of the encoder that the model carries, which the caller frees. SL_ERROR_STATE: it carries none. */
SL_API sl_status sl_model_encoder(const sl_model *model, sl_encoder **copy, sl_error *error);

#ifdef __cplusplus
}
#endif

#endif
