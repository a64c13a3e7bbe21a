sparselin.formula <- function(formula, data, weights, subset, na.action = na.pass, contrasts = NULL, ..., text = NULL, encoder = NULL,
                              validation = NULL, patience = 5, metric = "loss", verbose = FALSE)
    .fit(.formula_job(match.call(expand.dots = FALSE), parent.frame(), formula, na.action, contrasts, .settings(...), text, encoder), match.call(),
         verbose, validation, patience, metric)

# The job of a method's call, whose data, weights and subset are looked for where it was made.
.formula_job <- function(call, envir, formula, na.action, contrasts, settings, text, encoder) {
    frame <- call[c(1L, match(c("formula", "data", "weights", "subset"), names(call), 0L))]
    frame[[1L]] <- quote(stats::model.frame)
    frame$na.action <- na.action
    variables <- NULL
    if (!is.null(text)) {
        variables <- .text_variables(text)
        frame$formula <- .without_texts(formula, eval(call$data, envir), all.vars(text))
        frame[names(variables)] <- variables
    } else if (!is.null(encoder)) .fail("invalid_argument", "the encoder is for text, which is missing; say text = ~ message")
    frame <- eval(frame, envir)
    terms <- attr(frame, "terms")
    y <- model.response(frame)
    if (is.null(y)) .fail("invalid_argument", "the formula has no left-hand side")
    weights <- model.weights(frame)
    if (attr(terms, "intercept") == 0 && is.null(settings[["bias"]])) settings$bias <- FALSE
    predictors <- delete.response(terms)
    if (attr(terms, "intercept") == 0 && length(attr(terms, "term.labels")) == 0 && is.null(text))
        .fail("invalid_argument", "the formula has neither variables nor an intercept")
    frame <- .with_contrasts(predictors, frame, contrasts)
    texts <- if (!is.null(text)) .texts(frame, variables)
    x <- .design(predictors, frame)
    design <- colnames(x)
    if (!is.null(text)) {
        encoder <- if (is.null(encoder)) sl_encoder(features = "dictionary") else .copied(encoder)
        words <- .encode_texts(encoder, texts)
        freeze(encoder)
        if (slw_encoder_option(.encoder_pointer(encoder), "min_count") != "1") words <- .encode_texts(encoder, texts) # without what was dropped
        x <- .beside(words, x)
    }
    fields <- list(texts = variables, design = if (!is.null(text)) design, terms = terms, contrasts = .contrasts(frame),
                   xlevels = .getXlevels(predictors, frame), na.action = na.action)
    .job(x, y, weights, settings, model.offset(frame), encoder, Filter(Negate(is.null), fields))
}

# The formula with a dot for all variables but the texts.
.without_texts <- function(formula, data, texts) {
    if (!"." %in% all.vars(formula) || is.null(data)) return(formula)
    terms <- stats::terms(formula, data = data[setdiff(names(data), texts)])
    if (length(attr(terms, "term.labels")) > 0) return(stats::formula(terms))
    formula[[length(formula)]] <- attr(terms, "intercept") # there are no others
    formula
}

# The columns of a frame: those of the texts, as the model's encoder makes them, and the formula's.
.formula_columns <- function(model, terms, frame) {
    x <- .design(terms, frame)
    if (is.null(model$texts)) x else .beside(.encode_texts(.carried(model), .texts(frame, model$texts)), x)
}

# The variables of new data as the model's `terms` want them, with the levels and contrasts that they had in training.
.frame <- function(model, terms, data, na.action) {
    contrasts_lie <- sub("%s.*", "", gettext("contrasts dropped from factor %s", domain = "R-stats")) # .with_contrasts has them
    .find_texts(model$texts, data, environment(terms))
    call <- as.call(c(quote(model.frame), quote(terms), quote(data), list(na.action = quote(na.action), xlev = quote(model$xlevels)), model$texts))
    frame <- withCallingHandlers(eval(call), warning = function(condition)
        if (startsWith(conditionMessage(condition), contrasts_lie)) invokeRestart("muffleWarning"))
    classes <- attr(terms, "dataClasses")
    .checkMFClasses(classes[!startsWith(names(classes), "(")], frame)
    .with_contrasts(terms, frame, model$contrasts)
}

# What is left of the labels for the model to explain.
.less_offset <- function(numbers, offset, loss) {
    if (is.null(offset)) return(numbers)
    if (.tells_classes(loss)) .fail("invalid_argument", "loss ", loss, " takes no offset; the losses for numbers do, such as loss = \"squared\"")
    numbers - offset
}

# The names that the variables of `terms` have in a frame.
.variables <- function(terms)
    vapply(as.list(attr(terms, "variables"))[-1], function(variable) paste(deparse(variable, 500L, backtick = is.language(variable) && !is.symbol(variable)),
                                                                             collapse = " "), "")

