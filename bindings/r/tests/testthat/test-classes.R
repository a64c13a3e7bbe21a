# Three kinds of rows and more.
flowers <- function() {
    set <- datasets::iris
    order <- (seq_len(150) * 37) %% 150 + 1 # of all kinds in turn, whatever R's generator is at
    set <- set[order, ]
    row.names(set) <- NULL
    list(data = set, x = as.matrix(set[, 1:4]), y = set$Species)
}

test_that("a factor of three levels works by matrix and by formula", {
    f <- flowers()
    fit <- sparselin(f$x, f$y, epochs = 30)
    formula <- sparselin(Species ~ ., f$data, epochs = 30)
    expect_identical(coef(formula), coef(fit))
    expect_identical(class_labels(fit), levels(f$y))
    class <- predict(fit, f$x, "class")
    expect_identical(levels(class), levels(f$y))
    expect_gt(mean(class == f$y), 0.95)
    expect_identical(unname(predict(formula, f$data, "class")), class)

    scores <- predict(fit, f$x)
    expect_identical(dimnames(scores), list(NULL, levels(f$y)))
    expect_bits(predict(fit, f$x, "link"), scores)
    expect_identical(levels(f$y)[max.col(scores)], as.character(class))
    weights <- coef(fit)
    expect_s4_class(weights, "dgCMatrix")
    expect_identical(dimnames(weights), list(c("(Intercept)", colnames(f$x)), levels(f$y)))
    expect_equal(as.matrix(cbind(1, f$x) %*% weights), scores, tolerance = 1e-12, ignore_attr = TRUE)
    p <- predict(fit, f$x, "response")
    expect_equal(p, exp(scores) / rowSums(exp(scores)), tolerance = 1e-12)
    expect_identical(rownames(predict(formula, f$data[3:5, ], "response")), c("3", "4", "5"))
    expect_identical(dim(predict(fit, f$x[0, ])), c(0L, 3L))
    expect_identical(dim(predict(fit, f$x[1, , drop = FALSE])), c(1L, 3L))

    nameless <- sparselin(unname(f$x), f$y, epochs = 30)
    expect_identical(dimnames(coef(nameless)), list(NULL, levels(f$y)))
    expect_bits(coef(nameless)@x, weights@x)
    named <- f$x[, 4:1]
    expect_equal(predict(fit, named), scores, tolerance = 1e-12)
    holes <- f$data
    holes$Petal.Width[c(2, 5)] <- NA
    expect_bits(predict(formula, holes)[-c(2, 5), ], predict(formula, f$data)[-c(2, 5), ])
    expect_true(all(is.na(predict(formula, holes)[c(2, 5), ])))
    expect_identical(which(is.na(predict(formula, holes, "class"))), c(`2` = 2L, `5` = 5L))
})

test_that("a class against the rest is the model of two labels", {
    f <- flowers()
    fit <- sparselin(f$x, f$y, multiclass = "one_vs_rest", scale = "none", schedule = "xu", eta0 = 0.1, sampling = "sequential")
    for (level in levels(f$y)) {
        one <- sparselin(f$x, f$y == level, scale = "none", schedule = "xu", eta0 = 0.1, sampling = "sequential")
        expect_bits(coef(fit)[, level], coef(one)[, 1])
    }
    p <- plogis(predict(fit, f$x))
    expect_equal(predict(fit, f$x, "response"), p / rowSums(p), tolerance = 1e-12)
    hinge <- sparselin(f$x, f$y, loss = "hinge", epochs = 30)
    expect_gt(mean(predict(hinge, f$x, "class") == f$y), 0.85)
    expect_error(predict(hinge, f$x, "response"), "log", class = "sparselin_state")
})

test_that("numbers are labels, too", {
    f <- flowers()
    numbers <- c(7, -2, 30)[f$y]
    fit <- sparselin(f$x, numbers, epochs = 30)
    expect_identical(class_labels(fit), c(-2, 7, 30))
    expect_identical(colnames(coef(fit)), c("-2", "7", "30"))
    expect_gt(mean(predict(fit, f$x, "class") == numbers), 0.95)
    expect_error(sparselin(f$x, numbers + 0.5), "no whole number.*loss squared", class = "sparselin_invalid_data")
    counted <- feed(untrained(classes = 3), f$x, as.integer(f$y) - 1)
    expect_identical(class_labels(counted), c(0, 1, 2))
    expect_bits(coef(counted)@x, coef(feed(untrained(), f$x, f$y))@x)
})

