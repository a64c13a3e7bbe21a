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

test_that("repeated entries of a matrix that is not numeric count once", {
    parts <- list(i = c(0L, 0L, 1L), j = c(1L, 1L, 0L), Dim = c(2L, 2L))
    bytes <- sparselin(matrix(c(0, 1, 1, 0), 2), c(1, -1))$handle$bytes
    expect_identical(sparselin(do.call(new, c("ngTMatrix", parts)), c(1, -1))$handle$bytes, bytes)
    for (x in list(c(TRUE, TRUE, TRUE), c(TRUE, FALSE, TRUE), c(FALSE, TRUE, TRUE)))
        expect_identical(sparselin(do.call(new, c("lgTMatrix", parts, list(x = x))), c(1, -1))$handle$bytes, bytes)
    expect_error(sparselin(do.call(new, c("lgTMatrix", parts, list(x = c(TRUE, TRUE, NA)))), c(1, -1)), "NA in row 2, column 1",
                 class = "sparselin_invalid_data")
})

test_that("every form of a square matrix is the matrix that it stands for", {
    square <- as(Matrix::crossprod(example_data(50, 8)$x), "generalMatrix")
    y <- rep(c(1, -1), 4)
    of <- function(x) sparselin(x, y)$handle$bytes
    for (form in c("CsparseMatrix", "RsparseMatrix", "TsparseMatrix", "denseMatrix"))
        for (uplo in c("U", "L")) {
            half <- Matrix::forceSymmetric(square, uplo)
            expect_identical(of(as(half, form)), of(as.matrix(square)), label = paste("symmetric", form, uplo))
            triangle <- if (uplo == "U") Matrix::triu(square) else Matrix::tril(square)
            expect_identical(of(as(triangle, form)), of(as.matrix(triangle)), label = paste("triangular", form, uplo))
            diag(triangle) <- 1
            unit <- getFromNamespace(".diagN2U", "Matrix")(as(as(triangle, "CsparseMatrix"), "triangularMatrix"))
            expect_identical(unit@diag, "U")
            if (form != "denseMatrix") expect_identical(of(as(unit, form)), of(as.matrix(triangle)), label = paste("unit", form, uplo))
        }
    expect_identical(of(Matrix::Diagonal(8, 1:8)), of(diag(1:8 + 0)))
    expect_identical(of(Matrix::Diagonal(8)), of(diag(8)))
    expect_identical(of(as(8:1, "pMatrix")), of(diag(8)[8:1, ]))
    whole <- matrix(c(0L, 3L, 0L, 1L, 2L, 0L, 0L, 5L), 8, 2)
    expect_identical(of(whole), of(whole + 0))
})

test_that("no kind of matrix is copied in R", {
    at <- (seq_len(240000) * 7919L) %% 1000000L
    x <- Matrix::sparseMatrix(i = at %/% 1000L + 1, j = at %% 1000L + 1, x = 1, dims = c(1000, 1000), dimnames = list(NULL, paste0("c", 1:1000)))
    y <- rep(c(1, -1), 500)
    named <- sparselin(x[, 1000:1], y)
    half <- Matrix::forceSymmetric(unname(x))
    kinds <- list(dgC = x, dgR = as(x, "RsparseMatrix"), dgT = as(x, "TsparseMatrix"), lgC = x != 0, ngC = as(x, "nMatrix"), dsC = half,
                  dtT = as(Matrix::triu(unname(x)), "TsparseMatrix"), dense = as.matrix(x), dge = as(x, "unpackedMatrix"))
    expect_identical(unname(vapply(kinds[1:4], function(x) class(x)[1], "")), c("dgCMatrix", "dgRMatrix", "dgTMatrix", "lgCMatrix"))
    grows <- function(code) {
        before <- gc(reset = TRUE)["Vcells", "used"]
        code
        (gc()["Vcells", "max used"] - before) * 8
    }
    sparselin(kinds$dgT, y) # what the first call keeps for good
    for (kind in names(kinds)) expect_lt(grows(sparselin(kinds[[kind]], y)), 0.2 * 12 * 240000, label = kind)
    for (kind in c("dgC", "dgR", "dgT", "dense")) {
        expect_lt(grows(predict(named, kinds[[kind]])), 0.2 * 12 * 240000, label = paste(kind, "permuted"))
        expect_bits(predict(named, kinds[[kind]]), predict(named, x[, 1000:1]))
        expect_identical(feed(named, kinds[[kind]], y)$handle$bytes, feed(named, x[, 1000:1], y)$handle$bytes)
    }
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
