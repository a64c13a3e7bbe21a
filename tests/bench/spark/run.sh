#!/bin/sh
# run.sh BUILD [ROWS]: makes documents and lets Spark's estimators and ours learn four fifths of them. BUILD has Spark's jar (`make spark`).
set -eu
build=$(realpath "$1") rows=${2:-125000}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
${CXX:-c++} -std=c++17 -O2 "-I$here/../../../include" "-I$here/../../../src" "$here/documents.cpp" "$here/../matrices.cpp" -o "$work/documents"
"$work/documents" "$rows" "$work/documents.svm"
pom=$here/../../../bindings/spark/pom.xml
POM=$pom "$here/../../../bindings/java/maven.sh" "-Dsparselin.build=$build/bindings/spark" dependency:build-classpath "-Dmdep.outputFile=$work/path"
java -Xmx4g $(sed -n 's/.*<argLine>-Xmx1g \(.*\)<\/argLine>.*/\1/p' "$pom") \
    -cp "$build/bindings/spark/sparselin-spark-1.0.0.jar:$(cat "$work/path")" "$here/SparkBars.java" "$work/documents.svm" 47236
