#!/bin/sh
# examples.sh ROOT LIBRARY_FOLDER: the programs printed in the README (its first ```c block) and in the header's first comment, and the one in
# examples/c, compile as they stand, as C99, run, and load nothing but the C library beside ours.
set -eu
root=$1 libraries=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LD_LIBRARY_PATH="$libraries"
cd "$work"

sed -n '/^```c$/,/^```$/p' "$root/README.md" | sed '1d; /^```$/,$d' >readme.c
sed -n '/^ \*     #include <sparselin.h>/,/^ \*     }$/s/^ \*     \{0,1\}//p' "$root/include/sparselin.h" >header.c
cp "$root/examples/c/spam_filter.c" .
for name in readme header spam_filter; do
    test -s $name.c || { echo "no program found: $name" >&2 && exit 1; }
    ${CC:-cc} -std=c99 -Wall -Werror $name.c "-I$root/include" "-L$libraries" -lsparselin -lm -o $name
    ./$name "$root/examples/data"
    others=$(ldd ./$name | grep -vE 'linux-vdso|ld-linux|libc\.so|libm\.so|libsparselin\.so' || true)
    test -z "$others" || { echo "$name also loads $others" >&2 && exit 1; }
done
