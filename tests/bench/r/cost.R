# cost.R FIT: what sparselin() costs beside the C program FIT (fit.c) on the same matrix, in processor time.
# cost.R memory: how much memory it takes.
suppressPackageStartupMessages(library(Matrix))
library(sparselin)
what <- commandArgs(TRUE)[1]

# What is measured, its bar, and whether it holds.
bars <- c(convert = 6, beyond = 15, memory = 1.2, dense = 1.5) # one copy of the matrix, and some for the model and the labels
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
    # The peak of this process's memory above what it held before, by the bytes of the matrix: of a sparse one of any kind as a dgCMatrix, 12
    # a nonzero; of a dense one its own, 8 an entry. `dense half` has as many zeros as other values.
    status <- function(name) {
        line <- grep(paste0("^", name, ":"), readLines("/proc/self/status"), value = TRUE)
        1024 * as.numeric(gsub("[^0-9]", "", line))
    }
    peak <- function(call, bytes) {
        invisible(gc(FALSE))
        before <- status("VmRSS")
        writeLines("5", "/proc/self/clear_refs")
        call()
        (status("VmHWM") - before) / bytes
    }
    colnames(x) <- paste0("w", seq_len(columns))
    backwards <- sparselin(x[1:1000, columns:1], y[1:1000])
    square <- unname(x[1:50000, ])
    terms <- function(x) {
        x <- as(x, "TsparseMatrix")
        structure(class = c("DocumentTermMatrix", "simple_triplet_matrix"),
                  list(i = x@i + 1L, j = x@j + 1L, v = x@x, nrow = nrow(x), ncol = ncol(x), dimnames = x@Dimnames))
    }
    kinds <- list(dgCMatrix = function() x, dgRMatrix = function() as(x, "RsparseMatrix"), dgTMatrix = function() as(x, "TsparseMatrix"),
                  lgCMatrix = function() x != 0, ngCMatrix = function() as(x, "nMatrix"), lgTMatrix = function() as(x != 0, "TsparseMatrix"),
                  dsCMatrix = function() forceSymmetric(square), dtCMatrix = function() triu(square), dtTMatrix = function() as(triu(square), "TsparseMatrix"),
                  DocumentTermMatrix = function() terms(x))
    for (kind in names(kinds)) {
        given <- kinds[[kind]]()
        labels <- y[seq_len(if (isS4(given)) nrow(given) else given$nrow)]
        entries <- if (isS4(given)) nnzero(given) else length(given$v)
        line(paste("fit,", kind), peak(function() sparselin(given, labels), 12 * entries), "of a dgCMatrix", bars[["memory"]])
        if (kind %in% c("dgCMatrix", "dgRMatrix", "dgTMatrix"))
            line(paste("predict, columns permuted,", kind), peak(function() predict(backwards, given), 12 * entries), "of a dgCMatrix", bars[["memory"]])
    }
    rm(x, given, square)
    for (zeros in c(0, 0.5)) {
        given <- matrix(rnorm(2e7) * (runif(2e7) >= zeros), ncol = 1000)
        what <- if (zeros == 0) "dense, no zero" else "dense, half zeros"
        line(paste("fit,", what), peak(function() sparselin(given, y[seq_len(nrow(given))]), 8 * length(given)), "of x", bars[["dense"]])
    }
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
