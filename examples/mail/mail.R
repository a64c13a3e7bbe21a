# Spam from raw text: the lines of the first file, after its heading, are learned, those of the second told apart.
library(sparselin)
mail <- lapply(commandArgs(TRUE), read.delim, quote = "", encoding = "UTF-8")
model <- sparselin(factor(label) ~ 1, mail[[1]], text = ~ text, encoder = sl_encoder(hash_bits = 20))
cat(sprintf("%.2f %% wrong\n", 100 * mean(predict(model, mail[[2]], type = "class") != mail[[2]]$label)))
