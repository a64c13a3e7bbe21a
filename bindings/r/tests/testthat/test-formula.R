# Rows of two factors, three numbers, text and logical values.
frame <- function() {
    d <- expand.grid(f = letters[1:3], g = LETTERS[1:3], k = 1:20)
    d$a <- sin(seq_len(180) * 7)
    d$b <- (seq_len(180) * 37) %% 101 / 100
    d$s <- rep(c("x", "y"), 90)
    d$y <- rep(0:1, 90)
    d
}

test_that("every term that glm takes gives model.matrix's columns, and the same predictions row by row", {
    d <- frame()
    for (formula in list(y ~ f * g, y ~ f:g, y ~ f:g - 1, y ~ f:a, y ~ a:f, y ~ f * a * b, y ~ f:g:a, y ~ 0 + f + g, y ~ a - 1, y ~ a + a:f:g, y ~ f %in% g, y ~ f / a,
                         y ~ splines::ns(a, 3), y ~ splines::bs(a, 4), y ~ splines::ns(a, 3):splines::ns(b, 2), y ~ f:splines::ns(a, 2),
                         y ~ poly(a, 2), y ~ poly(a, 1), y ~ poly(a, 2, raw = TRUE), y ~ poly(a, 2) + poly(b, 2), y ~ poly(a, 2):g,
                         y ~ scale(a), y ~ I(a^2), y ~ cut(a, c(-2, 0, 2)), y ~ (a > 0) * (b > 0.5), y ~ (a > 0):f - 1, y ~ ordered(f) * g,
                         y ~ factor(k):f, y ~ s * g, y ~ C(f, contr.sum), y ~ cbind(a, b) * f, y ~ cbind(one = a, b), y ~ . - k)) {
        x <- model.matrix(formula, d)
        x <- x[, colnames(x) != "(Intercept)", drop = FALSE]
        fit <- sparselin(formula, d)
        expect_identical(rownames(coef(fit))[-1], colnames(x), label = deparse(formula))
        settings <- if (attr(terms(formula, data = d), "intercept") == 0) list(bias = FALSE)
        expect_bits(fit$handle$bytes, do.call(sparselin, c(list(unname(x), d$y), settings))$handle$bytes)
        scores <- unname(predict(fit, d))
        expect_bits(unname(vapply(c(1, 2, 50, 180), function(row) expect_silent(predict(fit, d[row, ])), 0)), scores[c(1, 2, 50, 180)])
    }
})

test_that("an intercept alone is a model", {
    d <- frame()
    d$y <- rep(c(0, 1, 1), 60)
    fit <- sparselin(y ~ 1, d)
    expect_identical(rownames(coef(fit)), "(Intercept)")
    expect_bits(unname(predict(fit, d[1:2, ])), rep(coef(fit)[1, 1], 2))
    expect_gt(coef(fit)[1, 1], 0)
    expect_identical(predict(feed(fit, d), d[0, ], "class"), stats::setNames(numeric(0), character(0)))
    expect_error(sparselin(y ~ 0, d), "neither variables nor an intercept", class = "sparselin_invalid_argument")
})

test_that("an offset is taken from the labels and added to predictions", {
    d <- frame()
    d$y <- 3 * d$a + 2 * d$b
    plain <- sparselin(y - 2 * b ~ a, d, loss = "squared")
    fit <- sparselin(y ~ a + offset(2 * b), d, loss = "squared")
    expect_bits(coef(fit), coef(plain))
    expect_bits(predict(fit, d), predict(plain, d) + 2 * d$b)
    expect_bits(predict(fit, d[7, ], "response"), predict(fit, d)[7])
    expect_bits(coef(feed(fit, d)), coef(feed(plain, d)))
    expect_equal(evaluate(fit, d, metric = "rmse")[["rmse"]], sqrt(mean((d$y - predict(fit, d))^2)))
    expect_error(sparselin(y > 1 ~ a + offset(b), d), "loss log takes no offset", class = "sparselin_invalid_argument")
})

test_that("contrasts are those of training", {
    d <- frame()
    fit <- sparselin(y ~ f * g, d, contrasts = list(f = "contr.sum", g = contr.helmert(3)))
    x <- model.matrix(y ~ f * g, d, contrasts.arg = list(f = "contr.sum", g = contr.helmert(3)))
    expect_identical(rownames(coef(fit)), colnames(x))
    expect_bits(fit$handle$bytes, sparselin(unname(x[, -1]), d$y)$handle$bytes)
    scores <- predict(fit, d)
    old <- options(contrasts = c("contr.helmert", "contr.poly"))
    on.exit(options(old))
    expect_bits(predict(fit, d[5, ]), scores[5])
    expect_identical(rownames(coef(sparselin(y ~ f, d))), c("(Intercept)", "f1", "f2"))
    options(old)
    contrasts(d$f) <- contr.sum(3)
    fit <- sparselin(y ~ f, d)
    expect_identical(rownames(coef(fit)), c("(Intercept)", "f1", "f2"))
    expect_bits(unname(expect_silent(predict(fit, data.frame(f = "c")))), predict(fit, d)[[3]])
    expect_silent(predict(fit, d[3, ]))
    expect_error(sparselin(y ~ f, d, contrasts = list(h = "contr.sum")), "\"h\", which is no variable", class = "sparselin_invalid_argument")
})

test_that("na.action says what becomes of rows with NA at prediction", {
    d <- frame()
    fit <- sparselin(y ~ f + a, d)
    whole <- predict(fit, d)
    d$a[3] <- NA
    d$f[7] <- NA
    expect_bits(predict(fit, d), replace(whole, c(3, 7), NA))
    expect_identical(predict(fit, d, "class")[c(3, 4)], c(`3` = NA, `4` = if (whole[[4]] > 0) 1 else 0))
    expect_bits(predict(fit, d, na.action = na.omit), whole[-c(3, 7)])
    expect_bits(predict(fit, d, na.action = na.exclude), replace(whole, c(3, 7), NA))
    expect_error(predict(fit, d, na.action = na.fail), "missing values")
    expect_bits(predict(fit, d[3, ]), replace(whole[3], 1, NA))
    expect_identical(expect_silent(predict(sparselin(y ~ offset(a) + b, frame(), loss = "squared"), d))[[3]], NA_real_)
})

test_that("a factor of many levels stays sparse", {
    d <- data.frame(f = factor((seq_len(40000) * 7919) %% 20000), g = factor(rep(1:2, 20000)), y = rep(c(1, -1), each = 20000))
    fit <- sparselin(y ~ f * g, d) # model.matrix() would take 12 GB
    expect_identical(fit$columns, 39999L)
    expect_bits(predict(fit, d[c(5, 31000), ]), predict(fit, d)[c(5, 31000)])
})
