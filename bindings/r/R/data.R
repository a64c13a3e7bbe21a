# The entries of x in the arrays that it holds them in, none of which is copied: a list of the kind, row indices i and column indices j or the
# pointers p of either, all from `base` on, and the values, NULL if all are 1. Half of a symmetric matrix stands for all of it, a unit
# diagonal is not among the entries, and of logical values that are repeated there is one.
.entries <- function(x) {
    if (inherits(x, "sparselin_entries")) return(x)
    if (is.data.frame(x))
        .fail("invalid_argument", "x is a data frame; make it a matrix by as.matrix(x), or use a formula: sparselin(y ~ ., data)")
    if (inherits(x, "TermDocumentMatrix")) .fail("invalid_argument", "x has documents for columns; say t(x), a DocumentTermMatrix")
    entries <- function(kind, dim, dimnames, ..., base = 0L, symmetric = FALSE, unit = FALSE, once = FALSE)
        structure(class = "sparselin_entries",
                  list(kind = kind, dim = as.integer(dim), dimnames = if (is.null(dimnames)) list(NULL, NULL) else unname(dimnames),
                       names = dimnames[[2]], # by which a column is told of in errors, wherever it goes
                       ..., base = base, symmetric = symmetric, unit = unit, once = once))
    if (inherits(x, "simple_triplet_matrix"))
        return(entries("triplets", c(x$nrow, x$ncol), x$dimnames, i = as.integer(x$i), j = as.integer(x$j), values = x$v, base = 1L))
    if (is.null(dim(x)) && is.numeric(x))
        .fail("invalid_argument", "x is a vector of class ", class(x)[1], ", not a matrix; for a row of a matrix say x[i, , drop = FALSE]")
    if (is.matrix(x) && (is.numeric(x) || is.logical(x))) return(entries("dense", dim(x), dimnames(x), values = x))
    if (!is(x, "Matrix"))
        .fail("invalid_argument", "x must be a numeric matrix, sparse or not, but is of class ", class(x)[1], if (is.matrix(x)) paste(" and type", typeof(x)))
    if (is(x, "denseMatrix")) {
        if (!is(x, "dgeMatrix")) x <- as(as(x, "dMatrix"), "generalMatrix")
        return(entries("dense", x@Dim, x@Dimnames, values = x@x))
    }
    if (!is(x, "CsparseMatrix") && !is(x, "RsparseMatrix") && !is(x, "TsparseMatrix")) x <- as(as(x, "generalMatrix"), "TsparseMatrix") # diagonals, permutations
    part <- function(name) if (.hasSlot(x, name)) slot(x, name)
    entries(if (is(x, "CsparseMatrix")) "columns" else if (is(x, "RsparseMatrix")) "rows" else "triplets", x@Dim, dimnames(x),
            p = part("p"), i = part("i"), j = part("j"), values = part("x"), symmetric = is(x, "symmetricMatrix"),
            unit = identical(part("diag"), "U"), once = is(x, "TsparseMatrix") && !is(x, "dMatrix"))
}

dim.sparselin_entries <- function(x) x$dim
dimnames.sparselin_entries <- function(x) x$dimnames

# The error of a value that is no number, with its row and column as R counts them; nothing if there is none.
.blame_value <- function(x) {
    values <- x$values
    place <- if (is.double(values)) slw_first_not_finite(values) else match(NA, values, 0L)
    if (place == 0) return(invisible())
    at <- switch(x$kind, columns = c(x$i[place] + 1, findInterval(place - 1, x$p)), rows = c(findInterval(place - 1, x$p), x$j[place] + 1),
                 triplets = c(x$i[place], x$j[place]) - x$base + 1, dense = c((place - 1) %% nrow(x) + 1, (place - 1) %/% nrow(x) + 1))
    column <- if (is.null(x$names)) at[2] else dQuote(x$names[at[2]], FALSE)
    what <- if (is.na(values[place])) "NA" else "an infinite value"
    .fail("invalid_data", "x has ", what, " in row ", at[1], ", column ", column, row = at[1])
}

# The library's data set of the rows of x. The caller releases it.
.dataset <- function(x, labels, weights = NULL) {
    plain <- is.null(x$to) && !x$symmetric && !x$unit && (is.null(x$values) || is.double(x$values))
    own_dim <- c(nrow(x), if (is.null(x$to)) ncol(x) else length(x$to))
    data <- tryCatch(if (plain && x$kind == "columns") slw_dataset_from_csc(x$p, x$i, x$values, labels, weights)
                     else if (plain && x$kind == "rows") slw_dataset_from_csr(x$p, x$j, x$values, labels, weights)
                     else slw_dataset_from_entries(match(x$kind, c("columns", "rows", "triplets", "dense")) - 1,
                                                   as.integer(c(own_dim, x$base, x$symmetric, x$unit, x$once)), x$p, x$i, x$j, x$values, x$to, labels, weights),
                     sparselin_invalid_data = function(condition) {
                         .blame_value(x)
                         stop(condition)
                     })
    if (slw_dataset_dimension(data) > ncol(x))
        .fail("invalid_data", "x is no valid matrix: it has ", ncol(x), " columns, and an entry in column ", slw_dataset_dimension(data))
    data
}

# The entries x with their columns where the model has them. Columns that the model does not know are appended if `grow`, else left out. A
# model that has none yet takes those of x. The result's names are the model's.
.align <- function(x, object, grow) {
    names <- colnames(x)
    if (ncol(x) == 0 && !is.null(object$names)) names <- character(0)
    if (grow && object$columns == 0) return(x)
    if (is.null(names) || is.null(object$names)) {
        if (ncol(x) != object$columns)
            .fail("invalid_data", "x has ", ncol(x), " columns, but the model ", object$columns, ", and ",
                  if (is.null(object$names)) "the model" else "x", " has no column names to match by")
        x["dimnames"] <- list(list(rownames(x), object$names))
        return(x)
    }
    if (identical(names, object$names)) return(x)
    for (given in list(names, object$names))
        if (anyDuplicated(given))
            .fail("invalid_data", "columns cannot be matched by name: there are two called ", dQuote(given[anyDuplicated(given)], FALSE))
    known <- match(names, object$names)
    if (all(is.na(known)) && ncol(x) >= object$columns) # a few words that are new to the model are no mistake
        warning("x and the model have no column in common: ", toString(head(names, 3)), " ... and ", toString(head(object$names, 3)), " ...",
                call. = FALSE)
    all <- object$names
    if (grow) {
        new <- is.na(known)
        known[new] <- length(all) + seq_len(sum(new))
        all <- c(all, names[new])
    }
    x$to <- known - 1L
    x$to[is.na(known)] <- -1L
    x$dim[2] <- length(all)
    x["dimnames"] <- list(list(rownames(x), all))
    x
}
