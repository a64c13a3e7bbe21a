#!/bin/bash
# watched.sh DATA COMMAND...: each command of the program once, on some of the real mail in DATA, where COMMAND is the program after
# what watches over it. What watches says what is wrong and gives an exit code of its own.
set -u
data=$(realpath "$1")
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

failures=0
# gives CODE ARGUMENT...
gives() {
    local wanted=$1 code
    shift
    "${command[@]}" "$@" >out 2>err
    code=$?
    [ $code = "$wanted" ] && return
    failures=$((failures + 1))
    echo "FAILED: exit code $code, not $wanted: $*: $(cat err)" >&2
}
command=("$@")

zcat "$data/spam.train.svm.gz" | head -n 300 >mail.svm
gzip -k mail.svm
{ cat mail.svm && echo '1 x'; } >bad.svm
head -c 3000 mail.svm.gz >cut.svm.gz

gives 0 --version
gives 0 train --help
gives 0 train mail.svm.gz --test mail.svm --names "$data/words.txt.gz" --l1 1e-5 --epochs 3 --model m.sl --checkpoint 0.001
gives 0 train mail.svm --validate mail.svm.gz --epochs 3 --patience 1 --metric auc --curve curve.tsv --checkpoint 0.001 --model best.sl
gives 0 train mail.svm --holdout 0.2 --epochs 2
gives 0 train mail.svm --from m.sl --model more.sl --again
gives 0 train --stream mail.svm --threads 3 --model stream.sl
gives 0 train - --quiet --model pipe.sl <mail.svm.gz
gives 0 convert mail.svm mail.sld
gives 0 convert mail.sld again.svm --text
gives 0 train mail.sld --storage hash --center true
gives 0 predict m.sl mail.svm.gz --probability
gives 0 evaluate m.sl mail.sld
gives 0 inspect m.sl --top 5
gives 0 train "$data/savers.train.csv" --label saves --positive yes --cross 'city*job' --test "$data/savers.test.csv" --model table.sl
gives 0 predict table.sl "$data/savers.test.csv" --with name
gives 0 train - --format csv --label saves --positive yes --text name --predictor-only --model pipe.sl <"$data/savers.train.csv"
gives 0 inspect pipe.sl --all
gives 0 inspect pipe.sl --json
gives 1 train "$data/savers.train.csv" --label saves
gives 1 train --stream bad.svm --model part.sl
gives 1 train cut.svm.gz
gives 1 train missing.svm
gives 1 inspect mail.svm
gives 1 predict m.sl mail.svm --output /dev/full
gives 2 train mail.svm --los log
cmp m.sl more.sl >/dev/null && failures=1 && echo "FAILED: going on learned nothing" >&2

[ $failures = 0 ] && echo "all is well"
