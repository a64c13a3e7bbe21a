test_that("the optimum of an elastic net is glmnet's", {
    skip_if_not_installed("glmnet")
    data <- example_data(rows = 500, columns = 20)
    y <- data$score + 0.3 * sin(seq_len(500) * 7)
    y <- y / sqrt(mean((y - mean(y))^2)) # glmnet's l2 is that of labels of variance 1
    penalty <- 0.1
    alpha <- 0.5
    theirs <- glmnet::glmnet(data$x, y, alpha = alpha, lambda = penalty, standardize = FALSE, thresh = 1e-14)
    ours <- sparselin(data$x, y, loss = "squared", l1 = alpha * penalty, l2 = (1 - alpha) * penalty, scale = "none", epochs = 400)
    objective <- function(weights) {
        w <- weights[-1]
        mean((y - weights[1] - data$dense %*% w)^2) / 2 + alpha * penalty * sum(abs(w)) + (1 - alpha) * penalty / 2 * sum(w^2)
    }
    best <- objective(as.vector(coef(theirs)))
    expect_gte(objective(coef(ours)[, 1]), best - 1e-9)
    expect_lt(objective(coef(ours)[, 1]), best * 1.001)
    expect_equal(as.vector(coef(ours)), as.vector(coef(theirs)), tolerance = 0.02)

    two <- glmnet::glmnet(data$x, data$y, family = "binomial", alpha = alpha, lambda = 0.02, standardize = FALSE, thresh = 1e-14)
    ours <- sparselin(data$x, data$y, l1 = alpha * 0.02, l2 = (1 - alpha) * 0.02, scale = "none", epochs = 400)
    expect_equal(as.vector(coef(ours)), as.vector(coef(two)), tolerance = 0.02)
})
