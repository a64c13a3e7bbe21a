#!/bin/sh
# test.sh BUILD [ARGUMENT...]: runs the tests with Maven, while the JVM checks what the native code does; it must not find anything either.
set -eu
build=$1
shift
rm -f "$build/vm.log"
"$(dirname "$0")/maven.sh" "-Dsparselin.build=$build" "$@" test
test -s "$build/vm.log"
if grep -A 10 -E 'WARNING in native method|FATAL ERROR in native method|JNI local refs' "$build/vm.log"; then exit 1; fi
