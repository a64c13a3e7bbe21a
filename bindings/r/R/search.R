# The options of a call's dots, those of which that have several values as a grid: list(settings, grid). Where none has, l1 gets some.
# Averages are sparse where the library's searches have them so: for paths, whose models are fitted one by one, too.
.grid <- function(settings) {
    several <- lengths(settings) > 1
    grid <- settings[several]
    settings <- settings[!several]
    if (length(grid) == 0 && is.null(settings$l1)) grid <- list(l1 = signif(10^seq(-2, -6, by = -0.5), 1))
    for (name in names(grid)) {
        values <- grid[[name]]
        if (!is.atomic(values) || !(is.numeric(values) || is.character(values) || is.logical(values)) || anyNA(values))
            .fail("invalid_option", "the values of ", name, " must be numbers, strings or logical values", .not(values))
        if (anyDuplicated(values)) .fail("invalid_option", "option ", name, " has the value ", values[anyDuplicated(values)], " twice")
    }
    if (length(grid) > 0 && !any(c("preset", "average", "sparse_average", "center") %in% c(names(settings), names(grid)))) settings$sparse_average <- TRUE
    list(settings = settings, grid = grid)
}

# Values as text for labels, which reads as the same numbers.
.texts_of <- function(values) {
    if (is.logical(values)) return(tolower(values))
    if (!is.numeric(values)) return(values)
    short <- formatC(values, digits = 15, width = 1, format = "g")
    ifelse(as.numeric(short) == values, short, formatC(values, digits = 17, width = 1, format = "g"))
}

cv_sparselin <- function(x, ...) UseMethod("cv_sparselin")

cv_sparselin.default <- function(x, y, weights = NULL, ..., folds = 5, holdout = NULL, metric = NULL, threads = 1, verbose = FALSE) {
    of <- .grid(.settings(...))
    .search(.matrix_job(x, y, weights, .first_of(of)), of, match.call(), folds, holdout, metric, threads, verbose)
}

cv_sparselin.formula <- function(formula, data, weights, subset, na.action = na.pass, contrasts = NULL, ..., text = NULL, encoder = NULL,
                                 folds = 5, holdout = NULL, metric = NULL, threads = 1, verbose = FALSE) {
    of <- .grid(.settings(...))
    job <- .formula_job(match.call(expand.dots = FALSE), parent.frame(), formula, na.action, contrasts, .first_of(of), text, encoder)
    .search(job, of, match.call(), folds, holdout, metric, threads, verbose)
}

.first_of <- function(of) c(of$settings, lapply(of$grid, `[`, 1))

# What a model's call is, of one that was found among several: without what chose it, and with the values that it has.
.call_of <- function(call, values) {
    call <- call[!names(call) %in% c("folds", "holdout", "metric", "threads", "verbose")]
    for (name in names(values)) call[[name]] <- values[[name]]
    call
}

.search <- function(job, of, call, folds, holdout, metric, threads, verbose) {
    call[[1L]] <- quote(cv_sparselin)
    number <- function(value, least) is.numeric(value) && length(value) == 1 && !is.na(value) && value >= least && value <= 2^31
    if (is.null(holdout)) {
        if (!number(folds, 2) || folds %% 1 != 0) .fail("invalid_argument", "folds must be a whole number of at least 2", .not(folds))
    } else {
        if (!number(holdout, 0) || holdout == 0 || holdout >= 1) .fail("invalid_argument", "holdout must be a share of the rows, between 0 and 1", .not(holdout))
        folds <- 0
    }
    if (!is.null(metric) && (!is.character(metric) || length(metric) != 1 || is.na(metric))) .fail("invalid_argument", "metric must be one string", .not(metric))
    if (!number(threads, 0) || threads %% 1 != 0) .fail("invalid_argument", "threads must be a whole number, 0 for as many as there are cores", .not(threads))
    if (!isTRUE(verbose) && !isFALSE(verbose)) .fail("invalid_argument", "verbose must be TRUE or FALSE", .not(verbose))
    table <- rev(expand.grid(rev(of$grid), stringsAsFactors = FALSE)) # the last option's values change fastest
    if (length(table) == 0) table <- data.frame(row.names = 1L)
    fits <- nrow(table) * max(folds, 1)
    shown <- proc.time()[["elapsed"]]
    report <- function(progress) {
        now <- proc.time()[["elapsed"]]
        if (progress[5] < fits && now - shown < 0.5) return()
        shown <<- now
        message(sprintf("%5.1f %%  %.0f of %.0f fits", 100 * progress[2] / progress[3], progress[5], fits))
    }
    data <- .job_data(job)
    on.exit(slw_release(data))
    # Value by value as the library has each: none of an option holds a comma or a blank.
    text_of <- function(value, name) slw_options_get(.options(structure(list(value), names = name)), name)
    grid <- paste0(names(of$grid), "=", vapply(names(of$grid), function(name) paste(vapply(of$grid[[name]], text_of, "", name), collapse = ","), ""), collapse = " ")
    search <- slw_search_run(.options(of$settings), if (length(of$grid) > 0) grid else "", data, NULL, folds, if (is.null(holdout)) 0 else holdout,
                             if (is.null(metric)) "" else metric, threads, if (verbose) report)
    on.exit(slw_release(search), add = TRUE)
    found <- .found(search)
    fit <- function(i) {
        values <- as.list(table[i, , drop = FALSE])
        model <- .new_model(job, .call_of(call, values), c(of$settings, values))
        .fitted(model, .pointer(model), data, verbose)
    }
    best <- fit(found$chosen[1])
    splits <- found$splits + 1L
    splits[splits > max(folds, 1)] <- NA
    structure(class = "cv_sparselin",
              list(call = call, metric = found$metric, larger_is_better = found$larger_is_better, results = cbind(table, found$figures),
                   values = found$values, folds = splits, chosen = found$chosen,
                   models = list(best = best, `1se` = if (found$chosen[1] == found$chosen[2]) best else fit(found$chosen[2]))))
}

