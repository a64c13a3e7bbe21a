# Signals an error of class sparselin_<kind>, as from the function of this package that the user called. `row` of it is
# the row of x that is at fault, NA if there is none.
.fail <- function(kind, ..., row = NA_real_) {
    space <- environment(.fail)
    call <- NULL
    for (i in seq_len(sys.nframe()))
        if (identical(environment(sys.function(i)), space)) {
            call <- sys.call(i)
            break
        }
    class <- c(paste0("sparselin_", kind), "sparselin_error", "error", "condition")
    stop(structure(class = class, list(message = paste0(...), call = call, row = row)))
}

# What was given instead of what a message asks for: ", not 2.5".
.not <- function(value) {
    short <- is.null(value) || (is.atomic(value) && !is.object(value) && is.null(dim(value)) && length(value) == 1)
    if (!short) return(paste0(", not of class ", class(value)[1], if (is.atomic(value)) paste(" and length", length(value))))
    text <- paste(deparse(value), collapse = " ")
    paste0(", not ", if (nchar(text) > 40) paste0(substr(text, 1, 37), "...") else text)
}

# Refuses arguments that a method of a generic function would otherwise swallow by its dots.
.nothing_else <- function(takes, ...) {
    if (...length() == 0) return(invisible())
    named <- head(...names()[nzchar(...names())], 1)
    .fail("invalid_argument", takes, ", and nothing else", if (length(named) == 1) paste("; there is no argument", named))
}

# What the library's messages tell to call, by the name that it has here.
.calls <- c("sl_encoder_create" = "sl_encoder", "sl_model_create" = "sparselin", "sl_model_class_bias" = "coef", "sl_model_class_labels" = "class_labels",
            "sl_model_class_nonzeros" = "coef", "sl_model_class_weight" = "coef", "sl_model_predicted_labels" = "predict",
            "sl_model_probabilities" = "predict", "sl_model_scores" = "predict", "sl_model_scores_csr" = "predict",
            "sl_model_scores_dataset" = "predict", "sl_model_scores_rows" = "predict", "sl_model_set_encoder" = "set_encoder",
            "sl_model_set_labels" = "set_labels")

# Called from C when the library has failed. Rows count from 0 there, and -1 is none.
.stop <- function(status, row, reason) {
    kind <- tolower(sub("^SL_ERROR_", "", status))
    for (call in names(.calls)) reason <- gsub(paste0("\\b", call, "\\b"), .calls[[call]], reason, perl = TRUE)
    if (row < 0) .fail(kind, reason)
    .fail(kind, "row ", format(row + 1, scientific = FALSE, digits = 15), ": ", reason, row = row + 1)
}
