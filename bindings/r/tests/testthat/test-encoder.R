# "\xHH" is a byte, "\\" a backslash.
plain <- function(field) {
    bytes <- charToRaw(field)
    out <- raw(0)
    while (length(bytes) > 0) {
        escape <- bytes[1] == charToRaw("\\")
        size <- if (!escape) 1 else if (bytes[2] == charToRaw("\\")) 2 else 4
        out <- c(out, if (size == 4) as.raw(strtoi(rawToChar(bytes[3:4]), 16L)) else bytes[1])
        bytes <- bytes[-seq_len(size)]
    }
    text <- rawToChar(out)
    Encoding(text) <- "UTF-8"
    text
}

replay <- function(name, cases) {
    file <- gzfile(paste0(name, ".txt.gz"))
    lines <- readLines(file, encoding = "UTF-8")
    close(file)
    words <- strsplit(lines[lines != "" & !startsWith(lines, "#")], "\t", fixed = TRUE)
    found <- 0
    options <- record <- list()
    texts <- character(0)
    for (line in words) {
        of <- plain(line[2])
        value <- if (length(line) > 2) plain(line[3]) else ""
        if (line[1] == "option") options[[of]] <- value
        else if (line[1] == "row") {
            row <- encode(do.call(sl_encoder, options), record, texts)
            pairs <- if (length(line) > 1) strsplit(line[-1], ":", fixed = TRUE)
            expect_identical(dim(row)[1], 1L)
            expect_identical(row@j, vapply(pairs, function(pair) as.integer(pair[1]), 0L), info = found)
            expect_identical(row@x, vapply(pairs, function(pair) as.numeric(pair[2]), 0), info = found)
            if (identical(names(record), "")) expect_identical(encode(do.call(sl_encoder, options), record[[1]]), row)
            found <- found + 1
            options <- record <- list()
            texts <- character(0)
        } else {
            record <- c(record, stats::setNames(list(if (line[1] == "number") as.numeric(value) else value), of))
            if (line[1] == "text") texts <- of
        }
    }
    expect_identical(found, cases)
}

test_that("rows are those of scikit-learn and Spark", {
    replay("hashing", 200)
    replay("hashing-spark", 50)
})

test_that("tables become rows, as fields of a dictionary", {
    table <- data.frame(age = c(34, NA, 5), city = factor(c("Delft", "Ghent", NA)), vip = c(TRUE, FALSE, NA), count = c(1L, NA, 3L), body = c("two words two", NA, "x"))
    encoder <- sl_encoder(features = "dictionary", crosses = list(c("city", "vip")))
    x <- encode(encoder, table, text = "body")
    expect_s4_class(x, "dgRMatrix")
    expect_identical(sort(colnames(x)), sort(c("age", "city=Delft", "vip=true", "count", "body=two", "body=words", "city=Delft*vip=true",
                                              "city=Ghent", "vip=false", "city=Ghent*vip=false")))
    dense <- as.matrix(x)
    expect_identical(unname(dense[, "age"]), c(34, 0, 5))
    expect_identical(unname(dense[, "count"]), c(1, 0, 3))
    expect_identical(unname(dense[1, c("body=two", "body=words", "city=Delft*vip=true", "vip=true")]), c(2, 1, 1, 1))
    expect_identical(sum(dense[2, ] != 0), 3L)
    expect_identical(encoder_dimension(encoder), 10)
    expect_identical(encoder_names(encoder), colnames(x))
    expect_identical(encoder_names(encoder, c(1, 99)), c(colnames(x)[1], NA))
    freeze(encoder)
    expect_identical(encode(encoder, list(city = "Rome"))@j, integer(0))
    expect_identical(encode(encoder, table[3:1, ], "body")@x, unlist(lapply(3:1, function(row) encode(encoder, table[row, ], "body")@x)))
    expect_identical(encode(encoder, list(age = 2, body = "words", city = c("Delft")), "body")@x, c(2, 1, 1))
    expect_identical(dim(encode(encoder, table[0, ], "body")), c(0L, 10L))
    expect_output(print(encoder), "10 columns.*features = dictionary")
})

test_that("encoders are kept, and go on where they were", {
    encoder <- sl_encoder(features = "dictionary", min_count = 2)
    first <- encode(encoder, c("a1 b1", "b1 c1"))
    file <- tempfile()
    on.exit(unlink(file))
    save_encoder(encoder, file)
    saveRDS(encoder, paste0(file, "r"))
    for (again in list(load_encoder(file), load_encoder(encoder_bytes(encoder)), readRDS(paste0(file, "r")))) {
        expect_identical(encode(again, c("a1 b1", "d1"))@j, c(0L, 1L, 3L))
        freeze(again)
        expect_identical(encoder_names(again), c("a1", "b1", NA, NA))
        expect_identical(colnames(encode(again, "b1 c1")), c("a1", "b1", "V3", "V4"))
        expect_identical(encode(again, "b1 c1")@j, 1L)
    }
    expect_identical(encode(encoder, "c1")@j, 2L) # the others were others
    expect_error(load_encoder(raw(10)), class = "sparselin_format")
    expect_error(load_encoder(paste0(file, "none")), class = "sparselin_io")
})

