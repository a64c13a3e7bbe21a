#!/bin/sh
# test_readme.sh JAR: the README's examples compile and run as printed, in an empty folder with nothing but the jar, and print what the README
# says they print.
set -eu
jar=$1
readme=$(cd "$(dirname "$0")" && pwd)/README.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$jar" "$work"
cd "$work"

# The blocks of a kind one after another in files 1.KIND, 2.KIND, ...
blocks() { awk -v kind="$1" '/^```/ { inside = $0 == "```" kind; n += inside; next } inside { print > n "." kind }' "$readme"; }
blocks java
blocks sh
blocks text
test -s 2.java
for code in *.java; do
    n=${code%.java}
    mv "$code" "$(sed -n 's/^public class \([A-Za-z]*\).*/\1/p' "$code").java"
    env -u CLASSPATH LC_ALL=C sh -e "$n.sh" >actual
    diff "$n.text" actual
done
