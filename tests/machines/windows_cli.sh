#!/bin/bash
# windows_cli.sh PROGRAM STOP DATA LINUX_PROGRAM: the program under wine does as the one of Linux does, to the byte: models, data, predictions,
# by files with names of any letters and by streams. STOP is windows_stop.
set -u -o pipefail
program=$(realpath "$1") stop=$(realpath "$2")
. "$(dirname "$0")/../cli/helpers.sh" "$4" "$3"
windows() { wine "$program" "$@"; }

windows --version | cmp - <("$sparselin" --version) || failed "the version"
windows train --help | cmp - <("$sparselin" train --help) || failed "the help"

works train "$data/spam.train.svm.gz" --l1 1e-5 --model linux.slm
cp out linux.out
windows train "$data/spam.train.svm.gz" --l1 1e-5 --model windows.slm >windows.out 2>err || failed "train: $(cat err)"
same linux.slm windows.slm "models"
grep -v ' s$\|second' linux.out >a
grep -v ' s$\|second' windows.out >b
same a b "what train says"
for how in --probability --label --scores; do
    works predict linux.slm "$data/spam.test.svm.gz" $how
    windows predict windows.slm "$data/spam.test.svm.gz" $how >windows.out || failed "predict $how"
    same out windows.out "predictions by $how"
done
windows train "$data/spam.train.svm.gz" --from linux.slm --again --model windows.slm >windows.out || failed "train --from"
works train "$data/spam.train.svm.gz" --from linux.slm --again --model linux.slm
same linux.slm windows.slm "models that went on from one"
works inspect linux.slm --names "$data/words.txt.gz"
windows inspect linux.slm --names "$data/words.txt.gz" | cmp - out || failed "inspect"

# Data in each form, by streams: nothing is done to line ends or to what looks like the end of a text.
works convert "$data/spam.train.svm.gz" linux.sld
windows convert "$data/spam.train.svm.gz" windows.sld || failed "convert"
same linux.sld windows.sld "data"
works convert linux.sld - --text
mv out linux.svm
windows convert - - --text <linux.sld | cmp - linux.svm || failed "binary data in, text out"
windows train - --l1 1e-5 --model windows.slm <"$data/spam.train.svm.gz" >windows.out || failed "gzip by a stream"
works train - --l1 1e-5 --model linux.slm <"$data/spam.train.svm.gz"
same linux.slm windows.slm "models of a stream"
cat "$data/spam.train.svm.gz" | windows train - --l1 1e-5 --stream --model windows.slm >windows.out || failed "gzip by a pipe"
same linux.slm windows.slm "models of a pipe"
sed 's/$/\r/' linux.svm >crlf.svm
works train crlf.svm --l1 1e-5 --model linux.slm
windows train crlf.svm --l1 1e-5 --model windows.slm >windows.out || failed "lines that end in CRLF"
same linux.slm windows.slm "models of lines that end in CRLF"
printf 'y,text,n\r\n1,"caf\303\251, two\r\nlines",3\r\n-1,\346\250\241,4.5\r\n' >table.csv
works train table.csv --label y --text text --model linux.slm
windows train table.csv --label y --text text --model windows.slm >windows.out 2>err || failed "a table: $(cat err)"
same linux.slm windows.slm "models of a table"
works inspect linux.slm
windows inspect windows.slm | cmp - out || failed "inspect of a table's model"

# Names of any letters, in words of the command line with blanks and quotes.
place="$(printf 'm\303\266 \346\250\241\345\236\213')"
mkdir "$place"
cp linux.sld "$place/$place.sld"
windows train "$place/$place.sld" --model "$place/$place.slm" >windows.out 2>err || failed "names of any letters: $(cat err)"
works train linux.sld --model linux.slm
same linux.slm "$place/$place.slm" "models with names of any letters"
windows train "$place/none" >out 2>err && failed "a file that is not there"
grep -q "$place/none: No such file or directory" err || failed "no message about a file that is not there: $(cat err)"
windows train linux.sld --model "$place" >out 2>err && failed "a folder for a model"
grep -q "not a regular file" err || failed "no message about a folder: $(cat err)"
[ "$(ls -A "$place" | wc -l)" = 2 ] || failed "files left: $(ls -A "$place")"
windows predict linux.slm linux.sld --output NUL || failed "output to NUL"

# Ctrl-C ends it at the next example, after which it goes on as if nothing had been: of a stream that never ends, and of a fit. Wine sends
# no Ctrl-Break.
head -n 300 linux.svm >some.svm
mkfifo pipe
while cat some.svm && sleep 0.2; do :; done 2>/dev/null >pipe &
wine "$stop" "$program" train --stream - --model stopped.slm <pipe >windows.out 2>err
code=$?
[ $code = 130 ] || failed "exit code $code of a stream that was stopped: $(cat err)"
learned=$(sed -n 's/^sparselin: stopped after \([0-9]*\) examples.*/\1/p' err)
for ((k = 0; k <= ${learned:-0} / 300; ++k)); do cat some.svm; done | head -n "${learned:-0}" >learned.svm
works train --stream learned.svm --model linux.slm
same linux.slm stopped.slm "models of a stream that was stopped"
works train linux.sld --epochs 4000 --model linux.slm
wine "$stop" "$program" train linux.sld --epochs 4000 --model stopped.slm >windows.out 2>err
code=$?
[ $code = 130 ] || failed "exit code $code of a fit that was stopped: $(cat err)"
windows train linux.sld --from stopped.slm --model stopped.slm >windows.out 2>err || failed "a stopped fit goes on: $(cat err)"
same linux.slm stopped.slm "models of a fit that was stopped"

[ $failures = 0 ]
