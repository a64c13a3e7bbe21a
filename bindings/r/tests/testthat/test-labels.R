test_that("labels come back as what they were", {
    data <- example_data()
    fit <- sparselin(data$x, data$y)
    class <- predict(fit, data$x, "class")
    expect_identical(levels(class), c("bad", "good"))
    expect_gt(mean(class == data$y), 0.9)
    expect_identical(class == "good", predict(fit, data$x) > 0)
    truth <- data$y == "good"
    logical <- sparselin(data$x, truth)
    expect_identical(predict(logical, data$x, "class"), class == "good")
    expect_bits(predict(logical, data$x), predict(fit, data$x))
    numbers <- sparselin(data$x, ifelse(truth, 7, 3))
    expect_identical(predict(numbers, data$x, "class"), ifelse(class == "good", 7, 3))
    expect_bits(predict(numbers, data$x), predict(fit, data$x))
})

test_that("0 and 1 come back whether they are fitted or streamed, and so do -1 and 1", {
    data <- example_data()
    truth <- data$y == "good"
    for (zero in c(0, -1)) {
        y <- ifelse(truth, 1, zero)
        for (order in list(seq_len(400), order(y), order(-y))) { # the first chunk may have one label only
            stream <- untrained()
            for (chunk in split(order, rep(1:4, each = 100))) stream <- feed(stream, data$x[chunk, ], y[chunk])
            expect_identical(predict(stream, data$x, "class"), ifelse(predict(stream, data$x) > 0, 1, zero))
            expect_error(feed(stream, data$x[1, , drop = FALSE], -1 - zero), "both 0 and -1", class = "sparselin_invalid_data")
        }
        expect_setequal(predict(sparselin(data$x, y), data$x, "class"), c(1, zero))
    }
    expect_bits(predict(feed(untrained(), data$x, truth + 0), data$x), predict(feed(untrained(), data$x, 2 * truth - 1), data$x))
    expect_error(feed(untrained(), data$x[1:2, ], c(0, -1)), "both 0 and -1", class = "sparselin_invalid_data")
})

test_that("y may be a matrix of one column", {
    data <- example_data()
    expect_identical(sparselin(data$x, matrix(data$score), loss = "squared")$handle$bytes, sparselin(data$x, data$score, loss = "squared")$handle$bytes)
    fit <- sparselin(data$x, matrix(data$score > 0))
    expect_identical(feed(fit, data$x, matrix(data$score > 0))$handle$bytes, feed(fit, data$x, data$score > 0)$handle$bytes)
    expect_error(sparselin(data$x, cbind(data$score, 1), loss = "squared"), "matrix of 2 columns", class = "sparselin_invalid_data")
    expect_error(sparselin(data$x, data.frame(data$score), loss = "squared"), "y\\[\\[1\\]\\]", class = "sparselin_invalid_data")
    expect_error(sparselin(data$x, as.character(data$y)), "say factor\\(y\\)", class = "sparselin_invalid_data")
})

test_that("responses are probabilities of the second level, or the numbers themselves", {
    data <- example_data()
    fit <- sparselin(data$x, data$y)
    expect_equal(predict(fit, data$x, "response"), plogis(predict(fit, data$x)), tolerance = 1e-14)
    expect_error(predict(sparselin(data$x, data$y, loss = "hinge"), data$x, "response"), "log", class = "sparselin_state")
    line <- sparselin(data$x, data$score, loss = "squared", epochs = 20)
    expect_bits(predict(line, data$x, "response"), predict(line, data$x))
    expect_gt(cor(predict(line, data$x), data$score), 0.99)
    expect_error(predict(line, data$x, "class"), class = "sparselin_state")
})

test_that("weights weigh", {
    data <- example_data()
    expect_identical(sparselin(data$x, data$y, rep(1, 400))$handle$bytes, sparselin(data$x, data$y)$handle$bytes)
    uneven <- rep(c(0.5, 1.5), 200)
    weighted <- sparselin(data$x, data$y, uneven)
    expect_false(identical(coef(weighted), coef(sparselin(data$x, data$y))))
    expect_identical(coef(sparselin(as(data$x, "RsparseMatrix"), data$y, uneven)), coef(weighted))
    half <- rep(0:1, 200)
    kept <- sparselin(data$x[half == 1, ], data$y[half == 1], sampling = "sequential", scale = "none")
    expect_equal(coef(sparselin(data$x, data$y, half, sampling = "sequential", scale = "none")), coef(kept))
})

test_that("options go through by name and the seed decides, not R", {
    data <- example_data()
    set.seed(5)
    before <- .Random.seed
    fit <- sparselin(data$x, data$y, loss = "hinge", l1 = 1e-3, average = "none", bias = FALSE, seed = 3)
    expect_identical(.Random.seed, before)
    expect_identical(summary(fit)$changed[c("loss", "l1", "average", "bias", "seed")],
                     c(loss = "hinge", l1 = "0.001", average = "none", bias = "false", seed = "3"))
    expect_identical(coef(fit)[1, 1], 0)
    other <- sparselin(data$x, data$y, loss = "hinge", l1 = 1e-3, average = "none", bias = FALSE, seed = 4)
    expect_false(identical(coef(other), coef(fit)))
    table <- sparselin_options()
    expect_true(all(c("loss", "l1", "l2", "seed", "epochs") %in% table$name))
    expect_identical(names(table), c("name", "kind", "default", "help", "model", "encoder"))
})
