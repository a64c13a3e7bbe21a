# An encoder learns names where it is, so it is an environment: `pointer`, the `bytes` that outlive its session, and whether it still `learns`.
.new_encoder <- function(pointer) {
    handle <- new.env(parent = emptyenv())
    handle$pointer <- pointer
    .keep_encoder(handle)
    handle$learns <- slw_encoder_option(pointer, "features") == "dictionary" || slw_encoder_option(pointer, "keep_names") == "true"
    structure(list(handle = handle), class = "sl_encoder")
}

.keep_encoder <- function(handle) {
    bytes <- raw(slw_encoder_to_bytes(handle$pointer, raw(0)))
    slw_encoder_to_bytes(handle$pointer, bytes)
    handle$bytes <- bytes
}

.encoder_pointer <- function(encoder) {
    if (!inherits(encoder, "sl_encoder")) .fail("invalid_argument", "encoder must be made by sl_encoder()", .not(encoder))
    handle <- encoder$handle
    if (!slw_is_open(handle$pointer)) handle$pointer <- slw_encoder_from_bytes(handle$bytes)
    handle$pointer
}

.default_bits <- 22

sl_encoder <- function(..., crosses = NULL) {
    settings <- .settings(...)
    hashed <- !identical(settings$features, "dictionary")
    if (hashed && is.null(settings$hash_bits)) settings$hash_bits <- .default_bits
    pointer <- slw_encoder_create(.options(settings))
    if (hashed) .check_bits(pointer)
    if (is.character(crosses)) crosses <- list(crosses)
    for (pair in crosses) {
        if (!is.character(pair) || length(pair) != 2) .fail("invalid_argument", "crosses must be pairs of fields, as in list(c(\"city\", \"day\"))", .not(pair))
        slw_encoder_cross(pointer, pair[1], pair[2])
    }
    .new_encoder(pointer)
}

.check_bits <- function(pointer)
    if (slw_encoder_dimension(pointer) > 2^31)
        .fail("invalid_option", "hash_bits is 32, but indices in R have 31 bits: make an encoder, and the model, with hash_bits of 31 or less")

encode <- function(encoder, x, text = NULL, name = "") {
    pointer <- .encoder_pointer(encoder)
    .check_bits(pointer)
    data <- tryCatch(.encoded(pointer, x, text, name), error = function(condition) {
        if (encoder$handle$learns) encoder$handle$pointer <- NULL # what was learned before the failure is forgotten
        stop(condition)
    })
    on.exit(slw_release(data))
    if (encoder$handle$learns) .keep_encoder(encoder$handle)
    dictionary <- slw_encoder_option(pointer, "features") == "dictionary"
    if (slw_dataset_dimension(data) > .Machine$integer.max)
        .fail("invalid_data", "a feature has the last index of 31 bits, which is one too many for a matrix in R: set hash_bits to less")
    x <- .rows_of(data, min(slw_encoder_dimension(pointer), .Machine$integer.max))$x
    if (dictionary) x@Dimnames[2] <- list(.dictionary(pointer))
    x
}

# All names of a dictionary; of those that were dropped the numbers.
.dictionary <- function(pointer) {
    features <- seq_len(slw_encoder_dimension(pointer)) - 1
    names <- slw_encoder_names(pointer, as.double(features))
    names[is.na(names)] <- sprintf("V%.0f", features[is.na(names)] + 1)
    names
}

