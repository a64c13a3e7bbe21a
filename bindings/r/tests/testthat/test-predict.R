test_that("columns are matched by name", {
    data <- example_data()
    fit <- sparselin(data$x, data$y)
    scores <- predict(fit, data$x)
    expect_equal(predict(fit, data$x[, 30:1]), scores, tolerance = 1e-14)
    extra <- cbind(data$x, new = 1)
    expect_bits(predict(fit, extra), scores)
    fewer <- data$dense
    fewer[, 4:9] <- 0
    expect_bits(predict(fit, data$x[, -(4:9)]), predict(fit, fewer))
    expect_bits(predict(fit, as(data$x[, -(4:9)], "RsparseMatrix")), predict(fit, fewer))
    expect_bits(predict(fit, unname(data$dense)), scores)
    expect_error(predict(fit, unname(data$dense)[, 1:7]), "7 columns, but the model 30", class = "sparselin_invalid_data")
    other <- data$x
    colnames(other) <- paste0("x", 1:30)
    expect_warning(predict(fit, other), "no column in common: x1, x2, x3")
    nameless <- sparselin(unname(data$dense), data$y)
    expect_bits(predict(nameless, data$x), scores)
    expect_error(predict(nameless, data$x[, 1:7]), "the model has no column names", class = "sparselin_invalid_data")
})

test_that("row names are kept, and no rows give no scores", {
    data <- example_data()
    fit <- sparselin(data$x, data$y)
    named <- data$x[1:3, ]
    rownames(named) <- c("a", "b", "c")
    expect_identical(names(predict(fit, named, "class")), c("a", "b", "c"))
    expect_identical(names(predict(fit, named[, 5:1])), c("a", "b", "c"))
    expect_identical(predict(fit, data$x[0, ]), numeric(0))
    expect_identical(predict(fit, data$x[0, ], "class"), data$y[0])
    expect_error(predict(fit), "newdata is missing", class = "sparselin_invalid_argument")
})

test_that("coefficients are sparse and give the scores", {
    data <- example_data()
    fit <- sparselin(data$x, data$y, l1 = 0.02, average = "none")
    weights <- coef(fit)
    expect_s4_class(weights, "dgCMatrix")
    expect_lt(length(weights@x), 31)
    expect_equal(as.vector(cbind(1, data$x) %*% weights), predict(fit, data$x), tolerance = 1e-12)
    nameless <- coef(sparselin(unname(data$dense), data$y, l1 = 0.02, average = "none"))
    expect_s4_class(nameless, "dsparseVector")
    expect_identical(nameless@i, weights@i + 1L)
    expect_bits(as.vector(nameless), unname(weights[, 1]))
})

test_that("looking at a few weights costs nothing that grows with the columns", {
    rows <- new("dgRMatrix", p = 0:2, j = c(5L, 16777215L), x = c(1, 1), Dim = c(2L, 16777216L))
    fit <- sparselin(rows, c(1, -1))
    before <- gc(reset = TRUE)
    weights <- coef(fit)
    capture.output(print(fit), print(summary(fit)))
    expect_lt(gc()["Vcells", "max used"] - before["Vcells", "used"], 2^20) # of 8 bytes, for 2^24 columns
    expect_identical(weights@i[weights@i > 1], c(7L, 16777217L))
})

test_that("rows of words that were never seen, or of none, predict the intercept", {
    data <- example_data()
    fit <- sparselin(data$x, data$y)
    intercept <- coef(fit)[1, 1]
    unseen <- Matrix::sparseMatrix(i = c(1, 2), j = c(1, 2), x = 1, dimnames = list(NULL, c("never", "heard")))
    expect_bits(expect_silent(predict(fit, unseen)), c(intercept, intercept))
    expect_bits(expect_silent(predict(fit, unseen[, 0])), c(intercept, intercept))
    expect_bits(expect_silent(predict(fit, matrix(0, 2, 0))), c(intercept, intercept))
    grown <- expect_silent(feed(fit, unseen, factor(c("bad", "good"), levels(data$y))))
    expect_identical(grown$names, c(colnames(data$x), "never", "heard"))
    expect_identical(feed(fit, matrix(0, 1, 0), data$y[1])$names, fit$names)
    nameless <- sparselin(unname(data$dense), data$y)
    expect_error(predict(nameless, matrix(0, 2, 0)), "0 columns, but the model 30", class = "sparselin_invalid_data")
})

