#!/bin/sh
# package.sh FOLDER PYTHON: makes FOLDER/sparselin-VERSION.tar.gz, which holds the library's sources, so that whoever installs it needs a C++
# compiler alone, and from that a wheel. PYTHON has `build`.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
root=$here/../..
package=$1/package
rm -rf "$package" "$1"/sparselin-*
mkdir -p "$package/core/src" "$package/core/include" "$package/core/swig"
cp -R "$here/pyproject.toml" "$here/setup.py" "$here/MANIFEST.in" "$here/README.md" "$here/sparselin" "$root/LICENSE" "$package"
cp "$root"/src/*.cpp "$root"/src/*.h "$package/core/src"
cp "$root/include/sparselin.h" "$package/core/include"
for name in python python_objects sparselin classes data encoder search; do cp "$root/bindings/swig/$name.i" "$package/core/swig"; done
cd "$package"
# What the tools say is of interest only if they fail. They are those that pyproject.toml asks for, in environments of their own.
PIP_CONSTRAINT="$here/requirements.txt" "$2" -m build --outdir "$1" . >"$1/build.txt" 2>&1 || { cat "$1/build.txt" && exit 1; }
