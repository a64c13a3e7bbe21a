sparselin <- function(x, ...) UseMethod("sparselin")

sparselin.default <- function(x, y, weights = NULL, ..., verbose = FALSE) {
    .fit(x, y, weights, list(...), verbose, match.call())
}

sparselin.formula <- function(formula, data, weights, subset, na.action = na.pass, ..., verbose = FALSE) {
    call <- match.call(expand.dots = FALSE)
    frame <- call[c(1L, match(c("formula", "data", "weights", "subset"), names(call), 0L))]
    frame[[1L]] <- quote(stats::model.frame)
    frame$na.action <- na.action
    frame <- eval(frame, parent.frame())
    terms <- attr(frame, "terms")
    if (!is.null(model.offset(frame))) .fail("invalid_argument", "offsets are not supported")
    y <- model.response(frame)
    if (is.null(y)) .fail("invalid_argument", "the formula has no left-hand side")
    weights <- model.weights(frame)
    settings <- list(...)
    if (attr(terms, "intercept") == 0 && is.null(settings$bias)) settings$bias <- FALSE
    predictors <- delete.response(terms)
    design <- .design(predictors, frame)
    fit <- .fit(design$x, y, weights, settings, verbose, match.call())
    fit$terms <- terms
    fit$contrasts <- design$contrasts
    fit$xlevels <- .getXlevels(predictors, frame)
    fit
}

# The handle is an environment, so that a model that was read from a file is rebuilt once and not at every call. Of a model that can only
# predict there is no more to keep than that.
.handle <- function(pointer) {
    handle <- new.env(parent = emptyenv())
    handle$pointer <- pointer
    handle$bytes <- tryCatch(slw_model_as_raw(pointer, 0), sparselin_state = function(condition) slw_model_as_raw(pointer, 1))
    handle
}

# The library's model: an external pointer does not outlive its session, the bytes beside it do.
.pointer <- function(object) {
    handle <- object$handle
    if (!slw_is_open(handle$pointer)) handle$pointer <- slw_model_from_bytes(handle$bytes)
    handle$pointer
}

.fit <- function(x, y, weights, settings, verbose, call) {
    x <- .sparse(x)
    if (nrow(x) == 0 || ncol(x) == 0) .fail("invalid_data", "x is empty: ", nrow(x), " rows, ", ncol(x), " columns")
    labels <- .label_kind(y)
    numbers <- .labels(y, labels, nrow(x))
    weights <- .weights(weights, nrow(x))
    call[[1L]] <- quote(sparselin)
    pointer <- slw_model_create(.options(settings))
    loss <- slw_model_option(pointer, "loss")
    .check_labels(y, labels, loss)
    data <- .dataset(x, numbers, weights)
    on.exit(slw_release(data))
    watch <- .watch(verbose)
    interrupted <- .uninterrupted(slw_model_fit(pointer, data, watch$report), watch)
    structure(class = "sparselin",
              list(call = call, handle = .handle(pointer), names = colnames(x), columns = ncol(x), labels = labels, loss = loss,
                   history = watch$history(), interrupted = interrupted))
}

.check_labels <- function(y, labels, loss) {
    if (labels$kind != "number" && !.two_labels(loss))
        .fail("invalid_data", "y is a ", labels$kind, ", but loss ", loss, " is for numbers")
    if (!.two_labels(loss)) return(invisible())
    distinct <- length(unique(y))
    if (distinct == 1) .fail("invalid_data", "y has one class only")
    if (distinct > 2)
        .fail("invalid_data", "y has ", distinct, " different values, but loss ", loss, " knows two; for a regression say loss = \"squared\"")
}

# Evaluates `training`. An interrupt ends it with a warning, and what was learned is kept. Whether that was so.
.uninterrupted <- function(training, watch) {
    interrupted <- tryCatch({
        training
        FALSE
    }, interrupt = function(condition) TRUE)
    if (interrupted) {
        text <- paste0("interrupted after ", .count(watch$rows()), " rows; the model holds what was learned until then")
        warning(structure(class = c("sparselin_interrupted", "warning", "condition"), list(message = text, call = NULL)))
    }
    interrupted
}

# Follows a training: `report` is called by the library, `history()` is the learning curve it has seen, of at most 512 points.
.watch <- function(verbose, before = NULL) {
    steps <- before$steps
    loss <- before$loss
    stride <- 1
    calls <- 0
    rows <- 0
    shown <- proc.time()[["elapsed"]]
    report <- function(progress) {
        rows <<- progress[2]
        last <- progress[2] == progress[3]
        calls <<- calls + 1
        if (!is.nan(progress[4]) && (last || calls %% stride == 0)) {
            steps <<- c(steps, progress[1])
            loss <<- c(loss, progress[4])
            if (length(steps) > 512) {
                kept <- seq(2, length(steps), by = 2)
                steps <<- steps[kept]
                loss <<- loss[kept]
                stride <<- 2 * stride
            }
        }
        now <- proc.time()[["elapsed"]]
        if (verbose && (last || now - shown >= 0.5)) {
            shown <<- now
            message(sprintf("%5.1f %%  row %.0f of %.0f  mean loss %.6g", 100 * progress[2] / progress[3], progress[2], progress[3],
                            progress[4]))
        }
    }
    list(report = report, rows = function() rows, history = function() {
        new <- !duplicated(steps, fromLast = TRUE)
        data.frame(steps = as.double(steps[new]), loss = as.double(loss[new]))
    })
}

feed <- function(model, x, y, ...) UseMethod("feed")

feed.sparselin <- function(model, x, y, weights = NULL, ..., verbose = FALSE) {
    if (...length() > 0) .fail("invalid_option", "options are fixed when a model is made; feed takes none")
    if (!is.null(model$terms)) .fail("state", "a model made from a formula cannot be fed; make it from matrices")
    x <- .sparse(x)
    numbers <- .labels(y, model$labels, nrow(x))
    weights <- .weights(weights, nrow(x))
    aligned <- .align(x, model, grow = TRUE)
    data <- .dataset(aligned$x, numbers, weights)
    on.exit(slw_release(data))
    pointer <- slw_model_clone(.pointer(model))
    watch <- .watch(verbose, model$history)
    model$interrupted <- .uninterrupted(slw_model_feed_watched(pointer, data, watch$report), watch)
    model$handle <- .handle(pointer)
    model$names <- aligned$names
    model$columns <- ncol(aligned$x)
    model$history <- watch$history()
    model
}
