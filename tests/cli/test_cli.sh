#!/bin/bash
# test_cli.sh PROGRAM DATA: the program from outside, on the real mail in DATA and on small files of its own.
set -u
. "$(dirname "$0")/helpers.sh"

train=$data/spam.train.svm.gz test=$data/spam.test.svm.gz words=$data/words.txt.gz
zcat "$train" >train.svm
rows=$(wc -l <train.svm)
printf '1 1:1 3:0.5\n-1 2:2\n1 1:1\n' >small.svm

# --- what it says about itself
works --version
grep -q '^sparselin [0-9]*\.[0-9]*\.[0-9]*$' out || failed "--version: $(cat out)"
run
[ "$code" = 2 ] && grep -q '^Usage: sparselin' out || failed "alone: exit code $code"
mkdir examples && ln -s "$data" examples/data
for command in train tune predict evaluate convert merge inspect; do
    works $command --help
    awk 'length($0) > 80 { exit 1 }' out || failed "$command --help is wider than 80 columns"
    example=$(sed -n 's/^  sparselin //p' out)
    [ -n "$example" ] || failed "$command --help has no example"
    works $example
done
works train --help
for option in loss l1 average_power seed index_base preset; do
    grep -q -e "^  --$option " out || failed "train --help does not tell of --$option"
done
tr -s ' \n' ' ' <out | grep -q 'One of polynomial, uniform, none. Default: polynomial' || failed "train --help has no choices and defaults"

# --- usage that cannot be: exit code 2
refuses 2 'nearest is --loss' train small.svm --los log
refuses 2 "nearest name is 'eta0'" train small.svm --learning_rate 1
refuses 2 'nearest is --model' train small.svm --modle=m.sl
refuses 2 'nearest is --probability' predict --probabilty m.sl small.svm
refuses 2 FILE train
refuses 2 nonsense nonsense
refuses 2 lug train small.svm --loss lug
refuses 2 'l1 is' train small.svm --l1=-1
refuses 2 'l1 is' train small.svm --l1 0,5
refuses 2 'center.*l1' train small.svm --center true --l1 1e-3
refuses 2 '--l1: At Most 1' train small.svm --l1 1 --l1 2
refuses 2 'whole number' train small.svm --top -3
refuses 2 'above 0' train small.svm --checkpoint 0 --model m.sl
refuses 2 'needs --model' train small.svm --checkpoint 1
refuses 2 'in memory' train - --epochs 2
refuses 2 'standard input' train - --test -
refuses 2 excludes predict m.sl small.svm --label --probability
[ ! -e m.sl ] || failed "a refused command wrote a model"

# --- options chosen by data held out
tune() { works tune "$train" --grid l1=0,1e-5 --grid l2=1e-6 "$@"; }
tune --folds 3 --model tuned.slm
[ "$(grep -c '^0\.' out)" = 2 ] && [ "$(grep -c '  best' out)" = 1 ] && grep -q 'l2=1e-06.*  sparsest within one standard error' out ||
    failed "tune: $(cat out)"
