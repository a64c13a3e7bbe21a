#!/bin/sh
# test_exports.sh JAR CALLS: the native library in the jar shows the native methods of the Java source CALLS, all of them, and nothing else, so
# that it can meet another copy of the core, or of the C++ runtime, in one process.
set -eu
jar=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
jar xf "$jar"
nm -D --defined-only native/*/* | sed 's/.* //' | sort >exported
sed -n 's/.* native .* \([A-Za-z_0-9]*\)(.*/\1/p' "$2" | sed 's/_/_1/g; s/^/Java_org_sparselin_NativeCalls_/' | sort >called
test -s called
diff called exported
