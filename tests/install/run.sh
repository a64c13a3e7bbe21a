#!/bin/sh
# run.sh ROOT BUILD: installs, builds small programs against what was installed, through pkg-config and through CMake, runs them, moves the
# installation and does it again. Then removes one; and another project that has the library within installs nothing of it if told so.
set -eu
root=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

try() {
    prefix=$1
    echo "installed in $prefix"
    libdir=$(dirname "$(find "$prefix" -name libsparselin.a)")
    export PKG_CONFIG_PATH="$libdir/pkgconfig" LD_LIBRARY_PATH="$libdir"
    rm -rf "$work/app"
    mkdir "$work/app"
    cd "$work/app"

    # eval, since pkg-config quotes the blanks of a path for the shell.
    eval "${CC:-cc} \"\$root/tests/install/app.c\" $(pkg-config --cflags --libs sparselin) -o dynamic"
    ./dynamic
    ldd ./dynamic | grep "libsparselin.so.1 => $libdir/" >/dev/null
    eval "${CC:-cc} \"\$root/tests/install/app.c\" $(pkg-config --cflags sparselin) \"\$libdir/libsparselin.a\" -lstdc++ -lm -o static"
    LD_LIBRARY_PATH= ./static
    eval "${CC:-cc} -static \"\$root/tests/install/app.c\" $(pkg-config --static --cflags --libs sparselin) -o all_static"
    LD_LIBRARY_PATH= ./all_static

    cmake -S "$root/tests/install" -B cmake "-DCMAKE_PREFIX_PATH=$prefix" >log 2>&1 && cmake --build cmake >>log 2>&1 || { cat log >&2 && exit 1; }
    unset LD_LIBRARY_PATH
    cmake/app_shared
    cmake/app_static

    if [ -e "$prefix/bin/sparselin" ]; then
        "$prefix/bin/sparselin" --version
        # The manual names every command with all its options, and every function.
        for command in $("$prefix/bin/sparselin" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
            sed -n "/^\.SS \"sparselin $command /,/^\.S[HS] /{s/\\\\-/-/g;p}" "$prefix/share/man/man1/sparselin.1" | grep -o -e '--[a-z0-9_-]*' | sort -u >manual
            "$prefix/bin/sparselin" "$command" --help | grep -o '^  --[a-z0-9_-]*' | tr -d ' ' | sort -u >help
            test -z "$(comm -13 manual help)" || { echo "the manual of $command lacks $(comm -13 manual help)" >&2 && exit 1; }
        done
        while read -r name; do
            grep -qF "fB$name\\fR()" "$prefix/share/man/man3/sparselin.3" || { echo "the manual lacks $name" >&2 && exit 1; }
        done <"$root/tests/abi/symbols.txt"
        if command -v groff >/dev/null; then
            for section in 1 3; do groff -man -ww -z "$prefix/share/man/man$section/sparselin.$section" >log 2>&1 && test ! -s log || { cat log >&2 && exit 1; }; done
        fi
    fi
}

cmake --install "$build" --prefix "$work/first place" >/dev/null
try "$work/first place"
mv "$work/first place" "$work/second"
try "$work/second"

DESTDIR="$work/stage" cmake --install "$build" --prefix /usr >/dev/null
find "$work/stage/usr" -name sparselin.pc | grep -q . || { echo "DESTDIR was not heeded" >&2 && exit 1; }
find "$work/stage/usr/share/doc" -name LICENSE | grep -q . || { echo "the licence is not installed" >&2 && exit 1; }
make -s -C "$root" uninstall "BUILD=$(realpath --relative-to "$root" "$build")" "DESTDIR=$work/stage" # BUILD is without blanks
left=$(find "$work/stage" ! -type d -o -name sparselin)
test -z "$left" || { echo "uninstall left $left" >&2 && exit 1; }

cmake -S "$root/tests/install/parent" -B "$work/parent" -DSL_INSTALL=OFF >"$work/log" 2>&1 || { cat "$work/log" >&2 && exit 1; }
cmake --install "$work/parent" --prefix "$work/parent/installed" >/dev/null
found=$(find "$work/parent/installed" -type f)
test "$found" = "$work/parent/installed/share/app.c" || { echo "with SL_INSTALL=OFF these are installed: $found" >&2 && exit 1; }