mv out table
tune --folds 3 --threads 3 --quiet && same out table "tune with three threads"
works train "$train" --sparse_average true --l2 1e-6 $(sed -n 's/^trained *\(l1=[^ ]*\).*/--\1/p' table) --model by.hand.slm
works predict tuned.slm "$test" --output tuned.scores && works predict by.hand.slm "$test" --output by.hand.scores
same tuned.scores by.hand.scores "the model that tune chose"
tune --sparsest --folds 3
[ "$(sed -n 's/^trained *//p' out)" = "$(sed -n 's/^.*  \(l1=[^ ]* l2=[^ ]* [^ ]*\)  .*sparsest.*/\1/p' table)" ] || failed "tune --sparsest: $(cat out)"
works tune "$train" --grid l2=1e-6,1e-5 --holdout 0.2 --center true --quiet # where averages cannot be sparse
tune --holdout 0.2 --metric auc && grep -q '^auc ' out || failed "tune --metric: $(cat out)"
works train "$train" --sparse_average true --l2 1e-6 --l1 1e-5 --test "$test" && loss=$(value 'test log_loss')
tune --test "$test" && grep -q "^$loss .*l1=1e-05 l2=1e-06" out || failed "tune --test: $loss, $(cat out)"
refuses 2 excludes tune small.svm --folds 3 --holdout 0.1
refuses 2 'folds is 1' tune small.svm --folds 1
refuses 2 'folds' tune small.svm --folds 4294967298
refuses 2 "the option threads is 'x'" tune small.svm --threads x
refuses 2 "the option threads is '99999999999999999999'" tune small.svm --threads 99999999999999999999
refuses 2 'threads is' predict by.hand.slm small.svm --threads 1025
refuses 2 'no metric' tune small.svm --metric accuracy
refuses 2 "nearest name is 'l1'" tune small.svm --grid 11=0
refuses 1 'too few' tune small.svm
refuses 1 'folder/m.sl: No such file' tune small.svm --model folder/m.sl

# --- bad data and files: exit code 1
refuses 1 'missing.svm: No such file' train missing.svm
refuses 1 'directory' train .
refuses 1 'folder/m.sl: No such file' train small.svm --model folder/m.sl
refuses 1 'not a regular file' train small.svm --model .
refuses 1 'missing.svm: No such file' train small.svm --test missing.svm
refuses 1 'missing.sl' predict missing.sl small.svm
refuses 1 'small.svm.*not a model' inspect small.svm
printf '1 1:1\n-1 2:x\n' >bad.svm
refuses 1 'bad.svm: line 2, column 6' train bad.svm
refuses 1 'bad.svm: line 2, column 6' train --stream bad.svm
head -c 30000 "$train" >cut.svm.gz
refuses 1 'cut.svm.gz: the gzip data ends too early' train cut.svm.gz
{ head -c 30000 "$train" && head -c 30000 /dev/zero && tail -c +60001 "$train"; } >damaged.svm.gz
refuses 1 'damaged.svm.gz: damaged gzip' train damaged.svm.gz
{ cat train.svm train.svm && echo '2 1:1'; } >third.svm
refuses 1 "example $((2 * rows + 1)): the label is 2" train --stream third.svm
{ cat train.svm train.svm && echo '1.5 1:1'; } >fraction.svm
refuses 1 'the label 1.5, one of 3 or more, is no whole number' train fraction.svm
refuses 1 'without --stream' train --stream small.svm --scale rms

# --- several classes: each has a word of its own, and one they share
awk 'BEGIN { for (r = 0; r < 600; ++r) { k = r % 3; print 10 * k, k + 1 ":1", "4:1" } }' >classes.svm
works train classes.svm --epochs 5 --test classes.svm --model classes.sl
[ "$(value classes)" = '3,' ] || failed "classes: $(value classes)"
[ "$(value 'test error_rate')" = 0 ] && [ "$(value 'test error of 20')" = 0 ] || failed "$(cat out)"
between 0.99 "$(value 'test macro_f1')" 1.000001 || failed "test macro_f1 $(value 'test macro_f1')"
works predict classes.sl classes.svm
[ "$(head -n 3 out | tr '\n' ' ')" = '0 10 20 ' ] || failed "predicted $(head -n 3 out)"
works predict classes.sl classes.svm --probability
[ "$(head -n 1 out)" = "$(printf '0\t10\t20')" ] && [ "$(wc -l <out)" = 601 ] || failed "$(head -n 2 out)"
between 0.999 "$(awk 'NR == 2 { print $1 + $2 + $3 }' out)" 1.001 || failed "probabilities $(sed -n 2p out)"
works predict classes.sl classes.svm --scores
[ "$(awk 'NR == 2 { print ($1 > $2 && $1 > $3) }' out)" = 1 ] || failed "scores $(sed -n 2p out)"
works inspect classes.sl --top 1
[ "$(grep -A1 'speak most for label 20' out | tail -n 1 | awk '{ print $2, $3 }')" = 'feature 3' ] || failed "$(cat out)"
awk '{ if (NR % 7 == 0) $1 = 10; print }' classes.svm >mixed.svm
works evaluate classes.sl mixed.svm
[ "$(value '10 taken for 0')" = 29 ] || failed "$(cat out)"
refuses 1 'none of this model' train third.svm --from classes.sl
refuses 1 'before the first is fed; a file given without --stream has' train --stream classes.svm --classes 3 --scale none
refuses 1 'the label 20 is one more than the option classes says, 2' train classes.svm --classes 2
refuses 1 'set the option classes.*; a file given without --stream has' train --stream classes.svm
refuses 1 '^sparselin: third.svm: row 0: the label is' evaluate classes.sl third.svm

