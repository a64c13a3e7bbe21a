# What glm keeps with its fit, for rows that are given: a model does not keep those it was trained on.
.need_rows <- function(what, x, y, model) {
    given <- !missing(x) && (!missing(y) || !is.null(model$terms))
    if (!given) .fail("invalid_argument", "a model does not keep its training rows; say ", what, "(fit, ", if (is.null(model$terms)) "x, y)" else "data)")
}

fitted.sparselin <- function(object, x, ...) {
    .nothing_else("fitted takes a model and x", ...)
    .need_rows("fitted", x, NULL, object)
    predict(object, x, "response")
}

residuals.sparselin <- function(object, x, y, ...) {
    .nothing_else("residuals takes a model, x and y", ...)
    .need_rows("residuals", x, y, object)
    rows <- .more_rows(object, x, y, NULL, grow = FALSE)
    data <- .dataset(rows$x, rows$labels)
    on.exit(slw_release(data))
    pointer <- .laid_out(object, data)
    scores <- .scores(pointer, data)
    if (!.tells_classes(object$loss)) return(rows$labels - scores)
    numbers <- .class_numbers(pointer)
    if (length(numbers) == 2) return((rows$labels == numbers[2]) - .probabilities(pointer, scores))
    .by_class(object, as.vector(outer(numbers, rows$labels, `==`)) - .probabilities(pointer, scores))
}

deviance.sparselin <- function(object, x, y, weights = NULL, ...) {
    .nothing_else("deviance takes a model, x, y and weights", ...)
    .need_rows("deviance", x, y, object)
    .likelihood(object, x, y, weights)$deviance
}

logLik.sparselin <- function(object, x, y, weights = NULL, ...) {
    .nothing_else("logLik takes a model, x, y and weights", ...)
    .need_rows("logLik", x, y, object)
    of <- .likelihood(object, x, y, weights)
    value <- -of$deviance / 2
    if (of$normal) value <- (sum(log(of$weights)) - of$n * (log(2 * pi * of$deviance / of$n) + 1)) / 2
    pointer <- .pointer(object)
    parameters <- .count_nonzeros(pointer) + slw_model_classes(pointer) * (slw_model_option(pointer, "bias") == "true") + of$normal
    structure(value, df = parameters, nobs = of$n, class = "logLik")
}

# The deviance, the weights that are not 0, how many rows have such, and whether it is of normal errors, not of probabilities.
.likelihood <- function(object, x, y, weights) {
    normal <- object$loss == "squared"
    if (!normal && slw_model_knows(.pointer(object), "log_loss") != 1)
        .fail("state", "loss ", object$loss, " belongs to no likelihood; those of log and squared do. See evaluate() for its mean")
    rows <- .more_rows(object, x, y, weights, grow = FALSE)
    data <- .dataset(rows$x, rows$labels, rows$weights)
    on.exit(slw_release(data))
    value <- slw_model_evaluate(.laid_out(object, data), data, if (normal) "rmse" else "log_loss")
    weights <- if (is.null(rows$weights)) rep(1, nrow(rows$x)) else rows$weights[rows$weights > 0]
    list(deviance = sum(weights) * if (normal) value^2 else 2 * value, weights = weights, n = length(weights), normal = normal)
}

weights.sparselin <- function(object, ...) .fail("state", "a model does not keep the weights of its training rows")

nobs.sparselin <- function(object, ...) {
    if (is.null(object$rows)) .fail("state", "a model from a file of the library does not know how many rows it was trained on; see summary(fit)$steps")
    object$rows
}
