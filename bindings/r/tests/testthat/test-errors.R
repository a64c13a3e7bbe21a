test_that("bad data is refused, with its place", {
    data <- example_data()
    refused <- function(x, y, text, ..., kind = "invalid_data")
        expect_error(sparselin(x, y, ...), text, class = paste0("sparselin_", kind))
    for (bad in c(NA, NaN, Inf)) {
        x <- data$dense
        x[7, 3] <- bad
        text <- paste0(if (is.na(bad)) "NA" else "an infinite value", " in row 7, column \"word3\"")
        refused(x, data$y, text)
        sparse <- as(as(as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix")
        refused(sparse, data$y, text)
        refused(as(sparse, "RsparseMatrix"), data$y, text)
        expect_error(predict(sparselin(data$x, data$y), x), text, class = "sparselin_invalid_data")
    }
    refused(data$x, replace(data$y, 9, NA), "y has NA in row 9")
    refused(data$x, replace(data$score, 9, Inf), "infinite in row 9", loss = "squared")
    refused(data$x, data$y[-1], "y has 399 entries, but x has 400 rows", kind = "invalid_argument")
    refused(data$x, data$y, "weights has 2 entries", weights = c(1, 1), kind = "invalid_argument")
    refused(data$x, data$y, "row 3.*weight", weights = replace(rep(1, 400), 3, -1))
    refused(data$x, data$y, "weights has NA in row 4", weights = replace(rep(1, 400), 4, NA))
    refused(data$x, data$y, "weights must be numeric", weights = letters, kind = "invalid_argument")
    refused(data$x, factor(rep("a", 400)), "1 levels")
    refused(data$x, factor(rep("a", 400), levels = c("a", "b")), "one class only")
    refused(data$x, rep(TRUE, 400), "one class only")
    refused(data$x, rep(1, 400), "one class only")
    refused(data$x, factor(rep(1:4, 100)), "4 levels")
    refused(data$x, data$score, "squared")
    refused(data$x, data$y, "for numbers", loss = "squared")
    refused(data$x, as.character(data$y), "not character")
    refused(data$x[0, ], data$y[0], "0 rows")
    refused(data$x[, 0], data$y, "0 columns")
    refused(as.data.frame(data$dense), data$y, "formula", kind = "invalid_argument")
    refused(matrix("a", 2, 2), c(1, -1), "numeric matrix", kind = "invalid_argument")
    frame <- data.frame(y = c(1, -1, 1), a = c(1, NA, 2))
    expect_error(sparselin(y ~ a, frame), "variable \"a\" has NA", class = "sparselin_invalid_data")
    expect_s3_class(sparselin(y ~ a, rbind(frame, frame - 2), na.action = na.omit, loss = "squared"), "sparselin")
})

test_that("options are checked by the library's table", {
    data <- example_data()
    refused <- function(text, ...) expect_error(sparselin(data$x, data$y, ...), text, class = "sparselin_invalid_option")
    refused("no option 'l3'; the nearest name is 'l1'", l3 = 1)
    refused("l1 is '-1'", l1 = -1)
    refused("loss", loss = "logg")
    refused("epochs", epochs = 1.5)
    refused("one number", l1 = c(1, 2))
    refused("one number", l1 = NA)
    refused("one number", l1 = NULL)
    refused("must be named", rep(1, 400), 5)
})

test_that("errors are conditions of the call that the user made", {
    data <- example_data()
    condition <- tryCatch(sparselin(data$x, data$y, l3 = 1), error = identity)
    expect_s3_class(condition, c("sparselin_invalid_option", "sparselin_error", "error", "condition"), exact = TRUE)
    expect_identical(deparse(conditionCall(condition)), "sparselin(data$x, data$y, l3 = 1)")
    diverging <- function() sparselin(data$x, data$score * 1e200, loss = "squared", schedule = "constant", eta0 = 1e150, l2 = 0, scale = "none",
                                      average = "none", sampling = "sequential")
    expect_error(diverging(), "row [1-9]", class = "sparselin_diverged")
})

test_that("the flat calls survive wrong types, closed handles and errors in callbacks", {
    data <- example_data()
    model <- slw_model_create(slw_options_create())
    expect_error(slw_model_steps(slw_options_create()), "not of type sl_model")
    expect_error(slw_model_steps(NULL), "not of type sl_model")
    expect_error(slw_model_feed(model, c(1, 2), NULL, 1, 1), "type integer")
    expect_error(slw_model_feed(model, c(1L, NA), NULL, 1, 1), "below 0", class = "sparselin_invalid_data")
    expect_error(slw_model_feed(model, 1:2, 1, 1, 1), "values", class = "sparselin_invalid_argument")
    slw_release(model)
    slw_release(model)
    expect_false(slw_is_open(model))
    expect_error(slw_model_steps(model), class = "sparselin_invalid_argument")
    rows <- slw_dataset_from_csc(data$x@p, data$x@i, data$x@x, as.numeric(data$y), NULL)
    model <- slw_model_create(slw_options_create())
    expect_error(slw_model_fit(model, rows, function(report) stop("mine")), "mine")
    expect_error(slw_model_feed_watched(model, rows, function(report) stop("mine")), "mine")
    model <- slw_model_create(slw_options_create())
    expect_error(slw_model_fit(model, rows, "no function"))
    model <- slw_model_create(slw_options_create())
    slw_model_fit(model, rows, NULL)
    slw_model_feed_watched(model, rows, NULL)
    expect_identical(slw_model_steps(model), 800)
    expect_error(slw_dataset_read(function(bytes) stop("broken pipe"), slw_options_create()), "broken pipe")
    expect_error(slw_dataset_read(function(bytes) "text", slw_options_create()), class = "sparselin_io")
    expect_error(slw_dataset_read(function(bytes) raw(bytes + 1), slw_options_create()), class = "sparselin_io")
})

test_that("an interrupt stops a long fit within a second and leaves a model", {
    skip_on_os("windows")
    data <- example_data()
    sent <- NULL
    interrupt <- function(message) {
        if (is.null(sent)) {
            sent <<- proc.time()[["elapsed"]]
            tools::pskill(Sys.getpid(), tools::SIGINT)
        }
        invokeRestart("muffleMessage")
    }
    expect_warning(withCallingHandlers(fit <- sparselin(data$x, data$y, epochs = 1e9, verbose = TRUE), message = interrupt),
                   "interrupted after [0-9,]+ rows", class = "sparselin_interrupted")
    expect_lt(proc.time()[["elapsed"]] - sent, 1)
    expect_true(fit$interrupted)
    expect_gt(mean(predict(fit, data$x, "class") == data$y), 0.9)
    expect_lte(nrow(fit$history), 512)
    expect_output(print(fit), "interrupted")
    expect_false(feed(fit, data$x, data$y)$interrupted)
})
