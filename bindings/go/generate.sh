#!/bin/sh
# generate.sh: renews internal/slc from the library's sources and from what SWIG makes of bindings/swig/go.i, and the licence beside it.
# generate.sh --check: changes nothing; fails if that would change anything.
#
# The package compiles one C++ file, core.cpp, which is src/all.cpp and includes all others. They are named .cpp.h, since the go command
# would compile each .cpp on its own, and would not notice changes in a file whose kind it does not know. They lie flat because `go mod
# vendor` leaves out folders without Go files.
set -eu
cd "$(dirname "$0")/../.."
target=bindings/go/internal/slc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cp include/sparselin.h src/*.h "$work"
for source in src/*.cpp; do
    case $source in
        src/all.cpp) sed 's/^#include "\(.*\.cpp\)"$/#include "\1.h"/' "$source" >"$work/core.cpp" ;;
        *) cp "$source" "$work/$(basename "$source").h" ;;
    esac
done

version=$(sed -n 's/^ \* Version //p' $target/slc.go 2>/dev/null || true)
if [ "${1:-}" != --check ] || swig -version 2>/dev/null | grep -qx "SWIG Version $version"; then
    swig -go -cgo -Ibindings/swig -outdir "$work" -o "$work/slc_wrap.c" bindings/swig/go.i
    # The copy that SWIG makes of a C string is right but looks wrong to `go vet`.
    sed 's/^  r := string((.*byte)(unsafe.Pointer(p.p))\[:p.n\])$/  r := strings.Clone(s)/; s/^import "unsafe"$/import "strings"\n&/' \
        "$work/slc.go" >"$work/vetted"
    mv "$work/vetted" "$work/slc.go"
else
    echo "The generated files are of SWIG $version, which is not here: they are not compared."
    cp $target/slc.go $target/slc_wrap.c "$work"
fi

if [ "${1:-}" = --check ]; then
    for file in calls.go callbacks.go nocgo.go; do cp "$target/$file" "$work"; done
    { diff -r "$target" "$work" && diff LICENSE bindings/go/LICENSE; } >&2 || { echo "bindings/go is not up to date: make go-generate" >&2 && exit 1; }
else
    rm -f $target/*.h $target/*.cpp
    cp "$work"/* $target
    cp LICENSE bindings/go
fi
