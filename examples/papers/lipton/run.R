# Lipton & Elkan 2015, table 1: seconds an example, lazy, dense, and dense with sparse predictions. See README.md.
source("../common.R")
vectorised <- compiled("dense.c", "-ftree-vectorize -fvect-cost-model=dynamic", "vectorised")
scalar <- compiled("dense.c", "-fno-tree-vectorize", "scalar")

features <- 260941
words_a_row <- 88.5
rows <- 2000
settings <- list(l1 = 1e-4, l2 = 1e-4, eta0 = 0.05)

# Bags of words: frequencies follow Zipf's law, and so many words are drawn for a row that it has 88.5 different ones on average.
set.seed(1)
frequency <- 1 / (seq_len(features) + 10)
frequency <- frequency / sum(frequency)
different <- function(length) sum(1 - exp(-length * frequency))
lengths <- rpois(rows, uniroot(function(length) different(length) - words_a_row, c(1, 1e4))$root)
x <- sparseMatrix(rep(seq_len(rows), lengths), sample.int(features, sum(lengths), replace = TRUE, prob = frequency), x = 1,
                  dims = c(rows, features))
truth <- rnorm(features) * (runif(features) < 0.1)
y <- ifelse(runif(rows) < plogis(as.vector(x %*% truth)), 1, -1)
x <- as(x, "RsparseMatrix")
entries <- as_rows(x)

preset <- function(update) c(list(preset = paste0("lipton-", update), loss = "log", storage = "dense"), settings)
lazy <- function(update, ...) do.call(sparselin, c(list(x, y, sampling = "sequential"), modifyList(preset(update), list(...))))
lazy_time <- function(update, ...) do.call(pass_times, c(list(x, y, passes = 100), modifyList(preset(update), list(...))))
dense <- function(update, sparse_predictions, how, rows, w = double(features)) {
    .C("learn_dense", as.integer(rows), as.integer(features), entries$starts, entries$indices, entries$values, y, settings$eta0,
       settings$l1, settings$l2, as.integer(update == "fobos"), as.integer(sparse_predictions), w = w, bias = 0, PACKAGE = how)
}

updates <- c("sgd", "fobos")
same <- sapply(updates, simplify = FALSE, function(update) {
    ours <- as.vector(coef(lazy(update)))
    theirs <- dense(update, TRUE, vectorised, rows)
    theirs <- c(theirs$bias, theirs$w)
    list(w = theirs[-1], distance = max(abs(ours - theirs) / pmax(1, abs(theirs))), zeros = sum((ours == 0) != (theirs == 0)),
         nonzeros = sum(theirs[-1] != 0))
})
if (max(vapply(same, `[[`, 0, "distance")) > 1e-9) stop("the weights differ")

# Dense steps are timed on from the weights of that pass: with zeros alone they would be too easy for the processor to foresee.
timed <- 800
dense_time <- function(update, sparse_predictions, how) {
    function() c(0, seconds(dense(update, sparse_predictions, how, timed, same[[update]]$w))) / timed
}
times <- vapply(updates, function(update) least(list(
    lazy = function() lazy_time(update), dense = dense_time(update, FALSE, scalar), sparse = dense_time(update, TRUE, scalar),
    dense_vectorised = dense_time(update, FALSE, vectorised), sparse_vectorised = dense_time(update, TRUE, vectorised)), 4), double(5))

nonzeros_a_row <- length(entries$values) / rows
ideal <- features / nonzeros_a_row
ratios <- sweep(times, 2, times["lazy", ], "/")
report("table", c(
    markdown(data.frame(check.names = FALSE,
        " " = c("lazy (sparselin)", "dense", "dense, sparse predictions", "dense, vectorised", "dense, sparse predictions, vectorised"),
        "SGD, µs an example" = figures(1e6 * times[, "sgd"]), "ratio" = figures(ratios[, "sgd"]),
        "FoBoS, µs an example" = figures(1e6 * times[, "fobos"]), "ratio " = figures(ratios[, "fobos"]))),
    "", sprintf(paste("%s rows, %s features, %.2f nonzeros a row: the ideal ratio is %s.", "A weight that is touched costs %.1f ns lazily,",
                      "%.1f ns densely, and %.2f ns densely and vectorised (SGD, sparse predictions)."),
                count(rows), count(features), nonzeros_a_row, count(round(ideal)), 1e9 * times["lazy", "sgd"] / nonzeros_a_row,
                1e9 * times["sparse", "sgd"] / features, 1e9 * times["sparse_vectorised", "sgd"] / features)))
report("same", sprintf("- %s: largest difference %.1e; %s weights are zero in one and not in the other; %s of %s are not zero.",
                       c("SGD", "FoBoS"), vapply(same, `[[`, 0, "distance"), vapply(same, `[[`, 0, "zeros"),
                       count(vapply(same, `[[`, 0, "nonzeros")), count(features)))

penalties <- c(0, 1e-5, 1e-4, 1e-3)
strength <- least(lapply(penalties, function(l1) function() lazy_time("sgd", l1 = l1)), 3)
kept <- vapply(penalties, function(l1) sum(coef(lazy("sgd", l1 = l1, epochs = 100))[-1] != 0), 0)
report("penalty", markdown(data.frame(check.names = FALSE, "l1" = format(penalties, scientific = TRUE, digits = 1, trim = TRUE),
                                      "lazy, µs an example" = figures(1e6 * strength), "weights left after 100 passes" = count(kept))))

picture("lipton.png", 8, 4.6, {
    par(mar = c(3, 5, 2.6, 1))
    shades <- c(colours["blue"], colours["grey"], colours["orange"], adjustcolor(colours[c("grey", "orange")], 0.5))
    shown <- 1e6 * times
    middles <- barplot(shown, beside = TRUE, log = "y", ylim = c(0.1, 2e5), names.arg = c("SGD", "FoBoS"), col = shades,
                       border = NA, yaxt = "n", main = sprintf("Elastic net logistic regression, %s features, %.1f nonzeros a row",
                                                               count(features), nonzeros_a_row))
    axis(2, at = 10^(-1:4), labels = c("0.1", "1", "10", "100", "1,000", "10,000"))
    mtext("µs an example", 2, line = 3.8, las = 0)
    text(middles, shown, figures(shown), pos = 3, cex = 0.85)
    legend("top", ncol = 2, c("lazy (sparselin)", "dense", "dense, sparse predictions", "dense, vectorised",
                              "dense, sparse predictions, vectorised"), fill = shades, border = NA, bty = "n", cex = 0.85)
})
