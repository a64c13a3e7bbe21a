predict.sparselin <- function(object, newdata, type = c("score", "response", "class"), na.action = na.pass, ...) {
    .nothing_else("predict takes newdata, type and na.action", ...)
    type <- match.arg(type)
    if (missing(newdata)) .fail("invalid_argument", "newdata is missing; a model does not keep its training rows")
    new <- .new_rows(object, newdata, na.action)
    data <- .dataset(new$x, numeric(nrow(new$x)))
    on.exit(slw_release(data))
    scores <- numeric(nrow(new$x))
    pointer <- .laid_out(object, data)
    slw_model_predict_watched(pointer, data, scores, NULL)
    answer <- switch(type, score = scores, class = .classes(object, scores),
                     response = if (.two_labels(object$loss)) .probabilities(pointer, scores) else scores)
    if (!is.null(new$offset) && type != "class") answer <- answer + new$offset
    if (!is.null(new$complete)) answer <- answer[replace(rep(NA, length(new$complete)), new$complete, seq_along(answer))]
    if (!is.null(new$names)) names(answer) <- new$names
    napredict(new$omitted, answer)
}

evaluate <- function(model, x, y, ...) UseMethod("evaluate")

evaluate.sparselin <- function(model, x, y, metric = "loss", weights = NULL, ...) {
    .nothing_else("evaluate takes x, y, metric and weights", ...)
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

# What is to be predicted: list(x, names), x with the model's columns, each in its place. Of a formula's model also the
# offset, if there is one; which rows are complete, unless all are; and what na.action has left out.
.new_rows <- function(object, newdata, na.action) {
    if (is.null(object$terms)) {
        x <- .align(.entries(newdata), object, grow = FALSE)
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
    new$x <- .align(.entries(.design(predictors, frame)), object, grow = FALSE)
    new
}
