coef.sparselin <- function(object, ...) {
    .nothing_else("coef takes a model", ...)
    pointer <- .pointer(object)
    classes <- slw_model_classes(pointer)
    columns <- lapply(seq_len(classes) - 1, function(k) {
        bias <- slw_model_class_bias(pointer, k)
        weights <- .nonzeros(object, k)
        list(at = c(0[bias != 0], weights$index), x = c(bias[bias != 0], weights$value))
    })
    at <- unlist(lapply(columns, `[[`, "at")) # 0 is the intercept
    values <- as.double(unlist(lapply(columns, `[[`, "x")))
    size <- object$columns + 1
    names <- if (!is.null(object$names) || object$columns == 0) c("(Intercept)", object$names)
    if (is.null(names)) {
        some <- sort(unique(c(0, at)))
        known <- c("(Intercept)", .known_names(object, some[-1]))
        if (length(known) > 1 && !anyNA(known)) { # all others are 0
            at <- match(at, some) - 1
            size <- length(known)
            names <- known
        } else if (classes == 1) return(sparseVector(values, if (size > .Machine$integer.max) at + 1 else as.integer(at + 1), size))
    }
    if (size > .Machine$integer.max) .fail("invalid_data", "the model has ", .count(object$columns), " columns, too many for a matrix in R")
    new("dgCMatrix", i = as.integer(at), p = c(0L, cumsum(lengths(lapply(columns, `[[`, "at")))), x = values, Dim = c(as.integer(size), length(columns)),
        Dimnames = list(names, if (classes == 1) "weight" else as.character(class_labels(object))))
}

# The weights of class number k that are not 0, by column counted from 1.
.nonzeros <- function(object, k = 0) {
    pointer <- .pointer(object)
    count <- slw_model_class_nonzeros(pointer, k, integer(0), numeric(0))
    index <- integer(count)
    value <- numeric(count)
    slw_model_class_nonzeros(pointer, k, index, value)
    index <- as.double(index) # of 32 bits without a sign, which R does not know
    index[is.na(index)] <- -2^31
    list(index = index + 2^32 * (index < 0) + 1, value = value)
}

# How many weights are not 0, of all classes.
.count_nonzeros <- function(pointer)
    sum(vapply(seq_len(slw_model_classes(pointer)) - 1, function(k) slw_model_class_nonzeros(pointer, k, integer(0), numeric(0)), 0))

# The n largest weights of class number k by magnitude, named, largest first.
.largest <- function(object, n, k = 0) {
    if (!is.numeric(n) || length(n) != 1 || is.na(n) || n < 1) .fail("invalid_argument", "n must be a number of at least 1", .not(n))
    weights <- .nonzeros(object, k)
    first <- head(order(-abs(weights$value)), n)
    index <- weights$index[first]
    names <- if (is.null(object$names)) .known_names(object, index) else object$names[index]
    names[is.na(names)] <- sprintf("V%.0f", index[is.na(names)])
    structure(weights$value[first], names = names)
}

.mean_loss <- function(pointer) if (slw_model_steps(pointer) > 0) slw_model_mean_loss(pointer) else NA_real_

summary.sparselin <- function(object, newdata, y, weights = NULL, n = 10, ...) {
    .nothing_else("summary takes a model, newdata, y, weights and n", ...)
    pointer <- .pointer(object)
    table <- sparselin_options()
    table <- table[table$model, ]
    settings <- vapply(table$name, function(name) slw_model_option(pointer, name), "")
    classes <- seq_len(slw_model_classes(pointer)) - 1
    largest <- lapply(classes, function(k) .largest(object, n, k))
    bias <- vapply(classes, function(k) slw_model_class_bias(pointer, k), 0)
    if (length(classes) == 1) largest <- largest[[1]]
    else names(largest) <- names(bias) <- as.character(class_labels(object))
    structure(class = "summary.sparselin",
              list(call = object$call, loss = object$loss, levels = object$labels$levels, columns = object$columns, classes = length(classes),
                   nonzeros = .count_nonzeros(pointer), steps = slw_model_steps(pointer),
                   mean_loss = .mean_loss(pointer), bias = bias, largest = largest,
                   changed = settings[settings != table$default], memory = slw_model_memory(pointer), interrupted = object$interrupted,
                   unfinished = object$unfinished, stopping = object$stopping,
                   confusion = if (!missing(newdata)) confusion(object, newdata, y, weights)))
}

.count <- function(number) format(number, big.mark = ",", scientific = FALSE, trim = TRUE)

.print_head <- function(x, classes, steps, nonzeros, mean_loss) {
    cat("Sparse linear model", if (classes > 1) paste(" of", classes, "classes"), ", loss ", x$loss, "\n", sep = "")
    if (!is.null(x$call)) {
        call <- deparse(x$call, nlines = 4)
        cat("Call: ", paste(c(head(call, 3), if (length(call) > 3) "    ..."), collapse = "\n"), "\n", sep = "")
    }
    cat(.count(x$columns), " columns, ", .count(nonzeros), " nonzero weights, ", .count(steps), " steps, mean loss ",
        format(mean_loss, digits = 4), "\n", sep = "")
    if (isTRUE(x$interrupted)) cat("Its training was interrupted", if (!is.null(x$unfinished)) "; resume() goes on", ".\n", sep = "")
    if (!is.null(x$stopping)) {
        passes <- x$stopping$passes
        cat("Pass ", x$stopping$best, " of the ", nrow(passes), " that were made, the best by ", x$stopping$metric, " of the validation rows: ",
            format(passes$validation[x$stopping$best], digits = 4), "\n", sep = "")
    }
}

