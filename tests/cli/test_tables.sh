#!/bin/bash
# test_tables.sh PROGRAM DATA README: tables (csv, tsv) from the header to predictions, rows without labels, weights, and models by name.
set -u
readme=$(realpath "$3")
. "$(dirname "$0")/helpers.sh"
savers=$data/savers.train.csv others=$data/savers.test.csv
columns="--label saves --positive yes --ignore name"

# --- the two commands of the README
mkdir examples && ln -s "$data" examples/data
sed -n '/^## From a CSV to predictions/,/^## /p' "$readme" | grep '^    sparselin ' >commands
[ "$(wc -l <commands)" = 2 ] || failed "not two commands: $(cat commands)"
while read -r _ words; do
    eval "works $words"
done <commands
[ "$(wc -l <out)" = 500 ] || failed "the README's predictions: $(wc -l <out) lines"

# --- what is decided, learned and counted
works train "$savers" $columns --cross 'city*job' --test "$others" --model m.sl
between 0.85 "$(value 'test auc')" 0.95 || failed "test auc $(value 'test auc')"
grep -q "saves, where 'yes' is 1" err && grep -q 'numbers  *age, hours$' err && grep -q 'categories  *education, job, city$' err &&
    grep -q 'ignored  *name$' err || failed "what was decided: $(cat err)"
missing=$(awk -F, 'NR > 1 && $3 == ""' "$savers" | wc -l)
grep -q "lacks values.*age $missing, city" err || failed "missing values are not counted, $missing: $(cat err)"
grep -q '  city=Breda\*job=welder$' out || failed "no cross among the names: $(cat out)"
works train "$savers" $columns --quiet
[ ! -s err ] || failed "quiet: $(cat err)"

# --- the model's file says how columns are read: by name, in any order, without the label, of any source
works predict m.sl "$others" --with name && mv out scores
head -n 1 scores | grep -q '^"[^"]*",-\{0,1\}[0-9.e-]*$' || failed "--with: $(head -n 1 scores)"
works predict m.sl "$others" && mv out plain.scores
sed 's/^"[^"]*",//' scores >without && same without plain.scores "scores with a name and without"
awk -F, -v OFS=, '{ print $7, "x", $6, $5, $4, $3 }' "$others" | sed '1s/^city,x/city,unknown/; 1s/saves,x/saves,x/' >turned
awk -F'","|",|,"|,' '{ n = NF; if (NR == 1) print "city,more,hours,job,education,age"; else print $(n - 1) ",9," $(n - 2) "," $(n - 3) "," $(n - 4) "," $(n - 5) }' "$others" >turned.csv
works predict m.sl turned.csv
same out plain.scores "columns in another order, without the label"
tr ',' '\t' <turned.csv | gzip >turned.tsv.gz
works predict m.sl turned.tsv.gz
same out plain.scores "csv and tsv.gz"
"$sparselin" predict m.sl - <turned.csv >out
same out plain.scores "a file and a pipe"
{ printf '\xef\xbb\xbf' && sed 's/$/\r/' turned.csv; } >windows.csv
works predict m.sl windows.csv
same out plain.scores "line ends of Windows, and a mark of byte order"
works evaluate m.sl "$others" && [ "$(value examples)" = 500 ] || failed "evaluate"
sed 's/,yes$/,1/; s/,no$/,-1/' "$savers" >numbers.csv
works train numbers.csv --label saves --ignore name --cross 'city*job' --model numbers.sl
works predict numbers.sl "$others"
same out plain.scores "labels as words and as numbers"

# --- streams, going on, hashing, text, small models
works train "$savers" $columns --stream --scale none --model stream.sl
"$sparselin" train - --format csv $columns --scale none --model pipe.sl <"$savers" >out 2>err || failed "a pipe: $(cat err)"
same stream.sl pipe.sl "a stream and a pipe"
head -n 801 "$savers" >first.csv && { head -n 1 "$savers" && tail -n +802 "$savers"; } >second.csv
works train first.csv $columns --stream --scale none --model first.sl
works train second.csv --from first.sl --stream --model second.sl
same stream.sl second.sl "a stream and its two halves"
works train first.csv --from first.sl --again --model again.sl
refuses 2 'cannot be given with --from' train second.csv --from first.sl --label saves
works train "$savers" $columns --hash_bits 12 --model hashed.sl
works inspect hashed.sl && grep -q '  feature [0-9]' out || failed "hashed features have names"
works train "$savers" $columns --text job --tokens char --ngram_max 3 --category age --model text.sl
works inspect text.sl --top 500
grep -q '  job=wel$' out && grep -q '  age=40$' out && [ "$(value ngram_max)" = 3 ] || failed "text and categories: $(cat out)"
works train "$savers" $columns --cross 'city*job' --predictor-only --model small.sl
[ "$(wc -c <small.sl)" -lt "$(wc -c <m.sl)" ] || failed "--predictor-only is not smaller"
works predict small.sl "$others"
same out plain.scores "the whole model and the predictor"
refuses 1 'cannot be trained on' train "$savers" --from small.sl --model more.sl

