#!/bin/sh
# test_readme.sh BUILD TRAIN TEST: the README's job compiles as printed, with what its one dependency brings, and runs on the mail.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed -n '/^```java$/,/^```$/p' "$here/README.md" | sed '1d; /^```$/,$d' >"$work/Example.java"
test -s "$work/Example.java"
POM="$here/pom.xml" "$here/../java/maven.sh" "-Dsparselin.build=$1" \
    org.apache.maven.plugins:maven-dependency-plugin:build-classpath "-Dmdep.outputFile=$work/path"
java -Xmx1g $(sed -n 's/.*<argLine>-Xmx1g \(.*\)<\/argLine>.*/\1/p' "$here/pom.xml") -cp "$1/sparselin-spark-1.0.0.jar:$(cat "$work/path")" \
    "$work/Example.java" "$2" "$3" >"$work/out" 2>"$work/err" || { tail -n 20 "$work/err"; exit 1; }
grep -q '^[1-9] % are wrong$' "$work/out" || { cat "$work/out"; exit 1; }
