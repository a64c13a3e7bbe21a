#!/bin/sh
# generate.sh: renews what SWIG makes of bindings/swig/go.i, in internal/slc: `go get` cannot run SWIG, so it is committed.
# generate.sh --check: changes nothing; fails if that would change anything.
set -eu
cd "$(dirname "$0")/../.."
target=bindings/go/internal/slc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

version=$(sed -n 's/^ \* Version //p' $target/slc.go)
if [ "${1:-}" = --check ] && ! swig -version 2>/dev/null | grep -qx "SWIG Version $version"; then
    echo "The generated files are of SWIG $version, which is not here: they are not compared."
    exit
fi
swig -go -cgo -Ibindings/swig -outdir "$work" -o "$work/slc_wrap.c" bindings/swig/go.i
# The copy that SWIG makes of a C string is right but looks wrong to `go vet`.
sed 's/^  r := string((.*byte)(unsafe.Pointer(p.p))\[:p.n\])$/  r := strings.Clone(s)/; s/^import "unsafe"$/import "strings"\n&/' \
    "$work/slc.go" >"$work/vetted"
mv "$work/vetted" "$work/slc.go"

for file in slc.go slc_wrap.c; do
    if [ "${1:-}" != --check ]; then
        cp "$work/$file" $target
    elif ! diff $target/$file "$work/$file" >&2; then
        echo "bindings/go is not up to date: make go-generate" >&2
        exit 1
    fi
done