test_that("a call that fails teaches a dictionary nothing", {
    encoder <- sl_encoder(features = "dictionary")
    encode(encoder, "old words")
    before <- encoder_bytes(encoder)
    expect_error(encode(encoder, data.frame(city = c("Rome", "Bonn"), age = c(1, Inf))), "row 2: .*age", class = "sparselin_invalid_data")
    expect_identical(encoder_names(encoder), c("old", "words"))
    expect_identical(encoder_bytes(encoder), before)
})

test_that("indices have 31 bits at most", {
    expect_error(sl_encoder(hash_bits = 32), "31 or less", class = "sparselin_invalid_option")
    expect_identical(dim(encode(sl_encoder(hash_bits = 31), "some words")), c(1L, .Machine$integer.max))
    expect_identical(encoder_dimension(sl_encoder()), 2^22)
    x <- encode(sl_encoder(hash_bits = 31), c("cheap pills cheap", "a meeting tomorrow", "more pills", "the next meeting"))
    fit <- sparselin(x, c(TRUE, FALSE, TRUE, FALSE), epochs = 20)
    expect_identical(predict(fit, x, "class"), c(TRUE, FALSE, TRUE, FALSE))
    wide <- slw_encoder_create(slw_options_create())
    expect_error(encode(.new_encoder(wide), "words"), "hash_bits is 32", class = "sparselin_invalid_option")
})

test_that("what is no record is refused", {
    encoder <- sl_encoder()
    refused <- function(code, text, kind = "invalid_data") expect_error(code, text, class = paste0("sparselin_", kind))
    refused(sl_encoder(l1 = 1), "l1", "invalid_option")
    refused(sl_encoder(tokenz = "char"), "nearest name is 'tokens'", "invalid_option")
    refused(sl_encoder(features = "dictionary", hash_bits = 20), "hash_bits", "invalid_option")
    refused(sl_encoder(crosses = "a"), "pairs of fields", "invalid_argument")
    refused(sl_encoder(crosses = list(c("a", "a"))), "a", "invalid_argument")
    refused(encode(encoder, 1:3), "not integer", "invalid_argument")
    refused(encode(encoder, list(1)), "must be named", "invalid_argument")
    refused(encode(encoder, list(a = 1:2, b = 1)), "\"b\" has 1 entries, not 2")
    refused(encode(encoder, data.frame(day = Sys.Date())), "\"day\" is of class Date")
    refused(encode(encoder, data.frame(a = 1), "b"), "\"b\", which is no column", "invalid_argument")
    refused(encode(encoder, data.frame(a = 1), "a"), "\"a\" is of class numeric, not text")
    refused(encode(encoder, "text", "b"), "no columns", "invalid_argument")
    refused(encode(list(), "text"), "made by sl_encoder", "invalid_argument")
    refused(encoder_names(encoder, 1), "keep_names", "state")
    refused(encoder_names(encoder), "columns is missing", "invalid_argument")
    expect_identical(dim(encode(encoder, character(0))), c(0L, 4194304L))
    expect_identical(encode(encoder, c("words", NA))@p, c(0L, 1L, 1L))
    latin <- "caf\xe9"
    Encoding(latin) <- "latin1"
    expect_identical(encode(encoder, latin), encode(encoder, enc2utf8(latin)))
})

messages <- function() {
    words <- list(spam = c("cheap", "pills", "winner", "prize", "now"), ham = c("meeting", "lunch", "report", "thanks", "tomorrow"), news = c("team", "score", "match", "goal", "league"))
    kind <- factor(rep(names(words), 60), levels = names(words))
    pick <- function(i) paste(words[[kind[i]]][1 + c(i, i %/% 3, i %/% 7) %% 5], collapse = " ")
    data.frame(kind = kind, message = vapply(seq_along(kind), pick, ""), urgent = seq_along(kind) %% 4, day = factor(c("mon", "tue")[1 + seq_along(kind) %% 2]))
}

test_that("texts of a data frame are learned by name, and predicted", {
    d <- messages()
    fit <- sparselin(kind ~ ., d[c("kind", "message")], text = ~ message, epochs = 3)
    expect_identical(predict(fit, d, "class"), stats::setNames(d$kind, seq_len(180)))
    weights <- coef(fit)
    expect_identical(colnames(weights), levels(d$kind))
    expect_setequal(rownames(weights), c("(Intercept)", unlist(strsplit(d$message, " "))))
    expect_true(all(weights[c("pills", "prize"), "spam"] > 0))
    expect_identical(unname(predict(fit, data.frame(message = c("a goal", "unheard", NA)), "class")[-2]), factor(c("news", NA), levels(d$kind)))
    expect_match(names(summary(fit)$largest$spam)[1], "^(cheap|pills|winner|prize|now)$")

    both <- sparselin(kind ~ ., d, text = ~ message, epochs = 3)
    expect_identical(utils::tail(rownames(coef(both)), 2), c("urgent", "daytue"))
    x <- encode(model_encoder(both), d$message)
    design <- cbind(as(x, "CsparseMatrix"), urgent = d$urgent, daytue = d$day == "tue")
    expect_identical(coef(sparselin(design, d$kind, epochs = 3)), coef(both))
    expect_identical(predict(both, d[5:9, ]), predict(both, d)[5:9, ])
    expect_identical(predict(sparselin(kind ~ urgent + day, d, text = ~ message, epochs = 3), d), predict(both, d))
    expect_identical(evaluate(both, d, metric = "error_rate"), c(error_rate = 0))
    fed <- feed(both, transform(d, message = paste(message, "never heard")))
    expect_identical(dim(coef(fed)), dim(coef(both)))
    two <- sparselin(kind ~ urgent, d, text = ~ message + toupper(day), subset = kind != "news" | urgent > 0)
    expect_true(all(c("message=pills", "toupper(day)=mon", "urgent") %in% rownames(coef(two))))
    expect_identical(dim(predict(two, d)), c(180L, 3L))
})

