sparselin <- function(x, ...) UseMethod("sparselin")

sparselin.default <- function(x, y, weights = NULL, ..., validation = NULL, patience = 5, metric = "loss", verbose = FALSE)
    .fit(.matrix_job(x, y, weights, .settings(...)), match.call(), verbose, validation, patience, metric)

# The handle is an environment, so that a model that was read from a file is rebuilt once and not at every call. Of a model that can only
# predict there is no more to keep than that.
.handle <- function(pointer) {
    handle <- new.env(parent = emptyenv())
    handle$pointer <- pointer
    handle$bytes <- tryCatch(slw_model_as_raw(pointer, 0), sparselin_state = function(condition) slw_model_as_raw(pointer, 1))
    handle
}

# The library's model: an external pointer does not outlive its session, the bytes beside it do.
.pointer <- function(object) {
    handle <- object$handle
    if (is.null(handle$pointer) && !is.raw(handle$bytes)) .fail("format", "this is no model of sparselin(), or parts of it are lost")
    if (!slw_is_open(handle$pointer)) handle$pointer <- slw_model_from_bytes(handle$bytes)
    handle$pointer
}

# What is learned: rows as entries, their labels in numbers and their weights, the settings of the first model that is to learn them, and, of a
# formula's model, what new data are laid out by. All is checked.
.job <- function(x, y, weights, settings, offset = NULL, encoder = NULL, fields = list()) {
    x <- .entries(x)
    if (nrow(x) == 0) .fail("invalid_data", "x is empty: 0 rows, ", ncol(x), " columns")
    y <- .column(y)
    labels <- .label_kind(y)
    numbers <- .labels(y, labels, nrow(x))
    weights <- .weights(weights, nrow(x))
    .warn_of_no_weight(weights)
    job <- list(x = x, labels = labels, weights = weights, settings = settings, encoder = encoder, fields = fields)
    model <- slw_model_create(.options(settings))
    job$loss <- slw_model_option(model, "loss")
    slw_release(model)
    .check_labels(y, numbers, labels, job$loss)
    job$numbers <- .less_offset(numbers, offset, job$loss)
    job
}

.matrix_job <- function(x, y, weights, settings) {
    if (missing(x) || missing(y)) .fail("invalid_argument", if (missing(x)) "x" else "y", " is missing")
    if (identical(ncol(x), 0L)) .fail("invalid_data", "x is empty: ", nrow(x), " rows, 0 columns")
    .job(x, y, weights, settings)
}

.job_data <- function(job) .dataset(job$x, job$numbers, job$weights)

# A model that has learned nothing of the job yet.
.new_model <- function(job, call, settings = job$settings) {
    pointer <- slw_model_create(.options(settings))
    .fix_labels(pointer, job$labels)
    if (!is.null(job$encoder)) slw_model_set_encoder(pointer, .encoder_pointer(job$encoder))
    call[[1L]] <- quote(sparselin)
    model <- .model(call, list(pointer = pointer), colnames(job$x), ncol(job$x), job$labels, slw_model_option(pointer, "loss"))
    model$rows <- .learned(job$weights, nrow(job$x))
    model[names(job$fields)] <- job$fields
    model
}

.fit <- function(job, call, verbose, validation = NULL, patience = 5, metric = "loss") {
    model <- .new_model(job, call)
    judge <- if (!is.null(validation)) .judge(model, validation, metric, patience, job$settings)
    data <- .job_data(job)
    on.exit(slw_release(data))
    if (is.null(judge)) return(.fitted(model, .pointer(model), data, verbose))
    on.exit(slw_release(judge$data), add = TRUE)
    .fitted_with(judge, model, data, verbose)
}

untrained <- function(...) {
    pointer <- slw_model_create(.options(.settings(...)))
    model <- .model(match.call(), .handle(pointer), NULL, 0, NULL, slw_model_option(pointer, "loss"))
    model$rows <- 0L
    model
}

# A model that has learned nothing in this session. `labels` are NULL until the first y is seen.
.model <- function(call, handle, names, columns, labels, loss)
    structure(class = "sparselin", list(call = call, handle = handle, names = names, columns = columns, labels = labels, loss = loss,
                                        history = data.frame(steps = numeric(0), loss = numeric(0)), interrupted = FALSE, unfinished = NULL))

.check_kind <- function(labels, loss) {
    if (labels$kind != "number" && !.tells_classes(loss))
        .fail("invalid_data", "y is a ", labels$kind, ", but loss ", loss, " is for numbers")
}

.check_labels <- function(y, numbers, labels, loss) {
    .check_kind(labels, loss)
    if (!.tells_classes(loss)) return(invisible())
    if (all(numbers == numbers[1])) .fail("invalid_data", "y has one class only")
    unused <- if (labels$kind == "factor") which(tabulate(y, nlevels(y)) == 0)
    if (length(unused) > 0)
        .fail("invalid_data", "y has no row of ", length(unused), " of its ", nlevels(y), " levels: ", .some(levels(y)[unused]), " (see droplevels)")
}