# --- looking inside
works inspect m.sl --all
head -n 1 out | grep -q "^name$(printf '\t')index$(printf '\t')class$(printf '\t')weight\$" || failed "inspect --all: $(head -n 1 out)"
works inspect m.sl --all && mv out weights
works inspect m.sl && [ "$(($(wc -l <weights) - 1))" = "$(value nonzero)$(awk '/^nonzero weights/ { print $3 }' out)" ] || failed "not all weights"
grep -q "^age$(printf '\t')0$(printf '\t')yes$(printf '\t')0\.0[0-9]*\$" weights || failed "age: $(grep ^age weights)"
works inspect m.sl --json
python=$(command -v python3) && { "$python" -c 'import json; d = json.load(open("out")); assert d["columns"]["job"] == "category" and d["labels"] == [-1, 1]' ||
    failed "not JSON"; }
grep -q '"age": "number"' out && grep -q '"saves": "label"' out || failed "inspect --json: $(cat out)"

# --- weights, and lines without a label
printf 'a,y,w\n1,1,2\n2,0,0.5\n3,1,1\n' >weighted.csv
printf '1 1:1\n0 1:2\n1 1:3\n' >weighted.svm && printf '2\n0.5\n1\n' >w.txt
works train weighted.csv --label y --weight w --model weighted.sl && works inspect weighted.sl --all && cut -f 4 out >one
works train weighted.svm --weights w.txt --model weighted.sl && works inspect weighted.sl --all && cut -f 4 out >two
works train weighted.svm --model weighted.sl && works inspect weighted.sl --all && cut -f 4 out >three
same one two "weights in a column and in a file"
cmp -s two three && failed "weights change nothing"
works train weighted.svm --stream --weights w.txt
works evaluate weighted.sl weighted.svm --weights w.txt
printf '2\n' >few.txt && printf '1\n1\n1\n1\n' >many.txt && printf '1\n-1\n1\n' >negative.txt
refuses 1 'few.txt: there are fewer weights' train weighted.svm --weights few.txt
refuses 1 'many.txt: there are more weights' train weighted.svm --weights many.txt
refuses 1 'many.txt: there are more weights' train --stream weighted.svm --weights many.txt
refuses 1 'negative.txt: line 2' train weighted.svm --weights negative.txt
printf '1:1 # one\n 1:2\r\nqid:3 1:3\n\n# none\n1 1:4' >bare.svm && printf '0 1:1\n0 1:2\n0 1:3\n1 1:4\n' >full.svm
works predict weighted.sl full.svm && mv out full.scores
works predict weighted.sl bare.svm
same out full.scores "rows with labels and without"
refuses 1 'line 1' train bare.svm
refuses 1 'line 1' evaluate weighted.sl bare.svm