# What a search found: numbers of models count from 1 here, and each of these is a row.
.found <- function(search) {
    shape <- vapply(0:4, function(what) slw_search_shape(search, what), 0)
    of_each <- function(read, count) t(matrix(vapply(seq_len(shape[1]) - 1, function(i) {
        numbers <- numeric(count)
        read(search, i, numbers)
        numbers
    }, numeric(count)), count))
    figures <- of_each(slw_search_model, 3)
    splits <- integer(slw_search_splits(search, integer(0)))
    slw_search_splits(search, splits)
    list(metric = slw_search_metric(search), larger_is_better = shape[5] == 1, chosen = c(best = as.integer(shape[3]), `1se` = as.integer(shape[4])) + 1L,
         figures = data.frame(mean = figures[, 1], se = figures[, 2], nonzeros = figures[, 3]), values = of_each(slw_search_values, shape[2]), splits = splits)
}

# One of the two models that a search has chosen.
.chosen <- function(object, s) object$models[[match.arg(s, names(object$models))]]

predict.cv_sparselin <- function(object, newdata, s = c("best", "1se"), ...) predict(.chosen(object, s), newdata, ...)

coef.cv_sparselin <- function(object, s = c("best", "1se"), ...) coef(.chosen(object, s), ...)

evaluate.cv_sparselin <- function(model, x, y, ..., s = c("best", "1se")) evaluate(.chosen(model, s), x, y, ...)

confusion.cv_sparselin <- function(model, x, y, ..., s = c("best", "1se")) confusion(.chosen(model, s), x, y, ...)

summary.cv_sparselin <- function(object, ..., s = c("best", "1se"))
    structure(class = "summary.cv_sparselin", list(search = object, model = summary(.chosen(object, s), ...)))

.say_search <- function(x) {
    folds <- ncol(x$values)
    cat(.count(nrow(x$results)), if (nrow(x$results) == 1) " model" else " models", ", judged by ",
        if (folds > 1) paste(x$metric, "in", folds, "folds") else paste(x$metric, "of the rows held out"), "\n", sep = "")
    cat("Call: ", paste(deparse(x$call), collapse = "\n"), "\n\n", sep = "")
}

print.cv_sparselin <- function(x, digits = 4, ...) {
    .say_search(x)
    table <- x$results[x$chosen, ]
    row.names(table) <- names(x$chosen)
    print(table, digits = digits)
    invisible(x)
}

print.summary.cv_sparselin <- function(x, digits = 4, ...) {
    .say_search(x$search)
    table <- x$search$results
    marks <- split(names(x$search$chosen), factor(x$search$chosen, seq_len(nrow(table))))
    table$` ` <- vapply(marks, paste, "", collapse = ", ")
    print(table, digits = digits)
    cat("\n")
    print(x$model, digits = digits)
    invisible(x)
}

sparselin_path <- function(x, ...) UseMethod("sparselin_path")

sparselin_path.default <- function(x, y, weights = NULL, ..., verbose = FALSE) {
    of <- .grid(.settings(...))
    .path_of(.matrix_job(x, y, weights, .first_of(of)), of, match.call(), verbose)
}

