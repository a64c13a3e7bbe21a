# Langford, Li & Zhang 2009: weights kept against test error for truncated gradient, rounding and l1. See README.md.
source("../common.R")
suppressPackageStartupMessages(library(glmnet))
data("spam", package = "kernlab", envir = environment())
data("BostonHousing", package = "mlbench", envir = environment())

# ---- Each data set: its splits into train and test rows, how it is learned, and what its test error is.
as_rows_matrix <- function(x) as(as(x, "CsparseMatrix"), "RsparseMatrix")
wrong <- function(score, y) mean((score > 0) != (y > 0))
rmse <- function(score, y) sqrt(mean((score - y)^2))
# The number of training rows is a multiple of ten, the period: the last step is then one that truncates.
splits_of <- function(x, y, train_rows, count) lapply(seq_len(count), function(seed) {
    set.seed(seed)
    chosen <- sample(nrow(x), train_rows)
    list(train = list(x = as_rows_matrix(x[chosen, ]), y = y[chosen]), test = list(x = x[-chosen, ], y = y[-chosen]))
})
messages <- mail()
messages$train <- list(x = as_rows_matrix(messages$train$x[1:4820, ]), y = messages$train$y[1:4820])
houses <- transform(BostonHousing, chas = as.numeric(chas) - 1)
sets <- list(
    mail = list(splits = rep(list(messages), 3), settings = list(loss = "log", epochs = 5), rates = 2^(0:5),
                pulls = 10^seq(-6, -2, by = 0.5), error = wrong, what = "test error, %", shown = function(error) 100 * error),
    spambase = list(splits = splits_of(scale(as.matrix(spam[, -58])), ifelse(spam$type == "spam", 1, -1), 3600, 5),
                    settings = list(loss = "log", epochs = 10), rates = 2^(-9:-3), pulls = 10^seq(-4, 0, by = 1 / 3),
                    error = wrong, what = "test error, %", shown = function(error) 100 * error),
    housing = list(splits = splits_of(scale(as.matrix(houses[, -14])), houses[, 14], 400, 10),
                   settings = list(loss = "squared", epochs = 50), rates = 2^(-12:-6), pulls = 10^seq(-2, 1, by = 0.25),
                   error = rmse, what = "test RMSE, $1,000", shown = identity))
for (name in names(sets)) sets[[name]]$settings$scale <- "none"

# Mean share of the weights kept and mean test error over the splits, each with an order of its own.
measure <- function(set, ...) {
    found <- vapply(seq_along(set$splits), function(i) {
        split <- set$splits[[i]]
        fit <- do.call(sparselin, c(list(split$train$x, split$train$y, seed = i, ...), set$settings))
        coefficients <- as.vector(coef(fit))
        c(kept = mean(coefficients[-1] != 0), error = set$error(scores_of(coefficients, split$test$x), split$test$y))
    }, double(2))
    rowMeans(found)
}
lasso <- function(set) {
    family <- if (set$settings$loss == "log") "binomial" else "gaussian"
    splits <- unique(set$splits)
    found <- lapply(splits, function(split) {
        x <- as(split$train$x, "CsparseMatrix")
        path <- glmnet(x, if (family == "binomial") factor(split$train$y) else split$train$y, family = family, standardize = FALSE,
                       nlambda = 60, lambda.min.ratio = 1e-4)
        coefficients <- as.matrix(coef(path))
        rbind(kept = colMeans(coefficients[-1, ] != 0),
              error = apply(coefficients, 2, function(c) set$error(scores_of(c, split$test$x), split$test$y)))
    })
    shortest <- min(vapply(found, ncol, 0L))
    Reduce(`+`, lapply(found, function(path) path[, seq_len(shortest)])) / length(found)
}

# Of (kept, error) pairs those that no other beats in both, by the share kept.
front <- function(points) {
    points <- points[, order(points["kept", ], points["error", ]), drop = FALSE]
    points[, !duplicated(points["kept", ]) & points["error", ] < c(Inf, cummin(points["error", -ncol(points)])), drop = FALSE]
}

methods <- c("truncated gradient", "truncated gradient, theta 1", "truncated gradient, once a pass", "rounding", "l1 at every step",
             "lasso (glmnet, batch)")
