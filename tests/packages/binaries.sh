#!/bin/sh
# binaries.sh ROOT DIST ZIG WORK: unpacks each tarball of the shared library, builds a program with it by its file for pkg-config, and runs that,
# ARM's in an emulator and musl's by musl's loader. zig, in the folder ZIG, is the compiler for either.
set -eu
root=$(realpath "$1") dist=$(realpath "$2") work=$4
ZIG=$(realpath "$3")
cd "$root"
. tools/zig.sh
zig_ready
for tarball in "$dist"/sparselin-*-linux-*.tar.gz; do
    rm -rf "$work"
    mkdir -p "$work"
    tar -xzf "$tarball" -C "$work"
    place=$(echo "$work"/*)
    platform=${place##*-linux-} run=
    case $platform in
        *-musl) target=${platform%-musl}-linux-musl ;;
        *) target=$platform-linux-gnu.2.17 ;;
    esac
    case $platform in
        aarch64) run="qemu-aarch64 -L /usr/aarch64-linux-gnu" ;;
        aarch64-musl) run=qemu-aarch64 ;;
    esac
    # shellcheck disable=SC2046
    zig cc -target "$target" -dynamic tests/install/app.c $(PKG_CONFIG_LIBDIR="$place/lib/pkgconfig" pkg-config --cflags --libs sparselin) -o "$work/app"
    readelf -d "$work/app" | grep -q 'NEEDED.*\[libsparselin\.so\.1\]'
    LD_LIBRARY_PATH="$place/lib" QEMU_SET_ENV="LD_LIBRARY_PATH=$place/lib" $run "$work/app"
    newest=$(readelf -W --dyn-syms "$place/lib/libsparselin.so.1" | sed -n 's/.*@GLIBC_\([0-9.]*\).*/\1/p' | sort -uV | tail -n 1)
    test "$(printf '%s\n' "$newest" 2.17 | sort -V | tail -n 1)" = 2.17 || { echo "$platform needs glibc $newest" >&2 && exit 1; }
    echo "$(basename "$tarball"): unpacked and used${newest:+; needs glibc $newest}"
done
