#!/bin/bash
# test_resuming.sh PROGRAM DATA: learning that is stopped, killed, fails, or is over, and is taken up again, gives the same model.
set -u
. "$(dirname "$0")/helpers.sh"

train=$data/spam.train.svm.gz
zcat "$train" >train.svm
rows=$(wc -l <train.svm)
printf '1 1:1 3:0.5\n-1 2:2\n1 1:1\n' >small.svm

works train "$train" --epochs 60 --model straight.sl
works train "$train" --epochs 60 --model checkpoint.sl --checkpoint 0.001
same straight.sl checkpoint.sl "checkpoints change nothing"
# Observing this takes longer than the first report of progress, and leaves nothing to save: a checkpoint would start it anew for ever.
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do cat train.svm; done >wide.svm
timeout 100 "$sparselin" train wide.svm --storage hash --quiet --model observed.sl --checkpoint 0.001 >out 2>err ||
    failed "a checkpoint while observing: exit code $?, $(cat err)"
rm wide.svm
# What holds no examples replaces no model.
cp straight.sl kept.sl
refuses 1 'standard input has no examples' train - --model kept.sl </dev/null
printf '\n\n' >blank.svm
refuses 1 'blank.svm has no examples' train blank.svm --model kept.sl
same straight.sl kept.sl "a model that nothing was learned into"
refuses 2 'given, but empty' train small.svm --model ''
refuses 2 'given, but empty' train small.svm --test ''
printf '3 1:1\n' >three.svm
refuses 1 'three.svm: row 0: the label is 3' train small.svm --test three.svm
# stopped SIGNAL CODE ARGUMENT...: ends a run in its midst, which is told by the command to go on; sooner or later where the run was over
# already or had not begun to learn.
stopped() {
    local signal=$1 wanted=$2 delay
    shift 2
    for delay in 0.6 0.3 0.2 0.12 0.08 0.05 0.1 0.16 0.25 0.4 0.8 1.5; do
        "$sparselin" "$@" >out 2>err &
        sleep $delay
        kill -"$signal" $! 2>/dev/null
        wait $!
        code=$?
        command=$(sed -n 's/.*To go on: sparselin //p' err)
        [ -z "$command" ] || break
    done
    [ -n "$command" ] || failed "nothing is said about how to go on: $(cat err)"
    [ $code = "$wanted" ] || failed "SIG$signal: exit code $code: $*: $(cat err)"
}
stopped INT 130 train "$train" --epochs 60 --model "on and off.sl"
eval "run $command"
same straight.sl "on and off.sl" "a fit stopped by SIGINT"
stopped TERM 143 train "$train" --epochs 60 --model term.sl
works train "$train" --from term.sl --model term.sl
same straight.sl term.sl "a fit stopped by SIGTERM"
for _ in 1 2 3 4 5 6 7 8; do cat train.svm; done >long.svm
works train --stream long.svm --model straight.sl
stopped INT 130 train --stream long.svm --model stream.sl
eval "run $command"
same straight.sl stream.sl "a stream stopped by SIGINT"
# Killed at any moment, it is taken up from its last checkpoint; and who does so again and again changes nothing any more.
works train "$train" --epochs 60 --model whole.sl
for delay in 0.2 0.5 0.9; do
    rm -f killed.sl
    "$sparselin" train "$train" --epochs 60 --model killed.sl --checkpoint 0.001 >out 2>err &
    sleep $delay
    kill -KILL $! 2>/dev/null
    wait $! 2>/dev/null
    [ -e killed.sl ] || continue
    works train "$train" --from killed.sl --model killed.sl
    same whole.sl killed.sl "a fit that was killed and taken up"
    works train "$train" --from killed.sl --model killed.sl
    grep -q 'killed.sl has learned all of .* already; --again' err || failed "nothing is said of a run that is over: $(cat err)"
    same whole.sl killed.sl "a fit that was over and taken up"
done
works train "$train" --from whole.sl --model again.sl --again
! cmp -s whole.sl again.sl || failed "--again learns nothing"
works train small.svm --from whole.sl --model other.sl
[ ! -s err ] && ! cmp -s whole.sl other.sl || failed "other data are not learned on top: $(cat err)"
works train --stream small.svm --from whole.sl --model other.sl
grep -q -e '--skip [1-9][0-9]* passes over those' err || failed "nothing is said of what a stream begins with: $(cat err)"
works train --stream small.svm --from whole.sl --model other.sl --quiet
[ ! -s err ] || failed "--quiet is not quiet about a stream: $(cat err)"
refuses 2 'cannot be given with --from' train "$train" --from straight.sl --l1 1
# A stream that fails late: what came before the bad line is kept beside the model, and going on from there with the line mended gives
# the same model.
{ cat long.svm && echo '1 x' && cat small.svm; } >late.svm
cp straight.sl late.sl
for threads in 1 "" 2; do # by default as many as there are cores, as far as four
    refuses 1 "late.svm: line $((8 * rows + 1)), column 3" train late.svm ${threads:+--threads $threads} --model late.sl
    same straight.sl late.sl "a model that a failed file would have replaced"
done
refuses 1 "late.svm: line $((8 * rows + 1)), column 3" train --stream late.svm --model late.sl
same straight.sl late.sl "a model that a failed stream would have replaced"
command=$(sed -n 's/.*To go on with a sound input: sparselin //p' err)
mv long.svm late.svm
eval "run $command"
same straight.sl late.sl "a stream taken up after a bad line"
mv late.svm long.svm
{ cat train.svm && echo '2 1:1'; } >label.svm
refuses 1 "label.svm, example $((rows + 1)): the label is 2" train --stream label.svm --model label.sl
[ -e label.sl.part ] && [ ! -e label.sl ] && grep -q "The $rows examples before" err || failed "nothing is kept before a bad label: $(cat err)"
mkfifo silent
"$sparselin" train - --quiet --model silent.sl <silent 2>err &
exec 9>silent
sleep 0.3
kill -INT $!
wait $!
[ $? = 130 ] && grep -q 'before anything was learned; nothing was saved' err || failed "stopped while waiting for a pipe: $(cat err)"
exec 9>&-

[ $failures = 0 ] && echo "all is well" || exit 1