.encoded <- function(pointer, x, text, name) {
    if (is.character(x) && is.null(dim(x))) {
        if (!is.null(text)) .fail("invalid_argument", "x is a vector of texts, so there are no columns to call text")
        if (!is.character(name) || length(name) != 1 || is.na(name)) .fail("invalid_argument", "name must be one string", .not(name))
        return(slw_encoder_strings(pointer, name, x))
    }
    if (!is.list(x)) .fail("invalid_argument", "x must be a vector of texts, a data frame or a list of columns, not ", class(x)[1])
    names <- names(x)
    if (length(x) > 0 && (is.null(names) || anyNA(names) || any(names == "" & !names %in% text))) .fail("invalid_argument", "the columns of x must be named")
    unknown <- setdiff(text, names)
    if (length(unknown) > 0) .fail("invalid_argument", "text names ", dQuote(unknown[1], FALSE), ", which is no column of x")
    rows <- if (is.data.frame(x)) nrow(x) else if (length(x) > 0) length(x[[1]]) else 1
    columns <- lapply(names, function(field) NULL)
    for (c in seq_along(names)) {
        column <- x[[c]]
        if (is.logical(column)) column <- c("false", "true")[column + 1L]
        plain <- is.null(dim(column)) && (is.character(column) || is.factor(column) || (is.numeric(column) && is.atomic(column) && !names[c] %in% text))
        if (!plain) .fail("invalid_data", "column ", dQuote(names[c], FALSE), " is of class ", class(column)[1],
                          if (names[c] %in% text) ", not text" else ", not numeric, logical, a factor or text")
        if (length(column) != rows) .fail("invalid_data", "column ", dQuote(names[c], FALSE), " has ", length(column), " entries, not ", rows)
        columns[[c]] <- column
    }
    slw_encoder_table(pointer, as.character(names), columns, names %in% text, rows)
}

freeze <- function(encoder) {
    slw_encoder_freeze(.encoder_pointer(encoder))
    .keep_encoder(encoder$handle)
    encoder$handle$learns <- FALSE
    invisible(encoder)
}

encoder_dimension <- function(encoder) slw_encoder_dimension(.encoder_pointer(encoder))

encoder_names <- function(encoder, columns = NULL) {
    pointer <- .encoder_pointer(encoder)
    if (is.null(columns)) {
        if (slw_encoder_option(pointer, "features") != "dictionary") .fail("invalid_argument", "columns is missing: names of hashed features are asked for by their columns")
        columns <- seq_len(slw_encoder_dimension(pointer))
    }
    if (!is.numeric(columns) || anyNA(columns) || any(columns < 1 | columns > 2^32 | columns %% 1 != 0))
        .fail("invalid_argument", "columns must be whole numbers from 1 on", if (is.numeric(columns)) .not(columns[is.na(columns) | columns < 1 | columns %% 1 != 0][1]) else .not(columns))
    slw_encoder_names(pointer, as.double(columns) - 1)
}

print.sl_encoder <- function(x, ...) {
    pointer <- .encoder_pointer(x)
    table <- sparselin_options()
    table <- table[table$encoder, ]
    settings <- vapply(table$name, function(name) slw_encoder_option(pointer, name), "")
    changed <- settings != table$default
    cat("Encoder of features by name, ", .count(slw_encoder_dimension(pointer)), " columns\n", sep = "")
    if (any(changed)) cat("Options: ", paste(table$name[changed], settings[changed], sep = " = ", collapse = ", "), "\n", sep = "")
    invisible(x)
}

encoder_bytes <- function(encoder) {
    .encoder_pointer(encoder)
    encoder$handle$bytes
}

save_encoder <- function(encoder, path) {
    slw_encoder_save(.encoder_pointer(encoder), .path(path))
    invisible(encoder)
}

load_encoder <- function(from) .new_encoder(if (is.raw(from)) slw_encoder_from_bytes(from) else slw_encoder_load(.path(from)))

set_encoder <- function(model, encoder) {
    if (!inherits(model, "sparselin")) .fail("invalid_argument", "model must be made by sparselin()", .not(model))
    pointer <- slw_model_clone(.pointer(model))
    slw_model_set_encoder(pointer, if (is.null(encoder)) .no_encoder() else .encoder_pointer(encoder))
    model$handle <- .handle(pointer)
    model
}

# An encoder that is closed, for the library none.
.no_encoder <- function() {
    pointer <- slw_encoder_create(slw_options_create())
    slw_release(pointer)
    pointer
}

model_encoder <- function(model) {
    if (!inherits(model, "sparselin")) .fail("invalid_argument", "model must be made by sparselin()", .not(model))
    .new_encoder(slw_model_encoder(.pointer(model)))
}

# The encoder that a model carries, or NULL. It is asked for once.
.carried <- function(object) {
    pointer <- .pointer(object)
    handle <- object$handle
    if (is.null(handle$encoder)) {
        handle$encoder <- tryCatch(.new_encoder(slw_model_encoder(pointer)), sparselin_state = function(condition) FALSE)
        if (inherits(handle$encoder, "sl_encoder") && slw_encoder_option(handle$encoder$handle$pointer, "min_count") == "1")
            freeze(handle$encoder) # new names are none of the model's
    }
    if (inherits(handle$encoder, "sl_encoder")) handle$encoder
}

