/* Reads data/golden.txt and golden_multi.txt (their format: data/VECTORS.md) into memory. Plain C that is C++ too, for golden.c and the
 * dense twin's test. */
#ifndef SPARSELIN_TESTS_GOLDEN_CASES_H
#define SPARSELIN_TESTS_GOLDEN_CASES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    GOLDEN_OPTIONS = 40,
    GOLDEN_ROWS = 400,
    GOLDEN_NONZEROS = 1500,
    GOLDEN_WEIGHTS = 64,
    GOLDEN_PREDICTIONS = 8,
    GOLDEN_CLASSES = 7,
    GOLDEN_CASES = 320
};

typedef struct golden_option {
    char name[32];
    char value[48];
} golden_option;

/* Sparse rows with one number each: the label of an example, or the prediction expected. */
typedef struct golden_rows {
    size_t count;
    int64_t pointers[GOLDEN_ROWS + 1];
    uint32_t indices[GOLDEN_NONZEROS];
    double values[GOLDEN_NONZEROS];
    double numbers[GOLDEN_ROWS];
    double weights[GOLDEN_ROWS];
} golden_rows;

typedef struct golden_predictor {
    size_t count;
    uint32_t indices[GOLDEN_WEIGHTS];
    double weights[GOLDEN_WEIGHTS];
    double bias;
} golden_predictor;

typedef struct golden_case {
    char name[96];
    golden_option options[GOLDEN_OPTIONS]; /* those of the case first, then the vectors' defaults of the rest */
    size_t option_count;
    size_t passes;
    size_t classes; /* scores a row: 1, or one a class */
    golden_rows examples;
    golden_rows predictions;                            /* of the predictor returned; their numbers are those of the first score */
    double scores[GOLDEN_PREDICTIONS * GOLDEN_CLASSES]; /* of all predictions, row by row */
    golden_predictor returned[GOLDEN_CLASSES], last[GOLDEN_CLASSES];
    double mean_loss; /* negative: it is not said */
} golden_case;

typedef struct golden_file {
    golden_case* cases[GOLDEN_CASES];
    size_t count;
} golden_file;

static inline void golden_stop(const char* what, const char* line) {
    fprintf(stderr, "golden vectors: %s: %.80s\n", what, line);
    exit(1);
}

static inline const char* golden_option_of(const golden_case* c, const char* name) {
    for (size_t i = 0; i < c->option_count; ++i)
        if (strcmp(c->options[i].name, name) == 0) return c->options[i].value;
    return NULL;
}

static inline void golden_add_option(golden_case* c, const char* name, const char* value) {
    golden_option* o = &c->options[c->option_count];
    if (c->option_count == GOLDEN_OPTIONS || strlen(name) >= sizeof o->name || strlen(value) >= sizeof o->value)
        golden_stop("too many options, or too long a one", name);
    strcpy(o->name, name);
    strcpy(o->value, value);
    ++c->option_count;
}

static inline double golden_number(char** text) {
    char* end;
    const double number = strtod(*text, &end);
    if (end == *text) golden_stop("a number is missing", *text);
    *text = end;
    return number;
}

/* `text` is "INDEX:VALUE ..." to the end of the line. */
static inline void golden_add_row(golden_rows* rows, double number, double weight, char* text) {
    int64_t end = rows->count ? rows->pointers[rows->count] : 0;
    if (rows->count == GOLDEN_ROWS) golden_stop("too many rows", text);
    for (char* pair = strtok(text, " \n"); pair; pair = strtok(NULL, " \n")) {
        char* colon = strchr(pair, ':');
        if (!colon || end == GOLDEN_NONZEROS) golden_stop("no pair, or too many", pair);
        rows->indices[end] = (uint32_t)strtoul(pair, NULL, 10);
        rows->values[end++] = strtod(colon + 1, NULL);
    }
    rows->numbers[rows->count] = number;
    rows->weights[rows->count] = weight;
    rows->pointers[++rows->count] = end;
}

/* `text` is "INDEX:W ..." to the end of the line. */
static inline void golden_add_weights(golden_predictor* predictor, char* text) {
    for (char* pair = strtok(text, " \n"); pair; pair = strtok(NULL, " \n")) {
        char* colon = strchr(pair, ':');
        if (!colon || predictor->count == GOLDEN_WEIGHTS) golden_stop("no pair, or too many", pair);
        predictor->indices[predictor->count] = (uint32_t)strtoul(pair, NULL, 10);
        predictor->weights[predictor->count++] = strtod(colon + 1, NULL);
    }
}

static inline golden_predictor* golden_class(golden_predictor* all, char** text) {
    const double k = golden_number(text);
    if (!(k >= 0 && k < GOLDEN_CLASSES)) golden_stop("no such class", *text);
    return &all[(size_t)k];
}

