# glmnet.R A9A A9A.t SPAMBASE.csv: how near the least objective training comes, and how good small models are, beside glmnet, in two tables.
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
source(file.path(here, "../../../examples/papers/common.R"))
suppressPackageStartupMessages(library(glmnet))
glmnet.control(fdev = 0, devmax = 1)
files <- commandArgs(TRUE)

as_data <- function(x, y) list(x = as(as(x, "CsparseMatrix"), "RsparseMatrix"), y = ifelse(y > 0, 1, -1))
a9a <- function() {
    train <- read_svmlight(files[1])
    test <- read_svmlight(files[2], columns = ncol(train$x))
    list(train = as_data(train$x, train$y), test = as_data(test$x, test$y))
}
# Every fifth row is a test row; columns are divided by the root mean square of their nonzeros, as the option scale does.
spambase <- function() {
    table <- as.matrix(read.csv(files[3], header = FALSE))
    test <- seq_len(nrow(table)) %% 5 == 0
    x <- table[, -ncol(table)]
    x <- Matrix(sweep(x, 2, sqrt(colSums(x[!test, ]^2) / colSums(x[!test, ] != 0)), "/"), sparse = TRUE)
    list(train = as_data(x[!test, ], table[!test, ncol(table)]), test = as_data(x[test, ], table[test, ncol(table)]))
}
noise <- function() {
    set.seed(1)
    as_data(Matrix(rnorm(20000), 1000, sparse = TRUE), rbinom(1000, 1, 0.5))
}

objective <- function(c, data, l1, l2) mean_log_loss(c, data) + l1 * sum(abs(c[-1])) + l2 / 2 * sum(c[-1]^2)

# glmnet's coefficients c(b, w), and the least objective: by the slopes there, no coefficients of about that size are better by more than a
# third of the smallest bar, or there is a warning.
optimum <- function(data, l1, l2) {
    lambda <- l1 + l2
    path <- glmnet(as(data$x, "CsparseMatrix"), factor(data$y), family = "binomial", alpha = l1 / lambda, standardize = FALSE, thresh = 1e-9,
                   maxit = 1e6, lambda = lambda * 10^seq(max(0, log10(0.05 / lambda)), 0, length.out = 12))
    c <- as.vector(coef(path, s = lambda))
    g <- -data$y * plogis(-scores_of(c, data$x) * data$y) / nrow(data$x)
    slope <- c(sum(g), as.vector(crossprod(data$x, g))) + l2 * replace(c, 1, 0)
    pull <- replace(rep(l1, length(c)), 1, 0)
    off <- ifelse(c == 0, pmax(abs(slope) - pull, 0), abs(slope + pull * sign(c)))
    value <- objective(c, data, l1, l2)
    possible <- sum(off * (abs(c) + 0.01)) / value
    if (possible > 3e-4) warning(sprintf("l1 %g, l2 %g: glmnet may be %.1g above the least objective", l1, l2, possible))
    list(coefficients = c, value = value, nonzeros = sum(c[-1] != 0))
}

fitted <- function(data, l1, l2, passes, ...) {
    fit <- sparselin(data$x, data$y, scale = "none", l1 = l1, l2 = l2, epochs = passes, seed = 1, ...)
    as.vector(coef(fit))
}

small_l2 <- 1e-6  # what l2 is if it is left out, for loss log
sets <- list(a9a = a9a(), spambase = spambase(), mail = local({
    m <- mail()
    list(train = as_data(m$train$x, m$train$y), test = as_data(m$test$x, m$test$y))
}))
row <- function(...) cat("|", paste(c(...), collapse = " | "), "|\n")
with_bar <- function(text, holds) paste0(text, if (holds) "" else " (NOT)")

passes <- c(1, 10, 100)
bars <- c(5e-2, 5e-3, 1e-3)
cat("Objective over the least one, less 1, after so many passes; bars", bars, "\n\n")
row("set", "l1", "l2", "least", passes)
row("---", rep("---:", 6))
above <- function(name, data, l1, l2) {
    least <- optimum(data, l1, l2)$value
    found <- vapply(passes, function(n) objective(fitted(data, l1, l2, n), data, l1, l2) / least - 1, 0)
    row(name, l1, l2, sprintf("%.5f", least), Map(function(value, bar) with_bar(sprintf("%.1e", value), value <= bar), found, bars))
}
for (name in c("a9a", "spambase")) {
    for (l2 in 10^(-2:-4)) above(name, sets[[name]]$train, 0, l2)
    for (l1 in 10^(-2:-4)) above(name, sets[[name]]$train, l1, small_l2)
}
above("noise", noise(), 0, small_l2)

cat("\nTen passes: objective over the least one, less 1, test error, weights that are not 0; bars for the sparse average 2 %, 1.5 times glmnet's weights\n\n")
kinds <- list("average none" = list(average = "none"), "the average" = list(), "sparse_average" = list(sparse_average = "true"))
row("set", "l1", "glmnet", names(kinds))
row("---", rep("---:", 5))
for (name in names(sets)) for (l1 in 10^(-2:-5)) {
    set <- sets[[name]]
    best <- optimum(set$train, l1, small_l2)
    cell <- function(c, mark = FALSE) {
        over <- objective(c, set$train, l1, small_l2) / best$value - 1
        count <- sum(c[-1] != 0)
        with_bar(sprintf("%.2f %%, %.2f %%, %d", 100 * over, 100 * error_of(c, set$test), count),
                 !mark || (over <= 0.02 && count <= 1.5 * best$nonzeros))
    }
    row(name, l1, cell(best$coefficients), vapply(names(kinds), function(kind)
        cell(do.call(fitted, c(list(set$train, l1, small_l2, 10), kinds[[kind]])), kind == "sparse_average"), ""))
}