sparselin_path.formula <- function(formula, data, weights, subset, na.action = na.pass, contrasts = NULL, ..., text = NULL, encoder = NULL,
                                   verbose = FALSE) {
    of <- .grid(.settings(...))
    job <- .formula_job(match.call(expand.dots = FALSE), parent.frame(), formula, na.action, contrasts, .first_of(of), text, encoder)
    .path_of(job, of, match.call(), verbose)
}

.path_of <- function(job, of, call, verbose) {
    if (length(of$grid) != 1 || !is.numeric(of$grid[[1]]))
        .fail("invalid_argument", "a path is along one option with several numbers for values, as in l1 = 10^(-2:-6); here ",
              if (length(of$grid) == 0) "none has" else paste(names(of$grid), collapse = " and "), if (length(of$grid) == 1) " has others" else if (length(of$grid) > 1) " have")
    call[[1L]] <- quote(sparselin_path)
    option <- names(of$grid)
    values <- sort(of$grid[[1]], decreasing = TRUE)
    data <- .job_data(job)
    on.exit(slw_release(data))
    models <- list()
    for (value in values) {
        if (verbose) message(sprintf("%s = %s", option, .texts_of(value)))
        set <- structure(list(value), names = option)
        model <- .new_model(job, .call_of(call, set), c(of$settings, set))
        model <- .fitted(model, .pointer(model), data, verbose)
        if (model$interrupted) break # with a warning; the models that are complete are a path
        models <- c(models, list(model))
    }
    structure(class = "sparselin_path", list(call = call, option = option, values = head(values, length(models)), models = models,
                                             nonzeros = vapply(models, function(model) .count_nonzeros(.pointer(model)), 0),
                                             mean_loss = vapply(models, function(model) .mean_loss(.pointer(model)), 0)))
}

# The numbers of the models that s, values of the path's option, asks for; all of them if it is NULL.
.on_path <- function(object, s) {
    if (is.null(s)) return(seq_along(object$values))
    at <- if (is.numeric(s)) vapply(s, function(value) match(TRUE, abs(object$values - value) <= 1e-9 * abs(value)), 0L) else NA
    if (anyNA(at))
        .fail("invalid_argument", "s must be values of ", object$option, " that the path has: ", .some(.texts_of(object$values)), .not(if (is.numeric(s)) s[is.na(at)][1] else s))
    at
}

predict.sparselin_path <- function(object, newdata, s = NULL, ...) {
    at <- .on_path(object, s)
    columns <- lapply(object$models[at], predict, newdata, ...)
    names(columns) <- .texts_of(object$values[at])
    simplify2array(lapply(columns, function(column) if (is.factor(column)) structure(as.character(column), names = names(column)) else column), higher = TRUE)
}

coef.sparselin_path <- function(object, s = NULL, ...) {
    at <- .on_path(object, s)
    of <- lapply(object$models[at], coef, ...)
    classes <- if (is(of[[1]], "sparseVector")) 1 else ncol(of[[1]])
    joined <- lapply(seq_len(classes), function(k) .bound(of, k, .texts_of(object$values[at])))
    if (classes == 1) joined[[1]] else structure(joined, names = colnames(of[[1]]))
}

# Column k of each of several models' coefficients, side by side; rows are matched by name where they have names.
.bound <- function(of, k, columns) {
    rows <- lapply(of, rownames)
    all <- if (is(of[[1]], "sparseVector")) NULL else unique(unlist(rows))
    parts <- lapply(of, function(weights) if (is(weights, "sparseVector")) list(at = weights@i, x = weights@x) else {
        part <- seq(weights@p[k] + 1, length.out = weights@p[k + 1] - weights@p[k])
        at <- weights@i[part] + 1
        list(at = if (is.null(all)) at else match(rownames(weights)[at], all), x = weights@x[part])
    })
    size <- if (!is.null(all)) length(all) else if (is(of[[1]], "sparseVector")) length(of[[1]]) else nrow(of[[1]])
    if (size > .Machine$integer.max) .fail("invalid_data", "the models have ", .count(size - 1), " columns, too many for a matrix in R")
    sparseMatrix(i = unlist(lapply(parts, `[[`, "at")), j = rep(seq_along(parts), lengths(lapply(parts, `[[`, "at"))), x = unlist(lapply(parts, `[[`, "x")),
                 dims = c(size, length(parts)), dimnames = list(all, columns))
}

print.sparselin_path <- function(x, digits = 4, ...) {
    cat("Models along ", x$option, "\nCall: ", paste(deparse(x$call), collapse = "\n"), "\n\n", sep = "")
    print(summary(x), digits = digits)
    invisible(x)
}

summary.sparselin_path <- function(object, ...) {
    .nothing_else("summary takes a path", ...)
    structure(data.frame(object$values, object$nonzeros, object$mean_loss), names = c(object$option, "nonzeros", "mean_loss"))
}
