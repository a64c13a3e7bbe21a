# Xu 2011: excess risk of SGD, averaged SGD and the batch solution against examples, and test error against passes. See README.md.
source("../common.R")

# ---- Least squares: y = w.x + noise, x normal with independent features of the given variances, so the excess risk is known exactly.
linear_rows <- function(rows, truth, variances) {
    d <- length(truth)
    x <- matrix(rnorm(d * rows) * sqrt(variances), d)
    list(x = new("dgRMatrix", p = as.integer(d * (0:rows)), j = rep(0:(d - 1L), rows), x = as.vector(x), Dim = c(as.integer(rows), d)),
         y = as.vector(truth %*% x) + rnorm(rows), columns = x)
}
# One run: the excess risk (w - truth)' A (w - truth) / 2 of each learner, and of least squares, after so many examples.
excess_risks <- function(variances, learners, examples, seed) {
    set.seed(seed)
    d <- length(variances)
    truth <- rnorm(d) / sqrt(d)
    risk <- function(w) sum(variances * (w - truth)^2) / 2
    models <- list()
    gram <- matrix(0, d, d)
    moment <- double(d)
    vapply(diff(c(0, examples)), function(rows) {
        data <- linear_rows(rows, truth, variances)
        models <<- if (length(models) == 0) lapply(learners, function(learner)
            do.call(sparselin, c(list(data$x, data$y, loss = "squared", bias = FALSE, l2 = 0, sampling = "sequential"), learner)))
            else lapply(models, feed, data$x, data$y)
        gram <<- gram + tcrossprod(data$columns)
        moment <<- moment + as.vector(data$columns %*% data$y)
        c(vapply(models, function(model) risk(as.vector(coef(model))[-1]), 0), batch = risk(solve(gram, moment)))
    }, double(length(learners) + 1))
}
learners <- function(variances) {
    gamma0 <- 1 / sum(variances)
    lowest <- min(variances)
    list(sgd = list(preset = "xu-asgd", eta0 = gamma0, decay = lowest, power = 1, average = "none"),
         asgd = list(preset = "xu-asgd", eta0 = gamma0, decay = lowest, average_start = 0),
         auto = list(preset = "xu-asgd", eta0 = gamma0, decay = lowest),
         bad = list(preset = "xu-asgd", eta0 = gamma0, schedule = "inverse_scaling", power = 2 / 3, average_start = 0))
}
spectra <- list(c(1, 1, 1, rep(0.02, 97)), (1:100) / 100)
examples <- round(10^seq(2.25, 5, by = 0.125))
runs <- 10
curves <- lapply(spectra, function(variances)
    Reduce(`+`, lapply(seq_len(runs), function(seed) excess_risks(variances, learners(variances), examples, seed))) / runs)
curve_names <- c("SGD", "ASGD", "ASGD, automatic start", "ASGD, badly scheduled", "batch")
chosen <- match(c(1000, 10000, 100000), examples)
table_of <- function(curve) {
    ratios <- cbind(apply(curve[, chosen], 2, function(risk) sprintf("%.1e", risk)),
                    figures(curve[, chosen[2]] / curve["batch", chosen[2]]), figures(curve[, chosen[3]] / curve["batch", chosen[3]]))
    colnames(ratios) <- c(paste("after", count(examples[chosen])), paste("over batch at", count(examples[chosen[2:3]])))
    markdown(data.frame(check.names = FALSE, "excess risk" = curve_names, ratios))
}
report("figure1", table_of(curves[[1]]))
report("figure2", table_of(curves[[2]]))

# ---- Test error on the mail against passes.
data <- mail()
l2 <- 1e-5
optimum <- ridge_optimum(data$train, l2)
passes <- 1:10
seeds <- 1:10
errors_of <- function(...) {
    wrong <- vapply(seeds, function(seed) vapply(passes, function(epochs) {
        fit <- sparselin(data$train$x, data$train$y, preset = "xu-asgd", l2 = l2, epochs = epochs, seed = seed, ...)
        error_of(as.vector(coef(fit)), data$test)
    }, 0), double(length(passes)))
    rowMeans(wrong)
}
errors <- rbind(errors_of(average = "none", power = 1), errors_of())
rows <- errors[, c(1, 2, 5, 10)]
rows <- rbind(rows, error_of(optimum$coefficients, data$test))
report("figure3", markdown(data.frame(check.names = FALSE, "test error" = c("SGD", "ASGD", "batch"), "1 pass" = percent(rows[, 1]),
                                      "2 passes" = percent(rows[, 2]), "5" = percent(rows[, 3]), "10" = percent(rows[, 4]))))

shades <- c(colours["green"], colours["orange"], colours["blue"], colours["red"], "black")
picture("xu.png", 12, 4.4, {
    par(mfrow = c(1, 3), mar = c(4.2, 5, 2.6, 1), mgp = c(3.2, 0.7, 0), cex = 0.9)
    titles <- c("Eigenvalues 1, 1, 1, 0.02, ..., 0.02", "Eigenvalues 0.01, 0.02, ..., 1")
    for (figure in 1:2) {
        curve <- curves[[figure]]
        plot(range(examples), range(curve) * c(0.03, 1), log = "xy", type = "n", xaxt = "n", yaxt = "n", xlab = "examples",
             ylab = "excess risk", main = titles[figure])
        powers_axis(1, 2:5)
        powers_axis(2, -6:0)
        for (i in 1:5) lines(examples, curve[i, ], col = shades[i], lwd = 2, lty = if (i == 5) 2 else 1)
        legend("bottomleft", curve_names, col = shades, lwd = 2, lty = c(1, 1, 1, 1, 2), bty = "n", cex = 0.85)
    }
    plot(range(passes), 100 * range(errors, rows[3, 1]), type = "n", xlab = "passes", ylab = "test error, %", main = "The mail")
    lines(passes, 100 * errors[1, ], col = shades[1], lwd = 2, type = "o", pch = 16)
    lines(passes, 100 * errors[2, ], col = shades[3], lwd = 2, type = "o", pch = 16)
    abline(h = 100 * rows[3, 1], lty = 2, lwd = 2)
    legend("topright", c("SGD", "ASGD, automatic start", "batch"), col = shades[c(1, 3, 5)], lwd = 2, lty = c(1, 1, 2),
           bty = "n", cex = 0.85)
})
