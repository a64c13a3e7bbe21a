#!/bin/sh
# zig.sh ROOT WORK HASHES: the library by zig (clang with libc++), whose targets name the C library that there has to be: WORK/TARGET/ gets
# the shared library and libsparselin.a. `golden` is linked with either and run, other processors' by qemu-user, musl's by musl's loader;
# what has no loader here is run static alone, and what is for macOS only linked, and its program compiled. glibc's libraries may need no symbol newer than 2.17.
# HASHES is what `golden` of this machine's own build wrote: all give the same bits. TARGETS asks for other targets.
set -eu
root=$1 work=$2 hashes=$3
targets=${TARGETS:-"x86_64-linux-gnu.2.17 aarch64-linux-gnu.2.17 x86_64-linux-musl x86_64-macos aarch64-macos"}
ZIG=$work
cd "$root"
. tools/zig.sh
zig_ready

for target in $targets; do
    place=$work/$target
    flags=$(zig_flags "$target")
    zig_library "$target"
    golden="-std=c11 -Wall -Wextra -Werror -Itests/machines -DSL_MEMCHECK=0 -DSL_SHARE=1 -DSL_EMULATED=0 -DSL_TEST_DATA=\"$PWD/tests/data\" tests/golden.c"
    zig_shared "$target"
    # shellcheck disable=SC2086
    {
        zig cc $flags -c $golden -o "$place/golden.o"
        zig c++ $flags "$place/golden.o" "$place/libsparselin.a" -o "$place/golden_static"
    }
    run= forms="static and shared"
    case $target in
        *-macos)
            # The program's libraries are not there for macOS, but their headers are the same.
            mkdir -p "$work/headers"
            cp -RL /usr/include/CLI /usr/include/zlib.h "$(find /usr/include -name zconf.h | head -n 1)" /usr/include/csv.h "$work/headers"
            # shellcheck disable=SC2086
            for file in src/cli/*.cpp; do zig c++ $flags -O0 -std=c++17 -isystem "$work/headers" -c "$file" -o "$place/cli.o"; done
            echo "$target: the library compiles and links, $(wc -c <"$place/$shared") bytes; the program compiles" && continue
            ;;
        aarch64-linux-gnu*) run="qemu-aarch64 -L /usr/aarch64-linux-gnu" ;;
        x86_64-*) ;;
        *) run=qemu-${target%%-*} forms=static ;;
    esac
    $run "$place/golden_static" "$place/hashes" >"$place/log" || { tail "$place/log" >&2 && exit 1; }
    if [ "$forms" != static ]; then
        # shellcheck disable=SC2086
        zig cc $flags -dynamic "$place/golden.o" "$place/$shared" -o "$place/golden_shared"
        LD_LIBRARY_PATH="$place" QEMU_SET_ENV="LD_LIBRARY_PATH=$place" $run "$place/golden_shared" "$place/hashes.shared" >"$place/log" ||
            { tail "$place/log" >&2 && exit 1; }
        cmp "$place/hashes" "$place/hashes.shared"
    fi
    newest=$(objdump -T "$place/$shared" 2>/dev/null || readelf -W --dyn-syms "$place/$shared")
    newest=$(echo "$newest" | sed -n 's/.*GLIBC_\([0-9.]*\).*/\1/p' | sort -uV | tail -n 1)
    differ=$(diff "$hashes" "$place/hashes" | grep -c '^<' || :)
    test "$differ" = 0 || { echo "$target: $differ models have other bits than with this machine's compiler" >&2 && exit 1; }
    echo "$target: $forms pass, all $(grep -c . "$hashes") models with the same bits; $(wc -c <"$place/$shared") bytes${newest:+, glibc $newest}"
    case $target in
        *-gnu.*)
            test "$(printf '%s\n' "$newest" "${target##*gnu.}" | sort -V | tail -n 1)" = "${target##*gnu.}" || { echo "needs glibc $newest" >&2 && exit 1; }
            ;;
    esac
done
