#!/bin/sh
# run.sh PROGRAM JAR: what rows of 80 nonzeros cost in C and in Java, in turns so that both see the same machine, and the best of each; and
# how many predictions threads make together.
set -eu
program=$1 jar=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
javac -cp "$jar" -d "$work" "$here/JavaCost.java" "$here/JavaThreads.java"
for dimension in 16384 1048576; do
    for turn in 1 2 3; do
        "$program" $dimension | sed 's/^/C /'
        java -cp "$jar:$work" JavaCost $dimension | sed 's/^/Java /'
    done >"$work/times"
    awk -v dimension=$dimension '
        { if (!(($1, $2) in best) || $3 < best[$1, $2]) best[$1, $2] = $3 }
        END {
            printf "%d features, ns a row   C      Java   more\n", dimension
            split("feed feedCsr predict predictCsr", calls, " ")
            for (i = 1; i <= 4; ++i) {
                c = best["C", calls[i]]; java = best["Java", calls[i]]
                printf "  %-22s %7.1f %7.1f %6.1f (%.1f %%)\n", calls[i], c, java, java - c, 100 * (java - c) / c
            }
        }' "$work/times"
done
java -cp "$jar:$work" JavaThreads