# --- learning, and what is said of it
works train "$train" --test "$test" --names "$words" --l1 1e-5 --model m.sl
[ "$(value examples)" = "$rows" ] || failed "$(value examples) examples, not $rows"
between 0.99 "$(value 'test auc')" 1.000001 || failed "test auc $(value 'test auc')"
between 0.001 "$(value 'test error_rate')" 0.025 || failed "test error_rate $(value 'test error_rate')"
between 0.01 "$(value 'test log_loss')" 0.08 || failed "test log_loss $(value 'test log_loss')"
between 1000 "$(value 'examples a second')" 1e9 || failed "examples a second: $(value 'examples a second')"
grep -A 12 'most for label 1:' out | grep -q '  remove$' || failed "'remove' does not speak for spam"
grep -A 12 'most for label -1:' out | grep -q '  wrote$' || failed "'wrote' does not speak for ham"
[ "$(grep -c '^ *-\{0,1\}[0-9.]*  [^ ]*$' out)" = 24 ] || failed "not a dozen words each way"
[ ! -s err ] || failed "a short run said: $(cat err)"
[ -n "$(value 'test brier')" ] && grep -q '^test calibration_error 0' out || failed "no word on probabilities: $(cat out)"
[ "$(value labels)" = -1 ] && grep -q '^labels            -1 and 1$' out || failed "the labels are not told: $(cat out)"
grep -q 'iterate of the time' out || failed "whose loss the mean loss is"
works train small.svm --loss squared --test small.svm
[ -n "$(value 'test rmse')" ] && ! grep -q 'test auc' out || failed "metrics of a regression: $(cat out)"
works train small.svm --average-power 2 --clip_min -1 --model small.sl
works inspect small.sl
[ "$(value average_power)" = 2 ] && [ "$(value clip_min)" = -1 ] || failed "options do not arrive"
works train small.svm --l2 0.5 --preset dekel-asgd --average none --model small.sl
works inspect small.sl
[ "$(value schedule) $(value average)" = "inverse_lambda none" ] || failed "a preset is not overruled by what follows it"

# --- data in binary form: the same model, scores and text as from text
works convert "$train" train.sld
works convert "$test" test.sld
works train train.sld --l1 1e-5 --test test.sld --model binary.sl
same m.sl binary.sl "binary data and text"
works predict m.sl test.sld && mv out binary.scores
works predict m.sl "$test"
same out binary.scores "scores of binary data and text"
works evaluate m.sl test.sld && mv out binary.report
works evaluate m.sl "$test"
same out binary.report "a report on binary data and text"
works convert train.sld again.svm --text
works convert again.svm again.sld
same train.sld again.sld "binary data and what came from their text"
works convert train.sld zero.svm --text --index_base zero
works convert zero.svm again.sld --index_base zero
same train.sld again.sld "binary data and what came from their text from index 0"
works train --stream "$train" --model streamed.sl
works train --stream train.sld --model again.sl
same streamed.sl again.sl "streams of binary data and of text"
gzip -c train.sld >train.sld.gz
works train train.sld.gz --l1 1e-5 --model again.sl
same binary.sl again.sl "binary data, packed and not"
head -c 1000 train.sld >cut.sld
refuses 1 'cut.sld: not a whole data set' train cut.sld
refuses 1 'bad.svm: line 2, column 6' convert bad.svm bad.sld
[ ! -e bad.sld ] || failed "a failed convert leaves a file"
refuses 2 'file to be read' convert train.sld train.sld --text
refuses 2 'file to be read' convert train.sld train.sld
works predict m.sl - <train.sld
mv out piped
works predict m.sl train.sld
same out piped "binary data by name and as standard input"
works train - --model again.sl <train.sld
same streamed.sl again.sl "binary data as standard input"
rm -f again.svm zero.svm

