calibration <- function(model, ...) UseMethod("calibration")

calibration.default <- function(model, y, weights = NULL, bins = 10, ...) {
    .nothing_else("calibration takes probabilities, y, weights and bins", ...)
    if (!is.numeric(model) || !is.null(dim(model)) || anyNA(model) || any(model < 0 | model > 1))
        .fail("invalid_argument", "calibration takes a model, or probabilities from 0 to 1", if (is.numeric(model) && is.null(dim(model))) .not(model[is.na(model) | model < 0 | model > 1][1]) else .not(model))
    kind <- .label_kind(.column(y))
    labels <- .labels(.column(y), kind, length(model))
    numbers <- if (is.null(kind$levels)) sort(unique(labels)) else kind$numbers
    if (length(numbers) > 2) .fail("invalid_data", "y has ", length(numbers), " classes; probabilities are those of the second of two")
    event <- if (length(numbers) == 1) 1 else max(numbers)
    .calibration(as.double(model), labels == event, .weights(weights, length(model)), bins, if (is.null(kind$levels)) event else kind$levels[2])
}

calibration.sparselin <- function(model, x, y, weights = NULL, bins = 10, ...) {
    .nothing_else("calibration takes a model, x, y, weights and bins", ...)
    rows <- .more_rows(model, x, y, weights, grow = FALSE)
    data <- .dataset(rows$x, rows$labels, rows$weights)
    on.exit(slw_release(data))
    pointer <- .laid_out(model, data)
    p <- .probabilities(pointer, .scores(pointer, data))
    numbers <- .class_numbers(pointer)
    if (length(numbers) == 2) return(.calibration(p, rows$labels == numbers[2], rows$weights, bins, class_labels(model)[2]))
    p <- matrix(p, ncol = length(numbers), byrow = TRUE)
    likely <- max.col(p, "first")
    .calibration(p[cbind(seq_along(likely), likely)], numbers[likely] == rows$labels, rows$weights, bins, NULL)
}

calibration.cv_sparselin <- function(model, x, y, ..., s = c("best", "1se")) calibration(.chosen(model, s), x, y, ...)

# `of` is what the probabilities are of, NULL for the class that is the most likely one.
.calibration <- function(p, is, weights, bins, of) {
    if (!is.numeric(bins) || length(bins) != 1 || is.na(bins) || bins < 1 || bins > 2^20 || bins %% 1 != 0)
        .fail("invalid_argument", "bins must be a whole number from 1 to 1048576", .not(bins)) # as the library has it, which needs the outputs first
    predicted <- numeric(bins)
    observed <- numeric(bins)
    chance <- numeric(bins)
    slw_calibration(p, as.double(is), weights, predicted, observed, chance)
    table <- data.frame(predicted = predicted, observed = observed, chance = chance)
    structure(class = "sparselin_calibration",
              list(bins = table, error = mean(abs(table$predicted - table$observed)), of = of, rows = if (is.null(weights)) length(p) else sum(weights > 0)))
}

.said_of <- function(x) if (is.null(x$of)) "the most likely class" else as.character(x$of)

print.sparselin_calibration <- function(x, digits = 4, ...) {
    cat("Probabilities of ", .said_of(x), " and how often it was so, ", .count(x$rows), " rows in ", nrow(x$bins), " bins; mean distance ",
        format(x$error, digits = digits), "\n", sep = "")
    print(x$bins, digits = digits)
    invisible(x)
}

plot.sparselin_calibration <- function(x, main = NULL, xlab = NULL, ylab = "how often it was so", ...) {
    if (is.null(xlab)) xlab <- paste("predicted probability of", .said_of(x))
    .frame_of(c(0, 1), c(0, 1), xlab, ylab, main, asp = 1, ...)
    axis(1)
    abline(0, 1, lty = 3, col = "#777777")
    bins <- x$bins
    segments(bins$predicted, pmax(bins$predicted - 2 * bins$chance, 0), bins$predicted, pmin(bins$predicted + 2 * bins$chance, 1), col = "#bbbbbb", lwd = 5, lend = 1)
    lines(bins$predicted, bins$observed, type = "o", pch = 20, cex = 1.3, lwd = 1.6, col = .colours[1])
    legend("topleft", c(sprintf("seen, %d bins of equal weight", nrow(bins)), "within two standard errors of right"), col = c(.colours[1], "#bbbbbb"),
           pch = c(20, NA), lwd = c(1.6, 5), bty = "n", cex = 0.85)
    invisible(x)
}
