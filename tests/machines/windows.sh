#!/bin/sh
# windows.sh ROOT WORK NATIVE: the library and the program for 64-bit Windows, by mingw-w64, and their tests by wine. What they need that
# Debian has for Linux alone, CMocka and libcsv, is compiled of its source packages in WORK/dependencies; WORK/build/ gets sparselin.dll, the
# import library libsparselin.dll.a, libsparselin.a and sparselin.exe. NATIVE is this machine's own build, with the
# golden.hashes that its `golden` wrote: all models have to have the same bits.
set -eu
root=$1 work=$2 native=$3 hashes=$3/golden.hashes
dependencies=$work/dependencies
gcc=x86_64-w64-mingw32-gcc-posix
cd "$root"

if ! [ -e "$dependencies/ready" ]; then
    rm -rf "$work/apt" "$dependencies"
    mkdir -p "$work/apt/sources" "$work/apt/lists/partial" "$work/apt/cache/archives/partial" "$dependencies/lib/pkgconfig" "$dependencies/include" \
        "$dependencies/share/cmake"
    # The packages' sources come from where the packages come from, whose lists of sources nobody has to have asked for.
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
        test ! -e "$list" || sed 's/^\(Types: *\)deb *$/\1deb-src/; s/^deb /deb-src /' "$list" >"$work/apt/sources/${list##*/}"
    done
    set -- -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$work/apt/sources" -o Dir::State::Lists="$work/apt/lists" \
        -o Dir::Cache="$work/apt/cache" -o APT::Sandbox::User=root
    (
        cd "$work/apt"
        apt-get "$@" update || : # not everybody who has packages has their sources
        apt-get "$@" source --download-only cmocka libcsv
    ) >"$work/apt.log" 2>&1 || { tail "$work/apt.log" >&2 && exit 1; }
    for name in cmocka libcsv; do
        mkdir "$work/apt/$name"
        tar -x -C "$work/apt/$name" --strip-components=1 -f "$(find "$work/apt" -maxdepth 1 -name "${name}_*.orig.tar.*z")"
    done
    $gcc -O2 -w -D__USE_MINGW_ANSI_STDIO=1 -I"$work/apt/cmocka/include" -c "$work/apt/cmocka/src/cmocka.c" -o "$work/apt/cmocka.o"
    $gcc -O2 -w -I"$work/apt/libcsv" -c "$work/apt/libcsv/libcsv.c" -o "$work/apt/csv.o"
    for name in cmocka csv; do x86_64-w64-mingw32-ar rc "$dependencies/lib/lib$name.a" "$work/apt/$name.o"; done
    printf 'Name: cmocka\nDescription: tests in C\nVersion: 1\nCflags: -I%s\nLibs: -L%s -lcmocka\n' "$dependencies/include" "$dependencies/lib" \
        >"$dependencies/lib/pkgconfig/cmocka.pc"
    cp -RL /usr/include/CLI "$work/apt/libcsv/csv.h" "$work/apt/cmocka/include/cmocka.h" "$dependencies/include"
    cp -RL /usr/share/cmake/CLI11 "$dependencies/share/cmake"
    touch "$dependencies/ready"
fi

PKG_CONFIG_LIBDIR=$dependencies/lib/pkgconfig cmake --log-level=NOTICE -S . -B "$work/build" -DCMAKE_TOOLCHAIN_FILE=cmake/mingw.cmake \
    -DSL_DEPENDENCIES="$dependencies" -DSL_WERROR=ON -DSL_PROGRAM=ON -DSL_TESTS=ON -DCMAKE_SHARED_LINKER_FLAGS=-s -DCMAKE_EXE_LINKER_FLAGS=-s \
    -DZLIB_LIBRARY=/usr/x86_64-w64-mingw32/lib/libz.a -DCMAKE_CROSSCOMPILING_EMULATOR=wine
env -u MAKEFLAGS -u MAKELEVEL cmake --build "$work/build" --parallel "$(nproc)"

# The DLL needs nothing but what every Windows has.
foreign=$(x86_64-w64-mingw32-objdump -p "$work/build/sparselin.dll" "$work/build/sparselin.exe" | sed -n 's/^.*DLL Name: //p' |
    grep -Evi '^(kernel32|msvcrt|advapi32|shell32|user32)[.]dll$' || :)
test -z "$foreign" || { echo "more is needed than Windows has: $foreign" >&2 && exit 1; }
x86_64-w64-mingw32-objdump -p "$work/build/sparselin.dll" | sed -n '/Name Pointer\] Table/,/^$/s/.* \([^ ]*\)$/\1/p' | sed 1d | sort |
    diff - tests/abi/symbols.txt

# Wine's own folder, in which it ends with this script.
export WINEPREFIX="$work/wine" WINEDEBUG=-all WINEPATH="Z:$work/build"
trap 'wineserver -k 2>/dev/null || :' EXIT
wine cmd /c exit >"$work/wine.log" 2>&1 || { tail "$work/wine.log" >&2 && exit 1; }
ctest --output-on-failure --parallel "$(nproc)" --test-dir "$work/build"
wine "$work/build/tests/golden.exe" "$work/hashes" >"$work/log" || { tail "$work/log" >&2 && exit 1; }
cmp "$hashes" "$work/hashes"
tests/machines/windows_cli.sh "$work/build/sparselin.exe" "$work/build/tests/windows_stop.exe" examples/data "$native/sparselin"
tests/cli/watched.sh examples/data wine "$work/build/sparselin.exe"
echo "windows: the tests pass under wine, all $(grep -c . "$hashes") models with the same bits; $(wc -c <"$work/build/sparselin.dll") bytes"
