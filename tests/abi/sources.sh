#!/bin/sh
# sources.sh ROOT FILE...: src/all.cpp includes, the CMake list names (FILE...) and src/ holds the same files; what these and those of
# src/cli include makes no circle, a header and its source taken as one; one file of either asks each system, and one turns text to
# numbers; none asks the C library for an exponential, which has other bits elsewhere; and the header fits in 120 columns.
# No file of src includes one that src/README.md gives a higher level. What messages tell to call has a name in each binding that tells them.
set -eu
root=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '%s\n' "$@" | sort >"$work/CMakeLists.txt"
sed -n 's/^#include "\(.*\.cpp\)"$/\1/p' "$root/src/all.cpp" | sort >"$work/all.cpp"
(cd "$root/src" && ls ./*.cpp) | sed 's|^\./||' | grep -vx all.cpp | sort >"$work/src"
cd "$work"
diff -u src all.cpp
diff -u src CMakeLists.txt
for folder in "$root/src" "$root/src/cli"; do
    cd "$folder"
    for file in *.h *.cpp; do
        test "$file" = all.cpp || sed -n "s/^#include \"\(.*\)\.h\"\$/${file%.*} \1/p" "$file"
    done | awk '$1 != $2' | tsort >/dev/null
done
cd "$root/src"
system='fcntl|io|locale|poll|pthread|signal|stdlib|strings|termios|unistd|windows|dlfcn|sys/.*'
found=$(grep -El "^#include <($system)[.]h>|^#include <filesystem>" ./*.cpp ./*.h cli/*.cpp cli/*.h | grep -Ev '/(all|(system|windows)_[a-z]*)[.]cpp$' || :)
test -z "$found" || { echo "headers of the system in $found" >&2 && exit 1; }
found=$(grep -El 'std::(from|to)_chars' ./*.cpp ./*.h cli/*.cpp cli/*.h | grep -Ev '^./number[.]cpp$|^cli/output[.]cpp$' || :)
test -z "$found" || { echo "text to numbers in $found" >&2 && exit 1; }
found=$(grep -El 'std::(exp|exp2|expm1|log|log2|log10|log1p|pow|cbrt|hypot|sinh|cosh|tanh|atan|erf)\(' ./*.cpp ./*.h || :)
test -z "$found" || { echo "the C library's exponential or the like in $found" >&2 && exit 1; }
long=$(grep -En '^.{121}' "$root/include/sparselin.h" || :)
test -z "$long" || { echo "lines of the header beyond column 120: $long" >&2 && exit 1; }
high=$(awk -F '|' '
    FILENAME == "README.md" {
        if ($2 !~ /^ [0-9] $/) next
        count = split($3, names, "`")
        for (k = 2; k <= count; k += 2) { sub(/[.]cpp$/, "", names[k]); level[names[k]] = $2 + 0 }
        next
    }
    FNR == 1 { unit = FILENAME; sub(/[.].*/, "", unit); if (!(unit in level)) print unit " has no level in src/README.md" }
    /^#include "/ {
        split($0, parts, "\""); sub(/[.]h$/, "", parts[2])
        if (level[parts[2]] > level[unit]) print unit ", of level " level[unit] ", includes " parts[2] ", of level " level[parts[2]]
    }' README.md $(ls ./*.h ./*.cpp | sed 's|^\./||' | grep -vx all.cpp))
test -z "$high" || { echo "$high" >&2 && exit 1; }
for call in $(grep -hv '^#include' ./*.cpp ./*.h | grep -o '"[^"]*"' | grep -o 'sl_[a-z]*_[a-z_]*' | sort -u); do
    for told in go/errors.go r/R/errors.R java/src/main/java/org/sparselin/SparselinException.java python/sparselin/errors.py; do
        grep -qF "\"$call\"" "$root/bindings/$told" || { echo "bindings/$told has no name for $call, which a message tells to call" >&2 && exit 1; }
    done
done
echo "$# sources, the same in src/, src/all.cpp and CMakeLists.txt"