static inline void golden_add_weight(golden_predictor* predictor, char* text) {
    char* end;
    if (predictor->count == GOLDEN_WEIGHTS) golden_stop("too many weights", text);
    predictor->indices[predictor->count] = (uint32_t)strtoul(text, &end, 10);
    predictor->weights[predictor->count++] = golden_number(&end);
}

static inline void golden_add_defaults(golden_case* c) {
    static const char* const defaults[][2] = {{"l1", "0"},
                                              {"l2", "0"},
                                              {"update", "sgd"},
                                              {"average", "none"},
                                              {"average_start", "0"},
                                              {"center", "false"},
                                              {"bias", "true"},
                                              {"bias_regularized", "false"},
                                              {"normalize", "none"},
                                              {"scale", "none"},
                                              {"noise", "0"}};
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; ++i)
        if (!golden_option_of(c, defaults[i][0])) golden_add_option(c, defaults[i][0], defaults[i][1]);
}

static inline void golden_parse_line(golden_case* c, char* line) {
    char* rest = strchr(line, ' ');
    if (!rest) golden_stop("a line of one word", line);
    *rest++ = 0;
    if (strcmp(line, "option") == 0) {
        char *name = strtok(rest, " \n"), *value = strtok(NULL, " \n");
        if (!name || !value) golden_stop("an option without a value", line);
        golden_add_option(c, name, value);
        if (strcmp(name, "classes") == 0) c->classes = (size_t)strtoul(value, NULL, 10);
        if (c->classes > GOLDEN_CLASSES) golden_stop("too many classes", value);
    } else if (strcmp(line, "passes") == 0) {
        c->passes = (size_t)golden_number(&rest);
    } else if (strcmp(line, "example") == 0) {
        const double label = golden_number(&rest), weight = golden_number(&rest);
        golden_add_row(&c->examples, label, weight, rest);
    } else if (strcmp(line, "predict") == 0 || strcmp(line, "scores") == 0) {
        double* const scores = c->scores + c->predictions.count * c->classes;
        if (c->predictions.count == GOLDEN_PREDICTIONS) golden_stop("too many predictions", rest);
        if (line[0] == 's' && golden_number(&rest) != (double)c->classes) golden_stop("scores of another number of classes", rest);
        for (size_t k = 0; k < c->classes; ++k) scores[k] = golden_number(&rest);
        golden_add_row(&c->predictions, scores[0], 1, rest);
    } else if (strcmp(line, "weight") == 0) {
        golden_add_weight(c->returned, rest);
    } else if (strcmp(line, "last_weight") == 0) {
        golden_add_weight(c->last, rest);
    } else if (strcmp(line, "bias") == 0) {
        c->returned->bias = golden_number(&rest);
    } else if (strcmp(line, "last_bias") == 0) {
        c->last->bias = golden_number(&rest);
    } else if (strcmp(line, "class_weights") == 0 || strcmp(line, "last_class_weights") == 0) {
        golden_predictor* const predictor = golden_class(line[0] == 'c' ? c->returned : c->last, &rest);
        golden_add_weights(predictor, rest);
    } else if (strcmp(line, "class_bias") == 0 || strcmp(line, "last_class_bias") == 0) {
        golden_predictor* const predictor = golden_class(line[0] == 'c' ? c->returned : c->last, &rest);
        predictor->bias = golden_number(&rest);
    } else if (strcmp(line, "mean_loss") == 0) {
        c->mean_loss = golden_number(&rest);
    } else {
        golden_stop("an unknown line", line);
    }
}

/* Whether the case has every example observed before the first is fed. */
static inline int golden_observes(const golden_case* c) {
    return strcmp(golden_option_of(c, "center"), "true") == 0 || strcmp(golden_option_of(c, "scale"), "none") != 0;
}

static inline golden_file golden_load(const char* path) {
    static char line[65536];
    golden_file all = {{NULL}, 0};
    golden_case* c = NULL;
    FILE* file = fopen(path, "r");
    if (!file) golden_stop("cannot open", path);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#' || line[0] == '\n') continue;
        if (strncmp(line, "case ", 5) == 0) {
            c = (golden_case*)calloc(1, sizeof *c);
            if (!c || all.count == GOLDEN_CASES || strlen(line) > sizeof c->name) golden_stop("too many cases, or too long a name", line);
            strcpy(c->name, strtok(line + 5, "\n"));
            c->passes = 1;
            c->classes = 1;
            c->mean_loss = -1;
        } else if (!c) {
            golden_stop("a line outside a case", line);
        } else if (strncmp(line, "end", 3) == 0) {
            golden_add_defaults(c);
            all.cases[all.count++] = c;
            c = NULL;
        } else {
            golden_parse_line(c, line);
        }
    }
    fclose(file);
    if (c) golden_stop("a case without end", c->name);
    return all;
}

static inline void golden_free(golden_file* all) {
    for (size_t i = 0; i < all->count; ++i) free(all->cases[i]);
    all->count = 0;
}

#endif
