predict.sparselin <- function(object, newdata, type = c("score", "response", "class"), ...) {
    type <- match.arg(type)
    if (missing(newdata)) .fail("invalid_argument", "newdata is missing; a model does not keep its training rows")
    x <- .new_matrix(object, newdata)
    data <- .dataset(x, numeric(nrow(x)))
    on.exit(slw_release(data))
    scores <- numeric(nrow(x))
    pointer <- .laid_out(object, data)
    slw_model_predict_watched(pointer, data, scores, NULL)
    answer <- switch(type, score = scores, class = .classes(object, scores),
                     response = if (.two_labels(object$loss)) .probabilities(pointer, scores) else scores)
    if (!is.null(rownames(x))) names(answer) <- rownames(x)
    answer
}

evaluate <- function(model, x, y, ...) UseMethod("evaluate")

evaluate.sparselin <- function(model, x, y, metric = "loss", weights = NULL, ...) {
    if (...length() > 0) .fail("invalid_argument", "evaluate takes x, y, metric and weights, and nothing else")
    if (!is.character(metric) || length(metric) == 0 || anyNA(metric)) .fail("invalid_argument", "metric must be one string or several")
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

.probabilities <- function(pointer, scores) {
    probabilities <- numeric(length(scores))
    slw_model_probabilities(pointer, scores, probabilities)
    probabilities
}

# newdata with the model's columns, each in its place.
.new_matrix <- function(object, newdata) {
    if (!is.null(object$terms)) {
        if (!is.data.frame(newdata)) .fail("invalid_argument", "the model was made from a formula, so newdata must be a data frame")
        predictors <- delete.response(object$terms)
        frame <- model.frame(predictors, newdata, na.action = na.pass, xlev = object$xlevels)
        .checkMFClasses(attr(predictors, "dataClasses"), frame)
        newdata <- .design(predictors, frame, object$contrasts)$x
    }
    x <- .sparse(newdata)
    rows <- rownames(x)
    x <- .align(x, object, grow = FALSE)$x
    if (!is.null(rows)) rownames(x) <- rows
    x
}
