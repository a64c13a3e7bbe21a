#!/bin/sh
# sources.sh ROOT FILE...: src/all.cpp includes, the CMake list names (FILE...) and src/ holds the same files.
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
echo "$# sources, the same in src/, src/all.cpp and CMakeLists.txt"
