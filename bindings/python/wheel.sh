#!/bin/sh
# wheel.sh FOLDER PYTHON: from the sdist in FOLDER a wheel for every Linux of glibc 2.17 and newer, by zig (clang with libc++), which auditwheel
# has to accept as that. PYTHON is that of the virtual environment which made the sdist.
set -eu
folder=$1 python=$2 machine=$(uname -m)
platform=manylinux_2_17_$machine
"$python" -m pip install --quiet --disable-pip-version-check ziglang==0.17.1 auditwheel wheel
compiler="$python -m ziglang"
target="-target $machine-linux-gnu.2.17"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Debian's Python has a part of its headers in /usr/include, which zig does not look into, and links with flags that zig does not know.
env PATH="$(dirname "$python"):$PATH" CC="$compiler cc $target" CXX="$compiler c++ $target" CPPFLAGS="-idirafter /usr/include" LDFLAGS=-Wl,--strip-all \
    LDSHARED="$compiler cc $target -shared" LDCXXSHARED="$compiler c++ $target -shared" \
    "$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$work" "$folder"/sparselin-*.tar.gz
"$python" -m wheel tags --remove --platform-tag "$platform.manylinux2014_$machine" "$work"/*.whl >/dev/null
"$python" -m auditwheel show "$work"/*.whl | tr '\n' ' ' | grep -q "platform tag: \"$platform\"" || { "$python" -m auditwheel show "$work"/*.whl && exit 1; }
mv "$work"/*.whl "$folder"
