#!/bin/sh
# test_readme.sh JAR: the README's example compiles and runs as printed, in an empty folder with nothing but the jar, and prints what the README
# says it prints.
set -eu
jar=$1
readme=$(cd "$(dirname "$0")" && pwd)/README.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$jar" "$work"
cd "$work"

block() { sed -n '/^```'"$1"'$/,/^```$/p' "$readme" | sed '1d; /^```$/,$d'; }
block java >Example.java
block sh >run.sh
block text >expected
test -s Example.java
env -u CLASSPATH LC_ALL=C sh -e run.sh >actual
diff expected actual
