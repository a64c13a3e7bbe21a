# The part of R in cross.sh.
library(sparselin)
arguments <- commandArgs(TRUE)
if (arguments[1] == "train") {
    rows <- read_svmlight(arguments[2])
    save_model(sparselin(rows$x, factor(rows$y), l1 = 1e-4, epochs = 2), arguments[3])
} else {
    model <- load_model(arguments[2])
    rows <- read_svmlight(arguments[3])
    writeBin(as.vector(predict(model, rows$x)), arguments[4], size = 8, endian = "little")
}
