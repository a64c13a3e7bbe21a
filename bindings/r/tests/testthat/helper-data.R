# Rows of two kinds that a line separates, mostly: the same in every session, whatever R's generator is at.
example_data <- function(rows = 400, columns = 30, seed = 1) {
    draw <- local({
        state <- seed
        function(count) vapply(seq_len(count), function(i) state <<- (state * 16807) %% 2147483647, 0) / 2147483647
    })
    draw(10)
    dense <- matrix(ifelse(draw(rows * columns) < 0.2, round(draw(rows * columns) * 4 - 2, 2), 0), rows, columns,
                    dimnames = list(NULL, paste0("word", seq_len(columns))))
    truth <- draw(columns) * 2 - 1
    score <- as.vector(dense %*% truth) + (draw(rows) - 0.5) * 0.2
    list(dense = dense, x = as(as(as(dense, "dMatrix"), "generalMatrix"), "CsparseMatrix"), score = score,
         y = factor(ifelse(score > 0, "good", "bad"), levels = c("bad", "good")))
}

expect_bits <- function(object, expected) expect_true(identical(object, expected, num.eq = FALSE))
