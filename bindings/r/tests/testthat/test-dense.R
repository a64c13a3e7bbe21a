# The definitions, weight by weight.
dense_loop <- function(x, y, update, l1, l2, eta0) {
    w <- sum_w <- numeric(ncol(x))
    b <- sum_b <- 0
    for (t in seq_along(y)) {
        eta <- eta0 * t^-0.5
        slope <- -y[t] / (1 + exp(y[t] * (sum(w * x[t, ]) + b)))
        w <- if (update == "sgd") sign(w) * pmax((1 - eta * l2) * abs(w) - eta * l1, 0) - eta * slope * x[t, ]
             else {
                 moved <- w - eta * slope * x[t, ]
                 sign(moved) * pmax(abs(moved) - eta * l1, 0) / (1 + eta * l2)
             }
        b <- b - eta * slope
        sum_w <- sum_w + w
        sum_b <- sum_b + b
    }
    list(last = unname(c(b, w)), average = unname(c(sum_b, sum_w)) / length(y))
}

test_that("training is what a dense loop in R computes", {
    data <- example_data(rows = 300, columns = 12)
    y <- ifelse(data$y == "good", 1, -1)
    for (update in c("sgd", "fobos")) {
        expected <- dense_loop(data$dense, y, update, l1 = 0.2, l2 = 0.02, eta0 = 0.5)
        weights <- function(average)
            unname(coef(sparselin(data$x, data$y, update = update, l1 = 0.2, l2 = 0.02, schedule = "inverse_scaling", eta0 = 0.5, power = 0.5,
                                  scale = "none", sampling = "sequential", average = average))[, 1])
        expect_equal(weights("none"), expected$last, tolerance = 1e-12)
        expect_identical(weights("none") == 0, expected$last == 0)
        expect_gt(sum(expected$last == 0), 0)
        expect_equal(weights("uniform"), expected$average, tolerance = 1e-12)
    }
})