# --- no output takes the place of an input, by whatever name
cp small.svm data.svm && ln -s data.svm link.svm && ln data.svm hard.svm && cp small.svm out.sl.part
for name in data.svm ./data.svm link.svm hard.svm; do
    refuses 2 "$name is a file to be read" train data.svm --model $name
    refuses 2 "$name is a file to be read" train small.svm --test data.svm --model $name
    refuses 2 "$name is a file to be read" train small.svm --names data.svm --model $name
    refuses 2 "$name is a file to be read" train - --model $name <data.svm
    refuses 2 "$name is a file to be read" predict m.sl data.svm --output $name
    refuses 2 "$name is a file to be read" predict m.sl - --output $name <data.svm
    refuses 2 "$name is a file to be read" convert data.svm $name --text
    refuses 2 "$name is a file to be read" convert data.svm $name
done
refuses 2 'out.sl.part is a file to be read' train --stream out.sl.part --model out.sl
same small.svm data.svm "data that a model was to be saved to"
works train data.svm --model m2.sl && works train data.svm --from m2.sl --model m2.sl --again

# --- an output is there whole or as it was, with its permissions and as the link that it was
echo kept >kept && chmod 600 kept && ln -s kept link
for command in "predict m.sl bad.svm --output" "predict m.sl cut.svm.gz --output" "convert --text bad.svm" "convert bad.svm"; do
    refuses 1 '' $command kept
    [ "$(cat kept)" = kept ] || failed "$command leaves its output as $(head -c 100 kept)"
    refuses 1 '' $command new
    [ ! -e new ] || failed "$command leaves a part of its output"
done
{ cat train.svm && sleep 5; } | "$sparselin" predict m.sl - --output kept 2>err &
sleep 0.7
kill -TERM $!
wait $!
[ $? = 143 ] && [ "$(cat kept)" = kept ] || failed "predict stopped by a signal: $(cat err)"
"$sparselin" predict m.sl small.svm >scores
works predict m.sl small.svm --output link
same scores kept "an output that replaces another"
[ -L link ] && [ "$(stat -c %a kept)" = 600 ] || failed "an output does not keep its permissions: $(ls -l kept link)"
[ -z "$(ls -A | grep tmp)" ] || failed "something is left behind: $(ls -A)"

# --- what is packed otherwise, and what is no data
for packing in 'bzip2:BZh91AY&SYzzzz' 'xz:\xfd7zXZ\0zzzz' 'zstd:\x28\xb5\x2f\xfdzzzz' 'unzip:PK\3\4zzzz'; do
    printf "${packing#*:}" >packed.svm
    for command in "train packed.svm" "train --stream packed.svm" "predict m.sl packed.svm" "inspect m.sl --names packed.svm"; do
        refuses 1 "packed.svm: it is packed.*${packing%%:*}.* FILE | sparselin" $command
    done
done
printf 'BZh\nPK\n' >names && printf '\xef\xbb\xbffirst\r\nBZh91' >marked
works train small.svm --names names && grep -q '  BZh$' out || failed "a name that begins as packed data: $(cat out)"
works train small.svm --names marked && grep -q '  first$' out || failed "a name behind a byte order mark: $(od -c out)"
refuses 1 'a name is longer' train small.svm --names /dev/zero
printf '3:1 2:1\n' >unlabelled.svm
refuses 1 'line 1, column 1: the label is missing' evaluate m.sl unlabelled.svm

