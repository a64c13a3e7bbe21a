#!/bin/sh
# run.sh TARBALL: installs the R package into a temporary library, builds the C program that it is compared with, and prints what sparselin() costs.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
root=$here/../../..
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
R CMD INSTALL --library="$work" "$1" >"$work/install.txt" 2>&1 || { cat "$work/install.txt" && exit 1; }
c++ -std=c++17 -O2 -I"$root/include" -c "$root/src/all.cpp" -o "$work/all.o"
cc -std=c99 -O2 -I"$root/include" -c "$here/fit.c" -o "$work/fit.o"
c++ "$work/all.o" "$work/fit.o" -o "$work/fit"
R_LIBS="$work" Rscript "$here/cost.R" "$work/fit"
# Freed memory goes back at once, so that what is seen is what is used.
R_LIBS="$work" MALLOC_MMAP_THRESHOLD_=131072 Rscript "$here/cost.R" memory
