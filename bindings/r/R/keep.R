# The one path of a file that was given.
.path <- function(path) {
    if (!is.character(path) || length(path) != 1 || is.na(path)) .fail("invalid_argument", "path must be one string")
    path.expand(path)
}

save_model <- function(model, path, keep = c("everything", "predictor")) {
    if (!inherits(model, "sparselin")) .fail("invalid_argument", "model must be made by sparselin()")
    keep <- match(match.arg(keep), c("everything", "predictor")) - 1
    slw_model_save(.pointer(model), keep, .path(path))
    invisible(model)
}

load_model <- function(path, names = NULL, levels = NULL) {
    pointer <- slw_model_load(.path(path))
    if (!is.null(levels) && length(levels) != 2) .fail("invalid_argument", "levels must be two, not ", length(levels))
    columns <- slw_model_dimension(pointer)
    if (!is.null(names) && length(names) < columns)
        .fail("invalid_argument", "there are ", length(names), " names, but the model has ", .count(columns), " columns")
    labels <- if (is.null(levels)) list(kind = "number", levels = NULL)
              else if (is.logical(levels)) list(kind = "logical", levels = c(FALSE, TRUE))
              else list(kind = "factor", levels = as.character(levels))
    .model(NULL, .handle(pointer), names, max(length(names), columns), labels, slw_model_option(pointer, "loss"))
}
