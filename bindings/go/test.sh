#!/bin/sh
# test.sh [GOLDEN_MODELS]: all tests of the Go package, under the race detector, and of its example. GOLDEN_MODELS is a folder of models that
# C has trained, to be compared bit by bit.
set -eu
PATH="$PATH:/usr/local/go/bin"
cd "$(dirname "$0")"
here=$PWD
export GOPROXY=off GOTOOLCHAIN=local GOFLAGS= GOWORK=off GODEBUG=cgocheck=1 SL_GOLDEN_MODELS="${1:-}"

./generate.sh --check
unformatted=$(gofmt -l ./*.go testdata internal/slc/c*.go internal/slc/keep.go internal/slc/nocgo.go ../../src ../../include ../../examples/go ../../examples/mail ../../tests/bench/go ../../tests/cross/go)
test -z "$unformatted" || { echo "not as gofmt has it: $unformatted" >&2 && exit 1; }
./go.sh vet -race ./...
./go.sh test -race -count=1 ./...
cd ../../examples/go
"$here/go.sh" vet -race ./...
"$here/go.sh" test -race -count=1 ./...
cd ../../tests/bench/go
"$here/go.sh" vet -race ./...