test_that("the encoder goes with the model", {
    d <- messages()
    fit <- sparselin(kind ~ ., d[c("kind", "message")], text = ~ message)
    file <- tempfile()
    on.exit(unlink(file))
    save_model(fit, file, "predictor")
    again <- load_model(file, levels = levels(d$kind))
    expect_bits(unname(predict(again, d$message)), unname(predict(fit, d)))
    expect_identical(coef(again), coef(fit))
    saveRDS(fit, file)
    expect_identical(predict(readRDS(file), d), predict(fit, d))
    expect_identical(encoder_bytes(model_encoder(fit)), encoder_bytes(model_encoder(again)))

    for (bits in c(12, 31)) {
        encoder <- sl_encoder(hash_bits = bits, keep_names = TRUE, tokens = "char_wb", ngram_min = 2, ngram_max = 3)
        if (bits == 31) expect_error(sparselin(kind ~ ., d, text = ~ message, encoder = encoder), "less than 31", class = "sparselin_invalid_option")
        hashed <- sparselin(kind ~ ., d[c("kind", "message")], text = ~ message, encoder = encoder)
        expect_identical(encoder_bytes(encoder), encoder_bytes(sl_encoder(hash_bits = bits, keep_names = TRUE, tokens = "char_wb", ngram_min = 2, ngram_max = 3)))
        expect_true("pil" %in% rownames(coef(hashed)))
        expect_gt(mean(predict(hashed, d, "class") == d$kind), 0.95)
        expect_false(any(grepl("^V[0-9]+$", names(summary(hashed)$largest$spam))))
    }
    beside <- sparselin(kind ~ ., d, text = ~ message, encoder = sl_encoder(hash_bits = 12, keep_names = TRUE))
    expect_true(all(c("pills", "urgent", "daytue") %in% rownames(coef(beside))))
    silent <- sparselin(kind == "spam" ~ 1, d, text = ~ message, encoder = sl_encoder(hash_bits = 12))
    expect_s4_class(coef(silent), "dsparseVector")

    x <- encode(encoder <- sl_encoder(features = "dictionary"), d$message)
    plain <- sparselin(x, d$kind)
    expect_error(predict(plain, d$message), "carries no encoder", class = "sparselin_invalid_argument")
    expect_error(model_encoder(plain), class = "sparselin_state")
    carrying <- set_encoder(plain, encoder)
    expect_bits(predict(carrying, d$message), predict(plain, x))
    expect_bits(predict(carrying, c("pills unheard", d$message))[-1, ], predict(plain, x))
    expect_error(model_encoder(set_encoder(carrying, NULL)), class = "sparselin_state")
    expect_identical(feed(carrying, d$message, d$kind)$columns, carrying$columns)
    rare <- sparselin(kind ~ 1, rbind(d, transform(d[1, ], message = "once")), text = ~ message, encoder = sl_encoder(features = "dictionary", min_count = 2))
    expect_identical(sum(coef(rare)[encoder_dimension(model_encoder(rare)) + 1, ] != 0), 0L)
})

test_that("texts that cannot be used are refused", {
    d <- messages()
    refused <- function(code, text, kind = "invalid_argument") expect_error(code, text, class = paste0("sparselin_", kind))
    refused(sparselin(kind ~ ., d, text = "message"), "one side")
    refused(sparselin(kind ~ ., d, text = ~ message:day), "name variables")
    refused(sparselin(kind ~ ., d, text = ~ urgent), "\"urgent\" is of class numeric, not text", "invalid_data")
    refused(sparselin(kind ~ 1, transform(d, message = replace(message, 7, NA)), text = ~ message), "\"message\" has NA in row 7", "invalid_data")
    refused(sparselin(kind ~ ., d, encoder = sl_encoder()), "text = ~ message")
    expect_error(sparselin(kind ~ 1, d, text = ~ nothing_of_this_name), "nothing_of_this_name")
    refused(predict(sparselin(kind ~ 1, d, text = ~ message), d["day"]), "no variable \"message\"")
    kept <- sparselin(kind ~ 1, transform(d, message = replace(message, 7, NA)), text = ~ message, na.action = na.omit)
    expect_identical(nobs(kept), 179L)
})