test_that("streams know their classes from the factor, or are told", {
    f <- flowers()
    rows <- split(1:150, rep(1:3, each = 50))
    one_kind <- which(f$y == "virginica")
    stream <- feed(untrained(), f$x[one_kind, ], f$y[one_kind]) # the chunk has one kind, the factor all levels
    expect_identical(class_labels(stream), levels(f$y))
    expect_identical(levels(predict(stream, f$x, "class")), levels(f$y))
    stream <- feed(stream, f$x, f$y)
    told <- set_labels(untrained(), levels(f$y))
    expect_identical(feed(feed(told, f$x[one_kind, ], f$y[one_kind]), f$x, f$y)$handle$bytes, stream$handle$bytes)
    expect_identical(class_labels(told), levels(f$y))
    expect_error(set_labels(stream, levels(f$y)), "fixed already", class = "sparselin_state")
    numbers <- set_labels(untrained(), c(30, -2, 7))
    expect_identical(class_labels(numbers), c(-2, 7, 30))
    expect_error(feed(numbers, f$x, rep(8, 150)), "row 1: the label is 8", class = "sparselin_invalid_data")
    expect_error(set_labels(untrained(), c(1, 1)), class = "sparselin_invalid_data")
    expect_error(set_labels(untrained(), c("a", "a")), "\"a\" twice", class = "sparselin_invalid_data")
    expect_error(set_labels(untrained(), c("a", NA)), "NA", class = "sparselin_invalid_data")
    expect_error(set_labels(untrained(), TRUE), "must be numbers", class = "sparselin_invalid_argument")
    expect_error(set_labels(untrained(loss = "squared"), 1:3), class = "sparselin_state")
    expect_error(feed(untrained(classes = 3), diag(3), c(0, 1, 5)), "row 3: .*\\(set_labels\\)", class = "sparselin_invalid_data")
    two <- set_labels(untrained(), c("no", "yes"))
    expect_identical(predict(feed(two, f$x, factor(ifelse(f$y == "setosa", "yes", "no"))), f$x, "class")[1:3],
                     predict(feed(untrained(), f$x, factor(ifelse(f$y == "setosa", "yes", "no"))), f$x, "class")[1:3])
    expect_error(class_labels(untrained()), class = "sparselin_state")
    scaled <- untrained(scale = "max_abs")
    for (r in rows) scaled <- observe(scaled, f$x[r, ])
    for (r in rows) scaled <- feed(scaled, f$x[r, ], f$y[r])
    expect_gt(mean(predict(scaled, f$x, "class") == f$y), 0.6)
})

test_that("factors that cannot be classes are refused", {
    f <- flowers()
    two <- factor(f$y, levels = c(levels(f$y), "rose"))
    expect_error(sparselin(f$x, two), "no row of 1 of its 4 levels: rose \\(see droplevels\\)", class = "sparselin_invalid_data")
    expect_error(sparselin(f$x, factor(rep("a", 150))), "1 level, but two or more", class = "sparselin_invalid_data")
    expect_error(sparselin(f$x, replace(f$y, 9, NA)), "NA in row 9", class = "sparselin_invalid_data")
    expect_error(sparselin(f$x, f$y, loss = "squared"), "y is a factor, but loss squared is for numbers", class = "sparselin_invalid_data")
    expect_error(sparselin(f$x, f$y, classes = 5), class = "sparselin_error")
    fit <- sparselin(f$x, f$y)
    expect_error(feed(fit, f$x, two), "levels are setosa, versicolor, virginica, but y's are .*rose", class = "sparselin_invalid_data")
    expect_error(evaluate(fit, f$x, two), "rose", class = "sparselin_invalid_data")
    expect_error(feed(fit, f$x, f$y == "setosa"), "trained on a factor, but y is a logical", class = "sparselin_invalid_data")
    d <- data.frame(kind = factor(rep(c("a", "b", "c"), 20)), y = f$y[1:60])
    expect_error(predict(sparselin(y ~ kind, d), data.frame(kind = "d")), "new level")
})

