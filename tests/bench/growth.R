# Draws growth.csv, which growth.cpp writes: Rscript --vanilla growth.R
times <- read.csv("growth.csv", check.names = FALSE)
features <- times[[1]]
colours <- c("floor of averaged" = "#777777", "sparselin, averaged" = "#0072B2", "sparselin, elastic net" = "#009E73", "dense, vectorised" = "#E69F00",
             "dense, as in table 1" = "#D55E00", "LIBLINEAR -s 7" = "#444444", "scikit-learn SGDClassifier" = "#444444",
             "Vowpal Wabbit" = "#444444")
shown <- names(colours)[vapply(names(colours), function(name) any(!is.na(times[[name]])), NA)]
peers <- c("LIBLINEAR -s 7", "scikit-learn SGDClassifier", "Vowpal Wabbit")

png("growth.png", 9.6, 6, units = "in", res = 110, type = "cairo")
par(las = 1, mgp = c(2.8, 0.7, 0), tcl = -0.3, mar = c(4.2, 5.2, 2.8, 12.2), font.main = 1, cex.main = 1.05)
highest <- max(times[shown], na.rm = TRUE)
plot(NA, xlim = range(features), ylim = c(1, highest), log = "xy", xaxt = "n", yaxt = "n", xaxs = "i", bty = "l",
     xlab = "features", ylab = "", main = "A pass of training over rows of 88.5 nonzeros, words by Zipf's law")
mtext("ns a nonzero", 2, line = 4, las = 0)
powers <- 0:floor(log10(highest))
axis(1, 10^(3:8), parse(text = paste0("10^", 3:8)))
axis(2, 10^powers, format(10^powers, big.mark = ",", scientific = FALSE, trim = TRUE), cex.axis = 0.9)
abline(h = 10^powers, v = 10^(3:8), col = "#eeeeee")
for (name in shown)
    lines(features, times[[name]], type = "o", pch = 20, cex = 0.8, col = colours[[name]], lwd = if (name %in% peers) 1 else 2.2,
          lty = if (name == "floor of averaged") 3 else if (name %in% peers) c(5, 2, 4)[match(name, peers)] else 1)

# Each line's name beside its end, moved up or down as far as names need room.
last <- vapply(shown, function(name) tail(na.omit(times[[name]]), 1), 0)
at <- sort(log10(last))
room <- 0.042 * diff(par("usr")[3:4])
for (pass in 1:200) for (i in seq_along(at)[-1]) {
    overlap <- room - (at[i] - at[i - 1])
    if (overlap > 0) at[c(i - 1, i)] <- at[c(i - 1, i)] + c(-0.5, 0.5) * overlap
}
text(max(features) * 1.25, 10^at, names(at), adj = c(0, 0.5), xpd = NA, cex = 0.9, col = colours[names(at)])

# The size of Lipton & Elkan's table 1, and how many times the elastic net is faster there.
lipton <- times[features == 260941, ]
ends <- c(lipton[["sparselin, elastic net"]], lipton[["dense, as in table 1"]])
segments(260941, ends[1], 260941, ends[2], col = "#999999")
text(260941, sqrt(prod(ends)), pos = 4, cex = 0.85,
     sprintf("%s times\nat 260,941 features\n(Lipton & Elkan: 2,000)", format(signif(ends[2] / ends[1], 3), big.mark = ",")))
invisible(dev.off())
