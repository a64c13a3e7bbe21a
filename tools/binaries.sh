#!/bin/sh
# binaries.sh VERSION ZIG OUT: the shared library as zig makes it (tools/zig.sh, in the folder ZIG), which needs glibc 2.17 or musl and nothing
# else, as OUT/sparselin-VERSION-linux-MACHINE[-musl].tar.gz, with the header, the licence, and a file for pkg-config that does not mind where
# it is unpacked.
set -eu
version=$1
ZIG=$2 out=$(realpath "$3")
cd "$(dirname "$0")/.."
. tools/zig.sh
zig_ready
description=$(sed -n 's/^project(.*DESCRIPTION "\(.*\)")$/\1/p' CMakeLists.txt)
for target in x86_64-linux-gnu.2.17 aarch64-linux-gnu.2.17 x86_64-linux-musl aarch64-linux-musl; do
    name=sparselin-$version-linux-${target%%-*}
    case $target in *-musl) name=$name-musl ;; esac
    zig_library "$target"
    zig_shared "$target"
    rm -rf "$ZIG/packed"
    lib=$ZIG/packed/$name/lib
    mkdir -p "$lib/pkgconfig" "$ZIG/packed/$name/include"
    cp LICENSE "$ZIG/packed/$name"
    cp include/sparselin.h "$ZIG/packed/$name/include"
    cp "$ZIG/$target/libsparselin.so.1" "$lib/libsparselin.so.$version"
    ln -s "libsparselin.so.$version" "$lib/libsparselin.so.1"
    ln -s libsparselin.so.1 "$lib/libsparselin.so"
    sed "s/@SL_LIBDIR_TO_PREFIX@/../; s/@CMAKE_INSTALL_INCLUDEDIR@/include/; s/@CMAKE_INSTALL_LIBDIR@/lib/; s/@PROJECT_VERSION@/$version/
        s/@PROJECT_DESCRIPTION@/$description/; /^Libs.private/d" cmake/sparselin.pc.in >"$lib/pkgconfig/sparselin.pc"
    tar -c --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct)" -C "$ZIG/packed" "$name" | gzip -n9 >"$out/$name.tar.gz"
    echo "$name.tar.gz: $(wc -c <"$out/$name.tar.gz") bytes"
done
