# Signals an error of class sparselin_<kind>, as from the function of this package that the user called.
.fail <- function(kind, ...) {
    space <- environment(.fail)
    call <- NULL
    for (i in seq_len(sys.nframe()))
        if (identical(environment(sys.function(i)), space)) {
            call <- sys.call(i)
            break
        }
    class <- c(paste0("sparselin_", kind), "sparselin_error", "error", "condition")
    stop(structure(class = class, list(message = paste0(...), call = call)))
}

# Called from C when the library has failed. The library counts rows from 0.
.stop <- function(status, message) {
    row <- regmatches(message, regexec("^row ([0-9]+)", message))[[1]]
    if (length(row) == 2) {
        from_one <- format(as.numeric(row[2]) + 1, scientific = FALSE, digits = 15)
        message <- paste0("row ", from_one, substring(message, nchar(row[1]) + 1))
    }
    .fail(tolower(sub("^SL_ERROR_", "", status)), message)
}
