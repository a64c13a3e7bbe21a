#!/bin/sh
# test_readme.sh: a new module in an empty folder gets the package as from a proxy, vendors it, and builds, vets and runs the README's
# example as printed, without SWIG, without this repository and without the network. The program needs no C++ runtime.
set -eu
PATH="$PATH:/usr/local/go/bin"
cd "$(dirname "$0")"
go=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GOTOOLCHAIN=local GOFLAGS=-modcacherw GOWORK=off GOSUMDB=off GOMODCACHE="$work/modules" GOPROXY="file://$work/proxy"

go run testdata/proxy.go "$go/../.." sparselin.org/sparselin v1.0.0 "$work/proxy"
mkdir "$work/user"
cd "$work/user"
sed -n '/^```go$/,/^```$/p' "$go/README.md" | sed '1d; /^```$/,$d' >main.go
test -s main.go
test -z "$(gofmt -l main.go)"
go mod init example.com/user 2>/dev/null
go mod edit -go=1.19
go get sparselin.org/sparselin/bindings/go@v1.0.0
go vet .
go mod tidy
go mod vendor
rm -r "$work/proxy" "$work/modules"
go build -o program .
./program | tee output
grep -Eqx 'score [0-9]+\.[0-9]{3}, probability of \+1 0\.[0-9]{3}' output
if ldd program | grep -F libstdc++; then exit 1; fi
