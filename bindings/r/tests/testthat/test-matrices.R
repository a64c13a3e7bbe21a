test_that("every kind of matrix gives the same bits", {
    data <- example_data()
    reference <- sparselin(data$x, data$y)
    kinds <- list(dgRMatrix = as(data$x, "RsparseMatrix"), dgTMatrix = as(data$x, "TsparseMatrix"), matrix = data$dense)
    for (kind in names(kinds)) {
        expect_s4_or_matrix <- if (kind == "matrix") is.matrix(kinds[[kind]]) else is(kinds[[kind]], kind)
        expect_true(expect_s4_or_matrix, info = kind)
        fit <- sparselin(kinds[[kind]], data$y)
        expect_true(identical(fit$handle$bytes, reference$handle$bytes), info = kind)
        expect_bits(predict(fit, kinds[[kind]]), predict(reference, data$x))
        expect_identical(rownames(coef(fit)), c("(Intercept)", colnames(data$x)))
    }
})

test_that("symmetric, triangular, logical and pattern matrices are taken as what they are", {
    square <- Matrix::crossprod(example_data(50, 8)$x)
    y <- rep(c(1, -1), 4)
    bytes <- function(x) sparselin(x, y)$handle$bytes
    expect_true(is(square, "symmetricMatrix"))
    expect_identical(bytes(square), bytes(as.matrix(square)))
    triangle <- Matrix::triu(square)
    expect_identical(bytes(triangle), bytes(as.matrix(triangle)))
    expect_identical(bytes(triangle != 0), bytes(as.matrix(triangle != 0) + 0))
    expect_identical(bytes(as(triangle != 0, "nMatrix")), bytes(as.matrix(triangle != 0) + 0))
})

test_that("entries of a dgTMatrix that repeat add up", {
    x <- new("dgTMatrix", i = c(0L, 0L, 1L), j = c(1L, 1L, 0L), x = c(1, 2, 5), Dim = c(2L, 2L))
    expect_identical(sparselin(x, c(1, -1))$handle$bytes, sparselin(matrix(c(0, 5, 3, 0), 2), c(1, -1))$handle$bytes)
})

test_that("millions of columns stay sparse", {
    wide <- Matrix::sparseMatrix(i = rep(1:200, 10), j = (seq_len(2000) * 104729) %% 3e6 + 1, x = 1, dims = c(200, 3e6))
    y <- rep(c(1, -1), 100)
    fit <- sparselin(wide, y, epochs = 3)
    expect_identical(predict(fit, wide, "class"), y)
    expect_lt(summary(fit)$memory, 1e6)
    expect_identical(sparselin(as(wide, "RsparseMatrix"), y, epochs = 3)$handle$bytes, fit$handle$bytes)
    last <- .Machine$integer.max
    widest <- new("dgRMatrix", p = 0:4, j = c(0L, last - 1L, 0L, last - 1L), x = c(1, 1, 2, 2), Dim = c(4L, last))
    fit <- sparselin(widest, c(1, -1, 1, -1))
    expect_identical(predict(fit, widest, "class"), c(1, -1, 1, -1))
    expect_identical(names(summary(fit)$largest), c("V1", "V2147483647"))
    expect_identical(length(coef(fit)), 2^31)
    expect_identical(coef(fit)@i[2:3], c(2, 2^31))
})

test_that("a formula gives the model of its matrix", {
    frame <- data.frame(kind = factor(rep(c("a", "b", "c"), 20)), size = seq(-1, 1, length.out = 60))
    frame$y <- frame$size * 2 + (frame$kind == "b")
    fit <- sparselin(y ~ ., frame, loss = "squared", epochs = 300)
    expect_identical(rownames(coef(fit)), c("(Intercept)", "kindb", "kindc", "size"))
    expect_equal(coef(fit)[, 1], coef(lm(y ~ ., frame)), tolerance = 1e-3)
    expect_equal(unname(predict(fit, frame[7:9, ])), predict(fit, frame)[7:9], ignore_attr = TRUE)
    expect_identical(rownames(coef(sparselin(y ~ kind - 1, frame, loss = "squared"))), c("(Intercept)", "kinda", "kindb", "kindc"))
    expect_equal(coef(sparselin(y ~ kind - 1, frame, loss = "squared"))[1, 1], 0)
    expect_equal(coef(sparselin(y ~ size, frame, subset = kind == "a", loss = "squared")),
                 coef(sparselin(y ~ size, frame[frame$kind == "a", ], loss = "squared")))
    heavy <- rep(c(1, 2, 0), 20)
    expect_equal(coef(sparselin(y ~ size, frame, weights = heavy, loss = "squared")),
                 coef(sparselin(as.matrix(frame["size"]), frame$y, heavy, loss = "squared")))
    expect_equal(coef(sparselin(log(y + 5) ~ factor(kind) + I(size^2), frame, loss = "squared"))[, 1][["factor(kind)b"]],
                 coef(sparselin(cbind(frame$kind == "b", frame$kind == "c", frame$size^2), log(frame$y + 5), loss = "squared"))[2]@x)
    expect_error(predict(fit, data.frame(size = 1)), "kind")
    expect_error(predict(fit, data.frame(size = 1, kind = "d")), "new level")
    expect_error(predict(fit, as.matrix(frame["size"])), "data frame", class = "sparselin_invalid_argument")
})
