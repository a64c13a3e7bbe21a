merge_models <- function(models, begin = NULL, parts = length(models)) {
    if (inherits(models, "sparselin") || !is.list(models)) .fail("invalid_argument", "models must be a list of models made by sparselin()", .not(models))
    strange <- which(!vapply(models, inherits, NA, "sparselin"))
    if (length(strange) > 0) .fail("invalid_argument", "model ", strange[1], " is not made by sparselin()")
    if (is.null(begin) && !missing(parts)) .fail("invalid_argument", "parts goes with begin, what the models were copies of")
    if (!is.null(begin) && !inherits(begin, "sparselin")) .fail("invalid_argument", "begin must be made by sparselin()", .not(begin))
    if (!is.null(begin) && !(is.numeric(parts) && length(parts) == 1 && !is.na(parts) && parts >= 1)) .fail("invalid_argument", "parts must be a number of at least 1", .not(parts))
    pointer <- if (is.null(begin)) slw_model_merge(lapply(models, .pointer), 0) else slw_model_merge(lapply(c(list(begin), models), .pointer), parts)
    merged <- models[[1]]
    for (k in seq_along(models)[-1]) merged <- .joined(merged, models[[k]], paste("model", k))
    rows <- lapply(models, function(model) model$rows)
    before <- if (is.null(begin)) 0L else begin$rows
    merged["rows"] <- list(if (!any(vapply(c(rows, list(before)), is.null, NA))) sum(unlist(rows)) - (length(models) - 1L) * before)
    .renewed(merged, match.call(), pointer)
}

start_from <- function(model, source) {
    for (name in c("model", "source"))
        if (!inherits(get(name), "sparselin")) .fail("invalid_argument", name, " must be made by ", if (name == "model") "untrained()" else "sparselin()", .not(get(name)))
    pointer <- slw_model_clone(.pointer(model))
    joined <- .joined(model, source, "source")
    slw_model_start(pointer, .pointer(source))
    .renewed(joined, model$call, pointer)
}

# The model with the columns and the labels of both. Columns are features by their places, so those of one have to go on where the other's end.
.joined <- function(model, other, what) {
    shared <- seq_len(min(length(model$names), length(other$names)))
    apart <- which(model$names[shared] != other$names[shared])
    if (length(apart) > 0)
        .fail("invalid_argument", what, " has ", dQuote(other$names[apart[1]], FALSE), " for column ", apart[1], ", not ",
              dQuote(model$names[apart[1]], FALSE), ": give all of them the same columns")
    if (is.null(model$names) != is.null(other$names) && model$columns > 0 && other$columns > 0)
        .fail("invalid_argument", what, if (is.null(other$names)) " has no names for its columns, as others have" else " has names for its columns, as others have not")
    if (!is.null(model$labels) && !is.null(other$labels)) {
        if (model$labels$kind != other$labels$kind || !identical(model$labels$levels, other$labels$levels))
            .fail("invalid_argument", what, " has labels that are ", .said(other$labels), ", not ", .said(model$labels))
        model$labels$smaller <- .smaller_label(numeric(0), c(model$labels$smaller, other$labels$smaller))
    } else if (is.null(model$labels)) model["labels"] <- list(other$labels)
    if (length(other$names) > length(model$names)) model$names <- other$names
    model$columns <- max(model$columns, other$columns)
    model
}

.said <- function(kind) if (kind$kind == "number") "numbers" else if (kind$kind == "logical") "logical" else paste("the levels", .some(kind$levels))

# The model as it is in the library now, of whose training in this session nothing is known.
.renewed <- function(model, call, pointer) {
    model["call"] <- list(call)
    model$handle <- .handle(pointer)
    model$history <- model$history[0, ]
    model$interrupted <- FALSE
    model$stopping <- NULL
    model["unfinished"] <- list(NULL)
    model
}