# --- gzip and plain text, files and pipes: the same model
works train train.svm --l1 1e-5 --model plain.sl
same m.sl plain.sl "gzip and plain text"
works train --stream "$train" --quiet --model stream.sl
[ ! -s err ] || failed "--quiet is not quiet: $(cat err)"
"$sparselin" train - --model pipe.sl <train.svm >out 2>err || failed "a pipe of text"
[ "$(grep -c 'without scaling.*--scale none' err)" = 1 ] || failed "nothing is said about scaling: $(cat err)"
same stream.sl pipe.sl "file and pipe"
head -n 2000 train.svm | gzip >two.gz
tail -n +2001 train.svm | gzip >>two.gz
head -c 512 /dev/zero >>two.gz
dd if=two.gz bs=7 2>/dev/null | "$sparselin" train - --quiet --model members.sl >out || failed "gzip in a pipe"
same stream.sl members.sl "two gzip members in a pipe, 7 bytes at a time, with padding"

# --- labels of streams: 0 is told to become -1, and runs of one label that no random order makes
sed 's/^-1/0/' train.svm >zeros.svm
works train zeros.svm
grep -q '^labels            0 and 1$' out && [ ! -s err ] || failed "labels 0 and 1 of a file: $(cat out err)"
works train --stream zeros.svm
grep -q '^labels            -1 and 1$' out || failed "labels 0 and 1 of a stream: $(cat out)"
[ "$(grep -c 'label 0 counts as -1' err)" = 1 ] && ! grep -q 'were all' err || failed "a stream of labels 0 and 1 says: $(cat err)"
works train --stream zeros.svm --loss squared
! grep -q 'label 0' err || failed "0 of a regression: $(cat err)"
{ grep '^-1' train.svm && yes '1 1:1' | head -n 1500; } >sorted.svm
works train --stream sorted.svm
grep -q 'the last 1500 labels were all 1:' err || failed "nothing is said of a sorted stream: $(cat err)"
{ cat sorted.svm && echo '-1 1:1'; } >sorted.more.svm
works train --stream sorted.more.svm
[ "$(grep -c 'the last 1500 labels were all 1:' err)" = 1 ] || failed "nothing is said of a run within a stream: $(cat err)"
{ awk 'BEGIN { for (r = 0; r < 1500; ++r) print r % 3, r % 3 + 1 ":1" }' && yes '2 3:1' | head -n 1200; } >classes.sorted.svm
works train --stream classes.sorted.svm --classes 3
grep -q 'the last 120[01] labels were all 2:' err && ! grep -q 'label 0 counts' err || failed "a sorted stream of three classes: $(cat err)"
awk 'BEGIN { for (r = 0; r < 3000; ++r) { k = r < 1000 ? 0 : 1 + r % 2; print k, k + 1 ":1" } }' >first.svm
works train --stream first.svm --classes 3
! grep -q 'were all' err || failed "classes above 0 are taken for one: $(cat err)"
works train zeros.svm --model zeros.sl
works train --stream zeros.svm --from zeros.sl
! grep -q 'label 0' err || failed "0 and 1 of a model that has them: $(cat err)"
works train --stream sorted.svm --quiet
[ ! -s err ] || failed "--quiet is not quiet about labels: $(cat err)"
{ echo '-1 1:1' && yes '1 1:1' | head -n 5000; } | "$sparselin" train - >out 2>err
! grep -q 'were all' err || failed "a rare label is taken for sorting: $(cat err)"

