#!/bin/sh
# maven.sh ARGUMENT...: Maven without the network, and with it only if something that is needed was never fetched. POM names another project
# than Java's. Plugins are called by their whole names: short ones are not told apart from wrong ones without the network.
set -u
export LC_ALL=C.UTF-8 # without UTF-8, as where no LANG is set, a JVM has no names of files but ASCII's
pom=${POM:-$(dirname "$0")/pom.xml}
output=$(mktemp) || exit 1
trap 'rm -f "$output"' EXIT
if mvn -B -q -o -f "$pom" "$@" >"$output" 2>&1; then
    cat "$output"
elif grep -qi 'offline mode' "$output"; then
    echo "Maven fetches what it needs"
    mvn -B -q -f "$pom" "$@"
else
    cat "$output"
    exit 1
fi
