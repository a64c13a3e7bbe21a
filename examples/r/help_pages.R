# From raw text in a data frame, seven classes: which of R's packages has a help page of this title? R has the pages itself.
#
#     Rscript help_pages.R ["A title of your own" ...]
library(sparselin)

packages <- c("base", "graphics", "grDevices", "methods", "stats", "tools", "utils")
pages <- unique(utils::hsearch_db(package = packages, lib.loc = .Library)$Base[c("Package", "Title")])
pages$Package <- factor(pages$Package)
test <- seq_len(nrow(pages)) %% 4 == 0

fit <- sparselin(Package ~ ., pages[!test, ], text = ~ Title, epochs = 5)
print(summary(fit, pages[test, ], n = 5))

titles <- commandArgs(TRUE)
if (length(titles) == 0) titles <- c("Draw an Ellipse", "Fit a Curve by Least Squares")
chance <- predict(fit, data.frame(Title = titles), "response")
for (i in seq_along(titles))
    cat(sprintf("%s: %s, with probability %.2f\n", titles[i], colnames(chance)[which.max(chance[i, ])], max(chance[i, ])))
