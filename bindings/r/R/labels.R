# A matrix of one column is as good as its column.
.column <- function(y) if (is.matrix(y) && ncol(y) == 1) as.vector(y) else y

# What kind of labels y has: list(kind, levels, numbers). A factor's levels and FALSE and TRUE are the library's `numbers`: -1 and +1 if they are
# two, else from 0 on.
.label_kind <- function(y) {
    if (is.factor(y)) {
        if (nlevels(y) < 2) .fail("invalid_data", "y has ", nlevels(y), " level", if (nlevels(y) == 0) "s", ", but two or more are needed")
        .level_kind(levels(y))
    } else if (is.logical(y)) .level_kind(c(FALSE, TRUE))
    else if (is.numeric(y) && is.null(dim(y))) list(kind = "number", levels = NULL)
    else .fail("invalid_data", "y must be a numeric vector, a factor or a logical vector, not ", class(y)[1],
               if (is.character(y)) "; say factor(y), of two levels the second of which gets positive scores, or of more"
               else if (is.data.frame(y)) "; say y[[1]] for its first column"
               else if (is.matrix(y)) paste(" of", ncol(y), "columns"))
}

.level_kind <- function(levels, numbers = if (length(levels) == 2) c(-1, 1) else seq_along(levels) - 1)
    list(kind = if (is.logical(levels)) "logical" else "factor", levels = levels, numbers = numbers)

# y as the library's numbers.
.labels <- function(y, kind, rows) {
    if (length(y) != rows) .fail("invalid_argument", "y has ", length(y), " entries, but x has ", rows, " rows")
    if (anyNA(y)) .fail("invalid_data", "y has NA in row ", which(is.na(y))[1], row = which(is.na(y))[1])
    found <- .label_kind(y)
    if (found$kind != kind$kind) .fail("invalid_data", "the model was trained on a ", kind$kind, ", but y is a ", found$kind)
    if (!identical(found$levels, kind$levels))
        .fail("invalid_data", "the model's levels are ", .some(kind$levels), ", but y's are ", .some(found$levels))
    if (kind$kind == "number") {
        y <- as.double(y)
        infinite <- slw_first_not_finite(y)
        if (infinite > 0) .fail("invalid_data", "y is infinite in row ", infinite, row = infinite)
        return(y)
    }
    kind$numbers[if (kind$kind == "factor") as.integer(y) else y + 1L]
}

.some <- function(levels) paste0(toString(head(levels, 10)), if (length(levels) > 10) paste(" and", length(levels) - 10, "more"))

# Tells an untrained model of three levels and more what its classes are.
.fix_labels <- function(pointer, kind) if (length(kind$levels) > 2) slw_model_set_labels(pointer, kind$numbers)

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

# The scores of the rows of data: a vector of them, row by row if there is one for each class.
.scores <- function(pointer, data) {
    scores <- numeric(slw_dataset_rows(data) * slw_model_classes(pointer))
    slw_model_scores_watched(pointer, data, scores, NULL)
    scores
}

.probabilities <- function(pointer, scores) {
    probabilities <- numeric(length(scores))
    slw_model_probabilities(pointer, scores, probabilities)
    probabilities
}

# A row for each row, with a column for each class, named, if there are so many; else a vector.
.by_class <- function(object, numbers) {
    classes <- slw_model_classes(.pointer(object))
    if (classes == 1) return(numbers)
    matrix(numbers, ncol = classes, byrow = TRUE, dimnames = list(NULL, as.character(class_labels(object))))
}

# The labels of scores, in y's own kind.
.classes <- function(object, scores) {
    if (is.null(object$labels)) .fail("state", "the model has seen no y yet, so it knows no classes")
    pointer <- .pointer(object)
    classes <- slw_model_classes(pointer)
    all <- class_labels(object)
    if (classes == 1) labels <- all[(scores > 0) + 1L]
    else {
        found <- numeric(length(scores) / classes)
        slw_model_predicted_labels(pointer, scores, found)
        labels <- all[match(found, .class_numbers(pointer))]
    }
    if (object$labels$kind == "factor") factor(labels, levels = all) else labels
}

# The library's labels of the classes, ascending.
.class_numbers <- function(pointer) {
    labels <- numeric(slw_model_class_labels(pointer, numeric(0)))
    slw_model_class_labels(pointer, labels)
    labels
}

class_labels <- function(model) {
    if (!inherits(model, "sparselin")) .fail("invalid_argument", "model must be made by sparselin()", .not(model))
    if (!is.null(model$labels$levels)) return(model$labels$levels)
    labels <- .class_numbers(.pointer(model))
    if (length(model$labels$smaller) == 1) labels[1] <- model$labels$smaller
    labels
}

set_labels <- function(model, labels) {
    if (!inherits(model, "sparselin")) .fail("invalid_argument", "model must be made by untrained()", .not(model))
    if (!is.null(model$labels)) .fail("state", "the labels of the model are fixed already")
    if (anyNA(labels)) .fail("invalid_data", "labels has NA at place ", which(is.na(labels))[1])
    pointer <- slw_model_clone(.pointer(model))
    if (is.numeric(labels)) model$labels <- list(kind = "number", levels = NULL)
    else if (is.character(labels) || is.factor(labels)) {
        if (anyDuplicated(labels)) .fail("invalid_data", "labels has ", dQuote(labels[anyDuplicated(labels)], FALSE), " twice")
        model$labels <- .level_kind(as.character(labels))
    } else .fail("invalid_argument", "labels must be numbers, or the levels of a factor", .not(labels))
    slw_model_set_labels(pointer, if (is.numeric(labels)) as.double(labels) else model$labels$numbers)
    model$handle <- .handle(pointer)
    model
}

confusion <- function(model, x, y, ...) UseMethod("confusion")

confusion.sparselin <- function(model, x, y, weights = NULL, ...) {
    .nothing_else("confusion takes a model, x, y and weights", ...)
    rows <- .more_rows(model, x, y, weights, grow = FALSE)
    data <- .dataset(rows$x, rows$labels, rows$weights)
    on.exit(slw_release(data))
    .confusion(model, .laid_out(model, data), data)
}

.confusion <- function(model, pointer, data) {
    labels <- as.character(class_labels(model))
    counts <- numeric(length(labels)^2)
    slw_model_confusion(pointer, data, counts)
    matrix(counts, length(labels), byrow = TRUE, dimnames = list(actual = labels, predicted = labels))
}
