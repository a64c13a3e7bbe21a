# What the scripts of this folder share. Each is run in its own folder: Rscript --vanilla run.R
suppressPackageStartupMessages({
    library(sparselin)
    library(Matrix)
})

# A plain colour for each kind of curve, told apart by the colour-blind as well.
colours <- c(blue = "#0072B2", orange = "#E69F00", green = "#009E73", red = "#D55E00", grey = "#777777")

# Draws `plots` into a PNG of so many inches.
picture <- function(file, width, height, plots) {
    png(file, width, height, units = "in", res = 110, type = "cairo")
    on.exit(dev.off())
    par(las = 1, mgp = c(2.6, 0.7, 0), tcl = -0.3, mar = c(4, 4.4, 2.6, 1), cex.main = 1.05, font.main = 1)
    force(plots)
    invisible()
}

# An axis of powers of ten, for a side that is logarithmic.
powers_axis <- function(side, exponents) {
    axis(side, at = 10^exponents, labels = parse(text = paste0("10^", exponents)))
}

# The lines of a table in Markdown. All columns are text by then; the first is aligned left.
markdown <- function(table) {
    row <- function(cells) paste0("| ", paste(cells, collapse = " | "), " |")
    c(row(names(table)), paste0("|---|", strrep("---:|", ncol(table) - 1)), apply(table, 1, row))
}

# Puts what a run has found where README.md has it, between <!-- name --> and <!-- /name -->. So every number there is one of the run.
report <- function(name, lines) {
    readme <- readLines("README.md")
    from <- match(paste0("<!-- ", name, " -->"), readme)
    to <- match(paste0("<!-- /", name, " -->"), readme)
    if (is.na(from) || is.na(to) || to < from) stop("README.md has no place for '", name, "'")
    writeLines(c(readme[1:from], lines, readme[to:length(readme)]), "README.md")
    writeLines(lines)
}

# Processor time of an expression, in seconds.
seconds <- function(expression) {
    gc(full = FALSE)
    before <- proc.time()
    force(expression)
    sum((proc.time() - before)[1:2])
}

# Seconds of sparselin(x, y, ...) for one pass and for more, divided by the steps in which they differ. Their difference leaves out what
# reading x and handing the model to R cost.
pass_times <- function(x, y, passes, ...) {
    one <- seconds(sparselin(x, y, sampling = "sequential", epochs = 1, ...))
    more <- seconds(sparselin(x, y, sampling = "sequential", epochs = 1 + passes, ...))
    c(one, more) / (passes * nrow(x))
}

# Calls each of a list of functions in turns, `rounds` times. They give two times, and the answer is the difference of the least of either:
# other programs can only add to a time.
least <- function(functions, rounds) {
    times <- lapply(functions, function(f) f())
    for (round in seq_len(rounds - 1)) times <- Map(pmin, times, lapply(functions, function(f) f()))
    vapply(times, diff, 0)
}

# Compiles a C file of this folder with more flags than R's own, loads it, and gives its name for .C().
compiled <- function(file, flags = "", name = sub("\\.c$", "", file)) {
    copy <- file.path(tempdir(), paste0(name, ".c"))
    file.copy(file, copy, overwrite = TRUE)
    log <- system2(file.path(R.home("bin"), "R"), c("CMD", "SHLIB", shQuote(copy)), stdout = TRUE, stderr = TRUE,
                   env = paste0("PKG_CFLAGS=", shQuote(flags)))
    if (!is.null(attr(log, "status"))) stop(paste(log, collapse = "\n"))
    dyn.load(sub("\\.c$", .Platform$dynlib.ext, copy))
    name
}

# Rows of a sparse matrix as C wants them: where each begins, indices from 0, values.
as_rows <- function(x) {
    x <- as(x, "RsparseMatrix")
    list(starts = x@p, indices = x@j, values = x@x)
}

count <- function(number) format(number, big.mark = ",", scientific = FALSE, trim = TRUE)

# Numbers to three figures, as text.
figures <- function(numbers) trimws(formatC(numbers, digits = 3, format = "fg", big.mark = ","))

# The mail of examples/data, which comes with the package.
mail <- function() {
    file <- function(name) system.file("extdata", name, package = "sparselin")
    train <- read_svmlight(file("spam.train.svm.xz"))
    list(train = train, test = read_svmlight(file("spam.test.svm.xz"), columns = ncol(train$x)))
}

# Scores w.x + b of coefficients c(b, w), and the share of labels on the wrong side.
scores_of <- function(coefficients, x) as.vector(x %*% coefficients[-1]) + coefficients[1]
error_of <- function(coefficients, data) mean((scores_of(coefficients, data$x) > 0) != (data$y > 0))

mean_log_loss <- function(coefficients, data) {
    margin <- scores_of(coefficients, data$x) * data$y
    mean(pmax(-margin, 0) + log1p(exp(-abs(margin))))
}

# The least mean log loss + l2/2 |w|^2, with l2/2 b^2 where the bias is regularised, and w and b acting on x - center: list(value,
# coefficients), the coefficients those for x as it is.
ridge_optimum <- function(data, l2, center = double(ncol(data$x)), bias_regularized = FALSE) {
    penalty <- l2 * c(bias_regularized, rep(1, ncol(data$x)))
    uncentered <- function(c) replace(c, 1, c[1] - sum(c[-1] * center))
    value <- function(c) mean_log_loss(uncentered(c), data) + sum(penalty * c^2) / 2
    slope <- function(c) {
        g <- -data$y * plogis(-scores_of(uncentered(c), data$x) * data$y) / nrow(data$x)
        c(sum(g), as.vector(crossprod(data$x, g)) - sum(g) * center) + penalty * c
    }
    found <- optim(double(ncol(data$x) + 1), value, slope, method = "L-BFGS-B",
                   control = list(maxit = 10000, factr = 10, pgtol = 0, lmm = 20))
    if (max(abs(slope(found$par))) > 1e-6) stop("the optimum was not found: ", found$message)
    list(value = found$value, coefficients = uncentered(found$par))
}

percent <- function(share) sprintf("%.2f %%", 100 * share)
