# Early stopping: what judges a model after each of its passes, list(data, metric, larger, patience). Rows and labels are as for evaluate().
.judge <- function(model, validation, metric, patience, settings) {
    if (!is.character(metric) || length(metric) != 1 || is.na(metric)) .fail("invalid_argument", "metric must be one string", .not(metric))
    if (!is.numeric(patience) || length(patience) != 1 || is.na(patience) || patience < 1) .fail("invalid_argument", "patience must be a number of passes, at least 1", .not(patience))
    if (is.null(settings$epochs))
        .fail("invalid_argument", "epochs is missing: say after how many passes training ends at the latest, as in epochs = 50")
    model$handle <- .handle(.pointer(model))
    rows <- if (!is.null(model$terms)) .more_rows(model, validation, weights = NULL, grow = FALSE)
            else {
                if (!is.list(validation) || is.data.frame(validation) || !length(validation) %in% 2:3)
                    .fail("invalid_argument", "validation must be list(x, y) or list(x, y, weights), of rows that the model does not learn")
                .more_rows(model, validation[[1]], validation[[2]], if (length(validation) == 3) validation[[3]], grow = FALSE)
            }
    list(data = .dataset(rows$x, rows$labels, rows$weights), metric = metric, larger = slw_model_more_is_better(.pointer(model), metric) == 1, patience = patience)
}

# The model as it was after the best of its passes. A pass ends by leaving the call that trains, which the next call takes up: that gives the bits
# of a training that was never left.
.fitted_with <- function(judge, model, data, verbose) {
    passes <- as.numeric(slw_model_option(.pointer(model), "epochs"))
    judged <- NULL
    best <- list(pass = 0)
    train <- function(pointer, report) for (pass in seq_len(passes)) {
        tryCatch(slw_model_fit(pointer, data, function(progress) {
            report(progress)
            if (progress[5] == pass && pass < passes) stop(structure(class = c("sparselin_pass", "condition"), list(message = "a pass is over", call = NULL)))
        }), sparselin_pass = function(condition) NULL)
        values <- vapply(list(data, judge$data), function(rows) slw_model_evaluate(pointer, rows, judge$metric), 0)
        judged <<- rbind(judged, data.frame(pass = pass, train = values[1], validation = values[2]))
        if (verbose) message(sprintf("pass %d: %s %.6g, of the rows learned %.6g", pass, judge$metric, values[2], values[1]))
        if (best$pass == 0 || (if (judge$larger) values[2] > best$value else values[2] < best$value))
            best <<- list(pass = pass, value = values[2], pointer = slw_model_clone(pointer))
        else if (pass - best$pass >= judge$patience) break
    }
    model <- .trained(model, .pointer(model), train, NULL, verbose, " rows; the model is that of the best pass until then, and resume() goes on")
    if (best$pass > 0) model$handle <- .handle(best$pointer)
    model["unfinished"] <- list(if (slw_model_fit_state(.pointer(model), data) == 1) TRUE)
    if (best$pass > 0) model$stopping <- list(metric = judge$metric, best = best$pass, passes = judged)
    model
}

.plot_passes <- function(x, main = NULL, xlab = "passes", ylab = x$stopping$metric, ylim = NULL, ...) {
    passes <- x$stopping$passes
    sets <- c("train", "validation")
    range <- range(passes[sets])
    if (is.null(ylim)) ylim <- range + c(0, 0.09 * diff(range) + (diff(range) == 0))
    .frame_of(range(passes$pass, if (nrow(passes) == 1) 2), ylim, xlab, ylab, main, sets, ...)
    axis(1, unique(round(pretty(passes$pass))))
    matlines(passes$pass, passes[sets], type = "o", pch = 20, lty = 1, lwd = 1.6, col = .colours)
    .mark(c(kept = x$stopping$best))
    .name_lines(max(passes$pass), unlist(passes[nrow(passes), sets]), sets, .colours[1:2])
}
