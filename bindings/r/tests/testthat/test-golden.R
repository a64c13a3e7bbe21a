# The library's golden vectors (its tests/data/VECTORS.md has the format), by the flat calls.
defaults <- list(l1 = "0", l2 = "0", update = "sgd", average = "none", average_start = "0", center = "false", bias = "true",
                             bias_regularized = "false", normalize = "none", scale = "none", noise = "0")

golden_lines <- function() {
    file <- gzfile("golden.txt.gz")
    on.exit(close(file))
    lines <- readLines(file)
    lines[lines != "" & !startsWith(lines, "#")]
}

# "INDEX:VALUE ..." as a row.
parse_row <- function(pairs) {
    if (length(pairs) == 0) return(list(index = numeric(0), value = numeric(0)))
    colon <- regexpr(":", pairs, fixed = TRUE)
    list(index = as.numeric(substr(pairs, 1, colon - 1)), value = as.numeric(substring(pairs, colon + 1)))
}

parse_case <- function(lines) {
    words <- strsplit(lines, " ", fixed = TRUE)
    kind <- vapply(words, `[`, "", 1)
    of <- function(name) words[kind == name]
    as_integers(list(name = of("case")[[1]][2],
                     options = utils::modifyList(defaults, setNames(lapply(of("option"), `[`, 3), vapply(of("option"), `[`, "", 2))),
                     passes = if (any(kind == "passes")) as.numeric(of("passes")[[1]][2]) else 1,
                     label = vapply(of("example"), function(line) as.numeric(line[2]), 0),
                     weight = vapply(of("example"), function(line) as.numeric(line[3]), 0),
                     rows = lapply(of("example"), function(line) parse_row(line[-(1:3)])),
                     weights = vapply(of("weight"), function(line) as.numeric(line[2:3]), c(0, 0)),
                     bias = as.numeric(of("bias")[[1]][2]),
                     score = vapply(of("predict"), function(line) as.numeric(line[2]), 0),
                     new_rows = lapply(of("predict"), function(line) parse_row(line[-(1:2)]))))
}

# Some cases have indices that R's integers cannot hold. Those are numbered anew, in the same order, which changes no weight.
as_integers <- function(case) {
    index_of <- function(rows) unlist(lapply(rows, `[[`, "index"))
    all <- sort(unique(c(index_of(case$rows), index_of(case$new_rows), case$weights[1, ])))
    case$renumbered <- max(all) > .Machine$integer.max
    number <- function(index) if (case$renumbered) match(index, all) - 1L else as.integer(index)
    renumber <- function(row) list(index = number(row$index), value = row$value)
    case$rows <- lapply(case$rows, renumber)
    case$new_rows <- lapply(case$new_rows, renumber)
    case$weights[1, ] <- number(case$weights[1, ])
    case
}

new_model <- function(case) {
    model <- slw_model_create(.options(case$options))
    if (case$options$center == "true" || case$options$scale != "none")
        for (r in seq_along(case$rows)) slw_model_observe(model, case$rows[[r]]$index, case$rows[[r]]$value, case$weight[r])
    model
}

# One row at a time, and all rows as a data set.
fed_singly <- function(case) {
    model <- new_model(case)
    for (pass in seq_len(case$passes))
        for (r in seq_along(case$rows)) slw_model_feed(model, case$rows[[r]]$index, case$rows[[r]]$value, case$label[r], case$weight[r])
    model
}

fed_as_data <- function(case) {
    model <- new_model(case)
    index <- as.integer(unlist(lapply(case$rows, `[[`, "index")))
    value <- as.numeric(unlist(lapply(case$rows, `[[`, "value")))
    pointers <- c(0L, cumsum(vapply(case$rows, function(row) length(row$index), 0L)))
    data <- slw_dataset_from_csr(pointers, index, value, case$label, case$weight)
    for (pass in seq_len(case$passes)) slw_model_feed_watched(model, data, NULL)
    model
}

test_that("the golden vectors are met, in the same bits whichever way, and in those of C", {
    lines <- golden_lines()
    begins <- which(startsWith(lines, "case "))
    expect_length(begins, 280)
    from_c <- Sys.getenv("SPARSELIN_GOLDEN_MODELS")
    worst <- renumbered <- 0
    for (k in seq_along(begins)) {
        case <- parse_case(lines[begins[k]:(c(begins, length(lines) + 1)[k + 1] - 1)])
        model <- fed_singly(case)
        near <- function(actual, expected) worst <<- max(worst, abs(actual - expected) / pmax(1, abs(expected)))
        weights <- vapply(case$weights[1, ], function(index) slw_model_weight(model, index), 0)
        near(weights, case$weights[2, ])
        expect_true(all(weights[case$weights[2, ] == 0] == 0), info = case$name)
        near(slw_model_bias(model), case$bias)
        near(vapply(case$new_rows, function(row) slw_model_predict(model, row$index, row$value), 0), case$score)
        bytes <- slw_model_as_raw(model, 0)
        expect_true(identical(slw_model_as_raw(fed_as_data(case), 0), bytes), info = case$name)
        renumbered <- renumbered + case$renumbered
        if (from_c != "" && !case$renumbered) {
                        file <- file.path(from_c, paste0(case$name, ".slm"))
                        expect_true(identical(readBin(file, "raw", file.size(file)), bytes), info = case$name)
        }
    }
    expect_lt(worst, 1e-9)
    expect_lt(renumbered, 10)
})
