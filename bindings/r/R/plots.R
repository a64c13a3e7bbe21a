.colours <- c("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#777777", "#B8A800", "#882255", "#4B3F9E")

# An empty picture with axes but the lower one, and room for the names at the right, and for an axis above. What it sets is as it was when the
# function that calls it ends.
.frame_of <- function(xlim, ylim, xlab, ylab, main, right = NULL, above = FALSE, ..., envir = parent.frame()) {
    wide <- function(texts, cex) max(strwidth(texts, units = "inches", cex = cex), 0) / par("csi")
    left <- wide(format(pretty(ylim)), 1) + 0.9
    old <- par(las = 1, mgp = c(2.6, 0.6, 0), tcl = -0.3,
               mar = c(4.1, left + 1.9, if (above) 3.4 + 1.4 * !is.null(main) else if (is.null(main)) 1.2 else 2.6, 1.1 + if (is.null(right)) 0 else wide(right, 0.85) + 1))
    do.call(on.exit, list(bquote(par(.(old))), add = TRUE), envir = envir)
    plot(NA, xlim = xlim, ylim = ylim, xaxt = "n", bty = "l", xlab = xlab, ylab = "", ...)
    mtext(ylab, 2, line = left + 0.3, las = 0, cex = par("cex"))
    if (!is.null(main)) title(main, line = if (above) 3.2 else 1.2, font.main = 1)
}

# Where values of an option stand on the axis from left to right, and how the axis is drawn: list(at, range, draw). Penalties fall, as
# models grow; what spans more than a decade goes by its logarithm, beside which there is room for 0.
.scale_of <- function(option, values) {
    if (!is.numeric(values)) {
        all <- unique(values)
        return(list(at = match(values, all), range = c(0.7, length(all) + 0.3), draw = function() axis(1, seq_along(all), .texts_of(all))))
    }
    falls <- option %in% c("l1", "l2", "gravity")
    positive <- values[values > 0]
    if (any(values < 0) || length(positive) < 2 || max(positive) < 10 * min(positive)) {
        range <- if (length(unique(values)) > 1) range(values) else values[1] + c(-1, 1)
        return(list(at = values, range = if (falls) rev(range) else range, draw = function() axis(1)))
    }
    logs <- range(log10(positive))
    zero <- logs[1] - max(0.5, 0.08 * diff(logs))
    at <- ifelse(values > 0, log10(pmax(values, min(positive))), zero)
    draw <- function() {
        powers <- seq(ceiling(logs[1] - 1e-9), length.out = max(0, floor(logs[2] + 1e-9) - ceiling(logs[1] - 1e-9) + 1))
        if (length(powers) > 2) {
            shown <- powers[seq(1, length(powers), by = ceiling(length(powers) / 9))]
            axis(1, powers, FALSE)
            axis(1, shown, parse(text = sprintf("10^%d", as.integer(shown))), tick = FALSE)
        } else axis(1, log10(unique(positive)), .texts_of(unique(positive)))
        if (any(values == 0)) axis(1, zero, "0")
    }
    list(at = at, range = if (falls) rev(range(at)) else range(at), draw = draw)
}

# How many weights are not 0, above a picture.
.count_above <- function(at, counts) {
    axis(3, at, .count(round(counts)), cex.axis = 0.85, mgp = c(2, 0.4, 0))
    mtext("nonzero weights", 3, line = 1.8, cex = 0.85 * par("cex"))
}

# Heights of labels near those that are wanted, as far apart as lines of text have to be and within the picture.
.spread <- function(heights, cex = 0.85) {
    usr <- par("usr")[3:4]
    room <- min(1.1 * strheight("M", cex = cex) * 1.35, diff(usr) / length(heights))
    order <- order(heights)
    at <- heights[order]
    for (pass in 1:300) {
        for (i in seq_along(at)[-1]) {
            overlap <- room - (at[i] - at[i - 1])
            if (overlap > 0) at[c(i - 1, i)] <- at[c(i - 1, i)] + c(-0.5, 0.5) * overlap
        }
        at <- pmin(pmax(at, usr[1] + room / 2), usr[2] - room / 2)
    }
    at[order(order)]
}

# Names at the right of a picture, each as near to the end of its line as the others let it.
.name_lines <- function(x, heights, names, col, cex = 0.85) {
    usr <- par("usr")
    at <- .spread(heights, cex)
    step <- par("cxy")[1] # below 0 where the axis falls
    segments(usr[2], heights, usr[2] + 0.8 * step, at, col = col, xpd = NA)
    text(usr[2] + 0.9 * step, at, names, adj = c(0, 0.5), cex = cex, col = col, xpd = NA)
}

# Vertical lines with a name each, at the top of the picture and on the side where there is more room.
.mark <- function(at) {
    at <- vapply(split(names(at), at), paste, "", collapse = ", ")
    x <- as.numeric(names(at))
    usr <- par("usr")
    share <- (x - usr[1]) / (usr[2] - usr[1])
    abline(v = x, lty = 3, col = "#444444")
    right <- if (length(x) == 2) share == max(share) else share < 0.5
    right <- (right | share < 0.08) & share < 0.92
    text(x, usr[4] - 0.7 * par("cxy")[2], at, pos = ifelse(right, 4, 2), offset = 0.3, cex = 0.85, col = "#444444")
}

