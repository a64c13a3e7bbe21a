#!/bin/sh
# test_exports.sh JAR CALLS: each native library in the jar, but those for macOS, shows the native methods of the Java source CALLS, all of them, and nothing else, so
# that it can meet another copy of the core, or of the C++ runtime, in one process.
set -eu
jar=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
jar xf "$jar"
sed -n 's/.* native .* \([A-Za-z_0-9]*\)(.*/\1/p' "$2" | sed 's/_/_1/g; s/^/Java_org_sparselin_NativeCalls_/' | sort >called
test -s called
for library in native/*/*.so; do
    readelf -W --dyn-syms "$library" | sed -n '/ UND /d; s/.* \([^ @]*\).*/\1/; /_/p' | sort >exported
    diff called exported
done
for library in native/*/*.dll; do
    test -e "$library" || continue
    objdump -p "$library" | sed -n '/Name Pointer\] Table/,/^$/s/.* \([^ ]*\)$/\1/p' | sed 1d | sort >exported
    diff called exported
done
