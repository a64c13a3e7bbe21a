#!/bin/sh
# old.sh ROOT WORK ZIG HASHES: builds the library with the oldest compilers of Debian 11, in a root file system of it that debootstrap makes in
# WORK/root, and runs tests there. HASHES is what `golden` of this machine's own build wrote: the bits of all models have to be the same.
# Once more with CMake 3.13, which is PyPI's. What zig, in the folder ZIG, makes for glibc 2.17 runs there, too. Only root can enter another
# root file system.
set -eu
root=$1 work=$2 zig=$3 hashes=$4
cmake=3.13.3
tests="golden test_number test_svmlight api_save api_save_places api_text api_locale"
test "$(id -u)" = 0 || { echo "old.sh: only root can enter another root file system" >&2 && exit 1; }

inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 chroot "$work/root" "$@"; }

mkdir -p "$work"
if ! [ -e "$work/root/ready" ]; then
    rm -rf "$work/root"
    debootstrap --variant=minbase bullseye "$work/root" >"$work/root.log" 2>&1 || { tail "$work/root.log" >&2 && exit 1; }
    inside sh -c 'apt-get update && apt-get install -y --no-install-recommends g++-9 g++-10 clang-9 clang-11 cmake make libcmocka-dev pkg-config locales' \
        >"$work/root.log" 2>&1 || { tail "$work/root.log" >&2 && exit 1; }
    touch "$work/root/ready"
fi
if ! [ -e "$work/root/cmake-$cmake" ]; then
    # The wheel is for Python 3.7, but what is in it is no Python.
    python3 -m pip download --quiet --no-deps --dest "$work" --only-binary=:all: --platform manylinux1_x86_64 --python-version 37 --implementation cp \
        --abi cp37m cmake==$cmake
    python3 -m zipfile -e "$work"/cmake-$cmake-*.whl "$work/cmake"
    chmod +x "$work"/cmake/cmake/data/bin/*
    mv "$work/cmake/cmake/data" "$work/root/cmake-$cmake"
fi

rm -rf "$work/root/src"
mkdir "$work/root/src"
(cd "$root" && git ls-files -z | tar -c --null -T -) | tar -x -C "$work/root/src"
for compilers in gcc-9:g++-9:cmake gcc-10:g++-10:/cmake-$cmake/bin/cmake clang-9:clang++-9:cmake clang-11:clang++-11:cmake; do
    c=${compilers%%:*} tool=${compilers##*:} cxx=${compilers#*:}
    cxx=${cxx%%:*}
    # shellcheck disable=SC2086
    if ! inside env CC="$c" CXX="$cxx" "$tool" -S /src -B "/$c" -DSL_TESTS=ON -DSL_PROGRAM=OFF >"$work/$c.log" 2>&1 ||
        ! inside "$tool" --build "/$c" --parallel "$(nproc)" -- $tests comma_locale >>"$work/$c.log" 2>&1 ||
        ! (cd / && inside sh -c "cd /$c && ctest -R '^($(echo "$tests" | tr ' ' '|'))\$' && tests/golden /$c/hashes.txt") >>"$work/$c.log" 2>&1; then
        grep -E 'error|FAILED|Error' "$work/$c.log" >&2 || tail "$work/$c.log" >&2
        exit 1
    fi
    diff -q "$hashes" "$work/root/$c/hashes.txt" >/dev/null || { echo "$c: other bits than this machine's compiler" >&2 && exit 1; }
    echo "$c, by $(inside "$tool" --version | head -n 1): all $(grep -c . "$hashes") models have the same bits, and $tests pass"
done

TARGETS=x86_64-linux-gnu.2.17 "$root/tests/machines/zig.sh" "$root" "$zig" "$hashes"
rm -rf "$work/root/zig"
mkdir -p "$work/root/zig" "$work/root$(dirname "$(realpath "$root")")"
cp "$zig/x86_64-linux-gnu.2.17/golden_shared" "$zig/x86_64-linux-gnu.2.17/libsparselin.so.1" "$work/root/zig"
ln -sfn /src "$work/root$(realpath "$root")" # where it was compiled to look for the vectors
inside env LD_LIBRARY_PATH=/zig /zig/golden_shared /zig/hashes >"$work/zig.log" || { tail "$work/zig.log" >&2 && exit 1; }
cmp "$hashes" "$work/root/zig/hashes"
echo "zig's library for glibc 2.17: the same bits with $(inside ldd --version | head -n 1)"
