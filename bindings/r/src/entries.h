/* The entries of a matrix as R holds it, of any kind, in the arrays of R, and the data set of its rows. */
#pragma once
#include "core/include/sparselin.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SLW_BY_COLUMNS, SLW_BY_ROWS, SLW_TRIPLETS, SLW_DENSE };

typedef struct slw_entries {
    int kind;
    size_t rows, columns, count;
    const int *pointers;                     /* of columns or rows, where entries lie by these */
    const int *row_indices, *column_indices; /* those that the kind has, from `base` on */
    int base;
    const double *numbers; /* the values; */
    const int *integers;   /* or these, where INT_MIN is NA; */
    int symmetric;         /* or neither: all are 1. Whether an entry stands for its mirror image, too, */
    int unit;              /* and whether there are ones on the diagonal that are not among the entries */
    int once;              /* whether an entry that is repeated counts once, as logical values do */
    const int *to;         /* the feature that each column is, negative for none; NULL: as they are numbered */
} slw_entries;

/* Beside the data set itself it takes a 24th of it, or the largest row, and 16 bytes a row or column. Repeated entries
   add up, unless they count once. SL_ERROR_INVALID_DATA: a value that is not finite, indices out of range, or, of columns and
   symmetric matrices, not ascending. */
sl_status slw_dataset_of_entries(const slw_entries *entries, const double *labels, const double *weights, sl_dataset **data, sl_error *error);

#ifdef __cplusplus
}
#endif
