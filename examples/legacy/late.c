/* Which deliveries will be late, learned from eight that have been: C as it was in 1989, and C++ as it was in 1998. A delivery is two
   features, its carrier (0 to 2) and its weekday (10 to 14). */
#include <sparselin.h>
#include <stdio.h>
#include <stdlib.h>

static const uint32_t deliveries[8][2] = {{0, 10}, {1, 11}, {2, 12}, {0, 13}, {1, 14}, {2, 10}, {0, 11}, {1, 12}};
static const double late[8] = {1, -1, 1, 1, -1, -1, 1, -1};
static const uint32_t next[2] = {0, 12};

static sl_error error;

static void check(sl_status status) {
    if (status == SL_OK) return;
    fprintf(stderr, "%s\n", error.message);
    exit(1);
}

int main(void) {
    sl_model *model = NULL;
    double score, probability;
    int pass, row;

    check(sl_model_create(NULL, &model, &error));
    for (pass = 0; pass < 20; ++pass)
        for (row = 0; row < 8; ++row) check(sl_model_feed(model, deliveries[row], NULL, 2, late[row], 1.0, &error));
    check(sl_model_predict(model, next, NULL, 2, &score, &error));
    check(sl_model_probability(model, score, &probability, &error));
    printf("The next delivery is late with a chance of %d %%\n", (int)(100 * probability));
    sl_model_free(model);
    return 0;
}
