# zig.sh, to be read by a script in the root folder of the sources: the library by zig (clang with libc++), whose targets name the C library
# that there has to be. ZIG is the folder in which zig is, and puts what it makes.
zig_version=0.17.1

# zig_ready: the command zig is there.
zig_ready() {
    if ! [ -x "$ZIG/ziglang-$zig_version/ziglang/zig" ]; then
        PIP_ROOT_USER_ACTION=ignore python3 -m pip install --quiet --disable-pip-version-check --target "$ZIG/ziglang-$zig_version" ziglang==$zig_version
    fi
    PATH="$ZIG/ziglang-$zig_version/ziglang:$PATH"
}

# zig_flags TARGET: with what everything for it is compiled.
zig_flags() {
    echo "-target $1 -O2 -Wno-pass-failed -fPIC -pthread -ffunction-sections -fdata-sections -fvisibility=hidden -fvisibility-inlines-hidden -Iinclude"
}

# zig_library TARGET: makes ZIG/TARGET/libsparselin.a, unless it is newer than its sources.
zig_library() {
    mkdir -p "$ZIG/$1"
    if [ -e "$ZIG/$1/libsparselin.a" ] && [ -z "$(find src include tools/zig.sh -newer "$ZIG/$1/libsparselin.a")" ]; then return; fi
    rm -f "$ZIG/$1/libsparselin.a"
    # shellcheck disable=SC2046
    zig c++ $(zig_flags "$1") -std=c++17 -c src/all.cpp -o "$ZIG/$1/all.o" && zig ar rc "$ZIG/$1/libsparselin.a" "$ZIG/$1/all.o"
}

# zig_shared TARGET: makes of that the shared library, ZIG/TARGET/$shared.
zig_shared() {
    case $1 in
        *-macos) shared=libsparselin.1.dylib link="-Wl,-install_name,@rpath/libsparselin.1.dylib" ;;
        *) shared=libsparselin.so.1 link="-Wl,--gc-sections -Wl,-soname,libsparselin.so.1 -Wl,--version-script=src/sparselin.map" ;;
    esac
    # shellcheck disable=SC2046,SC2086
    zig c++ $(zig_flags "$1") -shared -s "$ZIG/$1/all.o" $link -o "$ZIG/$1/$shared"
}
