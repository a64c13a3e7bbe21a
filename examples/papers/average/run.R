# Averages of elastic net iterates, one pass, beside glmnet's optimum of the same objective. See README.md.
source("../common.R")
suppressPackageStartupMessages(library(glmnet))

# ---- Two data sets: the mail, and rows of a seeded generator, many enough for one pass to be all that is needed.
as_data <- function(x, y) list(x = as(as(x, "CsparseMatrix"), "RsparseMatrix"), y = y)
made <- function(rows, features, words, seed) {
    set.seed(seed)
    frequency <- 1 / (seq_len(features) + 20)
    x <- sparseMatrix(rep(seq_len(rows), each = words), sample.int(features, rows * words, replace = TRUE, prob = frequency), x = 1,
                      dims = c(rows, features))
    x@x <- 1 + log(x@x)
    x <- Diagonal(x = 1 / sqrt(rowSums(x^2))) %*% x
    truth <- 12 * rnorm(features) * (runif(features) < 0.05)
    list(x = x, y = ifelse(runif(rows) < plogis(as.vector(x %*% truth)), 1, -1))
}
split_rows <- function(data, train) {
    list(train = as_data(data$x[train, ], data$y[train]), test = list(x = data$x[-train, ], y = data$y[-train]))
}
mails <- mail()
sets <- list(mail = list(train = as_data(mails$train$x, mails$train$y), test = mails$test),
             generated = split_rows(made(120000, 20000, 40, 1), 1:100000))
strengths <- 10^seq(-5, -3, by = 0.5)
share <- 0.9  # of l1 in the penalty: glmnet's alpha

learners <- list("SGD, last iterate" = list(update = "sgd", average = "none"),
                 "FoBoS, last iterate" = list(update = "fobos", average = "none"),
                 "FoBoS, plain average" = list(update = "fobos", average = "uniform"),
                 "FoBoS, polynomial average" = list(update = "fobos"),
                 "the same, 10 passes" = list(update = "fobos", epochs = 10))
seeds <- 1:3
objective <- function(c, data, l1, l2) mean_log_loss(c, data) + l1 * sum(abs(c[-1])) + l2 / 2 * sum(c[-1]^2)
measured <- function(c, set, l1, l2, seconds) c(objective(c, set$train, l1, l2), error_of(c, set$test), sum(c[-1] != 0), seconds)

results <- lapply(sets, function(set) lapply(strengths, function(l1) {
    l2 <- l1 * (1 - share) / share
    lambda <- l1 / share
    x <- as(set$train$x, "CsparseMatrix")
    # A path down to lambda is how glmnet is meant to be used, and faster than lambda alone.
    time <- seconds(path <- glmnet(x, factor(set$train$y), family = "binomial", alpha = share, standardize = FALSE, thresh = 1e-9,
                                   maxit = 1e6, lambda = lambda * 10^seq(max(0, log10(0.05 / lambda)), 0, length.out = 30)))
    optimum <- measured(as.vector(coef(path, s = lambda)), set, l1, l2, time)
    rows <- vapply(learners, function(learner) rowMeans(vapply(seeds, function(seed) {
        settings <- c(list(scale = "none", l1 = l1, l2 = l2, seed = seed), learner)
        time <- seconds(fit <- do.call(sparselin, c(list(set$train$x, set$train$y), settings)))
        measured(as.vector(coef(fit)), set, l1, l2, time)
    }, double(4))), double(4))
    found <- cbind(rows, "glmnet, the optimum" = optimum)
    rownames(found) <- c("objective", "error", "nonzeros", "seconds")
    found
}))
for (name in names(results)) for (k in c(1, 3)) {
    found <- results[[name]][[k]]
    report(paste0(name, k), markdown(data.frame(check.names = FALSE, row.names = NULL, " " = colnames(found),
        "objective" = sprintf("%.4f", found["objective", ]), "test error" = percent(found["error", ]),
        "weights not 0" = count(round(found["nonzeros", ])), "seconds" = sprintf("%.3f", found["seconds", ]))))
}

shades <- c(colours["green"], colours["orange"], colours["blue"], "#56B4E9", "black")
dashes <- c(1, 1, 1, 1, 2)
shown <- c(2, 3, 4, 5, 6)  # SGD's last iterate lies on FoBoS's
picture("average.png", 9.5, 7.4, {
    par(mfrow = c(2, 2), mar = c(4.2, 4.8, 2.6, 1), mgp = c(3, 0.7, 0), cex = 0.9)
    panel <- function(name, values, label, legend_at = NULL) {
        plot(range(strengths), range(values), log = "xy", type = "n", xaxt = "n", xlab = "l1", ylab = label, main = name)
        powers_axis(1, -5:-3)
        for (i in seq_len(nrow(values))) lines(strengths, values[i, ], col = shades[i], lwd = 2, lty = dashes[i], type = "o", pch = 16,
                                                cex = 0.7)
        names <- sub("glmnet, the optimum", "glmnet", rownames(values))
        used <- seq_along(names)
        if (!is.null(legend_at)) legend(legend_at, names, col = shades[used], lwd = 2, lty = dashes[used], bty = "n", cex = 0.8)
    }
    for (name in names(results)) {
        errors <- vapply(results[[name]], function(found) 100 * found["error", shown], double(5))
        panel(name, errors, "test error, %", if (name == "generated") "bottomright")
        above <- vapply(results[[name]], function(found) found["objective", shown[-5]] - found["objective", 6], double(4))
        panel(name, above, "", if (name == "generated") "bottomleft")
        mtext("objective above the optimum", 2, line = 3.6, las = 0, cex = 0.9)
    }
})
