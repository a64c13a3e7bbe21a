#!/bin/sh
# conan.sh ROOT WORK: makes the Conan package in an empty cache in WORK and lets the recipe's test use it.
set -eu
root=$1 work=$2
version=2.34.0
mkdir -p "$work"
if ! [ -x "$work/conan-$version/bin/conan" ]; then
    python3 -m venv "$work/conan-$version"
    "$work/conan-$version/bin/pip" install --quiet --disable-pip-version-check conan==$version
fi
export CONAN_HOME="$work/home" PATH="$work/conan-$version/bin:$PATH"
rm -rf "$CONAN_HOME"
# What the test builds stays out of the sources.
if ! { conan profile detect && conan create "$root/tools/conan" -c tools.cmake.cmake_layout:test_folder="$work/test" \
    -c tools.cmake.cmaketoolchain:user_presets=; } >"$work/log" 2>&1; then
    tail -n 40 "$work/log" >&2
    exit 1
fi
echo "Conan $version: the package is made and used"
