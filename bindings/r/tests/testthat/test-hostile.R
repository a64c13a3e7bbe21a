# What a newcomer may come upon by mistake, and what must then not be answered with a wrong number, a crash or an error of R's inside.
refused <- function(code, text, kind) expect_error(code, text, class = paste0("sparselin_", kind))

test_that("columns of the same name are not matched by name", {
    data <- example_data()
    x <- data$x
    colnames(x)[2] <- "word1"
    twice <- sparselin(x, data$y)
    expect_bits(predict(twice, x), predict(sparselin(unname(data$dense), data$y), unname(data$dense)))
    refused(predict(twice, x[, 30:1]), "two called \"word1\"", "invalid_data")
    fit <- sparselin(data$x, data$y)
    refused(predict(fit, x), "two called \"word1\"", "invalid_data")
    refused(feed(fit, x, data$y), "two called \"word1\"", "invalid_data")
})

test_that("matrices that are none, or broken, are refused", {
    data <- example_data()
    fit <- sparselin(data$x, data$y)
    refused(sparselin(data$x), "y is missing", "invalid_argument")
    refused(feed(fit), "x is missing", "invalid_argument")
    refused(feed(fit, data$x), "y is missing", "invalid_argument")
    refused(sparselin(1:10, rep(c(1, -1), 5)), "class integer", "invalid_argument")
    refused(predict(fit, data$x[1, ]), "drop = FALSE", "invalid_argument")
    refused(sparselin(as.data.frame(data$dense), data$y), "as.matrix", "invalid_argument")
    refused(predict(fit, matrix("a", 2, 30)), "type character", "invalid_argument")
    refused(predict(fit, as.data.frame(data$dense)), "make it a matrix", "invalid_argument")
    refused(sparselin(matrix(0, 0, 0), numeric(0)), "0 rows, 0 columns", "invalid_data")
    broken <- function(x, slot, place, value) {
        attr(x, slot)[place] <- value
        x
    }
    by_row <- as(data$x, "RsparseMatrix")
    for (x in list(broken(data$x, "i", 1, 100000L), broken(data$x, "i", 1, -5L), broken(data$x, "p", 3, 1000000L), broken(data$x, "p", 3, -1L),
                   broken(by_row, "j", 1, 77L), broken(by_row, "j", 1, -1L), broken(by_row, "p", 2, -3L), broken(data$x, "Dim", 2, 5L))) {
        expect_error(sparselin(x, data$y), class = "sparselin_error")
        expect_error(predict(fit, x), class = "sparselin_error")
    }
    short <- data$x
    short@x <- 1
    refused(sparselin(short, data$y), "values has 1 entries", "invalid_argument")
    large <- data$x
    large@x[1:9] <- 1e200
    refused(sparselin(large, data$y), "overflows", "invalid_data")
    zero <- sparselin(Matrix::Matrix(0, 4, 3, sparse = TRUE), c(1, -1, 1, -1))
    expect_output(print(summary(zero)), "all are 0")
    expect_identical(as.vector(coef(zero))[-1], c(0, 0, 0))
})

test_that("the words of glm and glmnet lead to the options", {
    data <- example_data()
    of <- function(text, ...) refused(sparselin(data$x, data$y, ...), text, "invalid_option")
    of("no option family; say loss = \"log\"", family = "binomial")
    of("l1 = alpha \\* lambda and l2 = \\(1 - alpha\\) \\* lambda", lambda = 0.1)
    of("l1 = alpha \\* lambda", alpha = 1)
    of("'scale'", standardize = FALSE)
    of("'bias'", intercept = FALSE)
    of("offset\\(o\\)", offset = nothing_of_this_name)
    refused(sparselin(y ~ word1, data.frame(data$dense, y = data$y, o = 1), offset = o), "offset\\(o\\)", "invalid_option")
    refused(untrained(family = "gaussian"), "loss = \"squared\" for gaussian", "invalid_option")
})

