#!/bin/sh
# test_jars.sh JAR: beside the jar there are its sources and its documentation, it is a module of which jlink makes a runtime, in which the
# README's example runs, and it tells native-image of every method that its native code looks up.
set -eu
jar=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

holds() { jar tf "$1" >list && grep -qx "$2" list || { echo "$1 has no $2"; exit 1; }; }
for class in Model NativeCalls; do holds "${jar%.jar}-sources.jar" org/sparselin/$class.java; done
holds "${jar%.jar}-javadoc.jar" org.sparselin/org/sparselin/Predictor.html

mkdir unpacked
(cd unpacked && jar xf "$jar")
grep -q '^Enable-Native-Access: ALL-UNNAMED' unpacked/META-INF/MANIFEST.MF
config=unpacked/META-INF/native-image/org.sparselin/sparselin
sed -n 's/.*StaticMethodID([^"]*"\([a-z]*\)", "\(.*\)").*/\1 \2/p' "$here/../swig/java_calls.i" | while read -r name signature; do
    grep -q "\"name\": \"$name\"" $config/jni-config.json
    javap -p -s -cp "$jar" org.sparselin.NativeCalls | grep -A 1 " $name(" | grep -qF "descriptor: $signature"
done
test "$(grep -c 'StaticMethodID' "$here/../swig/java_calls.i")" = 2
for name in $(sed 's/"/\n/g' $config/*.json | grep '^org\.sparselin\.'); do javap -p -cp "$jar" "$name" >members; done
javap -p -cp "$jar" org.sparselin.SparselinException | grep -qF 'SparselinException(int, byte[], long, long)'

sed -n '/^```java$/,/^```$/p' "$here/README.md" | sed '1d; /^```$/,$d' >Example.java
sed -n '/^```text$/,/^```$/p' "$here/README.md" | sed '1d; /^```$/,$d' >expected
test -s Example.java
jlink --module-path "$jar" --add-modules org.sparselin --output runtime
mkdir classes
echo 'module example { requires org.sparselin; }' >module-info.java
mkdir example
(echo 'package example;' && cat Example.java) >example/Example.java
javac -p "$jar" -d classes module-info.java example/Example.java
LC_ALL=C runtime/bin/java -p classes -m example/example.Example >actual
diff expected actual

# As root of a name space of its own, where that is allowed, a test may mount.
mkdir home noexec
if unshare -rm true 2>/dev/null; then
    LC_ALL=C unshare -rm sh -ec 'mount -t tmpfs -o noexec none noexec; runtime/bin/java -Djava.io.tmpdir="$PWD/noexec" -Duser.home="$PWD/home" \
        -p classes -m example/example.Example' >actual
    diff expected actual
fi
