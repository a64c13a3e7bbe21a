#!/bin/sh
# test.sh BUILD [ARGUMENT...]: runs the tests with Maven, while the JVM checks what the native code does; it must not find anything either.
set -u
build=$1
shift
rm -f "$build/vm.log"
"$(dirname "$0")/maven.sh" "-Dsparselin.build=$build" "$@" test
result=$?
test -s "$build/vm.log" || result=1
if grep -m 20 -A 10 -iE '^(warning|fatal)' "$build/vm.log"; then result=1; fi
exit $result
