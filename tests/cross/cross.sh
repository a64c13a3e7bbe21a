#!/bin/sh
# cross.sh ROOT BUILD LANGUAGE...: in C and in each language a model is trained on the mail and saved, and then each reads the models of all and
# predicts. Whoever trained, all of them have the same scores, to the bit, and so has every model. And the examples that learn from the
# text of the mail, in examples/mail, all say the same.
set -eu
root=$1 build=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for part in train test; do zcat "$root/examples/data/spam.$part.svm.gz" >"$work/$part"; done

# run LANGUAGE FOLDER ARGUMENT...: the program in that language in the folder.
run() {
    language=$1 folder=$root/$2
    shift 2
    case $language in
        c) "$build/$(basename "$folder")_c" "$@" ;;
        java) java -cp "$(ls "$build"/bindings/java/sparselin-*[0-9].jar)" "$folder"/*.java "$@" ;;
        go) (cd "$folder/go" && GOPROXY=off GOTOOLCHAIN=local GOFLAGS= GOWORK=off "$root/bindings/go/go.sh" run . "$@") ;;
        python) "$build/bindings/python/venv/bin/python" "$folder"/*.py "$@" ;;
        r) R_LIBS="$build/bindings/r/sparselin.Rcheck" Rscript --vanilla "$folder"/*.R "$@" ;;
    esac
}

# Each of them takes train ROWS MODEL, or predict MODEL ROWS SCORES: the scores are written as doubles, little-endian.
for trained in c "$@"; do
    run "$trained" tests/cross train "$work/train" "$work/$trained.slm"
    for read in c "$@"; do
        run "$read" tests/cross predict "$work/$trained.slm" "$work/test" "$work/$trained.$read"
        cmp "$work/c.c" "$work/$trained.$read"
    done
done
test "$(wc -c <"$work/c.c")" = $((8 * $(wc -l <"$work/test")))
echo "the same $(wc -l <"$work/test") scores wherever it is trained and read: c $*"

for language in c "$@"; do
    echo "$language: $(run "$language" examples/mail "$root/examples/data/mail.train.tsv" "$root/examples/data/mail.test.tsv")"
done | tee "$work/said"
grep -qxE 'c: [1-9]?[0-9]\.[0-9]{2} % wrong' "$work/said"
test "$(sed 's/.*: //' "$work/said" | uniq | wc -l)" = 1 && test "$(wc -l <"$work/said")" = $(($# + 1))
