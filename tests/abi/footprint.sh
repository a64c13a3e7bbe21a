#!/bin/sh
# footprint.sh LIBRARY: prints the size of the stripped library and the newest version of a symbol it needs of the C library, and fails where
# either is beyond what footprint.txt allows.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
strip -o "$work/stripped" "$1"
size=$(wc -c <"$work/stripped")
newest=$(objdump -T "$1" | sed -n 's/.*GLIBC_\([0-9.]*\).*/\1/p' | sort -uV | tail -n 1)
. "$(dirname "$0")/footprint.txt"
echo "Stripped, the library has $size bytes; it needs glibc $newest"
test "$size" -le "$largest_size" || { echo "more than $largest_size bytes" >&2 && exit 1; }
# A newer C library at build time gives newer symbols; what counts is what the oldest supported system gives.
machine=$(getconf GNU_LIBC_VERSION | cut -d' ' -f2)
highest() { printf '%s\n%s\n' "$1" "$2" | sort -V | tail -n 1; }
test "$(highest "$machine" "$built_with")" = "$machine" && test "$machine" != "$built_with" && exit 0
test "$(highest "$newest" "$newest_symbol")" = "$newest_symbol" || { echo "newer than glibc $newest_symbol" >&2 && exit 1; }