# --- labels that are words: a class each, which the model's file names
works train "$savers" --label education --ignore name --test "$others" --model words.sl
grep -q 'education, each value of which is a class' err || failed "what words are: $(cat err)"
grep -q '^test error of secondary ' out && grep -q 'speak most for label university:' out || failed "classes have no words: $(cat out)"
works inspect words.sl && grep -q '^bias of college ' out || failed "inspect knows no words: $(cat out)"
works predict words.sl "$others" --label && sort -u out >said
[ -z "$(grep -vxE 'primary|secondary|college|university' said)" ] || failed "labels that are none: $(cat said)"
works predict words.sl "$others" --probability
[ "$(head -n 1 out)" = primary,secondary,university,college ] || failed "the header of probabilities: $(head -n 1 out)"
works evaluate words.sl "$others" && grep -q 'taken for' out || failed "no confusions: $(cat out)"
awk -F, -v OFS=, 'NR == 3 { $4 = "wizardry" } { print }' "$others" >wizards.csv
refuses 1 "wizards.csv: line 3, column 'education': the label 'wizardry' is none of those that the model was trained on: primary, secondary, university, college$" evaluate words.sl wizards.csv
refuses 1 "the label 'wizardry' is none" train wizards.csv --from words.sl
works train "$others" --from words.sl --model more.sl
refuses 1 "the label '[a-z]*' is one more than --classes says: [a-z]*, [a-z]*, [a-z]*$" train "$savers" --label education --stream --classes 3
refuses 2 'a stream needs --classes K' train "$savers" --label education --ignore name --stream
works train "$savers" --label education --ignore name --stream --classes 4 --model stream.sl
works predict stream.sl "$others" && [ -z "$(grep -vxE 'primary|secondary|college|university' out)" ] || failed "a stream's labels: $(head out)"
{ echo a,y && yes 1,up | head -n 1200 && yes 9,down | head -n 1000; } >sorted.csv
refuses 1 "all labels are 'up' or 'down': say which is 1, --positive 'up'" train sorted.csv --label y
works train sorted.csv --label y --positive up --model up.sl
works predict up.sl sorted.csv --label && [ "$(sort -u out | tr '\n' ' ')" = 'down up ' ] || failed "labels of a pair: $(sort -u out)"
works predict words.sl "$others" --scores --with name && [ "$(wc -l <out)" = 501 ] || failed "scores: $(head -n 2 out)"

# --- what is wrong is told with file, line, column and what to do
table() { printf "$1" >t.csv; }
refuses 2 'needs --label' train "$savers"
refuses 2 "no column 'save'; the nearest is 'saves'" train "$savers" --label save
refuses 2 "no column 'jobs'; the nearest is 'job'" train "$savers" $columns --text jobs
refuses 2 "no column 'town'" train "$savers" $columns --cross 'town*job'
refuses 2 'with a \* between' train "$savers" $columns --cross city
refuses 2 'named twice' train "$savers" $columns --text name
refuses 2 '--label is for tables' train weighted.svm --label y
refuses 2 '--tokens is for tables' train weighted.svm --tokens char
refuses 2 'not trained on one' predict weighted.sl "$others"
refuses 2 'with is for tables' predict weighted.sl weighted.svm --with name
refuses 2 "no column 'nam' in .*; the nearest is 'name'" predict m.sl "$others" --with nam
refuses 1 "line 2, column 'saves': the label '[a-z]*' is not a number: say which is 1, --positive 'no' or --positive 'yes'" train "$savers" --label saves
refuses 1 "no label is 'maybe'" train "$savers" --label saves --positive maybe
grep -v ',yes$' "$others" >never.csv
refuses 1 "never.csv: no label is 'yes'" train "$savers" $columns --validate never.csv
refuses 1 "never.csv: no label is 'yes'" tune "$savers" $columns --test never.csv
works train "$savers" $columns --test never.csv
refuses 1 "no column 'age', which the model was trained on; there are [a-z, ]*$" predict m.sl weighted.csv
table 'a,b,y\n1,2,1\n1,2\n'
refuses 1 "t.csv: line 3, column 'y': it has 2 fields, but the header has 3" train t.csv --label y
table 'a,y\n1,1\n2,0\n"a\n\nb",1\nx,0\n'
refuses 1 "t.csv: line 4, column 'a': 'a??b' is not a number.*--category a" train t.csv --label y --number a
table 'a,y\n1,1\nnan,0\n'
refuses 1 "line 3, column 'a': 'nan' is not a finite number" train t.csv --label y
table 'a,y\n1,1\n1e999,0\n'
refuses 1 "line 3, column 'a': '1e999' is not a finite number" train t.csv --label y
table 'a,y\n1,\n'
refuses 1 "line 2, column 'y': the label is missing" train t.csv --label y
table 'a,y\n1,inf\n'
refuses 1 "line 2, column 'y': the label 'inf' is not a finite number" train t.csv --label y
table 'a,y,w\n1,1,-1\n'
refuses 1 "line 2, column 'w': the weight '-1' is negative" train t.csv --label y --weight w
table 'a,y\n1,1\n2,0\n"open,1\n3,1\n'
refuses 1 't.csv: line 4, field 1: its quote is not closed' train t.csv --label y
table 'a,y\n1,1\nx"y,0\n'
refuses 1 't.csv: line 3, column 2, field 1: a quote stands inside' train t.csv --label y
table 'a,y\n"x"y,0\n'
refuses 1 't.csv: line 2.*a quote stands inside' train t.csv --label y
table 'a,y,a\n1,1,1\n'
refuses 1 "column 'a' is there twice, as number 1 and as 3" train t.csv --label y
table 'a,y\nx\0z,1\nw,0\n'
refuses 1 "line 2, column 'a': a NUL byte" train t.csv --label y
works train t.csv --label y --text a
table 'a\0b,y\n1,1\n'
refuses 1 'line 1: a NUL byte stands in the header' train t.csv --label y
: >t.csv
refuses 1 't.csv is empty' train t.csv --label y
table 'a,y\n'
refuses 1 't.csv has no examples' train t.csv --label y
table 'y\n1\n'
refuses 2 'no column is left' train t.csv --label y
printf '\xff\xfea\0,\0y\0' >t.csv
refuses 1 'it is UTF-16' train t.csv --label y
table 'a,b,y\r1, "x, ""y""" ,1\r\r2,NA,0\r\n'
works train t.csv --label y --model t.sl
works inspect t.sl && grep -q '  b=x, "y"$' out || failed "quotes and old line ends: $(cat out)"

