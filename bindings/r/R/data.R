# x as a dgCMatrix or dgRMatrix, whichever is nearer.
.sparse <- function(x) {
    if (is(x, "dgCMatrix") || is(x, "dgRMatrix")) return(x)
    if (is.data.frame(x))
        .fail("invalid_argument", "x is a data frame; make it a matrix by as.matrix(x), or use a formula: sparselin(y ~ ., data)")
    if (inherits(x, "TermDocumentMatrix")) .fail("invalid_argument", "x has documents for columns; say t(x), a DocumentTermMatrix")
    if (inherits(x, "simple_triplet_matrix"))
        return(sparseMatrix(i = x$i, j = x$j, x = as.double(x$v), dims = c(x$nrow, x$ncol), dimnames = unname(x$dimnames)))
    if (is.null(dim(x)) && is.numeric(x))
        .fail("invalid_argument", "x is a vector of class ", class(x)[1], ", not a matrix; for a row of a matrix say x[i, , drop = FALSE]")
    if (!is(x, "Matrix") && !(is.matrix(x) && (is.numeric(x) || is.logical(x))))
        .fail("invalid_argument", "x must be a numeric matrix, sparse or not, but is of class ", class(x)[1], if (is.matrix(x)) paste(" and type", typeof(x)))
    as(as(as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix")
}

# The error of a value that is no number, with its row and column as R counts them; nothing if there is none.
.blame_value <- function(x) {
    place <- slw_first_not_finite(x@x)
    if (place == 0) return(invisible())
    across <- findInterval(place - 1, x@p)
    at <- if (is(x, "dgCMatrix")) c(x@i[place] + 1, across) else c(across, x@j[place] + 1)
    column <- if (is.null(colnames(x))) at[2] else dQuote(colnames(x)[at[2]], FALSE)
    what <- if (is.na(x@x[place])) "NA" else "an infinite value"
    .fail("invalid_data", "x has ", what, " in row ", at[1], ", column ", column)
}

# The library's data set of a sparse matrix. The caller releases it.
.dataset <- function(x, labels, weights = NULL) {
    data <- tryCatch(if (is(x, "dgCMatrix")) slw_dataset_from_csc(x@p, x@i, x@x, labels, weights)
                     else slw_dataset_from_csr(x@p, x@j, x@x, labels, weights),
                     sparselin_invalid_data = function(condition) {
                         .blame_value(x)
                         stop(condition)
                     })
    if (slw_dataset_dimension(data) > ncol(x))
        .fail("invalid_data", "x is no valid matrix: it has ", ncol(x), " columns, and an entry in column ", slw_dataset_dimension(data))
    data
}

# x with its columns where the model has them, list(x, names). Columns that the model does not know are appended if `grow`, else left out. A
# model that has none yet takes those of x.
.align <- function(x, object, grow) {
    names <- colnames(x)
    if (ncol(x) == 0 && !is.null(object$names)) names <- character(0)
    if (grow && object$columns == 0) return(list(x = x, names = names))
    if (is.null(names) || is.null(object$names)) {
        if (ncol(x) == object$columns) return(list(x = x, names = object$names))
        .fail("invalid_data", "x has ", ncol(x), " columns, but the model ", object$columns, ", and ",
              if (is.null(object$names)) "the model" else "x", " has no column names to match by")
    }
    if (identical(names, object$names)) return(list(x = x, names = names))
    for (given in list(names, object$names))
        if (anyDuplicated(given))
            .fail("invalid_data", "columns cannot be matched by name: there are two called ", dQuote(given[anyDuplicated(given)], FALSE))
    known <- match(names, object$names)
    if (all(is.na(known)) && ncol(x) >= object$columns) # a few words that are new to the model are no mistake
        warning("x and the model have no column in common: ", toString(head(names, 3)), " ... and ", toString(head(object$names, 3)), " ...",
                call. = FALSE)
    if (grow) object$names <- c(object$names, unique(names[is.na(known)]))
    known <- match(names, object$names)
    entries <- as(as(x, "CsparseMatrix"), "TsparseMatrix")
    kept <- !is.na(known[entries@j + 1L])
    list(names = object$names,
         x = sparseMatrix(i = entries@i[kept], j = known[entries@j[kept] + 1L] - 1L, x = entries@x[kept], index1 = FALSE,
                          dims = c(nrow(x), length(object$names))))
}
