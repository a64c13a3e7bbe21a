#!/bin/sh
# tarball.sh ROOT VERSION OUT: the sources as they are committed, as OUT/sparselin-VERSION.tar.gz. The same commit gives the same bytes.
set -eu
root=$1 version=$2 out=$3
git -C "$root" diff --quiet HEAD || echo "tarball.sh: what is not committed is left out" >&2
mkdir -p "$out"
git -C "$root" archive --format=tar --prefix="sparselin-$version/" HEAD | gzip -n9 >"$out/sparselin-$version.tar.gz"