# The axis of a search: the option that has the most values, if need be the first of these. Models that are alike but for it make a line, named by
# the values of the others.
.lines_of <- function(x) {
    options <- x$results[setdiff(names(x$results), c("mean", "se", "nonzeros"))]
    if (nrow(options) < 2) .fail("state", "there is nothing to plot: the search had one model; give an option several values, as in l1 = 10^(-2:-6)")
    sizes <- vapply(options, function(values) length(unique(values)) + 0.5 * is.numeric(values), 0)
    option <- names(options)[which.max(sizes)]
    others <- options[setdiff(names(options), option)]
    line <- if (length(others) == 0) rep("", nrow(options)) else do.call(paste, c(unname(lapply(others, .texts_of)), sep = ", "))
    list(option = option, values = options[[option]], line = factor(line, unique(line)), lines = paste(names(others), collapse = ", "))
}

plot.cv_sparselin <- function(x, main = NULL, xlab = NULL, ylab = x$metric, ylim = NULL, ...) {
    of <- .lines_of(x)
    if (is.null(xlab)) xlab <- of$option
    scale <- .scale_of(of$option, of$values)
    several <- nlevels(of$line) > 1
    from <- x$results$mean - x$results$se
    to <- x$results$mean + x$results$se
    if (is.null(ylim)) ylim <- c(min(from), max(to) + 0.09 * (max(to) - min(from)))
    .frame_of(scale$range, ylim, xlab, ylab, main, if (several) c(levels(of$line), of$lines), above = !several, ...)
    scale$draw()
    width <- 0.006 * diff(par("usr")[1:2])
    col <- if (several) rep_len(.colours, nlevels(of$line)) else "firebrick"
    at <- scale$at + (as.integer(of$line) - (nlevels(of$line) + 1) / 2) * min(1.5, 6 / nlevels(of$line)) * width
    bars <- if (several) adjustcolor(col[of$line], 0.45) else "#999999"
    segments(at, from, at, to, col = bars)
    for (end in list(from, to)) segments(at - width, end, at + width, end, col = bars)
    for (line in levels(of$line)) {
        rows <- which(of$line == line)
        rows <- rows[order(at[rows])]
        lines(at[rows], x$results$mean[rows], type = if (several) "o" else "p", pch = 20, cex = if (several) 0.9 else 1.2, col = col[match(line, levels(of$line))])
    }
    .mark(structure(at[x$chosen], names = names(x$chosen)))
    if (several) {
        last <- vapply(split(seq_along(at), of$line), function(rows) rows[which.min(abs(scale$at[rows] - scale$range[2]))], 0L)
        .name_lines(at[last], x$results$mean[last], levels(of$line), col)
        mtext(of$lines, 3, at = par("usr")[2] + 0.9 * par("cxy")[1], line = 0.2, adj = 0, cex = 0.85 * par("cex"))
    } else .count_above(scale$at, x$results$nonzeros)
    invisible(x)
}

# The weights of the models of a path, without biases: a row for each that is not 0 in all of them, largest first, those of several classes
# called by their class, too.
.path_weights <- function(x) {
    of <- coef(x)
    of <- if (is.list(of)) lapply(of, function(weights) weights[-1, , drop = FALSE]) else list(of[-1, , drop = FALSE])
    if (is.null(rownames(of[[1]]))) for (k in seq_along(of)) rownames(of[[k]]) <- sprintf("V%d", seq_len(nrow(of[[k]])))
    of <- lapply(of, function(weights) as.matrix(weights[diff(as(weights, "RsparseMatrix")@p) > 0, , drop = FALSE]))
    for (k in seq_along(names(of))) rownames(of[[k]]) <- sprintf("%s: %s", rep(names(of)[k], nrow(of[[k]])), rownames(of[[k]]))
    of <- do.call(rbind, unname(of))
    of[order(-apply(abs(of), 1, max)), , drop = FALSE]
}

plot.sparselin_path <- function(x, n = 10, main = NULL, xlab = x$option, ylab = "weight", ...) {
    if (!is.numeric(n) || length(n) != 1 || is.na(n) || n < 0) .fail("invalid_argument", "n must be a number of at least 0", .not(n))
    if (length(x$values) < 2) .fail("state", "there is nothing to plot: the path has ", length(x$values), " model")
    weights <- head(.path_weights(x), max(n, 60))
    if (nrow(weights) == 0) .fail("state", "there is nothing to plot: all weights are 0")
    named <- seq_len(min(n, nrow(weights)))
    scale <- .scale_of(x$option, x$values)
    names <- if (length(named) > 0) .shortened(rownames(weights)[named], par("fin")[1] / 3, 0.85)
    .frame_of(scale$range, range(weights, 0), xlab, ylab, main, names, above = TRUE, ...)
    scale$draw()
    others <- setdiff(seq_len(nrow(weights)), named)
    if (length(others) > 0) matlines(scale$at, t(weights[others, , drop = FALSE]), lty = 1, col = "#dddddd")
    abline(h = 0, col = "#777777")
    if (length(named) > 0) {
        col <- rep_len(.colours, length(named))
        matlines(scale$at, t(weights[named, , drop = FALSE]), lty = 1, lwd = 1.6, col = col)
        last <- which.min(abs(scale$at - scale$range[2]))
        .name_lines(scale$at[last], weights[named, last], names, col)
    }
    .count_above(scale$at, x$nonzeros)
    invisible(x)
}