# --- models of parts that become one, and models that begin at another
head -n 1000 train.svm >first.svm && tail -n +1001 train.svm >second.svm
works train first.svm --model first.sl && works train second.svm --model second.sl
works merge both.sl first.sl second.sl
works inspect both.sl
grep -q "steps  *$rows\$" out || failed "merged: $(grep steps out)"
works evaluate both.sl "$test" --metric error_rate
awk '$2 >= 0.05 { exit 1 }' out || failed "merged: $(cat out)"
works train first.svm --from both.sl --model on.sl
works merge same.sl first.sl && cmp -s first.sl same.sl || failed "one model merged is another"
works train second.svm --l1 1e-4 --model other.sl
refuses 1 'other.sl has the option l1 at 1e-04, and first.sl at 0' merge no.sl first.sl second.sl other.sl
works train second.svm --predictor-only --model small.sl
refuses 1 'small.sl was saved as a predictor' merge no.sl first.sl small.sl
refuses 2 'first.sl is a file to be read' merge first.sl second.sl first.sl
refuses 1 'missing.sl: No such file' merge no.sl first.sl missing.sl
[ ! -e no.sl ] || failed "a merge that failed left a file"
works train second.svm --start first.sl --loss hinge --model started.sl --test "$test"
works train second.svm --start small.sl --model started.sl
refuses 2 'excludes' train second.svm --start first.sl --from first.sl
refuses 2 'other labels\|another kind\|any number' train second.svm --start first.sl --loss squared

# --- prediction
works predict m.sl "$test"
mv out scores
[ "$(wc -l <scores)" = "$(zcat "$test" | wc -l)" ] || failed "not a score a line"
zcat "$test" | "$sparselin" predict --model m.sl - --output piped || failed "predict from a pipe"
same scores piped "scores of a file and of a pipe"
works predict m.sl "$test" --probability
paste scores out | awk '{ e = 1 / (1 + exp(-$1)) - $2; if (e * e > 1e-18) exit 1 }' || failed "--probability"
works predict m.sl "$test" --label
zcat "$test" | paste -d ' ' out - | awk '$1 != $2 { ++wrong } END { print wrong / NR }' >error_rate
works evaluate m.sl "$test" --metric error_rate
between "$(cat error_rate) - 1e-5" "$(value error_rate)" "$(cat error_rate) + 1e-5" || failed "--label and error_rate: $(cat error_rate out)"
works evaluate m.sl "$test"
[ -n "$(value error_rate)" ] && [ -n "$(value auc)" ] && [ -n "$(value log_loss)" ] || failed "evaluate: $(cat out)"
for name in f1 macro_f1 mcc average_precision brier calibration_error; do
    [ -n "$(value $name)" ] || failed "evaluate has no $name: $(cat out)"
done
refuses 2 "'auk'" evaluate m.sl "$test" --metric auk
works evaluate m.sl "$test" --plot m.svg
[ "$(head -c 5 m.svg)" = '<svg ' ] && [ "$(tail -n 1 m.svg)" = '</svg>' ] || failed "--plot writes no SVG"
[ "$(grep -c '^<rect.*stroke' m.svg)" = 3 ] && [ "$(grep -c '^<polyline' m.svg)" = 2 ] || failed "--plot has not three panels and two curves"
grep -q "ROC, area $(value auc | head -c 5)" m.svg || failed "the picture has another auc: $(cat out)"
printf '1 1:1\n0.5 2:1\n' >numbers.svm
works train numbers.svm --loss squared --model numbers.sl
refuses 2 'two labels' evaluate numbers.sl numbers.svm --plot numbers.svg
[ ! -e numbers.svg ] || failed "a refused command drew a picture"
works train "$train" --loss hinge --model hinge.sl
works evaluate hinge.sl "$test" --plot hinge.svg
[ "$(grep -c '^<rect.*stroke' hinge.svg)" = 2 ] || failed "calibration of a model without probabilities"
refuses 2 'm.sl is a file to be read' evaluate m.sl "$test" --plot m.sl
# The base of a model's text is the model's.
printf '1 0:1\n-1 1:1\n' >zero.svm
works train zero.svm --index_base zero --model zero.sl
works predict zero.sl zero.svm
mv out zero.scores
printf '1 1:1\n-1 2:1\n' >one.svm
works predict zero.sl one.svm --index-base one
same zero.scores out "--index_base"
works inspect zero.sl --top 1
grep -q 'feature 0$' out || failed "features are not called as in the text: $(cat out)"
works inspect m.sl --names "$words" --top 3
[ "$(grep -c '^ *-\{0,1\}[0-9.]*  [^ ]*$' out)" = 6 ] || failed "inspect --top 3"

