#!/bin/sh
# exports.sh ROOT SHARED ALL_CPP STATIC: what the shared library shows to the outside and needs from it, beside the header, the stored list
# (tests/abi/symbols.txt), the library that a bare compiler makes of src/all.cpp, and the static library.
set -eu
root=$1 shared=$2 all_cpp=$3 static=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Every function has the version of symbols that the README promises to keep.
exported() { nm -D --defined-only "$1" | sed '/ A SPARSELIN_1\.0$/d; s/.* \(.*\)@@SPARSELIN_1\.0$/\1/; t; s/.* \(.*\)/\1, of no version/' | sort; }
exported "$shared" >"$work/shared"
exported "$all_cpp" >"$work/all.cpp"
# A library into which somebody links the static one shows these, too. The rest of it is hidden from there, and, so that it meets nobody's
# own names, in our name space; but what templates of the standard library become is whoever's comes first.
readelf -sW "$static" | awk '($5 == "GLOBAL" || $5 == "WEAK") && $7 != "UND" { print $5, $6, $8 }' >"$work/linked"
sed -n 's/^GLOBAL DEFAULT //p' "$work/linked" | sort >"$work/static"
if grep '^GLOBAL HIDDEN' "$work/linked" | grep -v '9sparselin' >&2; then echo "the static library has names outside its name space" >&2 && exit 1; fi
cp "$root/tests/abi/symbols.txt" "$work/symbols.txt"
${CC:-cc} -E -P -x c "$root/include/sparselin.h" | tr '\n' ' ' | tr ';' '\n' |
    sed -n 's/.*visibility.*[ *]\(sl_[a-z0-9_]*\) *(.*/\1/p' | sort >"$work/header"
cd "$work"
for other in header shared all.cpp static; do
    diff -u symbols.txt "$other" || { echo "tests/abi/symbols.txt and the functions of the $other differ" >&2 && exit 1; }
done

needed=$(readelf -d "$shared" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
for library in $needed; do
    case $library in
        libc.so.* | libm.so.* | libpthread.so.* | ld-linux*) ;;
        *) echo "the library needs $library" >&2 && exit 1 ;;
    esac
done
readelf -lW "$shared" | grep 'GNU_STACK.* RW ' >/dev/null || { echo "the stack is executable" >&2 && exit 1; }
echo "$(wc -l <symbols.txt) functions; needs" $needed
