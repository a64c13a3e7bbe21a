predict.sparselin <- function(object, newdata, type = c("score", "response", "class", "link"), na.action = na.pass, ...) {
    .nothing_else("predict takes newdata, type and na.action", ...)
    type <- match.arg(type)
    if (missing(newdata)) .fail("invalid_argument", "newdata is missing; a model does not keep its training rows")
    new <- .new_rows(object, newdata, na.action)
    data <- .dataset(new$x, numeric(nrow(new$x)))
    on.exit(slw_release(data))
    pointer <- .laid_out(object, data)
    scores <- .scores(pointer, data)
    answer <- if (type == "class") .classes(object, scores)
              else .by_class(object, if (type == "response" && .tells_classes(object$loss)) .probabilities(pointer, scores) else scores)
    if (!is.null(new$offset) && type != "class") answer <- answer + new$offset
    if (!is.null(new$complete)) {
        places <- replace(rep(NA, length(new$complete)), new$complete, seq_len(nrow(new$x)))
        answer <- if (is.matrix(answer)) answer[places, , drop = FALSE] else answer[places]
    }
    if (!is.null(new$names)) if (is.matrix(answer)) rownames(answer) <- new$names else names(answer) <- new$names
    napredict(new$omitted, answer)
}

evaluate <- function(model, x, y, ...) UseMethod("evaluate")

evaluate.sparselin <- function(model, x, y, metric = "loss", weights = NULL, ...) {
    .nothing_else("evaluate takes x, y, metric and weights", ...)
    if (!is.character(metric) || length(metric) == 0 || anyNA(metric)) .fail("invalid_argument", "metric must be one string or several", .not(metric))
    rows <- .more_rows(model, x, y, weights, grow = FALSE)
    data <- .dataset(rows$x, rows$labels, rows$weights)
    on.exit(slw_release(data))
    pointer <- .laid_out(model, data)
    vapply(metric, function(name) slw_model_evaluate(pointer, data, name), 0)
}

# The model's pointer. Laying the weights out for prediction changes no score, and pays where there is more to predict than to lay out.
.laid_out <- function(object, data) {
    pointer <- .pointer(object)
    if (slw_dataset_nonzeros(data) > slw_model_dimension(pointer)) slw_model_finalize(pointer)
    pointer
}

# What is to be predicted: list(x, names), x with the model's columns, each in its place. Of a formula's model also the
# offset, if there is one; which rows are complete, unless all are; and what na.action has left out.
.new_rows <- function(object, newdata, na.action) {
    if (is.null(object$terms)) {
        x <- .align(.rows(object, newdata), object, grow = FALSE)
        return(list(x = x, names = rownames(x)))
    }
    if (!is.data.frame(newdata)) .fail("invalid_argument", "the model was made from a formula, so newdata must be a data frame")
    predictors <- delete.response(object$terms)
    frame <- .frame(object, predictors, newdata, na.action)
    new <- list(names = row.names(frame), omitted = attr(frame, "na.action"))
    complete <- Reduce(`&`, lapply(frame, complete.cases), rep(TRUE, nrow(frame)))
    if (!all(complete)) {
        new$complete <- complete
        frame <- frame[complete, , drop = FALSE]
    }
    new$offset <- model.offset(frame)
    new$x <- .align(.entries(.formula_columns(object, predictors, frame)), object, grow = FALSE)
    new
}

evaluate_scores <- function(scores, y, metric, weights = NULL) {
    if (!is.character(metric) || length(metric) == 0 || anyNA(metric)) .fail("invalid_argument", "metric must be one string or several", .not(metric))
    if (!is.numeric(scores)) .fail("invalid_argument", "scores must be numbers, one for each row or a matrix with a column for each class, not ", class(scores)[1])
    scores <- .column(scores)
    y <- .column(y)
    rows <- NROW(scores)
    classes <- NCOL(scores)
    kind <- .label_kind(y)
    if (!is.null(kind$levels) && length(kind$levels) != max(classes, 2))
        .fail("invalid_argument", "y has ", length(kind$levels), " levels, but scores ", classes, if (classes == 1) " column" else " columns")
    if (is.matrix(scores) && !is.null(colnames(scores)) && !is.null(kind$levels)) {
        unknown <- setdiff(kind$levels, colnames(scores))
        if (length(unknown) > 0) .fail("invalid_argument", "scores has no column for level ", dQuote(unknown[1], FALSE))
        scores <- scores[, kind$levels]
    }
    labels <- .labels(y, kind, rows)
    numbers <- as.double(if (classes > 1) t(scores) else scores)
    weights <- .weights(weights, rows)
    vapply(metric, function(name) slw_evaluate_scores(name, numbers, labels, weights), 0)
}
