#!/bin/sh
# test_terminal.sh FOLDER: types at R, in a terminal of its own, a fit that would never end, and Ctrl-C once it is under way. R has to say in no
# time that it was interrupted (a second, and one more for a busy machine), and the model has to be of use. R_LIBS says where the package is.
set -eu
cd "$1"
rm -f terminal.keys terminal.txt
mkfifo terminal.keys
script -qfec "R --vanilla" terminal.txt <terminal.keys >/dev/null &
terminal=$!
exec 3>terminal.keys

# Waits until the terminal shows a line of this pattern, at most as many tenths of a second.
await() {
    left=$2
    until grep -q "$1" terminal.txt 2>/dev/null; do
        left=$((left - 1))
        if [ "$left" -eq 0 ]; then
            echo "The terminal does not show '$1':"
            cat terminal.txt
            kill "$terminal" 2>/dev/null || true
            exit 1
        fi
        sleep 0.1
    done
}

cat >&3 <<'LINES'
library(sparselin)
mail <- read_svmlight(system.file("extdata", "spam.test.svm.xz", package = "sparselin"))
fit <- sparselin(mail$x, mail$y, epochs = 1e9, verbose = TRUE)
LINES
await 'row [0-9]* of' 300
printf '\003' >&3
await 'interrupted after [0-9,]* rows' 20
cat >&3 <<'LINES'
writeLines(paste("wrong:", mean(predict(fit, mail$x, "class") != mail$y) < 0.1, "sum:", sum(1:4)))
q("no")
LINES
await 'wrong: TRUE sum: 10' 100
exec 3>&-
wait "$terminal"