# The columns x of a model: of texts, as the encoder that it carries makes them.
.rows <- function(object, x) {
    if (!is.character(x) || !is.null(dim(x))) return(.entries(x))
    encoder <- .carried(object)
    if (is.null(encoder)) .fail("invalid_argument", "x is a vector of texts, but the model carries no encoder for them (see set_encoder)")
    .entries(encode(if (encoder$handle$learns) .copied(encoder) else encoder, x))
}

.copied <- function(encoder) load_encoder(encoder_bytes(encoder))

# The variables of ~ a + b, for columns of a frame that are called (text.1) and so on.
.text_variables <- function(text) {
    if (!inherits(text, "formula") || length(text) != 2) .fail("invalid_argument", "text must be a formula of one side, as in ~ message", .not(text))
    terms <- stats::terms(text)
    if (any(attr(terms, "order") > 1) || length(attr(terms, "term.labels")) == 0)
        .fail("invalid_argument", "text must name variables, as in ~ subject + message")
    variables <- as.list(attr(terms, "variables"))[-1]
    names(variables) <- paste0("text.", seq_along(variables))
    variables
}

.text_names <- function(variables) vapply(variables, function(variable) paste(deparse(variable, 500L), collapse = " "), "")

# Texts that new data lack are an error, even where R would find a function of the name.
.find_texts <- function(variables, data, space)
    for (name in setdiff(unlist(lapply(variables, all.vars)), names(data)))
        if (!exists(name, space) || is.function(get(name, space))) .fail("invalid_argument", "the data have no variable ", dQuote(name, FALSE))

# The variables' texts, by the names of their fields: one alone has none, so that its words are their own names.
.texts <- function(frame, variables) {
    names <- .text_names(variables)
    texts <- lapply(seq_along(variables), function(v) {
        column <- frame[[paste0("(", names(variables)[v], ")")]]
        if (!is.character(column) && !is.factor(column)) .fail("invalid_data", "variable ", dQuote(names[v], FALSE), " is of class ", class(column)[1], ", not text")
        if (anyNA(column)) .fail("invalid_data", "variable ", dQuote(names[v], FALSE), " has NA in row ", which(is.na(column))[1], row = which(is.na(column))[1])
        as.character(column)
    })
    if (length(texts) == 1) texts[[1]] else structure(texts, names = names)
}

.encode_texts <- function(encoder, texts) if (is.list(texts)) encode(encoder, texts, names(texts)) else encode(encoder, texts)

# Rows of two matrices side by side.
.beside <- function(first, second) {
    if (ncol(second) == 0) {
        x <- first
    } else {
        second <- as(second, "RsparseMatrix")
        sizes <- list(diff(first@p), diff(second@p))
        place <- order(c(rep(seq_along(sizes[[1]]), sizes[[1]]), rep(seq_along(sizes[[2]]), sizes[[2]])), method = "radix")
        columns <- 0 + ncol(first) + ncol(second)
        if (columns > .Machine$integer.max) .fail("invalid_option", "there are too many columns for a matrix in R: set hash_bits to less than 31")
        x <- new("dgRMatrix", p = c(0L, cumsum(sizes[[1]] + sizes[[2]])), j = c(first@j, second@j + ncol(first))[place], x = c(first@x, second@x)[place],
                 Dim = c(nrow(first), as.integer(columns)))
        if (!is.null(colnames(first))) x@Dimnames[2] <- list(c(colnames(first), colnames(second)))
    }
    x@Dimnames[1] <- list(rownames(second))
    x
}

# The names of columns that a model without names of its own has by its encoder and formula; NA where there are none.
.known_names <- function(object, columns) {
    encoder <- .carried(object)
    if (is.null(encoder)) return(rep(NA_character_, length(columns)))
    dimension <- encoder_dimension(encoder)
    names <- object$design[columns - dimension * (columns > dimension)]
    names[columns <= dimension] <- tryCatch(slw_encoder_names(.encoder_pointer(encoder), columns[columns <= dimension] - 1),
                                            sparselin_state = function(condition) NA_character_)
    names
}
