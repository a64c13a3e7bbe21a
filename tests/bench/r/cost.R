# cost.R FIT: what sparselin() costs beside the C program FIT (fit.c) on the same matrix, in processor time.
# cost.R memory: how much memory it takes.
suppressPackageStartupMessages(library(Matrix))
library(sparselin)
what <- commandArgs(TRUE)[1]

# What is measured, its bar, and whether it holds.
bars <- c(convert = 6, beyond = 15, memory = 1.1) # one copy of the matrix, and a tenth for the model and the labels
line <- function(what, value, unit, bar)
    cat(sprintf("%-38s %6.2f %-16s bar %4g   %s\n", what, value, unit, bar, if (value <= bar) "holds" else "MISSED"))

rows <- 100000L
columns <- 50000L
a_row <- 75L
set.seed(1)
index <- unlist(lapply(seq_len(rows), function(r) sample.int(columns, a_row)))
x <- sparseMatrix(i = rep(seq_len(rows), each = a_row), j = index, x = rnorm(length(index)), dims = c(rows, columns))
truth <- rnorm(columns)
y <- ifelse(as.vector(x %*% truth) > 0, 1, -1)
nonzeros <- length(x@x)
matrix_bytes <- as.numeric(object.size(x))
rm(index)
if (what != "memory") cat(sprintf("dgCMatrix of %d x %d, %d nonzeros, %.0f MB\n", rows, columns, nonzeros, matrix_bytes / 1e6))

if (what == "memory") {
    # The peak of this process's memory while it fits, above what it held before.
    status <- function(name) {
        line <- grep(paste0("^", name, ":"), readLines("/proc/self/status"), value = TRUE)
        1024 * as.numeric(gsub("[^0-9]", "", line))
    }
    invisible(gc(FALSE))
    before <- status("VmRSS")
    writeLines("5", "/proc/self/clear_refs")
    fit <- sparselin(x, y)
    line("memory while fitting, beside x", (status("VmHWM") - before) / matrix_bytes, "of x", bars[["memory"]])
    quit()
}

seconds <- function(expression) {
    gc(FALSE)
    sum(system.time(expression, gcFirst = FALSE)[c("user.self", "sys.self")])
}

data_file <- tempfile()
file <- file(data_file, "wb")
writeBin(c(rows, columns, nonzeros, x@p, x@i), file)
writeBin(c(x@x, y), file)
close(file)

convert <- asNamespace("sparselin")$slw_dataset_from_csc
release <- asNamespace("sparselin")$slw_release

# In turns; the least of each counts. What R takes to convert is measured in R: a process's memory, wherever it lies, makes all that it does
# slower or faster by some percent.
turns <- 15
times <- replicate(turns, {
    c_times <- as.numeric(strsplit(system2(what, c(data_file, 3), stdout = TRUE), " ")[[1]])
    c(c_convert = c_times[1], c_fit = c_times[2], convert = seconds(release(convert(x@p, x@i, x@x, y, NULL))), whole = seconds(sparselin(x, y)))
})
least <- apply(times, 1, min)
show <- function(what, seconds) cat(sprintf("%-38s %6.1f ms, %4.1f ns a nonzero\n", what, 1e3 * seconds, 1e9 * seconds / nonzeros))
show("C: columns to rows", least[["c_convert"]])
show("C: create and fit", least[["c_fit"]])
show("R: columns to rows", least[["convert"]])
show("R: sparselin(x, y)", least[["whole"]])
line("columns to rows, in C", 1e9 * least[["c_convert"]] / nonzeros, "ns a nonzero", bars[["convert"]])
line("sparselin(x, y) beyond that and the fit", 100 * ((least[["whole"]] - least[["convert"]]) / least[["c_fit"]] - 1), "% of C's time", bars[["beyond"]])
unlink(data_file)
