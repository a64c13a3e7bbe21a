# What glm and glmnet call otherwise, where there is more to say than the library's own list does.
.elsewhere <- c(family = "say loss = \"log\" for binomial, loss = \"squared\" for gaussian",
                lambda = "glmnet's penalty is l1 = alpha * lambda and l2 = (1 - alpha) * lambda",
                alpha = "glmnet's penalty is l1 = alpha * lambda and l2 = (1 - alpha) * lambda",
                offset = "say y ~ ... + offset(o), for a regression")

# The options in a call's dots. Words of others are told of before R looks for what they are set to.
.settings <- function(...) {
    foreign <- intersect(...names(), names(.elsewhere))
    if (length(foreign) > 0) .fail("invalid_option", "there is no option ", foreign[1], "; ", .elsewhere[[foreign[1]]])
    list(...)
}

# Arguments that a misspelt one is taken for an option instead of.
.arguments <- c("weights", "verbose", "validation", "patience", "folds", "holdout")

# Library options from a list of named values. What they mean and may be is in the library's table alone.
.options <- function(settings) {
    options <- slw_options_create()
    if (length(settings) > 0 && (is.null(names(settings)) || any(names(settings) == "")))
        .fail("invalid_option", "options must be named, as in l1 = 1e-5")
    if (anyDuplicated(names(settings))) .fail("invalid_option", "option ", names(settings)[anyDuplicated(names(settings))], " is given twice")
    for (name in names(settings)) {
        argument <- .arguments[adist(name, .arguments) <= 2]
        if (length(argument) > 0) .fail("invalid_option", "there is no option ", name, "; is the argument ", argument, " meant?")
        slw_options_get(options, name) # an unknown name is an error, whatever its value
        value <- settings[[name]]
        if (length(value) != 1 || !(is.character(value) || is.numeric(value) || is.logical(value)) || is.na(value))
            .fail("invalid_option", "option ", name, " must be one number, string or logical", .not(value))
        if (is.character(value)) slw_options_set(options, name, value)
        else slw_options_set_number(options, name, as.double(value))
    }
    options
}

# Whether a loss tells classes apart: whether a model of it takes labels for them.
.tells_classes <- function(loss) {
    options <- slw_options_create()
    slw_options_set(options, "loss", loss)
    model <- slw_model_create(options)
    on.exit({
        slw_release(model)
        slw_release(options)
    })
    slw_model_knows(model, "error_rate") == 1
}

sparselin_options <- function() {
    rows <- seq_len(slw_option_count()) - 1
    column <- function(what) vapply(rows, slw_option_describe, "", what)
    names <- column(0)
    readers <- vapply(names, slw_option_readers, 0)
    data.frame(name = names, kind = column(1), default = column(2), help = column(3), model = readers %in% c(1, 3), encoder = readers >= 2,
               row.names = NULL)
}