# The frame with text made factors, and with each factor of the terms told its contrasts: those given, its own, or R's
# option.
.with_contrasts <- function(terms, frame, contrasts) {
    names <- intersect(.variables(terms), names(frame))
    unknown <- setdiff(names(contrasts), names)
    if (length(unknown) > 0) .fail("invalid_argument", "contrasts are given for ", dQuote(unknown[1], FALSE), ", which is no variable of the formula")
    for (name in names) {
        if (is.character(frame[[name]])) frame[[name]] <- factor(frame[[name]])
        given <- contrasts[[name]]
        if (is.matrix(given)) contrasts(frame[[name]], ncol(given)) <- given
        else if (!is.null(given)) contrasts(frame[[name]]) <- given
        else if (is.factor(frame[[name]]) && is.null(attr(frame[[name]], "contrasts")) && nlevels(frame[[name]]) > 1)
            attr(frame[[name]], "contrasts") <- getOption("contrasts")[[1 + is.ordered(frame[[name]])]]
    }
    frame
}

.contrasts <- function(frame) Filter(Negate(is.null), lapply(frame, attr, "contrasts"))

# The matrix of a formula's right-hand side as model.matrix() makes it, but sparse, and without the column of ones: that
# is the bias. Missing variables and levels are errors of R's.
.design <- function(terms, frame) {
    missing <- vapply(frame, anyNA, NA)
    if (any(missing)) {
        row <- which(!complete.cases(frame[missing][1]))[1]
        .fail("invalid_data", "variable ", dQuote(names(frame)[missing][1], FALSE), " has NA in row ", row.names(frame)[row], row = row)
    }
    factors <- attr(terms, "factors") # 1: by contrasts; 2: a column for each level
    names <- .variables(terms)
    categories <- vapply(frame[names], function(variable) is.factor(variable) || is.logical(variable), NA)
    if (attr(terms, "intercept") == 0) {
        first <- head(which(factors > 0 & categories), 1) # by columns, so of the first term that has one
        factors[first] <- 2L
    }
    blocks <- lapply(seq_along(attr(terms, "term.labels")), function(term)
        Reduce(.interaction, lapply(which(factors[, term] > 0), function(v) .columns(frame[[names[v]]], names[v], factors[v, term] == 2))))
    sizes <- vapply(blocks, function(block) length(block$names), 0L)
    x <- lapply(blocks, function(block)
        as(new("dgRMatrix", p = block$p, j = block$j, x = block$x, Dim = c(nrow(frame), length(block$names))), "CsparseMatrix"))
    x <- if (length(x) > 0) do.call(cbind, x) else sparseMatrix(i = integer(0), j = integer(0), x = numeric(0), dims = c(nrow(frame), 0L))
    dimnames(x) <- list(row.names(frame), unlist(lapply(blocks, `[[`, "names")))
    x
}

# A variable's columns, row by row as in a dgRMatrix, and their names.
.columns <- function(variable, name, full) {
    if (is.logical(variable)) variable <- factor(variable, levels = c(FALSE, TRUE))
    if (is.factor(variable)) {
        values <- contrasts(variable, contrasts = !full, sparse = full || is.character(attr(variable, "contrasts")))
        parts <- if (is.null(colnames(values))) seq_len(ncol(values)) else colnames(values)
        rows <- as(as(as(as(values, "dMatrix"), "generalMatrix"), "CsparseMatrix"), "RsparseMatrix")
        taken <- as.integer(variable)
        sizes <- diff(rows@p)[taken]
        entries <- sequence(sizes, rows@p[taken] + 1L)
        return(list(p = c(0L, cumsum(sizes)), j = rows@j[entries], x = rows@x[entries], names = paste0(name, parts)))
    }
    values <- as.matrix(variable)
    if (!is.numeric(values)) .fail("invalid_data", "variable ", dQuote(name, FALSE), " is of class ", class(variable)[1], ", not numeric or a factor")
    held <- which(t(values) != 0) # row by row
    parts <- if (ncol(values) == 1) "" else if (is.null(colnames(values))) seq_len(ncol(values)) else colnames(values)
    list(p = c(0L, cumsum(as.integer(rowSums(values != 0)))), j = (held - 1L) %% ncol(values), x = as.double(t(values)[held]), names = paste0(name, parts))
}

# The products of each column of a block with each of another's, those of the first in turn.
.interaction <- function(first, second) {
    sizes <- diff(first$p)
    counts <- sizes * diff(second$p)
    row <- rep(seq_along(counts), counts)
    place <- sequence(counts) - 1L
    a <- first$p[row] + place %% sizes[row] + 1L
    b <- second$p[row] + place %/% sizes[row] + 1L
    list(p = c(0L, cumsum(counts)), j = first$j[a] + length(first$names) * second$j[b], x = first$x[a] * second$x[b],
         names = as.vector(outer(first$names, second$names, paste, sep = ":")))
}
