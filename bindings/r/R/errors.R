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

# Refuses arguments that a method of a generic function would otherwise swallow by its dots.
.nothing_else <- function(takes, ...) {
    if (...length() == 0) return(invisible())
    named <- head(...names()[nzchar(...names())], 1)
    .fail("invalid_argument", takes, ", and nothing else", if (length(named) == 1) paste("; there is no argument", named))
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
