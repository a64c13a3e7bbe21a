# The library's golden vectors (its tests/data/VECTORS.md has the format), by the flat calls.
defaults <- list(l1 = "0", l2 = "0", update = "sgd", average = "none", average_start = "0", center = "false", bias = "true",
                             bias_regularized = "false", normalize = "none", scale = "none", noise = "0")

golden_lines <- function(name) {
    file <- gzfile(paste0(name, ".txt.gz"))
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
                     weights = list(list(index = vapply(of("weight"), function(line) as.numeric(line[2]), 0),
                                         value = vapply(of("weight"), function(line) as.numeric(line[3]), 0))),
                     bias = as.numeric(of("bias")[[1]][2]),
                     score = vapply(of("predict"), function(line) as.numeric(line[2]), 0),
                     new_rows = lapply(of("predict"), function(line) parse_row(line[-(1:2)]))))
}

# Some cases have indices that R's integers cannot hold. Those are numbered anew, in the same order, which changes no weight.
as_integers <- function(case) {
    all <- sort(unique(unlist(lapply(c(case$rows, case$new_rows, case$weights), `[[`, "index"))))
    case$renumbered <- max(all) > .Machine$integer.max
    renumber <- function(row) list(index = if (case$renumbered) match(row$index, all) - 1L else as.integer(row$index), value = row$value)
    for (part in c("rows", "new_rows", "weights")) case[[part]] <- lapply(case[[part]], renumber)
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
    lines <- golden_lines("golden")
    begins <- which(startsWith(lines, "case "))
    expect_length(begins, 280)
    from_c <- Sys.getenv("SPARSELIN_GOLDEN_MODELS")
    worst <- renumbered <- 0
    for (k in seq_along(begins)) {
        case <- parse_case(lines[begins[k]:(c(begins, length(lines) + 1)[k + 1] - 1)])
        model <- fed_singly(case)
        near <- function(actual, expected) worst <<- max(worst, abs(actual - expected) / pmax(1, abs(expected)))
        weights <- vapply(case$weights[[1]]$index, function(index) slw_model_weight(model, index), 0)
        near(weights, case$weights[[1]]$value)
        expect_true(all(weights[case$weights[[1]]$value == 0] == 0), info = case$name)
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

# A case of several classes.
parse_multi <- function(lines) {
    words <- strsplit(lines, " ", fixed = TRUE)
    kind <- vapply(words, `[`, "", 1)
    of <- function(name) words[kind == name]
    options <- utils::modifyList(defaults, setNames(lapply(of("option"), `[`, 3), vapply(of("option"), `[`, "", 2)))
    classes <- as.numeric(options$classes)
    as_integers(list(name = of("case")[[1]][2], options = options, classes = classes, passes = if (any(kind == "passes")) as.numeric(of("passes")[[1]][2]) else 1,
         label = vapply(of("example"), function(line) as.numeric(line[2]), 0), weight = vapply(of("example"), function(line) as.numeric(line[3]), 0),
         rows = lapply(of("example"), function(line) parse_row(line[-(1:3)])),
         weights = lapply(of("class_weights"), function(line) parse_row(line[-(1:2)])), bias = vapply(of("class_bias"), function(line) as.numeric(line[3]), 0),
         mean_loss = as.numeric(of("mean_loss")[[1]][2]),
         scores = lapply(of("scores"), function(line) as.numeric(line[2 + seq_len(classes)])),
         new_rows = lapply(of("scores"), function(line) parse_row(line[-seq_len(2 + classes)]))))
}

# All steps in turn: by single rows, or by data sets of so many. Half-way the model goes on from its bytes, if it is kept.
fed <- function(case, storage, size = NULL, kept = FALSE) {
    if (is.null(case$options$storage)) case$options$storage <- storage
    model <- new_model(case)
    steps <- rep(seq_along(case$rows), case$passes)
    parts <- if (is.null(size)) as.list(steps) else unname(split(steps, (seq_along(steps) - 1) %/% size))
    for (p in seq_along(parts)) {
        if (kept && p == length(parts) %/% 2 + 1) model <- slw_model_from_bytes(slw_model_as_raw(model, 0))
        rows <- case$rows[parts[[p]]]
        if (is.null(size)) slw_model_feed(model, rows[[1]]$index, rows[[1]]$value, case$label[parts[[p]]], case$weight[parts[[p]]])
        else slw_model_feed_watched(model, slw_dataset_from_csr(c(0L, cumsum(vapply(rows, function(row) length(row$index), 0L))),
                                                                as.integer(unlist(lapply(rows, `[[`, "index"))), as.numeric(unlist(lapply(rows, `[[`, "value"))),
                                                                case$label[parts[[p]]], case$weight[parts[[p]]]), NULL)
    }
    model
}

test_that("the vectors of several classes are met, in the same bits whichever way, and in those of C", {
    lines <- golden_lines("golden_multi")
    begins <- which(startsWith(lines, "case "))
    expect_length(begins, 106)
    from_c <- Sys.getenv("SPARSELIN_GOLDEN_MODELS")
    worst <- 0
    near <- function(actual, expected) {
        expect_identical(length(actual), length(expected))
        worst <<- max(worst, abs(actual - expected) / pmax(1, abs(expected)))
    }
    for (k in seq_along(begins)) {
        case <- parse_multi(lines[begins[k]:(c(begins, length(lines) + 1)[k + 1] - 1)])
        model <- fed(case, "dense")
        expect_identical(slw_model_classes(model), case$classes)
        for (class in seq_len(case$classes)) {
            expected <- case$weights[[class]]
            weights <- vapply(expected$index, function(index) slw_model_class_weight(model, class - 1, index), 0)
            near(weights, expected$value)
            expect_true(all(weights[expected$value == 0] == 0), info = case$name)
            expect_identical(slw_model_class_nonzeros(model, class - 1, integer(0), numeric(0)), sum(weights != 0) + 0, info = case$name)
            near(slw_model_class_bias(model, class - 1), case$bias[class])
        }
        near(slw_model_mean_loss(model), case$mean_loss)
        scores_of <- function(model) lapply(case$new_rows, function(row) {
            scores <- numeric(case$classes)
            slw_model_scores(model, row$index, row$value, scores)
            scores
        })
        scores <- scores_of(model)
        near(unlist(scores), unlist(case$scores))
        bytes <- slw_model_as_raw(model, 0)
        for (storage in c("dense", "hash")) {
            if (storage == "hash") bytes <- slw_model_as_raw(fed(case, storage), 0) # where weights live is an option, and among the bytes
            for (other in list(fed(case, storage, 1), fed(case, storage, 7), fed(case, storage, length(case$rows)), fed(case, storage, kept = TRUE))) {
                expect_true(identical(slw_model_as_raw(other, 0), bytes), info = paste(case$name, storage))
                expect_bits(scores_of(other), scores)
            }
        }
        if (from_c != "" && !case$renumbered) {
            file <- file.path(from_c, "multi", paste0(case$name, ".slm"))
            expect_true(identical(readBin(file, "raw", file.size(file)), slw_model_as_raw(fed(case, "auto"), 0)), info = case$name)
        }
    }
    expect_lt(worst, 1e-9)
})