test_that("misspelt and malformed options are told of", {
    data <- example_data()
    of <- function(text, ...) refused(sparselin(data$x, data$y, ...), text, "invalid_option")
    of("is the argument weights meant", weigths = rep(1, 400))
    of("is the argument verbose meant", verbos = TRUE)
    of("no option 'epoch'; the nearest name is 'epochs'", epoch = c(1, 2))
    of("option l1 is given twice", l1 = 1, l1 = 2)
    of("one number", l1 = mean)
    of("one number", loss = NA_character_)
    expect_error(do.call(sparselin, c(list(data$x, data$y), stats::setNames(list(1), strrep("q", 5000)))), "qqq[.]+'", class = "sparselin_invalid_option")
    refused(sparselin(data$x, data$y, verbose = NA), "TRUE or FALSE", "invalid_argument")
    refused(sparselin(data$x, data$y, loss = strrep("q", 5000)), "must be one of log", "invalid_option")
})

test_that("weights of 0 alone give a model that knows nothing", {
    data <- example_data()
    expect_warning(fit <- sparselin(data$x, data$y, rep(0, 400)), "all weights are 0")
    expect_warning(feed(fit, data$x, data$y, rep(0, 400)), "all weights are 0")
    expect_warning(observe(untrained(scale = "rms"), data$x, rep(0, 400)), "all weights are 0")
    expect_identical(predict(fit, data$x, "class"), factor(rep("bad", 400), levels = c("bad", "good")))
    expect_output(print(fit), "0 steps, mean loss NA")
    refused(plot(fit), "nothing to plot", "state")
})

test_that("formulas without rows, and factors with levels unused, do what they can", {
    frame <- data.frame(y = rep(c(1, -1), 10), kind = factor(rep(c("a", "b"), each = 10), levels = c("a", "b", "c")), size = 1:20)
    fit <- sparselin(y ~ kind + size, frame)
    expect_identical(rownames(coef(fit)), c("(Intercept)", "kindb", "kindc", "size"))
    expect_identical(unname(predict(fit, frame[0, ])), numeric(0))
    expect_identical(feed(fit, frame[0, ])$handle$bytes, fit$handle$bytes)
    refused(sparselin(y ~ kind, frame, subset = size > 99), "0 rows", "invalid_data")
    frame$y <- as.character(frame$y)
    refused(sparselin(y ~ size, frame), "not character; say factor\\(y\\)", "invalid_data")
})

test_that("damaged models and wrong paths are refused", {
    data <- example_data()
    fit <- sparselin(data$x, data$y)
    file <- tempfile()
    on.exit(unlink(file))
    saveRDS(fit, file)
    for (damage in list(function(bytes) rev(bytes), function(bytes) replace(bytes, 200, xor(bytes[200], as.raw(1))), function(bytes) head(bytes, -1),
                        function(bytes) raw(0), function(bytes) NULL)) {
        broken <- readRDS(file)
        broken$handle$bytes <- damage(broken$handle$bytes)
        expect_error(predict(broken, data$x), class = "sparselin_error")
        expect_error(print(broken), class = "sparselin_error")
    }
    refused(print(structure(list(), class = "sparselin")), "no model", "format")
    for (path in list(NULL, NA, 1, c("a", "b"))) {
        refused(save_model(fit, path), "one string", "invalid_argument")
        refused(load_model(path), "one string", "invalid_argument")
        refused(read_svmlight(path), "one string", "invalid_argument")
    }
    refused(load_model(tempdir()), "Is a directory", "io")
    refused(read_svmlight(tempdir()), "is a folder", "io")
    refused(load_model(nullfile()), "not a model", "format")
    writeLines("1 1:1", file)
    refused(read_svmlight(file, columns = NA), "whole number", "invalid_argument")
    refused(read_svmlight(file, columns = "7"), "whole number", "invalid_argument")
    refused(read_svmlight(file, columns = 1e12), "too large", "invalid_data")
    refused(plot(fit, n = 0), "at least 1", "invalid_argument")
    refused(summary(fit, n = "a"), "at least 1", "invalid_argument")
})

test_that("a model of C that has learned nothing is looked into", {
    file <- tempfile()
    on.exit(unlink(file))
    slw_model_save(slw_model_create(slw_options_create()), 0, file)
    empty <- load_model(file)
    expect_identical(rownames(coef(empty)), "(Intercept)")
    expect_output(print(empty), "0 columns")
    expect_output(print(summary(empty)), "all are 0")
    expect_identical(predict(empty, matrix(1, 3, 0)), c(0, 0, 0))
})
