#!/bin/bash
# test_stopping.sh PROGRAM DATA README: early stopping. What is said of each pass is what `evaluate` says of a model of so many passes, the best is kept,
# and that model is the one of a training that was never looked at.
set -u
readme=$(realpath "$3")
. "$(dirname "$0")/helpers.sh"

train=$data/spam.train.svm.gz test=$data/spam.test.svm.gz
gunzip -c "$train" >train.svm && gunzip -c "$test" >test.svm
judged() { works train train.svm --validate test.svm --epochs 20 --patience 3 "$@"; }
# told PREFIX: the log loss in out that is of these data.
told() { sed -n "s/^$1 log_loss *//p" out; }
# best FILE: pass and value of the least loss of a curve.
best() { awk 'NR > 1 && (n == 0 || $3 < least) { n = $1; least = $3 } END { print n, least }' "$1"; }

# --- the curve, and what is kept of it
judged --model best.slm --curve curve.tsv
[ "$(head -n 1 curve.tsv)" = "$(printf 'pass\ttrain_loss\tvalidation_log_loss\tnonzeros')" ] || failed "curve: $(cat curve.tsv)"
read -r pass loss <<<"$(best curve.tsv)"
passes=$(($(wc -l <curve.tsv) - 1))
[ "$passes" = $((pass + 3)) ] && [ "$passes" -lt 20 ] || failed "it did not stop 3 passes after the best: $(cat curve.tsv)"
grep -q "^passes  *$passes of 20 at most; the model is that of pass $pass, the best$" out || failed "report: $(cat out)"
[ "$(grep -c '^sparselin: pass ' err)" = "$passes" ] || failed "passes on standard error: $(cat err)"
[ "$(grep -c ', the best so far$' err)" = "$pass" ] || failed "the best so far: $(cat err)"
kept=$(told validation)
works evaluate best.slm test.svm && [ "$(value log_loss)" = "$kept" ] || failed "kept $kept, but $(value log_loss) is evaluated"
works inspect best.slm --all && mv out best.weights
for p in 1 "$pass"; do
    works train train.svm --epochs "$p" --model plain.slm
    works evaluate plain.slm test.svm && said=$(sed -n "s/^sparselin: pass $p: .*log_loss \([^,]*\).*/\1/p" err)
    [ "$(value log_loss)" = "$(awk -v p="$p" '$1 == p { printf "%.6g", $3 }' curve.tsv)" ] || failed "pass $p is $said, by hand $(value log_loss)"
done
works inspect plain.slm --all && same out best.weights "the model of pass $pass and one of so many epochs"
# The loss of each pass is that of its steps alone: the mean over all is that of a plain run.
works train train.svm --epochs "$passes"
mean=$(value 'mean loss')
[ "$(awk 'NR > 1 { sum += $2 } END { printf "%.6g", sum / (NR - 1) }' curve.tsv)" = "$mean" ] || failed "the mean loss is $mean: $(cat curve.tsv)"
# All passes, quietly and in several threads.
judged --quiet --threads 3 --curve quiet.tsv --predictor-only --model predictor.slm --test test.svm
[ ! -s err ] && same curve.tsv quiet.tsv "the curve with three threads" && [ "$(told test)" = "$kept" ] || failed "quiet: $(cat err out)"
works train train.svm --validate test.svm --epochs 6 --curve all.tsv
[ "$(wc -l <all.tsv)" = 7 ] && same <(head -n 7 curve.tsv) all.tsv "six passes without patience"

# --- the command of the README, and what is said there of it
mkdir examples && ln -s "$data" examples/data
eval "works $(sed -n 's/^    sparselin \(train .*--patience.*\)/\1/p' "$readme")"
read -r pass loss <<<"$(best spam.tsv)"
grep -q "stops after pass $(($(wc -l <spam.tsv) - 1)), since" "$readme" && grep -q "the model of pass $pass, log loss $(printf %.4f "$loss")," "$readme" ||
    failed "README says otherwise: $(cat spam.tsv)"

# --- other metrics, a share held out, and classes
judged --metric auc --curve auc.tsv
awk 'NR > 1 && $3 > most { n = $1; most = $3 } END { print n }' auc.tsv >most
grep -q "the model is that of pass $(cat most), the best" out || failed "auc: $(cat out auc.tsv)"
judged --loss hinge && grep -q '^validation error_rate ' out || failed "hinge: $(cat out)"
works train train.svm --holdout 0.2 --seed 3 --epochs 4 --metric error_rate --model held.slm --curve held.tsv
grep -q '^examples  *4821 (964 held out)$' out || failed "held out: $(cat out)"
works tune train.svm --holdout 0.2 --seed 3 --metric error_rate --sparse_average false --grid l1=0 --grid epochs=1,2,3,4 --quiet
[ "$(awk 'NR > 1 { printf "%.6g\n", $3 }' held.tsv)" = "$(awk '/^0/ { print $1 }' out)" ] || failed "tune holds out others: $(cat held.tsv out)"
for k in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "$((k % 3)) $((k % 3 + 1)):1 9:$k"; done >few.svm && echo '7 5:1' >>few.svm
works train few.svm --holdout 0.4 --epochs 2 && grep -q '^classes  *4' out || failed "a class that is held out: $(cat out)"
works train "$data/savers.train.csv" --label job --holdout 0.2 --epochs 2 --quiet && grep -q '^classes  *6, labels teacher' out || failed "words: $(cat out)"
works train "$data/savers.train.csv" --label saves --positive yes --validate "$data/savers.test.csv" --epochs 5 --patience 2 --model table.slm
kept=$(told validation)
works evaluate table.slm "$data/savers.test.csv" && [ "$(value log_loss)" = "$kept" ] || failed "a table: $kept, $(cat out)"

