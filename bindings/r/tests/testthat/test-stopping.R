# Labels that noise spoils: passes that are too many do harm.
spoilt <- function() {
    data <- example_data()
    data$y <- factor(data$score + 2 * sin(seq_len(400) * 7) > 0, labels = c("bad", "good"))
    data$learn <- 1:120
    data$held <- list(data$x[201:400, ], data$y[201:400])
    data
}

test_that("training stops when passes help no more, and the best pass's model is kept", {
    data <- spoilt()
    x <- data$x[data$learn, ]
    y <- data$y[data$learn]
    stopped <- function(...) sparselin(x, y, epochs = 60, average = "none", ..., validation = data$held)
    fit <- stopped(patience = 4)
    passes <- fit$stopping$passes
    best <- fit$stopping$best
    expect_identical(passes$pass, as.integer(seq_len(best + 4)))
    expect_identical(best, which.min(passes$validation))
    expect_lt(best + 4, 60)
    expect_identical(summary(fit)$steps, 120 * best)
    expect_bits(evaluate(fit, data$held[[1]], data$held[[2]])[[1]], passes$validation[best])
    expect_bits(evaluate(fit, x, y)[[1]], passes$train[best])
    expect_identical(stopped(patience = Inf)$stopping$passes[seq_len(best + 4), ], passes)
    expect_lt(nrow(stopped(patience = 1)$stopping$passes), best + 4)
    expect_output(print(fit), paste("Pass", best, "of the", best + 4, "that were made, the best by loss of the validation rows: 0"))
    expect_output(print(summary(fit)), "the best by loss")
    heavy <- rep(1:2, 100)
    expect_bits(sparselin(x, y, epochs = 3, validation = c(data$held, list(heavy)))$stopping$passes$validation[3],
                evaluate(sparselin(x, y, epochs = 3), data$held[[1]], data$held[[2]], weights = heavy)[[1]])
})

test_that("a training that was stopped resumes to the bits of one that was not", {
    data <- spoilt()
    x <- data$x[data$learn, ]
    y <- data$y[data$learn]
    fit <- sparselin(x, y, epochs = 60, validation = data$held, patience = 2)
    expect_lt(fit$stopping$best, 60)
    finished <- resume(unserialize(serialize(fit, NULL)), x, y)
    expect_identical(finished$handle$bytes, sparselin(x, y, epochs = 60)$handle$bytes)
    expect_null(finished$stopping)
    expect_null(feed(fit, x, y)$stopping)
    all <- sparselin(x, y, epochs = 3, validation = data$held, patience = Inf)
    whole <- sparselin(x, y, epochs = which.min(all$stopping$passes$validation), validation = data$held, patience = Inf)
    expect_identical(whole$stopping$best, nrow(whole$stopping$passes))
    expect_error(resume(whole, x, y), "nothing to resume", class = "sparselin_state")
})

test_that("validation goes by any metric, and by formulas and classes", {
    data <- spoilt()
    x <- data$x[data$learn, ]
    y <- data$y[data$learn]
    fit <- sparselin(x, y, epochs = 20, average = "none", validation = data$held, metric = "auc", patience = Inf)
    expect_identical(fit$stopping$best, which.max(fit$stopping$passes$validation))
    fit <- sparselin(x, y, epochs = 20, average = "none", validation = data$held, metric = "error_rate", patience = Inf)
    expect_identical(fit$stopping$best, which.min(fit$stopping$passes$validation))
    frame <- data.frame(data$dense[, 1:8], y = data$y, kind = factor(rep(c("a", "b"), 200)))
    fit <- sparselin(y ~ ., frame[1:120, ], epochs = 5, validation = frame[201:400, ])
    expect_bits(fit$stopping$passes$validation[fit$stopping$best], evaluate(fit, frame[201:400, ])[[1]])
    learn <- seq(1, 150, 2)
    flowers <- sparselin(Species ~ ., iris[learn, ], epochs = 40, validation = iris[-learn, ], metric = "macro_f1")
    expect_bits(max(flowers$stopping$passes$validation), evaluate(flowers, iris[-learn, ], metric = "macro_f1")[[1]])
    texts <- data.frame(topic = factor(rep(c("food", "sport"), 10)), post = rep(c("fresh bread", "a late goal"), 10))
    expect_identical(nrow(sparselin(topic ~ 1, texts, text = ~ post, epochs = 4, validation = texts[1:4, ])$stopping$passes), 4L)
})

test_that("validation refuses what makes no sense, and says why", {
    data <- spoilt()
    refused <- function(text, ..., kind = "invalid_argument")
        expect_error(sparselin(data$x, data$y, ..., validation = data$held), text, class = paste0("sparselin_", kind))
    refused("epochs is missing")
    refused("patience must be", epochs = 3, patience = 0)
    refused("metric must be one", epochs = 3, metric = c("auc", "f1"))
    refused("acu", epochs = 3, metric = "acu")
    refused("argument patience meant", epochs = 3, patiense = 3, kind = "invalid_option")
    expect_error(sparselin(data$x, data$y, epochs = 3, validation = data$x), "list\\(x, y\\)", class = "sparselin_invalid_argument")
    expect_error(sparselin(data$x, data$y, epochs = 3, validation = list(data$x, data$y == "good")), "y is a logical", class = "sparselin_invalid_data")
    expect_message(sparselin(data$x, data$y, epochs = 2, validation = data$held, verbose = TRUE), "pass 2: loss 0")
})

test_that("the passes are drawn", {
    data <- spoilt()
    fit <- sparselin(data$x, data$y, epochs = 7, validation = data$held)
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    expect_silent(plot(fit, "curve", main = "Early stopping"))
    expect_silent(plot(sparselin(data$x, data$y, epochs = 1, validation = data$held), "curve"))
})
