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

# Seconds a step of sparselin(x, y, ...): what more passes cost over one, so that reading x and handing the model to R are left out.
seconds_a_step <- function(x, y, passes, ...) {
    one <- seconds(sparselin(x, y, sampling = "sequential", epochs = 1, ...))
    more <- seconds(sparselin(x, y, sampling = "sequential", epochs = 1 + passes, ...))
    (more - one) / (passes * nrow(x))
}

# Calls each of a list of functions in turns, `rounds` times, and gives each one's least value: other programs can only add to a time.
least <- function(functions, rounds) {
    apply(replicate(rounds, vapply(functions, function(f) f(), 0)), 1, min)
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