# --- stopped by a signal, the best pass so far is saved, and gone on with
"$sparselin" train train.svm --validate test.svm --epochs 100000 --model stopped.slm --curve stopped.tsv >out 2>err &
for _ in $(seq 200); do sleep 0.05 && grep -q 'pass 7:' err && break; done
kill -INT $!
wait $!
[ $? = 130 ] || failed "SIGINT: $(cat err)"
read -r pass loss <<<"$(best stopped.tsv)"
grep -q "the best pass so far was $pass, whose model is saved to stopped.slm. To go on from there: sparselin train train.svm .* --validate test.svm$" err ||
    failed "SIGINT: $(cat err)"
works evaluate stopped.slm test.svm && [ "$(value log_loss)" = "$(awk "BEGIN { printf \"%.6g\", $loss }")" ] || failed "saved: $(cat out) of $loss"
works train train.svm --from stopped.slm --validate test.svm --patience 2 --model further.slm --curve further.tsv
[ "$(sed -n '2s/\t.*//p' further.tsv)" = $((pass + 1)) ] || failed "gone on from $pass: $(cat further.tsv)"
same <(sed -n 2p further.tsv | cut -f 1,3,4) <(awk -v p=$((pass + 1)) '$1 == p' stopped.tsv | cut -f 1,3,4) "the pass after the best"
grep -q "the model is that of pass $pass, the best" out || failed "the one it went on from is forgotten: $(cat out)"
# Stopped once more, it says what it has learned since, though the best is still what it went on from.
"$sparselin" train train.svm --from stopped.slm --validate test.svm >out 2>err &
for _ in $(seq 200); do sleep 0.05 && grep -q "pass $((pass + 9)):" err && break; done
kill -INT $!
wait $!
grep -q "^sparselin: stopped after [0-9]* of $((100000 * 4821)) examples" err || failed "stopped again: $(cat err)"
"$sparselin" train train.svm --holdout 0.2 --epochs 100000 >out 2>err &
for _ in $(seq 200); do sleep 0.05 && grep -q 'pass 2:' err && break; done
kill -INT $!
wait $!
grep -q "^sparselin: stopped after [0-9]* of $((100000 * (4821 - 964))) examples" err || failed "examples held out count: $(cat err)"
# What is learned to its end already is not judged, and no curve is written.
works train train.svm --from plain.slm --validate test.svm --curve never.tsv
grep -q 'learned all .* --again learns it once more, and judges it' err && [ ! -e never.tsv ] || failed "learned already: $(cat err)"
# The best pass's model outlasts a pass that cannot be judged: its loss is beyond a double once the weight is beyond 1.3 or so.
echo '2 1:1' >slow.svm && echo '0 1:1.3e154' >huge.svm
refuses 1 'huge.svm: loss is beyond what a double can hold' train slow.svm --validate huge.svm --loss squared --schedule constant --eta0 0.3 \
    --l2 0 --bias false --scale none --average none --epochs 9 --model kept.slm
grep -q '^The model of pass 1, the best before, is saved to kept.slm$' err && works inspect kept.slm --all && grep -q '0[.]59999' out ||
    failed "a pass that cannot be judged: $(cat err out)"
works train train.svm --validate test.svm --epochs 20 --patience 3 --model best.of.checkpoints.slm --checkpoint 0.001
same best.slm best.of.checkpoints.slm "checkpoints beside validation"

# --- what cannot be
refuses 2 'needs --validate' train train.svm --patience 2 --epochs 9
refuses 2 'needs --validate' train train.svm --metric auc
refuses 2 'needs --validate' train train.svm --curve c.tsv
refuses 2 'needs --epochs' train train.svm --validate test.svm --patience 2
refuses 2 'above 0' train train.svm --validate test.svm --patience 0 --epochs 9
refuses 2 excludes train train.svm --validate test.svm --holdout 0.1
refuses 2 'FILE in memory' train train.svm --stream --validate test.svm
refuses 2 'FILE in memory' train - --holdout 0.1
refuses 2 'standard input' train train.svm --validate - --test -
refuses 2 'no metric' train train.svm --validate test.svm --metric accuracy
refuses 1 'auc needs loss' train train.svm --validate test.svm --metric auc --loss squared
refuses 2 'holdout is 1.5' train train.svm --holdout 1.5
refuses 2 'to be read' train train.svm --validate test.svm --curve test.svm
refuses 2 'needs a file' train train.svm --validate test.svm --curve -
refuses 2 'a file of its own' train train.svm --validate test.svm --curve /dev/stdout
refuses 2 'file of --model' train train.svm --validate test.svm --curve c --model c
refuses 2 'file of --model' train train.svm --validate test.svm --curve ./c --model c
refuses 2 'test.svm does not end in .csv or .tsv' train "$data/savers.train.csv" --label saves --positive yes --validate test.svm
refuses 2 'to be read' train train.svm --validate test.svm --model test.svm
refuses 1 'folder/c.tsv: No such file' train train.svm --validate test.svm --curve folder/c.tsv
echo '7 1:1' >strange.svm
refuses 1 'strange.svm: row 0: the label is 7' train train.svm --validate strange.svm --model never.slm
[ ! -e never.slm ] && [ ! -e c.tsv ] || failed "a refused command wrote a file"

[ $failures = 0 ] && echo "all is well"
exit $((failures > 0))
