#!/bin/sh
# tarball.sh ROOT TARBALL WORK: the tarball of sources has the same bytes when it is made again, and a CMake project fetches it by
# FetchContent and links a program with it.
set -eu
root=$1 tarball=$(realpath "$2") work=$3
name=$(basename "$tarball" .tar.gz)
rm -rf "$work"
mkdir -p "$work/again" "$work/project"
"$root/tools/tarball.sh" "$root" "${name#sparselin-}" "$work/again" 2>/dev/null
cmp "$work/again/$name.tar.gz" "$tarball"
cp "$root/tests/install/app.c" "$work/project"
cat >"$work/project/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.14)
project(app LANGUAGES C CXX)
include(FetchContent)
set(SL_INSTALL OFF CACHE BOOL "")
FetchContent_Declare(sparselin URL "$tarball")
FetchContent_MakeAvailable(sparselin)
add_executable(app app.c)
target_link_libraries(app sparselin::static)
EOF
if ! { cmake -S "$work/project" -B "$work/build" && cmake --build "$work/build" --parallel "$(nproc)" --target app; } >"$work/log" 2>&1; then
    tail -n 20 "$work/log" >&2
    exit 1
fi
"$work/build/app"
echo "$name.tar.gz: the same bytes when made again; fetched, built and used by CMake"
