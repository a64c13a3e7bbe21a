# Dekel 2017: the cost of a step against the number of features, the objective against steps, and a shift of the features. See README.md.
source("../common.R")
dense_c <- compiled("dense.c", "-ftree-vectorize -fvect-cost-model=dynamic")
algorithms <- c("dekel-sgd", "dekel-asgd", "dekel-casgd")
names <- c("SGD", "ASGD", "CASGD")
shades <- colours[c("green", "orange", "blue")]

# ---- What a step costs: rows of 80 nonzeros, anywhere among n features.
nonzeros <- 80
l2 <- 1e-2
random_rows <- function(rows, n) {
    x <- sparseMatrix(rep(seq_len(rows), each = nonzeros), sample.int(n, rows * nonzeros, replace = TRUE), x = 1, dims = c(rows, n))
    list(x = as(x, "RsparseMatrix"), y = sample(c(-1, 1), rows, replace = TRUE))
}
dense <- function(data, algorithm, rows = nrow(data$x), mean = colMeans(data$x)) {
    entries <- as_rows(data$x)
    n <- ncol(data$x)
    .C("learn_dense", rows, n, entries$starts, entries$indices, entries$values, data$y, l2, mean,
       as.integer(algorithm == "dekel-casgd"), as.integer(algorithm != "dekel-sgd"), w = double(n), a = double(n), biases = double(2),
       PACKAGE = dense_c)
}

set.seed(1)
some <- random_rows(300L, 10000L)
distances <- vapply(algorithms, function(algorithm) {
    ours <- as.vector(coef(sparselin(some$x, some$y, preset = algorithm, l2 = l2, sampling = "sequential")))
    mean <- colMeans(some$x)
    theirs <- dense(some, algorithm)
    theirs <- if (algorithm == "dekel-sgd") c(theirs$biases[1], theirs$w) else c(theirs$biases[2], theirs$a)
    if (algorithm == "dekel-casgd") theirs[1] <- theirs[1] - sum(theirs[-1] * mean)
    max(abs(ours - theirs) / pmax(1, abs(theirs)))
}, 0)
if (max(distances) > 1e-9) stop("the weights differ")

# What more steps cost over a few, so that copies which R makes of the arrays do not count.
dense_time <- function(data, algorithm, mean) {
    few <- 4L
    more <- few + min(nrow(data$x) - few, as.integer(2e8 / ncol(data$x)))
    repeats <- max(1, round(1e4 / ncol(data$x)))
    timed <- function(rows) seconds(for (i in seq_len(repeats)) dense(data, algorithm, rows, mean))
    c(timed(few), timed(more)) / ((more - few) * repeats)
}
sizes <- as.integer(10^(3:7))
times <- vapply(sizes, function(n) {
    data <- random_rows(20000L, n)
    mean <- colMeans(data$x)
    lazy <- lapply(algorithms, function(algorithm) function()
        pass_times(data$x, data$y, if (n < 1e6) 20 else 40, preset = algorithm, l2 = l2, storage = "dense", dimension = n))
    densely <- lapply(algorithms, function(algorithm) function() dense_time(data, algorithm, mean))
    least(c(lazy, densely), 3)
}, double(6))
times <- 1e6 * times
rownames(times) <- c(names, paste(names, "dense"))
shown <- apply(times, 2, figures)
colnames(shown) <- paste("n =", count(sizes))
report("cost", c(
    markdown(data.frame(check.names = FALSE, "µs a step" = rownames(times), shown)),
    "", sprintf("At n = 10^7 the dense step takes %s (SGD), %s (ASGD) and %s (CASGD) times as long.", figures(times[4, 5] / times[1, 5]),
                figures(times[5, 5] / times[2, 5]), figures(times[6, 5] / times[3, 5])),
    sprintf("After 300 steps at n = 10^4 the weights differ by at most %.0e (SGD), %.0e (ASGD) and %.0e (CASGD), relative beyond 1.",
            distances[1], distances[2], distances[3])))

# ---- The objective against steps, on the mail, as Dekel draws examples: with replacement.
data <- mail()
train <- data$train
mail_l2 <- 1e-4
mean <- colMeans(train$x)
plain <- ridge_optimum(train, mail_l2, bias_regularized = TRUE)
centered <- ridge_optimum(train, mail_l2, mean, bias_regularized = TRUE)

# A fourth curve has this library's default average, which favours late iterates.
runs <- list(list(preset = "dekel-sgd"), list(preset = "dekel-asgd"), list(preset = "dekel-casgd"),
             list(preset = "dekel-asgd", average = "polynomial", average_power = 3))
