# Calls use(options, read) with the file that is to be read, unpacked if it is compressed. `read` is for the library,
# which asks it for bytes.
.with_svmlight <- function(path, index_base, columns, use) {
    options <- slw_options_create()
    slw_options_set(options, "index_base", index_base)
    path <- .path(path)
    if (!file.exists(path)) .fail("io", path, ": no such file")
    if (dir.exists(path)) .fail("io", path, " is a folder")
    if (!is.null(columns) && (!is.numeric(columns) || length(columns) != 1 || is.na(columns) || columns %% 1 != 0))
        .fail("invalid_argument", "columns must be a whole number", .not(columns))
    file <- gzfile(path, "rb")
    on.exit(close(file))
    use(options, function(bytes) readBin(file, "raw", min(bytes, 2^20)))
}

# The library's rows as list(x, y), of so many columns; NULL: as many as they have.
.matrix_of <- function(data, columns) {
    rows <- .rows_of(data, columns)
    list(x = as(rows$x, "CsparseMatrix"), y = rows$y)
}

# The same, x by rows.
.rows_of <- function(data, columns) {
    rows <- slw_dataset_rows(data)
    nonzeros <- slw_dataset_nonzeros(data)
    found <- slw_dataset_dimension(data)
    if (is.null(columns)) columns <- found
    if (columns < found) .fail("invalid_data", "columns is ", columns, ", but the file has a column ", .count(found))
    if (max(rows, nonzeros, columns) > .Machine$integer.max)
        .fail("invalid_data", "the file is too large for a matrix in R; read it in parts, by stream_svmlight()")
    p <- integer(rows + 1)
    j <- integer(nonzeros)
    x <- numeric(nonzeros)
    y <- numeric(rows)
    slw_dataset_to_csr(data, p, j, x, y)
    list(x = new("dgRMatrix", p = p, j = j, x = x, Dim = as.integer(c(rows, columns))), y = y)
}

read_svmlight <- function(path, index_base = c("one", "zero"), columns = NULL) {
    index_base <- match.arg(index_base)
    .with_svmlight(path, index_base, columns, function(options, read) {
        data <- slw_dataset_read(read, options)
        on.exit(slw_release(data))
        .matrix_of(data, columns)
    })
}

stream_svmlight <- function(path, each, columns, rows = 10000, index_base = c("one", "zero")) {
    index_base <- match.arg(index_base)
    if (!is.function(each)) .fail("invalid_argument", "each must be a function of x and y", .not(each))
    if (missing(columns)) .fail("invalid_argument", "columns is missing: each chunk has to have as many as the next")
    if (!is.numeric(rows) || length(rows) != 1 || is.na(rows) || rows < 1) .fail("invalid_argument", "rows must be a number, at least 1", .not(rows))
    done <- 0
    .with_svmlight(path, index_base, columns, function(options, read) {
        reader <- slw_reader_create(options)
        on.exit(slw_release(reader))
        repeat {
            data <- slw_reader_next(reader, read, min(rows, .Machine$integer.max))
            chunk <- tryCatch(if (slw_dataset_rows(data) > 0) .matrix_of(data, columns), finally = slw_release(data))
            if (is.null(chunk)) break
            each(chunk$x, chunk$y)
            done <<- done + length(chunk$y)
        }
    })
    invisible(done)
}