results <- lapply(sets, function(set) {
    full <- vapply(set$rates, function(eta0) measure(set, preset = "langford-tg", eta0 = eta0), double(2))
    best <- which.min(full["error", ])
    # Strong penalties want small steps, so each method may have the best rate without a penalty, a quarter and a sixteenth of it.
    sweep <- function(pulls, run) front(do.call(cbind, lapply(set$rates[best] / c(1, 4, 16), function(eta0)
        vapply(pulls, function(pull) run(eta0, pull), double(2)))))
    first <- set$splits[[1]]$train
    fit <- do.call(sparselin, c(list(first$x, first$y, preset = "langford-tg", eta0 = set$rates[best]), set$settings))
    weights <- abs(as.vector(coef(fit)))[-1]
    thetas <- quantile(weights, c(0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95))
    list(eta0 = set$rates[best], full = full[, best], fronts = list(
        sweep(set$pulls, function(eta0, g) measure(set, preset = "langford-tg", eta0 = eta0, gravity = g)),
        sweep(set$pulls, function(eta0, g) measure(set, preset = "langford-tg", eta0 = eta0, gravity = g, theta = 1)),
        sweep(set$pulls, function(eta0, g) measure(set, preset = "langford-tg", eta0 = eta0, gravity = g, period = nrow(first$x))),
        sweep(thetas, function(eta0, theta) measure(set, preset = "langford-rounding", eta0 = eta0, theta = theta)),
        sweep(set$pulls, function(eta0, l1)
            measure(set, update = "fobos", schedule = "constant", average = "none", eta0 = eta0, l1 = l1, l2 = 0)),
        front(lasso(set))))
})

# The least share of the weights with which accuracy is at least 99 % of what it is without sparsifying, or the RMSE at most 101 %.
within <- function(result, set, points) {
    error <- points["error", ]
    full <- result$full["error"]
    good <- if (identical(set$error, rmse)) error <= 1.01 * full else 1 - error >= 0.99 * (1 - full)
    if (any(good)) min(points["kept", good]) else NA
}
least_kept <- mapply(function(result, set) vapply(result$fronts, function(points) within(result, set, points), 0), results, sets)
share <- function(kept) ifelse(is.na(kept), "none does", paste(figures(100 * kept), "%"))
error_text <- mapply(function(result, set)
    paste0(figures(set$shown(result$full[["error"]])), if (identical(set$error, wrong)) " %" else " (RMSE)"), results, sets)
table <- rbind(vapply(sets, function(set) count(ncol(set$splits[[1]]$train$x)), ""),
               vapply(results, function(result) format(result$eta0, digits = 2), ""), error_text,
               vapply(results, function(result) share(result$full[["kept"]]), ""), apply(least_kept, 2, share))
report("table", markdown(data.frame(check.names = FALSE,
    " " = c("features", "eta0", "error without sparsifying", "weights that are not 0 then", paste("kept within 1 %:", methods)), table)))

shades <- c(colours["blue"], colours["green"], "#56B4E9", colours["red"], colours["orange"], "black")
dashes <- c(1, 1, 1, 1, 1, 2)
picture("langford.png", 9, 7.6, {
    par(mfrow = c(2, 2), mar = c(4.2, 4.6, 2.6, 1), cex = 0.9)
    for (name in names(sets)) {
        set <- sets[[name]]
        result <- results[[name]]
        full <- set$shown(result$full[["error"]])
        many <- ncol(set$splits[[1]]$train$x) > 100
        plot(if (many) c(0.2, 100) else c(0, 100), full * c(0.8, c(mail = 6, spambase = 2.5, housing = 1.6)[[name]]), type = "n",
             log = if (many) "x" else "", xaxt = "n", xlab = "weights kept, %", ylab = set$what, main = name)
        ticks <- if (many) c(0.2, 0.5, 1, 2, 5, 10, 30, 100) else seq(0, 100, 20)
        axis(1, at = ticks, labels = format(ticks, drop0trailing = TRUE, trim = TRUE))
        for (i in seq_along(methods)) {
            points <- result$fronts[[i]]
            lines(100 * points["kept", ], set$shown(points["error", ]), col = shades[i], lwd = 2, lty = dashes[i], type = "o", pch = 16,
                  cex = 0.6)
        }
        abline(h = full, lty = 3, lwd = 2, col = colours["grey"])
    }
    plot.new()
    legend("center", c(methods, "not sparsified"), col = c(shades, colours["grey"]), lwd = 2, lty = c(dashes, 3), bty = "n")
})
