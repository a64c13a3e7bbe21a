# The same pictures by ggplot2, where it is there. Columns are named by symbols, which R's check takes for no variables.
.aes <- function(...) do.call(ggplot2::aes, lapply(c(...), as.name))

.gg_scale <- function(option, values) {
    scale <- .scale_of(option, values)
    if (!is.numeric(values)) return(list(at = values, x = ggplot2::scale_x_discrete(limits = unique(values))))
    breaks <- if (identical(scale$at, values)) ggplot2::waiver() else unique(scale$at)
    labels <- if (identical(scale$at, values)) ggplot2::waiver() else .texts_of(unique(values))
    make <- if (scale$range[1] > scale$range[2]) ggplot2::scale_x_reverse else ggplot2::scale_x_continuous
    list(at = scale$at, x = make(breaks = breaks, labels = labels))
}

autoplot.cv_sparselin <- function(object, ...) {
    of <- .lines_of(object)
    scale <- .gg_scale(of$option, of$values)
    results <- object$results
    table <- data.frame(at = scale$at, mean = results$mean, from = results$mean - results$se, to = results$mean + results$se, line = of$line)
    chosen <- table[object$chosen, ]
    picture <- ggplot2::ggplot(table, if (nlevels(of$line) > 1) .aes(x = "at", y = "mean", colour = "line") else .aes(x = "at", y = "mean")) +
        ggplot2::geom_vline(.aes(xintercept = "at"), chosen, linetype = 3) +
        ggplot2::geom_linerange(.aes(ymin = "from", ymax = "to"), alpha = 0.5) + ggplot2::geom_point() + scale$x +
        ggplot2::labs(x = of$option, y = object$metric, colour = of$lines)
    if (nlevels(of$line) > 1) picture + ggplot2::geom_line(.aes(group = "line")) else picture
}

autoplot.sparselin_path <- function(object, n = 10, ...) {
    weights <- head(.path_weights(object), n)
    scale <- .gg_scale(object$option, object$values)
    table <- data.frame(at = rep(scale$at, each = nrow(weights)), weight = as.vector(weights),
                        name = factor(rep(rownames(weights), ncol(weights)), rownames(weights)[order(-weights[, ncol(weights)])]))
    ggplot2::ggplot(table, .aes(x = "at", y = "weight", colour = "name")) + ggplot2::geom_hline(yintercept = 0, colour = "grey") +
        ggplot2::geom_line() + scale$x + ggplot2::labs(x = object$option, colour = NULL)
}

autoplot.sparselin_calibration <- function(object, ...)
    ggplot2::ggplot(object$bins, .aes(x = "predicted", y = "observed")) + ggplot2::geom_abline(linetype = 3) + ggplot2::geom_line() +
        ggplot2::geom_point() + ggplot2::coord_equal(xlim = c(0, 1), ylim = c(0, 1)) +
        ggplot2::labs(x = paste("predicted probability of", .said_of(object)), y = "how often it was so")
