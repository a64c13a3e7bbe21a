# Draws search.png from the mail: Rscript --vanilla pictures.R, in this folder, with the package installed.
library(sparselin)
mail <- read_svmlight(system.file("extdata", "spam.train.svm.xz", package = "sparselin"))
colnames(mail$x) <- readLines(system.file("extdata", "words.txt.xz", package = "sparselin"))
kind <- factor(mail$y, levels = c(-1, 1), labels = c("ham", "spam"))

png("search.png", 9.6, 4, units = "in", res = 72, type = "cairo")
par(mfrow = c(1, 2))
plot(cv_sparselin(mail$x, kind, threads = 2))
plot(sparselin_path(mail$x, kind))
invisible(dev.off())