test_that("figures of merit, and what is taken for what", {
    f <- flowers()
    fit <- sparselin(f$x, f$y)
    class <- predict(fit, f$x, "class")
    heavy <- rep(c(1, 0, 2), 50)
    p <- predict(fit, f$x, "response")[cbind(1:150, as.integer(f$y))]
    expect_equal(evaluate(fit, f$x, f$y, c("error_rate", "log_loss")), c(error_rate = mean(class != f$y), log_loss = -mean(log(p))))
    expect_error(evaluate(fit, f$x, f$y, "auc"), "macro_f1", class = "sparselin_state")
    counts <- confusion(fit, f$x, f$y, heavy)
    expect_identical(names(dimnames(counts)), c("actual", "predicted"))
    expect_equal(counts, unclass(xtabs(heavy ~ actual + predicted, data.frame(actual = f$y, predicted = class))), ignore_attr = TRUE)
    expect_identical(confusion(sparselin(Species ~ ., f$data), f$data), confusion(fit, f$x, f$y))
    expect_equal(deviance(fit, f$x, f$y), -2 * sum(log(p)))
    expect_equal(residuals(fit, f$x, f$y), stats::model.matrix(~ f$y - 1) - predict(fit, f$x, "response"), ignore_attr = TRUE)
    expect_equal(attr(logLik(fit, f$x, f$y), "df"), length(coef(fit)@x))
    two <- sparselin(f$x, f$y == "setosa")
    expect_identical(dimnames(confusion(two, f$x, f$y == "setosa")), list(actual = c("FALSE", "TRUE"), predicted = c("FALSE", "TRUE")))
})

test_that("print, summary and plot speak of classes", {
    f <- flowers()
    fit <- sparselin(f$x, f$y)
    expect_output(print(fit), "of 3 classes, loss log.*12 nonzero weights")
    expect_output(print(summary(fit)), "each class.*setosa: .*Petal.Length.*virginica: ")
    told <- capture.output(print(summary(fit, f$x, f$y, n = 2)))
    error <- 100 * evaluate(fit, f$x, f$y, "error_rate")
    expect_match(told, paste0("New data: ", format(error, digits = 4), " % of 150"), fixed = TRUE, all = FALSE)
    expect_match(told, "^versicolor +[0-9]+ +[0-9]+ +[0-9]+ +[0-9.]+$", all = FALSE)
    expect_identical(lengths(summary(fit, n = 2)$largest), c(setosa = 2L, versicolor = 2L, virginica = 2L))
    expect_output(print(summary(sparselin(Species ~ ., f$data), f$data)), "error %")
    expect_output(print(summary(sparselin(f$x, f$y == "setosa"), f$x, f$y == "setosa")), "New data: ")
    many <- factor(paste0("c", (1:150) %% 30))
    expect_output(print(summary(sparselin(f$x, many), f$x, many)), "and 10 more classes.*Most often mistaken:.* for c")
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    expect_identical(plot(fit), fit)
})

test_that("models of several classes are kept and loaded", {
    f <- flowers()
    fit <- sparselin(f$x, f$y)
    file <- tempfile()
    on.exit(unlink(file))
    save_model(fit, file)
    again <- load_model(file, names = colnames(f$x), levels = levels(f$y))
    expect_identical(coef(again), coef(fit))
    expect_identical(predict(again, f$x, "class"), predict(fit, f$x, "class"))
    expect_identical(feed(again, f$x, f$y)$handle$bytes, feed(fit, f$x, f$y)$handle$bytes)
    expect_identical(class_labels(load_model(file)), c(0, 1, 2))
    expect_error(load_model(file, levels = c("a", "b")), "must be 3, one for each class, not 2", class = "sparselin_invalid_argument")
    saveRDS(fit, file)
    expect_identical(predict(readRDS(file), f$x, "response"), predict(fit, f$x, "response"))
    numbers <- sparselin(f$x, c(7, -2, 30)[f$y])
    save_model(numbers, file)
    named <- load_model(file, colnames(f$x), c("v", "s", "w")) # ascending labels
    expect_identical(coef(named)@x, coef(numbers)@x)
    expect_identical(feed(named, f$x, factor(c("s", "v", "w")[f$y], c("v", "s", "w")))$handle$bytes, feed(numbers, f$x, c(7, -2, 30)[f$y])$handle$bytes)
})