test_that("a document-term matrix of tm's is taken, its transpose refused", {
    data <- example_data()
    triplets <- as(data$x, "TsparseMatrix")
    terms <- structure(class = c("DocumentTermMatrix", "simple_triplet_matrix"), weighting = c("term frequency", "tf"),
                       list(i = triplets@i + 1L, j = triplets@j + 1L, v = triplets@x, nrow = 400L, ncol = 30L,
                            dimnames = list(Docs = as.character(1:400), Terms = colnames(data$x))))
    fit <- sparselin(terms, data$y)
    expect_identical(fit$handle$bytes, sparselin(data$x, data$y)$handle$bytes)
    expect_bits(unname(predict(fit, terms)), predict(fit, data$x))
    expect_identical(names(predict(fit, terms)), as.character(1:400))
    class(terms)[1] <- "TermDocumentMatrix"
    expect_error(sparselin(terms, data$y), "t\\(x\\)", class = "sparselin_invalid_argument")
})

test_that("misspelt arguments are refused by every method", {
    data <- example_data()
    fit <- sparselin(data$x, data$y)
    for (call in expression(predict(fit, data$x, tpye = "class"), coef(fit, s = 0), summary(fit, m = 3), evaluate(fit, data$x, data$y, mteric = "auc"),
                            residuals(fit, data$x, data$y, tpye = "response"), logLik(fit, data$x, data$y, weihgts = 1)))
        expect_error(eval(call), "and nothing else; there is no argument (tpye|s|m|mteric|weihgts)", class = "sparselin_invalid_argument")
})

test_that("what glm keeps is had for rows that are given, and a clear error without", {
    data <- example_data()
    truth <- as.numeric(data$y == "good")
    heavy <- rep(c(1, 0, 2, 1), 100)
    fit <- sparselin(data$x, data$y, heavy, l1 = 0.01, average = "none")
    p <- predict(fit, data$x, "response")
    log_p <- log(ifelse(truth == 1, p, 1 - p))
    expect_bits(fitted(fit, data$x), p)
    expect_equal(residuals(fit, data$x, data$y), truth - p)
    expect_equal(deviance(fit, data$x, data$y), -2 * sum(log_p))
    expect_equal(as.numeric(logLik(fit, data$x, data$y, heavy)), sum(heavy * log_p))
    expect_identical(attr(logLik(fit, data$x, data$y, heavy), "df"), length(coef(fit)@x) + 0)
    expect_identical(nobs(fit), 300L)
    expect_equal(nobs(feed(fit, data$x[1:10, ], data$y[1:10])), 310)
    expect_equal(nobs(feed(untrained(), data$x, data$y)), 400)
    numbers <- sparselin(data$x, 3 + 4 * truth, heavy, l1 = 0.01, average = "none")
    expect_equal(residuals(numbers, data$x, 3 + 4 * truth), truth - p)

    frame <- data.frame(data$dense[, 1:5], y = data$score)
    line <- sparselin(y ~ ., frame, loss = "squared")
    left <- data$score - predict(line, frame)
    expect_equal(residuals(line, frame), unname(left))
    expect_equal(deviance(line, frame), sum(left^2))
    n <- 400
    expect_equal(as.numeric(logLik(line, frame, weights = heavy + 1)),
                 sum(log(heavy + 1)) / 2 - n / 2 * (log(2 * pi * sum((heavy + 1) * left^2) / n) + 1))
    expect_equal(AIC(logLik(line, frame)), -2 * as.numeric(logLik(line, frame)) + 2 * 7)
    for (call in expression(fitted(fit), residuals(fit), residuals(fit, data$x), deviance(fit), logLik(fit), fitted(line), residuals(line), deviance(line)))
        expect_error(eval(call), "does not keep its training rows; say", class = "sparselin_invalid_argument")
    expect_error(weights(fit), "does not keep the weights", class = "sparselin_state")
    hinge <- sparselin(data$x, data$y, loss = "hinge")
    expect_error(logLik(hinge, data$x, data$y), "belongs to no likelihood", class = "sparselin_state")
    expect_error(deviance(hinge, data$x, data$y), "belongs to no likelihood", class = "sparselin_state")
    file <- tempfile()
    on.exit(unlink(file))
    save_model(fit, file)
    expect_error(nobs(load_model(file)), "does not know how many rows", class = "sparselin_state")
})

