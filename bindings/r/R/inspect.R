coef.sparselin <- function(object, ...) {
    .nothing_else("coef takes a model", ...)
    weights <- .nonzeros(object)
    bias <- slw_model_bias(.pointer(object))
    at <- c(1[bias != 0], weights$index + 1)
    values <- c(bias[bias != 0], weights$value)
    size <- object$columns + 1
    if (is.null(object$names) && object$columns > 0) return(sparseVector(values, if (size > .Machine$integer.max) at else as.integer(at), size))
    new("dgCMatrix", i = as.integer(at - 1), p = c(0L, length(at)), x = values, Dim = c(as.integer(size), 1L),
        Dimnames = list(c("(Intercept)", object$names), "weight"))
}

# The weights that are not 0, by column counted from 1.
.nonzeros <- function(object) {
    pointer <- .pointer(object)
    count <- slw_model_nonzeros(pointer, integer(0), numeric(0))
    index <- integer(count)
    value <- numeric(count)
    slw_model_nonzeros(pointer, index, value)
    index <- as.double(index) # of 32 bits without a sign, which R does not know
    index[is.na(index)] <- -2^31
    list(index = index + 2^32 * (index < 0) + 1, value = value)
}

# The n largest weights by magnitude, named, largest first.
.largest <- function(object, n) {
    if (!is.numeric(n) || length(n) != 1 || is.na(n) || n < 1) .fail("invalid_argument", "n must be a number of at least 1")
    weights <- .nonzeros(object)
    first <- head(order(-abs(weights$value)), n)
    index <- weights$index[first]
    names <- if (is.null(object$names)) sprintf("V%.0f", index) else object$names[index]
    structure(weights$value[first], names = names)
}

.mean_loss <- function(pointer) if (slw_model_steps(pointer) > 0) slw_model_mean_loss(pointer) else NA_real_

summary.sparselin <- function(object, n = 10, ...) {
    .nothing_else("summary takes a model and n", ...)
    pointer <- .pointer(object)
    table <- sparselin_options()
    settings <- vapply(table$name, function(name) slw_model_option(pointer, name), "")
    structure(class = "summary.sparselin",
              list(call = object$call, loss = object$loss, levels = object$labels$levels, columns = object$columns,
                   nonzeros = slw_model_nonzeros(pointer, integer(0), numeric(0)), steps = slw_model_steps(pointer),
                   mean_loss = .mean_loss(pointer), bias = slw_model_bias(pointer), largest = .largest(object, n),
                   changed = settings[settings != table$default], memory = slw_model_memory(pointer), interrupted = object$interrupted,
                   unfinished = object$unfinished))
}

.count <- function(number) format(number, big.mark = ",", scientific = FALSE, trim = TRUE)

.print_head <- function(x, steps, nonzeros, mean_loss) {
    cat("Sparse linear model, loss ", x$loss, "\n", sep = "")
    if (!is.null(x$call)) {
        call <- deparse(x$call, nlines = 4)
        cat("Call: ", paste(c(head(call, 3), if (length(call) > 3) "    ..."), collapse = "\n"), "\n", sep = "")
    }
    cat(.count(x$columns), " columns, ", .count(nonzeros), " nonzero weights, ", .count(steps), " steps, mean loss ",
        format(mean_loss, digits = 4), "\n", sep = "")
    if (isTRUE(x$interrupted)) cat("Its training was interrupted", if (!is.null(x$unfinished)) "; resume() goes on", ".\n", sep = "")
}

print.sparselin <- function(x, ...) {
    pointer <- .pointer(x)
    .print_head(x, slw_model_steps(pointer), slw_model_nonzeros(pointer, integer(0), numeric(0)), .mean_loss(pointer))
    invisible(x)
}

print.summary.sparselin <- function(x, digits = 4, ...) {
    .print_head(x, x$steps, x$nonzeros, x$mean_loss)
    if (!is.null(x$levels)) cat("Positive scores mean ", as.character(x$levels[2]), ", others ", as.character(x$levels[1]), "\n", sep = "")
    if (length(x$changed) > 0) cat("Options: ", paste(names(x$changed), x$changed, sep = " = ", collapse = ", "), "\n", sep = "")
    cat("Memory: ", .count(x$memory), " bytes\n", sep = "")
    cat("Largest weights (intercept ", format(x$bias, digits = digits), "):", if (length(x$largest) == 0) " all are 0", "\n", sep = "")
    if (length(x$largest) > 0) print(x$largest, digits = digits)
    invisible(x)
}

plot.sparselin <- function(x, what = c("coefficients", "curve"), n = 20, ...) {
    what <- match.arg(what)
    if (what == "curve") .plot_curve(x, ...) else .plot_coefficients(x, n, ...)
    invisible(x)
}

.plot_coefficients <- function(x, n, col = c("firebrick", "steelblue"), xlab = "weight", ...) {
    weights <- rev(.largest(x, n))
    if (length(weights) == 0) .fail("state", "there is nothing to plot: all weights are 0")
    size <- min(0.8, par("pin")[2] / length(weights) / par("cin")[2])
    names <- .shortened(names(weights), par("fin")[1] / 2 - 0.3, size)
    old <- par(mai = replace(par("mai"), 2, max(strwidth(names, units = "inches", cex = size)) + 0.2))
    on.exit(par(old))
    middles <- barplot(weights, horiz = TRUE, names.arg = NA, border = NA, col = col[(weights > 0) + 1], xlab = xlab,
                       xlim = range(pretty(c(0, weights))), ...)
    mtext(names, side = 2, at = middles, las = 1, cex = size, line = 0.3)
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

.plot_curve <- function(x, xlab = "rows learned", ylab = "mean loss so far", type = "o", pch = 20, ...) {
    if (nrow(x$history) == 0) .fail("state", "there is no learning curve: the model was loaded from a file, or nothing was learned")
    old <- options(scipen = 9)
    on.exit(options(old))
    plot(x$history$steps, x$history$loss, xlab = xlab, ylab = ylab, type = type, pch = pch, ...)
}
