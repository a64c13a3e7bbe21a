feed <- function(model, x, y, ...) UseMethod("feed")

feed.sparselin <- function(model, x, y, weights = NULL, ..., verbose = FALSE) {
    if (...length() > 0) .fail("invalid_option", "options are fixed when a model is made; feed takes none")
    rows <- .more_rows(model, x, y, weights)
    .warn_of_no_weight(rows$weights)
    data <- .dataset(rows$x, rows$labels, rows$weights)
    on.exit(slw_release(data))
    pointer <- slw_model_clone(.pointer(model))
    if (is.null(model$labels)) .fix_labels(pointer, rows$kind)
    if (!is.null(model$rows)) model$rows <- model$rows + .learned(rows$weights, nrow(rows$x))
    model["names"] <- list(colnames(rows$x))
    model$columns <- ncol(rows$x)
    model$labels <- rows$kind
    model["unfinished"] <- list(NULL)
    .trained(model, pointer, function(pointer, report) slw_model_feed_watched(pointer, data, report), rows$weights,
             verbose, " rows of x; the model holds what was learned until then: feed it the others to go on")
}

resume <- function(model, x, y, ...) UseMethod("resume")

resume.sparselin <- function(model, x, y, weights = NULL, ..., verbose = FALSE) {
    if (...length() > 0) .fail("invalid_option", "options are fixed when a model is made; resume takes none")
    if (is.null(model$unfinished))
        .fail("state", "there is nothing to resume: ", if (model$interrupted) "a feed was interrupted; feed the model the rows that are left"
                                                       else "the training of this model was not interrupted")
    rows <- .more_rows(model, x, y, weights)
    data <- .dataset(rows$x, rows$labels, rows$weights)
    on.exit(slw_release(data))
    if (slw_model_fit_state(.pointer(model), data) != 1)
        .fail("invalid_data", "these are not the x, y and weights that the training was interrupted on")
    .fitted(model, slw_model_clone(.pointer(model)), data, verbose)
}

observe <- function(model, x, ...) UseMethod("observe")

observe.sparselin <- function(model, x, weights = NULL, ...) {
    if (...length() > 0) .fail("invalid_option", "options are fixed when a model is made; observe takes none")
    if (missing(x)) .fail("invalid_argument", "x is missing")
    pointer <- .pointer(model)
    if (slw_model_steps(pointer) > 0) .fail("state", "the model is trained already; rows are observed before that")
    x <- .align(.rows(model, x), model, grow = TRUE)
    weights <- .weights(weights, nrow(x))
    .warn_of_no_weight(weights)
    data <- .dataset(x, numeric(nrow(x)), weights)
    on.exit(slw_release(data))
    pointer <- slw_model_clone(pointer)
    slw_model_observe_watched(pointer, data, NULL)
    model["names"] <- list(colnames(x))
    model$columns <- ncol(x)
    model$handle <- .handle(pointer)
    model
}

# More rows for a model: list(x, kind, labels, weights), x with the model's columns and, if `grow`, those that are new.
.more_rows <- function(model, x, y, weights, grow = TRUE) {
    offset <- NULL
    if (!is.null(model$terms)) {
        if (missing(x) || !is.data.frame(x)) .fail("invalid_argument", "the model was made from a formula, so x must be a data frame", if (!missing(x)) .not(x))
        if (!missing(y)) .fail("invalid_argument", "the model was made from a formula, so y is found in the data frame and cannot be given")
        weights <- .weights(weights, nrow(x))
        frame <- .frame(model, model$terms, x, model$na.action)
        omitted <- attr(frame, "na.action")
        if (!is.null(omitted)) weights <- weights[-omitted]
        y <- model.response(frame)
        offset <- model.offset(frame)
        x <- .formula_columns(model, delete.response(model$terms), frame)
    } else if (missing(x) || missing(y)) .fail("invalid_argument", if (missing(x)) "x" else "y", " is missing")
    x <- .rows(model, x)
    y <- .column(y)
    kind <- if (is.null(model$labels)) c(.label_kind(y), stream = TRUE) else model$labels
    .check_kind(kind, model$loss)
    labels <- .less_offset(.labels(y, kind, nrow(x)), offset, model$loss)
    if (isTRUE(kind$stream) && kind$kind == "number" && slw_model_classes(.pointer(model)) == 1 && .tells_classes(model$loss)) kind$smaller <- .smaller_label(labels, kind$smaller)
    weights <- .weights(weights, nrow(x))
    list(x = .align(x, model, grow), kind = kind, labels = labels, weights = weights)
}

# The model after it is fitted to data, by as many passes as its options say, from where an interrupted fit to the same data has stopped.
.fitted <- function(model, pointer, data, verbose) {
    model <- .trained(model, pointer, function(pointer, report) slw_model_fit(pointer, data, report), NULL, verbose,
                      " rows; the model holds what was learned until then, and resume() goes on")
    model["unfinished"] <- list(if (model$interrupted) TRUE)
    model
}

# The model after `train(pointer, report)`. An interrupt ends that with a warning, and what was learned is kept. Rows of weight 0 are no
# steps, so weights are needed where it matters which row was the last.
.trained <- function(model, pointer, train, weights, verbose, advice) {
    watch <- .watch(verbose, model$history)
    model$stopping <- NULL # what is learned from here on was judged by nobody
    before <- slw_model_steps(pointer)
    model$interrupted <- tryCatch({
        train(pointer, watch$report)
        FALSE
    }, interrupt = function(condition) TRUE)
    model$handle <- .handle(pointer)
    model$history <- watch$history()
    if (model$interrupted) {
        steps <- slw_model_steps(pointer) - before
        rows <- if (is.null(weights) || steps == 0) steps else which(weights > 0)[steps]
        warning(structure(class = c("sparselin_interrupted", "warning", "condition"),
                          list(message = paste0("interrupted after ", .count(rows), advice), call = NULL, rows = rows)))
    }
    model
}

# Follows a training: `report` is called by the library, `history()` is the learning curve it has seen, of at most 512 points.
.watch <- function(verbose, before) {
    if (!isTRUE(verbose) && !isFALSE(verbose)) .fail("invalid_argument", "verbose must be TRUE or FALSE", .not(verbose))
    steps <- before$steps
    loss <- before$loss
    stride <- 1
    calls <- 0
    shown <- proc.time()[["elapsed"]]
    report <- function(progress) {
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
    list(report = report, history = function() {
        new <- !duplicated(steps, fromLast = TRUE)
        data.frame(steps = as.double(steps[new]), loss = as.double(loss[new]))
    })
}