# --- output that cannot be written
ln -s "$test" test.gz # whose own path may have blanks
for command in "predict m.sl test.gz" "evaluate m.sl test.gz" "inspect m.sl" "train small.svm" "--version" "train --help"; do
    "$sparselin" $command >/dev/full 2>err
    [ $? = 1 ] && grep -q '^sparselin: standard output: No space left' err || failed "full disk: $command: $(cat err)"
    "$sparselin" $command >&- 2>err
    [ $? = 1 ] && grep -q '^sparselin: standard output: ' err || failed "closed standard output: $command: $(cat err)"
done
{ "$sparselin" predict m.sl train.svm 2>err && echo done >finished; } | true
[ ! -e finished ] && grep -q 'Broken pipe' err || failed "a reader that went away: $(cat err)"
refuses 1 '/dev/full: No space left' predict m.sl "$test" --output /dev/full

# --- a locale with a decimal comma
env LC_ALL=de_DE.UTF-8 "$sparselin" predict m.sl "$test" >out || failed "predict under a comma locale"
same scores out "scores under a comma locale"
env LC_ALL=de_DE.UTF-8 "$sparselin" train train.svm --l1 0.00001 --model comma.sl >out || failed "train under a comma locale"
same plain.sl comma.sl "models under a comma locale"

# --- in several threads: the same models and scores
for _ in 1 2 3 4 5 6 7 8; do cat train.svm; done >long.svm
works train --stream long.svm --threads 1 --model stream.sl
for threads in 1 2 3; do
    works train --stream long.svm --model threads.sl --threads $threads
    same stream.sl threads.sl "a stream read in $threads threads"
    works train train.svm --l1 1e-5 --model threads.sl --threads $threads
    same plain.sl threads.sl "a file read in $threads threads"
    works predict plain.sl long.svm --threads $threads --output threads.txt
    works predict plain.sl long.svm --output alone.txt
    same alone.txt threads.txt "rows scored in $threads threads"
    works evaluate plain.sl train.svm --threads $threads
done

# --- a long pipe in little memory: what 180 MB of text would take is several times the limit
mkfifo pipe
"$sparselin" train - --quiet --model pipe.sl <pipe >out 2>err &
exec 9>pipe
for _ in 1 2 3; do cat long.svm >&9; done
peak=$(sed -n 's/^VmHWM:[[:space:]]*\([0-9]*\) kB/\1/p' /proc/$!/status)
exec 9>&-
wait $! || failed "a long pipe: $(cat err)"
[ "$peak" -lt 64000 ] || failed "learning a pipe takes $peak kB"
[ "$(value steps)" = $((24 * rows)) ] || failed "a long pipe: $(cat out)"

# --- progress
{ cat small.svm && sleep 3.2 && cat train.svm; } | "$sparselin" train - >out 2>err
grep -q '^sparselin: .* examples, mean loss [0-9.e-]*, .* a second$' err || failed "no line of progress: $(cat err)"
if command -v script >/dev/null; then
    export sparselin
    for _ in 1 2 3; do cat long.svm; done >longer.svm # so that it takes several times the 0.1 s after which progress is shown
    script -qc '"$sparselin" train --threads 1 longer.svm' /dev/null </dev/null >screen
    tr '\r' '\n' <screen | grep -q '^reading longer.svm: [0-9]* %' || failed "no reading on a terminal"
    script -qc '"$sparselin" train --stream --threads 1 --l1 1e-5 --average uniform longer.svm' /dev/null </dev/null >screen
    rm longer.svm
    tr '\r' '\n' <screen | grep -q 'examples, mean loss .* %, [0-9]* s left' || failed "no progress on a terminal"
    script -qc '"$sparselin" train long.svm --quiet' /dev/null </dev/null >screen
    ! grep -q '%' screen || failed "--quiet is not quiet on a terminal"
fi

[ $failures = 0 ] && echo "all is well" || exit 1
