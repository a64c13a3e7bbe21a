#!/bin/sh
# test_readme.sh: a new module in an empty folder that vendors the package builds, vets and runs the README's example as printed, without
# SWIG, without this repository and without the network.
set -eu
PATH="$PATH:/usr/local/go/bin"
cd "$(dirname "$0")"
go=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GOPROXY=off GOTOOLCHAIN=local GOFLAGS= GOWORK=off

# What a module's zip holds: no tests' data of other folders, no links.
cp -r "$go" "$work/copy"
mkdir "$work/user"
cd "$work/user"
sed -n '/^```go$/,/^```$/p' "$go/README.md" | sed '1d; /^```$/,$d' >main.go
test -s main.go
go mod init example.com/user 2>/dev/null
go mod edit -go=1.19 -require sparselin.org/sparselin@v1.0.0 -replace "sparselin.org/sparselin=$work/copy"
go mod vendor
rm -r "$work/copy"
test -z "$(gofmt -l main.go)"
go vet .
go build -o program .
./program | tee output
grep -Eqx 'score [0-9]+\.[0-9]{3}, probability of \+1 0\.[0-9]{3}' output
