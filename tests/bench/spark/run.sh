#!/bin/sh
# run.sh BUILD [ROWS [clicks]]: makes documents, or clicks, and lets Spark's estimators and ours learn four fifths of
# them. BUILD has Spark's jar (`make spark`). OURS and SPARKS, where they are set, are the numbers of partitions at
# which ours and Spark's own are fitted ("16,1"; 0 for none).
set -eu
build=$(realpath "$1") rows=${2:-125000} clicks=${3-}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
${CXX:-c++} -std=c++17 -O2 "-I$here/../../../include" "-I$here/../../../src" "$here/documents.cpp" "$here/../matrices.cpp" -o "$work/documents"
"$work/documents" "$rows" "$work/documents.svm" ${clicks:+"$clicks"}
arguments="47236 ${OURS:-16,1,2,4,8,64} ${SPARKS:-16} 0,1e-6,1e-5,1e-4 100"
[ -z "$clicks" ] || arguments="16777216 ${OURS:-2,16,1,4,8} ${SPARKS:-2} 1e-6 30"
pom=$here/../../../bindings/spark/pom.xml
POM=$pom "$here/../../../bindings/java/maven.sh" "-Dsparselin.build=$build/bindings/spark" \
    org.apache.maven.plugins:maven-dependency-plugin:build-classpath "-Dmdep.outputFile=$work/path"
# Spark's LogisticRegression holds some thirty vectors of all features: 4 GB of clicks'.
java "-Xmx${HEAP:-4g}" $(sed -n 's/.*<argLine>-Xmx1g \(.*\)<\/argLine>.*/\1/p' "$pom") \
    -cp "$build/bindings/spark/sparselin-spark-1.0.0.jar:$build/bindings/java/sparselin-1.0.0.jar:$(cat "$work/path")" \
    "$here/SparkBars.java" "$work/documents.svm" $arguments
