# A matrix of one column is as good as its column.
.column <- function(y) if (is.matrix(y) && ncol(y) == 1) as.vector(y) else y

# What kind of labels y has: list(kind, levels). A factor's first level and FALSE are the library's -1, the others its +1.
.label_kind <- function(y) {
    if (is.factor(y)) {
        if (nlevels(y) != 2) .fail("invalid_data", "y has ", nlevels(y), " levels, but two are needed (see droplevels)")
        list(kind = "factor", levels = levels(y))
    } else if (is.logical(y)) list(kind = "logical", levels = c(FALSE, TRUE))
    else if (is.numeric(y) && is.null(dim(y))) list(kind = "number", levels = NULL)
    else .fail("invalid_data", "y must be a numeric vector, a factor or a logical vector, not ", class(y)[1],
               if (is.character(y)) "; say factor(y), of which the second level gets positive scores"
               else if (is.data.frame(y)) "; say y[[1]] for its first column"
               else if (is.matrix(y)) paste(" of", ncol(y), "columns"))
}

# y as the library's numbers.
.labels <- function(y, kind, rows) {
    if (length(y) != rows) .fail("invalid_argument", "y has ", length(y), " entries, but x has ", rows, " rows")
    if (anyNA(y)) .fail("invalid_data", "y has NA in row ", which(is.na(y))[1], row = which(is.na(y))[1])
    found <- .label_kind(y)
    if (found$kind != kind$kind) .fail("invalid_data", "the model was trained on a ", kind$kind, ", but y is a ", found$kind)
    if (!identical(found$levels, kind$levels))
        .fail("invalid_data", "the model's levels are ", toString(kind$levels), ", but y's are ", toString(found$levels))
    if (kind$kind == "number") {
        y <- as.double(y)
        infinite <- slw_first_not_finite(y)
        if (infinite > 0) .fail("invalid_data", "y is infinite in row ", infinite, row = infinite)
        return(y)
    }
    c(-1, 1)[if (kind$kind == "factor") as.integer(y) else y + 1L]
}

.weights <- function(weights, rows) {
    if (is.null(weights)) return(NULL)
    if (!is.numeric(weights)) .fail("invalid_argument", "weights must be numeric, not ", class(weights)[1])
    if (length(weights) != rows) .fail("invalid_argument", "weights has ", length(weights), " entries, but x has ", rows, " rows")
    if (anyNA(weights)) .fail("invalid_data", "weights has NA in row ", which(is.na(weights))[1], row = which(is.na(weights))[1])
    as.double(weights)
}

# Warns of rows that are all left out.
.warn_of_no_weight <- function(weights)
    if (length(weights) > 0 && all(weights == 0)) warning("all weights are 0, so nothing is learned", call. = FALSE)

# How many of so many rows are learned.
.learned <- function(weights, rows) if (is.null(weights)) rows else sum(weights > 0)

# 0 or -1: which of them a stream's labels are beside 1, as far as that is known. The library takes either for the same.
.smaller_label <- function(labels, before) {
    seen <- unique(c(before, labels[labels %in% c(-1, 0)]))
    if (length(seen) > 1) .fail("invalid_data", "labels must be 0 and 1 or -1 and 1, but both 0 and -1 were given")
    seen
}

# The labels of scores, in y's own kind.
.classes <- function(object, scores) {
    if (is.null(object$labels)) .fail("state", "the model has seen no y yet, so it knows no classes")
    larger <- scores > 0
    switch(object$labels$kind,
           factor = factor(object$labels$levels[larger + 1L], levels = object$labels$levels),
           logical = larger,
           number = .pair(object)[larger + 1L])
}

# The two labels of a model that was given numbers.
.pair <- function(object) {
    smaller <- object$labels$smaller
    c(if (length(smaller) == 1) smaller else slw_model_smaller_label(.pointer(object)), slw_model_larger_label(.pointer(object)))
}