run_names <- c(names, "ASGD, polynomial average")
run_shades <- c(shades, colours["red"])
optimum <- c(plain$value, plain$value, centered$value, plain$value)
passes <- c(1, 2, 4, 8, 16, 32, 64, 128, 256)
curves <- lapply(1:4, function(i) vapply(passes, function(epochs) {
    fit <- do.call(sparselin, c(list(train$x, train$y), runs[[i]],
                                list(l2 = mail_l2, sampling = "with_replacement", epochs = epochs, seed = 1)))
    coefficients <- as.vector(coef(fit))
    bias <- coefficients[1] + if (i == 3) sum(coefficients[-1] * mean) else 0
    value <- mean_log_loss(coefficients, train) + mail_l2 / 2 * (sum(coefficients[-1]^2) + bias^2)
    c(excess = value - optimum[i], error = error_of(coefficients, data$test))
}, double(2)))
steps <- passes * nrow(train$x)
chosen <- match(c(1, 16, 256), passes)
rows <- do.call(rbind, lapply(1:4, function(i)
    c(run_names[i], sprintf("%.1e", curves[[i]]["excess", chosen]), percent(curves[[i]]["error", chosen]))))
colnames(rows) <- c(" ", paste("F - F*,", count(steps[chosen]), "steps"), paste("test error,", count(steps[chosen])))
report("objective", c(
    markdown(as.data.frame(rows)),
    "", sprintf("F* is %.6f, and %.6f centered; the optima's own test errors are %s and %s.", plain$value, centered$value,
                percent(error_of(plain$coefficients, data$test)), percent(error_of(centered$coefficients, data$test)))))

# ---- The same number added to every feature of spambase.
data("spam", package = "kernlab", envir = environment())
features <- as.matrix(spam[, -58])
features <- sweep(features, 2, apply(features, 2, sd), "/")
label <- ifelse(spam$type == "spam", 1, -1)
set.seed(2)
held_out <- sample(nrow(features), 1000)
shifts <- c(0, 10^(-2:4))
scores <- function(preset, shift) {
    fit <- sparselin(features[-held_out, ] + shift, label[-held_out], preset = preset, l2 = 1e-2, epochs = 5)
    predict(fit, features[held_out, ] + shift, "score")
}
shifted <- lapply(c("dekel-asgd", "dekel-casgd"), function(preset) {
    base <- scores(preset, 0)
    vapply(shifts, function(shift) {
        moved <- scores(preset, shift)
        c(change = max(abs(moved - base)), error = mean((moved > 0) != (label[held_out] > 0)))
    }, double(2))
})
report("shift", markdown(data.frame(check.names = FALSE, "shift" = trimws(formatC(shifts, format = "fg", big.mark = ",")),
    "ASGD: largest change of a score" = figures(shifted[[1]]["change", ]), "test error" = percent(shifted[[1]]["error", ]),
    "CASGD: largest change" = sprintf("%.1e", shifted[[2]]["change", ]), "test error " = percent(shifted[[2]]["error", ]))))

picture("dekel.png", 12, 4.2, {
    par(mfrow = c(1, 3), mar = c(4.2, 5, 2.6, 1), mgp = c(3.2, 0.7, 0), cex = 0.9)
    plot(range(sizes), range(times), log = "xy", type = "n", xaxt = "n", yaxt = "n", xlab = "features n", ylab = "µs a step",
         main = "What a step costs")
    powers_axis(1, 3:7)
    powers_axis(2, -1:5)
    for (i in 1:3) {
        lines(sizes, times[i, ], col = shades[i], lwd = 2, type = "o", pch = 16)
        lines(sizes, times[i + 3, ], col = shades[i], lwd = 2, lty = 2, type = "o", pch = 1)
    }
    legend("topleft", c(names, "dense"), col = c(shades, "black"), lty = c(1, 1, 1, 2), lwd = 2, bty = "n", cex = 0.9)

    values <- lapply(curves, function(curve) curve["excess", ])
    plot(range(steps), range(values), log = "xy", type = "n", xaxt = "n", yaxt = "n", xlab = "steps", ylab = "F - F*",
         main = "The objective, on the mail")
    powers_axis(1, 3:7)
    powers_axis(2, -9:2)
    for (i in 1:4) lines(steps, values[[i]], col = run_shades[i], lwd = 2, type = "o", pch = 16)
    legend("bottomleft", run_names, col = run_shades, lwd = 2, bty = "n", cex = 0.9)

    plot(range(shifts[-1]), range(1e-16, shifted[[1]]["change", -1]), log = "xy", type = "n", xaxt = "n", yaxt = "n",
         xlab = "added to every feature", ylab = "", main = "A shift of the features, spambase")
    powers_axis(1, -2:4)
    mtext("largest change of a score", 2, line = 3.6, las = 0, cex = 0.9)
    powers_axis(2, seq(-16, 8, 4))
    for (i in 1:2) lines(shifts[-1], shifted[[i]]["change", -1], col = shades[i + 1], lwd = 2, type = "o", pch = 16)
    legend("topleft", names[2:3], col = shades[2:3], lwd = 2, bty = "n", cex = 0.9)
})