# --- wide and long
wide=1000000
{ seq -s, $wide && seq -s, $wide && seq -s, $wide; } | sed '1s/^/y,/; 2s/^/1,/; 3s/^/0,/' >wide.csv
works train wide.csv --label y --scale none --model wide.sl
grep -q "and $((wide - 20)) more" err && [ "$(value features)" = $wide ] || failed "a million columns: $(head -c 500 err)"
works predict wide.sl wide.csv
{ echo a,y && echo '"' && yes "$(printf %01023d 0)" | head -n 300000; } | "$sparselin" train - --format csv --label y >out 2>err && failed "a quote that is never closed"
grep -q 'standard input: line 2: the record that begins here has more than 256 MiB' err || failed "an endless quote: $(cat err)"

# --- parts of a table, each read by itself, merge where features are hashed
rows=$(wc -l <"$savers")
for part in 1 2; do
    (head -n 1 "$savers" && sed -n "$part~2p" "$savers" | sed '1{/^name,/d}') >part$part.csv
    works train part$part.csv $columns --features hash --model hashed$part.sl
    works train part$part.csv $columns --model learned$part.sl
done
works merge merged.sl hashed1.sl hashed2.sl && works evaluate merged.sl "$others"
between 0.85 "$(value auc)" 0.95 || failed "auc of merged tables $(value auc)"
works inspect merged.sl && grep -q "steps  *$((rows - 1))$" out || failed "merged tables: $(grep steps out)"
refuses 1 'learned2.sl has another encoder than learned1.sl; copies of one encoder merge, and hashed features' merge no.sl learned1.sl learned2.sl

# --- a model that begins at the weights of another has its columns, whatever the order in which categories come; svmlight text has others
still="--schedule constant --eta0 1e-12 --l2 0 --scale none --average none"
works train part2.csv --start learned1.sl $still --model on.sl
works predict on.sl "$others" && mv out on.scores && works predict learned1.sl "$others"
paste on.scores out | awk '{ d = $1 - $2; if (d * d > 1e-12) exit 1 }' || failed "a start has other features"
refuses 2 '--label cannot be given with --start' train part2.csv --label saves --start learned1.sl
refuses 2 '--hash_bits cannot be given with --start' train part2.csv --hash_bits 20 --start learned1.sl
refuses 2 'part2.csv is a table, but the model was not trained on one' train part2.csv --start weighted.sl
ln -s "$savers" savers.csv # whose own path may have blanks
for use in 'train weighted.svm --start learned1.sl' 'train weighted.svm --from learned1.sl' 'predict learned1.sl weighted.svm' \
    'evaluate learned1.sl weighted.svm' "train savers.csv $columns --test weighted.svm" "tune savers.csv $columns --test weighted.svm"; do
    refuses 2 'weighted.svm does not end in .csv or .tsv, and the model was trained on a table' $use
done
works predict learned1.sl weighted.svm --format svmlight

[ $failures = 0 ] && echo "all is well"
exit $((failures > 0))
