#!/bin/sh
# cross.sh ROOT BUILD LANGUAGE...: in C and in each language a model is trained on the mail and saved, and then each reads the models of all and
# predicts. Whoever trained, all of them have the same scores, to the bit, and so has every model.
set -eu
root=$1 build=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for part in train test; do zcat "$root/examples/data/spam.$part.svm.gz" >"$work/$part"; done

# LANGUAGE train ROWS MODEL, or LANGUAGE predict MODEL ROWS SCORES: the scores are written as doubles, little-endian.
run() {
    language=$1
    shift
    case $language in
        c) "$build/cross_c" "$@" ;;
        java) java -cp "$(ls "$build"/bindings/java/sparselin-*[0-9].jar)" "$root/tests/cross/Cross.java" "$@" ;;
        go) (cd "$root/tests/cross/go" && GOPROXY=off GOTOOLCHAIN=local GOFLAGS= GOWORK=off "$root/bindings/go/go.sh" run . "$@") ;;
        python) "$build/bindings/python/venv/bin/python" "$root/tests/cross/cross.py" "$@" ;;
        r) R_LIBS="$build/bindings/r/sparselin.Rcheck" Rscript --vanilla "$root/tests/cross/cross.R" "$@" ;;
    esac
}

for trained in c "$@"; do
    run "$trained" train "$work/train" "$work/$trained.slm"
    for read in c "$@"; do
        run "$read" predict "$work/$trained.slm" "$work/test" "$work/$trained.$read"
        cmp "$work/c.c" "$work/$trained.$read"
    done
done
test "$(wc -c <"$work/c.c")" = $((8 * $(wc -l <"$work/test")))
echo "the same $(wc -l <"$work/test") scores wherever it is trained and read: c $*"