test_that("feeding learns more, by column names, and leaves the old model as it was", {
    data <- example_data()
    first <- sparselin(data$x[1:200, ], data$y[1:200], scale = "none", sampling = "sequential")
    before <- predict(first, data$x)
    second <- feed(first, data$x[201:400, ], data$y[201:400])
    expect_bits(predict(first, data$x), before)
    whole <- sparselin(data$x, data$y, scale = "none", sampling = "sequential")
    expect_bits(predict(second, data$x), predict(whole, data$x))
    expect_identical(feed(first, data$x[201:400, 30:1], data$y[201:400])$names, first$names)
    expect_equal(predict(feed(first, data$x[201:400, 30:1], data$y[201:400]), data$x), predict(second, data$x))
    grown <- feed(first, cbind(data$x[201:400, ], zebra = 1), data$y[201:400], weights = rep(2, 200))
    expect_identical(rownames(coef(grown)), c(rownames(coef(first)), "zebra"))
    expect_true(coef(grown)["zebra", 1] != 0)
    one_class <- data$y[201:400] == "good"
    expect_s3_class(feed(first, data$x[201:400, ][one_class, ], data$y[201:400][one_class]), "sparselin")
    expect_error(feed(first, data$x, data$y == "good"), "factor", class = "sparselin_invalid_data")
    expect_error(feed(first, data$x, factor(data$y, levels = c("good", "bad"))), "levels are bad, good", class = "sparselin_invalid_data")
    expect_error(feed(first, data$x, data$y, l1 = 1), "options", class = "sparselin_invalid_option")
    expect_equal(nrow(second$history), 2)
})

test_that("models of formulas are fed data frames", {
    data <- example_data()
    frame <- data.frame(data$dense[, 1:5], kind = factor(rep(c("a", "b", "c", "b"), 100)), y = data$y)
    first <- sparselin(y ~ . + I(word1^2) - word5, frame[1:200, ], scale = "none", sampling = "sequential", weights = rep(1, 200))
    whole <- sparselin(y ~ . + I(word1^2) - word5, frame, scale = "none", sampling = "sequential")
    before <- predict(first, frame)
    second <- feed(first, frame[201:400, ])
    expect_bits(predict(second, frame), predict(whole, frame)) # the bytes tell, besides, which rows the last fit had
    expect_bits(coef(feed(second, frame)), coef(feed(whole, frame)))
    expect_bits(predict(first, frame), before)
    expect_identical(coef(second), coef(whole))
    one_level <- droplevels(frame[frame$kind == "b", ])
    one_level$y <- factor(one_level$y, levels = levels(data$y))
    expect_identical(rownames(coef(feed(first, one_level))), rownames(coef(first)))
    expect_bits(coef(feed(first, frame[201:400, ], weights = rep(0:1, 100))), coef(feed(first, frame[seq(202, 400, 2), ])))
    spelled <- frame
    spelled$kind <- as.character(spelled$kind)
    expect_identical(feed(first, spelled[201:400, ])$handle$bytes, second$handle$bytes)
    levels(spelled$y) <- c("bad", "better")
    expect_error(feed(first, spelled), "y's are bad, better", class = "sparselin_invalid_data")
    expect_error(feed(first, transform(frame, kind = "d")), "new level")
    expect_error(feed(first, transform(frame, word2 = "text")), "word2.*numeric.*character")
    expect_error(feed(first, frame[, -1]), "word1")
    expect_error(feed(first, frame, frame$y), "cannot be given", class = "sparselin_invalid_argument")
    expect_error(feed(first, data$x, data$y), "data frame", class = "sparselin_invalid_argument")
    expect_error(feed(first, frame, weights = 1), "weights has 1 entries", class = "sparselin_invalid_argument")
    holes <- frame
    holes$word1[3] <- NA
    expect_error(feed(first, holes), "\"word1\" has NA", class = "sparselin_invalid_data")
    lenient <- sparselin(y ~ word1, frame[1:200, ], na.action = na.omit)
    expect_identical(feed(lenient, holes, weights = rep(1:2, 200))$handle$bytes,
                     feed(lenient, frame[-3, ], weights = rep(1:2, 200)[-3])$handle$bytes)
})

test_that("printing, summary and plots say what was learned", {
    data <- example_data()
    fit <- sparselin(data$x, data$y, epochs = 3)
    expect_output(print(fit), "loss log.*30 columns, 30 nonzero weights, 1,200 steps")
    expect_output(print(summary(fit)), "Positive scores mean good.*epochs = 3.*word")
    expect_identical(abs(summary(fit, n = 4)$largest), sort(abs(coef(fit)[-1, 1]), decreasing = TRUE)[1:4])
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    expect_silent(plot(fit))
    expect_silent(plot(fit, "curve", main = "Learning"))
    expect_silent(plot(sparselin(data$x, data$y), "curve", ylim = c(0, 1), type = "l", col = "red", lty = 2))
    graphics::par(mfrow = c(2, 2))
    wide <- data$x
    colnames(wide)[3] <- strrep("interminable", 20)
    expect_silent(plot(sparselin(wide, data$y), n = 30))
    expect_equal(fit$history$steps, c(400, 800, 1200))
    expect_message(sparselin(data$x, data$y, verbose = TRUE), "100.0 %  row 400 of 400")
    expect_silent(sparselin(data$x, data$y))
})
