test_that("scores from anywhere are judged as those of a model are", {
    data <- example_data()
    heavy <- rep(c(1, 0, 2, 1), 100)
    fit <- sparselin(data$x, data$y)
    scores <- predict(fit, data$x)
    metrics <- c("error_rate", "f1", "macro_f1", "mcc", "auc", "average_precision", "log_loss", "brier", "calibration_error", "rmse", "mae", "r2")
    expect_identical(evaluate_scores(scores, data$y, metrics), evaluate(fit, data$x, data$y, metrics))
    expect_identical(evaluate_scores(scores, data$y, metrics, heavy), evaluate(fit, data$x, data$y, metrics, heavy))
    for (y in list(data$y == "good", as.numeric(data$y) - 1, 2 * as.integer(data$y) - 3, matrix(2 * as.integer(data$y) - 3)))
        expect_identical(evaluate_scores(scores, y, "auc"), evaluate(fit, data$x, data$y, "auc"))
    expect_equal(evaluate_scores(stats::qlogis(c(0.9, 0.2)), c(1, 0), "brier"), c(brier = (0.01 + 0.04) / 2))
    expect_equal(evaluate_scores(c(1, 2), c(3, 5), "rmse"), c(rmse = sqrt(13 / 2)))
    flowers <- sparselin(Species ~ ., iris, epochs = 5)
    scores <- predict(flowers, iris)
    several <- c("error_rate", "macro_f1", "mcc", "log_loss")
    expect_identical(evaluate_scores(scores, iris$Species, several), evaluate(flowers, iris, metric = several))
    expect_identical(evaluate_scores(scores[, 3:1], iris$Species, several), evaluate(flowers, iris, metric = several))
    expect_identical(evaluate_scores(unname(scores), as.integer(iris$Species) - 1, several), evaluate(flowers, iris, metric = several))
})

test_that("scores that cannot be judged are refused", {
    refused <- function(text, ..., kind = "invalid_argument") expect_error(evaluate_scores(...), text, class = paste0("sparselin_", kind))
    refused("scores must be numbers", "a", 1, "auc")
    refused("y has 2 entries, but x has 3 rows", 1:3, c(1, 0), "auc")
    refused("'?acu", 1:2, c(1, 0), "acu")
    refused("metric must be", 1:2, c(1, 0), character(0))
    refused("y has 3 levels, but scores 1 column", 1:3, factor(1:3), "error_rate")
    refused("no column for level \"c\"", matrix(1:9, 3, dimnames = list(NULL, c("a", "b", "d"))), factor(c("a", "b", "c")), "error_rate")
    refused("row 2", c(1, NaN), c(1, 0), "auc", kind = "invalid_data")
    refused("row 3", c(1, 2, 3), c(1, 0, 7), "auc", kind = "invalid_data")
    refused("weights has 1 entries", 1:2, c(1, 0), "auc", 1)
})

test_that("calibration has bins of equal weight, whose mean distance is the metric's", {
    data <- example_data()
    heavy <- rep(c(1, 0, 2.5, 1), 100)
    fit <- sparselin(data$x, data$y)
    p <- predict(fit, data$x, "response")
    for (weights in list(NULL, heavy)) {
        seen <- calibration(fit, data$x, data$y, weights)
        expect_equal(seen$error, evaluate(fit, data$x, data$y, "calibration_error", weights)[[1]], tolerance = 1e-12)
        expect_equal(calibration(p, data$y, weights)$bins, seen$bins)
    }
    order <- order(p)
    seen <- calibration(fit, data$x, data$y, bins = 4)$bins
    for (bin in 1:4) {
        rows <- order[(bin - 1) * 100 + 1:100]
        expect_equal(seen$predicted[bin], mean(p[rows]))
        expect_equal(seen$observed[bin], mean(data$y[rows] == "good"))
        expect_equal(seen$chance[bin], sqrt(sum(p[rows] * (1 - p[rows]))) / 100)
    }
    expect_equal(calibration(p, data$y, heavy, bins = 1)$bins$chance, sqrt(sum(heavy^2 * p * (1 - p))) / sum(heavy))
    tied <- calibration(c(0.5, 0.5, 0.5, 0.5, 0.5, 0.2), c(1, 1, 0, 0, 0, 1), bins = 3)$bins
    expect_equal(tied$observed, c((1 + 2 / 5) / 2, 2 / 5, 2 / 5))
    likely <- sparselin(Species ~ ., iris, epochs = 30)
    all <- predict(likely, iris, "response")
    right <- calibration(likely, iris, bins = 1)$bins
    expect_equal(right$predicted, mean(apply(all, 1, max)))
    expect_equal(right$observed, 1 - evaluate(likely, iris, metric = "error_rate")[[1]])
    cv <- cv_sparselin(data$x, data$y, l1 = c(0.1, 0.001))
    expect_identical(calibration(cv, data$x, data$y, s = "1se"), calibration(cv$models$`1se`, data$x, data$y))
    expect_output(print(calibration(fit, data$x, data$y)), "Probabilities of good .* 400 rows in 10 bins; mean distance 0")
    expect_error(calibration(sparselin(data$x, data$y, loss = "hinge"), data$x, data$y), class = "sparselin_state")
    expect_error(calibration(c(0.5, 2), c(1, 0)), "from 0 to 1", class = "sparselin_invalid_argument")
    for (bins in c(0, 2^20 + 1, 1e15)) # the last of which no memory holds
        expect_error(calibration(p, data$y, bins = bins), paste("bins must be a whole number from 1 to 1048576, not", bins), fixed = TRUE, class = "sparselin_invalid_argument")
    expect_error(calibration(p, data$y, replace(rep(1, 400), 3, -1)), "row 3", class = "sparselin_invalid_data")
    expect_error(calibration(p, data$y, rep(0, 400)), "no rows", class = "sparselin_invalid_data")
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    expect_silent(plot(calibration(fit, data$x, data$y), main = "Calibration"))
    skip_if_not_installed("ggplot2")
    expect_silent(ggplot2::ggplot_build(ggplot2::autoplot(calibration(fit, data$x, data$y))))
})
