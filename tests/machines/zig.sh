#!/bin/sh
# zig.sh ROOT WORK HASHES: the library by zig (clang with libc++), whose targets name the C library that there has to be: WORK/TARGET/ gets
# libsparselin.so.1 and libsparselin.a. `golden` is linked with either and run, aarch64's by qemu-user, musl's by musl's loader. glibc's
# libraries may need no symbol newer than 2.17. HASHES is what `golden` of this machine's own build wrote: all give the same bits. TARGETS asks for others, as x86_64-linux-musl.
set -eu
root=$1 work=$2 hashes=$3
targets=${TARGETS:-"x86_64-linux-gnu.2.17 aarch64-linux-gnu.2.17"}
version=0.17.1
mkdir -p "$work"
if ! [ -x "$work/ziglang-$version/ziglang/zig" ]; then
    python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target "$work/ziglang-$version" ziglang==$version
fi
export PATH="$work/ziglang-$version/ziglang:$PATH"
cd "$root"

for target in $targets; do
    place=$work/$target
    mkdir -p "$place"
    flags="-target $target -O2 -fPIC -pthread -ffunction-sections -fdata-sections -Iinclude"
    golden="-std=c11 -Wall -Wextra -Werror -Itests/machines -DSL_MEMCHECK=0 -DSL_SHARE=1 -DSL_EMULATED=0 -DSL_TEST_DATA=\"$PWD/tests/data\" tests/golden.c"
    # shellcheck disable=SC2086
    {
        zig c++ $flags -std=c++17 -c src/all.cpp -o "$place/all.o"
        rm -f "$place/libsparselin.a"
        zig ar rc "$place/libsparselin.a" "$place/all.o"
        zig c++ $flags -shared -s "$place/all.o" -Wl,--gc-sections -Wl,-soname,libsparselin.so.1 -Wl,--version-script=src/sparselin.map \
            -o "$place/libsparselin.so.1"
        zig cc $flags -c $golden -o "$place/golden.o"
        zig c++ $flags "$place/golden.o" "$place/libsparselin.a" -o "$place/golden_static"
    }
    run=
    case $target in aarch64-linux-gnu*) run="qemu-aarch64 -L /usr/aarch64-linux-gnu" ;; aarch64-*) run=qemu-aarch64 ;; esac
    $run "$place/golden_static" "$place/hashes" >"$place/log" || { tail "$place/log" >&2 && exit 1; }
    forms=static
    # Of musl's shared libraries only this machine has a loader.
    if [ "$target" != aarch64-linux-musl ]; then
        # shellcheck disable=SC2086
        zig cc $flags -dynamic "$place/golden.o" "$place/libsparselin.so.1" -o "$place/golden_shared"
        LD_LIBRARY_PATH="$place" QEMU_SET_ENV="LD_LIBRARY_PATH=$place" $run "$place/golden_shared" "$place/hashes.shared" >"$place/log" ||
            { tail "$place/log" >&2 && exit 1; }
        cmp "$place/hashes" "$place/hashes.shared"
        forms="static and shared"
    fi
    newest=$(objdump -T "$place/libsparselin.so.1" 2>/dev/null || readelf -W --dyn-syms "$place/libsparselin.so.1")
    newest=$(echo "$newest" | sed -n 's/.*GLIBC_\([0-9.]*\).*/\1/p' | sort -uV | tail -n 1)
    differ=$(diff "$hashes" "$place/hashes" | grep -c '^<' || :)
    test "$differ" = 0 || { echo "$target: $differ models have other bits than with this machine's compiler" >&2 && exit 1; }
    echo "$target: $forms pass, all $(grep -c . "$hashes") models with the same bits; $(wc -c <"$place/libsparselin.so.1") bytes${newest:+, glibc $newest}"
    case $target in
        *-gnu.*)
            test "$(printf '%s\n' "$newest" "${target##*gnu.}" | sort -V | tail -n 1)" = "${target##*gnu.}" || { echo "needs glibc $newest" >&2 && exit 1; }
            ;;
    esac
done
