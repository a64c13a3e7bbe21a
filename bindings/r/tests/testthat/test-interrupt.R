# Ctrl-C is sent from within: at the `at`-th of the library's reports of its progress in a training, or as a long prediction begins.
interrupt <- function() {
    sent <<- proc.time()[["elapsed"]]
    tools::pskill(Sys.getpid(), tools::SIGINT)
}
sent <- NULL

with_replaced <- function(name, replacement, code) {
    space <- asNamespace("sparselin")
    original <- space[[name]]
    replace <- function(value) {
        unlockBinding(name, space)
        assign(name, value, space)
        lockBinding(name, space)
    }
    on.exit(replace(original))
    replace(replacement(original))
    force(code)
}

interrupted_at <- function(at, code) {
    calls <- 0
    with_replaced(".watch", function(original) function(...) {
        watch <- original(...)
        report <- watch$report
        watch$report <- function(progress) {
            report(progress)
            calls <<- calls + 1
            if (calls == at) interrupt()
        }
        watch
    }, code)
}

test_that("an interrupt stops a long fit within a second and leaves a model", {
    skip_on_os("windows")
    data <- example_data()
    expect_warning(fit <- interrupted_at(3, sparselin(data$x, data$y, epochs = 1e9)), "interrupted after [0-9,]+ rows.*resume",
                   class = "sparselin_interrupted")
    expect_lt(proc.time()[["elapsed"]] - sent, 1)
    expect_true(fit$interrupted)
    expect_gt(mean(predict(fit, data$x, "class") == data$y), 0.9)
    expect_lte(nrow(fit$history), 512)
    expect_output(print(fit), "interrupted; resume")
    fed <- feed(fit, data$x, data$y)
    expect_false(fed$interrupted)
    expect_error(resume(fed, data$x, data$y), "nothing to resume", class = "sparselin_state")
})

test_that("an interrupted fit resumes to the bits of one that was not, in another session too", {
    skip_on_os("windows")
    data <- example_data()
    heavy <- rep(c(1, 0, 1.5, 1.5), 100)
    whole <- sparselin(data$x, data$y, heavy, epochs = 40)
    expect_warning(fit <- interrupted_at(7, sparselin(data$x, data$y, heavy, epochs = 40)), class = "sparselin_interrupted")
    expect_lt(summary(fit)$steps, 12000)
    file <- tempfile(fileext = ".rds")
    on.exit(unlink(file))
    saveRDS(fit, file)
    expect_warning(again <- interrupted_at(5, resume(readRDS(file), data$x[, 30:1], data$y, heavy)), class = "sparselin_interrupted")
    expect_lt(summary(again)$steps, 12000)
    finished <- resume(again, data$x, data$y, heavy)
    expect_identical(finished$handle$bytes, whole$handle$bytes)
    expect_false(finished$interrupted)
    expect_identical(tail(finished$history$steps, 1), 12000)
    expect_lt(summary(fit)$steps, 12000)
    expect_error(resume(finished, data$x, data$y, heavy), "nothing to resume", class = "sparselin_state")
    other <- function(...) expect_error(resume(fit, ...), "not the x, y and weights", class = "sparselin_invalid_data")
    other(data$x, data$y)
    other(data$x, rev(data$y), heavy)
    other(data$x[400:1, ], data$y, heavy)
    other(2 * data$x, data$y, heavy)
    other(cbind(data$x, new = 1), data$y, heavy)
    expect_error(resume(fit, data$x, data$y, heavy, epochs = 3), "options", class = "sparselin_invalid_option")

    frame <- data.frame(data$dense[, 1:5], y = data$y)
    expect_warning(fit <- interrupted_at(2, sparselin(y ~ ., frame, epochs = 20)), class = "sparselin_interrupted")
    expect_identical(resume(fit, frame)$handle$bytes, sparselin(y ~ ., frame, epochs = 20)$handle$bytes)
})

# 2^21 nonzeros and more: long enough that feed and predict look for an interrupt under way.
long <- function() {
    x <- example_data()$x
    index <- rep(seq_len(400), ceiling(2.2 * 2^20 / length(x@x)))
    list(x = as(x, "RsparseMatrix")[index, ], y = example_data()$y[index])
}

test_that("an interrupt stops feed within a second, and the rows that are left can be fed", {
    skip_on_os("windows")
    data <- long()
    start <- sparselin(example_data()$x, example_data()$y)
    counts <- rep(c(1, 1, 0), length.out = nrow(data$x))
    warned <- NULL
    fit <- withCallingHandlers(interrupted_at(1, feed(start, data$x, data$y, counts)), sparselin_interrupted = function(condition) {
        warned <<- condition
        invokeRestart("muffleWarning")
    })
    expect_lt(proc.time()[["elapsed"]] - sent, 1)
    expect_match(conditionMessage(warned), "interrupted after [0-9,]+ rows of x;.*feed it the others")
    expect_true(fit$interrupted)
    expect_lt(warned$rows, nrow(data$x))
    expect_gt(mean(predict(fit, example_data()$x, "class") == example_data()$y), 0.9)
    expect_error(resume(fit, data$x, data$y, counts), "feed was interrupted", class = "sparselin_state")
    done <- seq_len(warned$rows)
    expect_identical(feed(fit, data$x[-done, ], data$y[-done], counts[-done])$handle$bytes, feed(start, data$x, data$y, counts)$handle$bytes)
})

test_that("an interrupt stops predict under way, within a second, and the model stays as it is", {
    skip_on_os("windows")
    data <- long()
    fit <- sparselin(example_data()$x, example_data()$y)
    scores <- predict(fit, data$x)
    under_way <- FALSE
    interrupting <- function(original) function(...) {
        value <- NULL
        on.exit(under_way <<- called && is.null(value))
        called <- FALSE
        interrupt()
        called <- TRUE
        value <- list(original(...))
        value[[1]]
    }
    # R itself may look for an interrupt at any time, and so, rarely, before the call is made.
    for (attempt in 1:5) {
        seen <- tryCatch(with_replaced("slw_model_scores_watched", interrupting, predict(fit, data$x)), interrupt = function(condition) TRUE)
        expect_true(seen)
        if (under_way) break
    }
    expect_true(under_way)
    expect_lt(proc.time()[["elapsed"]] - sent, 1)
    expect_bits(predict(fit, data$x), scores)
})

test_that("an interrupt between passes that are judged leaves the best of them", {
    skip_on_os("windows")
    data <- example_data()
    learn <- 1:300
    options <- list(data$x[learn, ], data$y[learn], epochs = 30, validation = list(data$x[-learn, ], data$y[-learn]), patience = 40)
    whole <- do.call(sparselin, options[1:3])
    expect_warning(fit <- interrupted_at(4, do.call(sparselin, options)), "the model is that of the best pass", class = "sparselin_interrupted")
    expect_true(fit$interrupted)
    expect_lt(nrow(fit$stopping$passes), 30)
    expect_identical(summary(fit)$steps, 300 * fit$stopping$best)
    finished <- resume(fit, data$x[learn, ], data$y[learn])
    expect_identical(finished$handle$bytes, whole$handle$bytes)
    expect_null(finished$stopping)
})
