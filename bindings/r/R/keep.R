# The one path of a file that was given.
.path <- function(path) {
    if (!is.character(path) || length(path) != 1 || is.na(path)) .fail("invalid_argument", "path must be one string", .not(path))
    path.expand(path)
}

save_model <- function(model, path, keep = c("everything", "predictor")) {
    if (!inherits(model, "sparselin")) .fail("invalid_argument", "model must be made by sparselin()", .not(model))
    keep <- match(match.arg(keep), c("everything", "predictor")) - 1
    slw_model_save(.pointer(model), keep, .path(path))
    invisible(model)
}

load_model <- function(path, names = NULL, levels = NULL) {
    pointer <- slw_model_load(.path(path))
    numbers <- tryCatch(.class_numbers(pointer), sparselin_state = function(condition) NULL)
    if (!is.null(levels) && (length(levels) < 2 || length(levels) != length(if (is.null(numbers)) levels else numbers)))
        .fail("invalid_argument", "levels must be ", if (is.null(numbers)) "two or more" else length(numbers), ", one for each class, not ", length(levels))
    columns <- slw_model_dimension(pointer)
    encoder <- tryCatch(slw_model_encoder(pointer), sparselin_state = function(condition) NULL)
    if (!is.null(encoder)) {
        columns <- max(columns, slw_encoder_dimension(encoder))
        if (is.null(names) && slw_encoder_option(encoder, "features") == "dictionary" && columns == slw_encoder_dimension(encoder))
            names <- .dictionary(encoder)
    }
    if (!is.null(names) && length(names) < columns)
        .fail("invalid_argument", "there are ", length(names), " names, but the model has ", .count(columns), " columns")
    labels <- if (is.null(levels)) list(kind = "number", levels = NULL)
              else .level_kind(if (is.logical(levels)) c(FALSE, TRUE) else as.character(levels))
    if (!is.null(levels) && !is.null(numbers)) labels$numbers <- numbers
    .model(NULL, .handle(pointer), names, max(length(names), columns), labels, slw_model_option(pointer, "loss"))
}
