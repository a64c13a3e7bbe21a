# Draws reliability.csv, which reliability.cpp writes: Rscript --vanilla reliability.R
bins <- read.csv("reliability.csv", check.names = FALSE)
png("reliability.png", 9, 4.6, units = "in", res = 110, type = "cairo")
par(mfrow = c(1, 2), las = 1, mgp = c(2.6, 0.7, 0), tcl = -0.3, mar = c(4.2, 4.4, 2.8, 1), font.main = 1, cex.main = 1.05)
for (set in unique(bins$set)) {
    rows <- bins[bins$set == set, ]
    at <- c(0, 0.25, 0.5, 0.75, 1)
    plot(NA, xlim = c(0, 1), ylim = c(0, 1), xaxt = "n", yaxt = "n", bty = "l", xlab = "predicted probability, mean of the bin", ylab = "",
         main = sprintf("%s: %s test rows", set, format(sum(rows$rows), big.mark = ",")))
    mtext("share of the larger label", 2, line = 2.9, las = 0)
    axis(1, at)
    axis(2, at)
    abline(h = at, v = at, col = "#eeeeee")
    abline(0, 1, col = "#777777", lty = 3)
    chance <- 2 * rows[["by chance"]]
    segments(rows$predicted, pmax(rows$predicted - chance, 0), rows$predicted, pmin(rows$predicted + chance, 1), col = "#999999", lwd = 5, lend = 1)
    lines(rows$predicted, rows$seen, type = "o", pch = 20, cex = 1.3, col = "#0072B2", lwd = 1.6)
    legend("topleft", c("seen, ten bins of equal count", "within two standard errors of right"), col = c("#0072B2", "#999999"), pch = c(20, NA),
           lwd = c(1.6, 5), bty = "n", cex = 0.85)
}
invisible(dev.off())