print.sparselin <- function(x, ...) {
    pointer <- .pointer(x)
    .print_head(x, slw_model_classes(pointer), slw_model_steps(pointer), .count_nonzeros(pointer), .mean_loss(pointer))
    invisible(x)
}

print.summary.sparselin <- function(x, digits = 4, ...) {
    .print_head(x, x$classes, x$steps, x$nonzeros, x$mean_loss)
    if (length(x$levels) == 2) cat("Positive scores mean ", as.character(x$levels[2]), ", others ", as.character(x$levels[1]), "\n", sep = "")
    if (length(x$changed) > 0) cat("Options: ", paste(names(x$changed), x$changed, sep = " = ", collapse = ", "), "\n", sep = "")
    cat("Memory: ", .count(x$memory), " bytes\n", sep = "")
    if (x$classes == 1) {
        cat("Largest weights (intercept ", format(x$bias, digits = digits), "):", if (length(x$largest) == 0) " all are 0", "\n", sep = "")
        if (length(x$largest) > 0) print(x$largest, digits = digits)
    } else {
        cat("Largest weights of each class, after its intercept:\n")
        shown <- head(names(x$largest), 20)
        for (class in shown) {
            weights <- c(x$bias[[class]], x$largest[[class]])
            writeLines(strwrap(paste0(class, ": ", paste(trimws(paste(c("", names(x$largest[[class]])), format(weights, digits = digits, trim = TRUE))),
                                                         collapse = ", ")), getOption("width"), indent = 2, exdent = 6))
        }
        if (x$classes > length(shown)) cat("  and", x$classes - length(shown), "more classes\n")
    }
    if (!is.null(x$confusion)) .print_confusion(x$confusion, digits)
    invisible(x)
}

# The error of each class, and what is taken for what: all of it of few classes, of many what is most.
.print_confusion <- function(counts, digits) {
    rows <- rowSums(counts)
    wrong <- rows - diag(counts)
    cat("New data: ", format(100 * sum(wrong) / sum(rows), digits = digits), " % of ", .count(sum(rows)), " are given the wrong class\n", sep = "")
    if (length(rows) <= 20) return(print(cbind(counts, `error %` = round(100 * wrong / rows, 2))))
    print(head(data.frame(rows = rows, `error %` = round(100 * wrong / rows, 2), check.names = FALSE)[order(-wrong), ], 20))
    off <- counts
    diag(off) <- 0
    most <- head(order(-off), 10)
    most <- most[off[most] > 0]
    if (length(most) > 0)
        cat("Most often mistaken:", paste0("  ", .count(off[most]), " of ", rownames(off)[row(off)[most]], " for ", colnames(off)[col(off)[most]]), sep = "\n")
}

plot.sparselin <- function(x, what = c("coefficients", "curve"), n = 20, ...) {
    what <- match.arg(what)
    if (what == "curve") if (is.null(x$stopping)) .plot_curve(x, ...) else .plot_passes(x, ...)
    else .plot_coefficients(x, n, ...)
    invisible(x)
}

# The n largest weights of all classes, whose names are told.
.largest_of_all <- function(object, n) {
    classes <- slw_model_classes(.pointer(object))
    if (classes == 1) return(.largest(object, n))
    labels <- as.character(class_labels(object))
    all <- unlist(lapply(seq_len(classes), function(k) {
        weights <- .largest(object, n, k - 1)
        names(weights) <- sprintf("%s: %s", rep(labels[k], length(weights)), names(weights))
        weights
    }))
    head(all[order(-abs(all))], n)
}

.plot_coefficients <- function(x, n, col = c("firebrick", "steelblue"), xlab = "weight", main = NULL, ...) {
    weights <- rev(.largest_of_all(x, n))
    if (length(weights) == 0) .fail("state", "there is nothing to plot: all weights are 0")
    size <- min(0.8, par("pin")[2] / length(weights) / par("cin")[2])
    names <- .shortened(names(weights), par("fin")[1] / 2 - 0.3, size)
    left <- max(strwidth(names, units = "inches", cex = size)) + 0.2
    old <- par(mai = replace(par("mai"), 2:3, c(left, if (is.null(main)) 0.1 else par("mai")[3])))
    on.exit(par(old))
    middles <- barplot(weights, horiz = TRUE, names.arg = NA, border = NA, col = col[(weights > 0) + 1], xlab = xlab,
                       xlim = range(pretty(c(0, weights))), main = main, ...)
    mtext(names, side = 2, at = middles, las = 1, cex = size * par("cex"), line = 0.3)
    abline(v = 0)
}

# Names that are no wider than so many inches, if need be without their ends.
.shortened <- function(names, inches, size) {
    room <- max(nchar(names))
    short <- names
    while (room > 4 && max(strwidth(short, units = "inches", cex = size)) > inches) {
        room <- room - 1
        short <- ifelse(nchar(names) > room, paste0(substr(names, 1, room - 3), "..."), names)
    }
    short
}

.plot_curve <- function(x, main = NULL, xlab = "rows learned", ylab = "mean loss so far", ylim = range(x$history$loss), type = "o",
                        pch = 20, lwd = 1.6, col = .colours[1], ...) {
    if (nrow(x$history) == 0) .fail("state", "there is no learning curve: the model was loaded from a file, or nothing was learned")
    old <- options(scipen = 9)
    on.exit(options(old))
    steps <- x$history$steps
    .frame_of(range(steps), ylim, xlab, ylab, main)
    axis(1)
    lines(steps, x$history$loss, type = type, pch = pch, lwd = lwd, col = col, ...)
}
