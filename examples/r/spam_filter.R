# A spam filter in R: trains on the project's mail in one pass, and says how good it is, which words tell, and what it thinks of a message.
#
#     Rscript spam_filter.R ../data
library(sparselin)

folder <- c(commandArgs(TRUE), "examples/data")[1]
words <- readLines(file.path(folder, "words.txt.gz"))
read_mail <- function(name) {
    mail <- read_svmlight(file.path(folder, name), columns = length(words))
    colnames(mail$x) <- words
    list(x = mail$x, kind = factor(mail$y, levels = c(-1, 1), labels = c("ham", "spam")))
}
train <- read_mail("spam.train.svm.gz")
test <- read_mail("spam.test.svm.gz")

fit <- sparselin(train$x, train$kind)
print(fit)

score <- predict(fit, test$x)
spam <- test$kind == "spam"
auc <- (sum(rank(score)[spam]) - sum(spam) * (sum(spam) + 1) / 2) / sum(spam) / sum(!spam)
cat(sprintf("%.2f %% of the %d test messages are judged wrongly; the area under the ROC curve is %.4f\n",
            100 * mean(predict(fit, test$x, "class") != test$kind), nrow(test$x), auc))

weights <- sort(coef(fit)[words, ])
cat("Spam says", names(tail(weights, 8)), "\nOthers say", names(head(weights, 8)), "\n")

message <- test$x[1, , drop = FALSE]
cat(sprintf("The first message, of %d words, is spam with probability %.4f\n", Matrix::nnzero(message), predict(fit, message, "response")))
