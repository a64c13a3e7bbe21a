#!/bin/sh
# sources.sh ROOT FILE...: src/all.cpp includes, the CMake list names (FILE...) and src/ holds the same files; what these and those of
# src/cli include makes no circle, a header and its source taken as one.
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
echo "$# sources, the same in src/, src/all.cpp and CMakeLists.txt"
