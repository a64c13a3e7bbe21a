#!/bin/sh
# natives.sh BUILD ZIG WINDOWS JNI: the native libraries of the jar that `make dist` makes, in BUILD/dist/resources/native, each in the folder
# that NativeLibrary.java looks into. BUILD has what SWIG made, ZIG is the folder of zig's own (tools/zig.sh), WINDOWS that of the build which
# `make windows` tests, and JNI the JDK's include folder.
set -eu
build=$1 windows=$3 jni=$4
ZIG=$2
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
. tools/zig.sh
zig_ready

dist=$build/dist
rm -rf "$dist"
mkdir -p "$dist/resources/native"
cp -R "$build/generated" "$dist"
for target in x86_64-linux-gnu.2.17 aarch64-linux-gnu.2.17 x86_64-linux-musl aarch64-linux-musl x86_64-macos aarch64-macos; do
    machine=${target%%-*}
    file=libsparselin_java.so link="-s -Wl,--gc-sections -Wl,-z,defs -Wl,--version-script=bindings/java/sparselin_java.map"
    case $target in
        *-linux-gnu*) platform=linux-$machine ;;
        *-musl) platform=linux-$machine-musl ;;
        *-macos) platform=macos-$machine file=libsparselin_java.dylib link="-s -Wl,-install_name,@rpath/libsparselin_java.dylib" ;;
    esac
    zig_library "$target"
    mkdir "$dist/resources/native/$platform"
    # shellcheck disable=SC2046
    zig cc $(zig_flags "$target") -std=c11 -O3 -fno-strict-aliasing -I"$jni" -I"$jni/linux" -c "$build/java_wrap.c" -o "$ZIG/$target/java_wrap.o"
    # shellcheck disable=SC2086
    zig c++ -target "$target" -shared -pthread "$ZIG/$target/java_wrap.o" "$ZIG/$target/libsparselin.a" $link -o "$dist/resources/native/$platform/$file"
    echo "$platform: $(wc -c <"$dist/resources/native/$platform/$file") bytes"
done

# Windows is mingw-w64's.
mkdir "$dist/resources/native/windows-x86_64"
[ -e "$windows/CMakeCache.txt" ] || cmake --log-level=NOTICE -S . -B "$windows" -DCMAKE_TOOLCHAIN_FILE=cmake/mingw.cmake -DSL_WERROR=ON -DSL_PROGRAM=OFF
cmake --build "$windows" --parallel "$(nproc)" --target sparselin_static
x86_64-w64-mingw32-gcc-posix -std=c11 -O3 -fno-strict-aliasing -Iinclude -Ibindings/java/windows -I"$jni" -c "$build/java_wrap.c" -o "$windows/java_wrap.o"
file=$dist/resources/native/windows-x86_64/sparselin_java.dll
x86_64-w64-mingw32-g++-posix -shared -static -s -Wl,--gc-sections "$windows/java_wrap.o" "$windows/libsparselin.a" -o "$file"
echo "windows-x86_64: $(wc -c <"$file") bytes"
ls "$dist/resources/native" >"$dist/platforms"
mv "$dist/platforms" "$dist/resources/native"
