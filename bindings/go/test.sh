#!/bin/sh
# test.sh [GOLDEN_MODELS]: all tests of the Go package, under the race detector, and of its example. GOLDEN_MODELS is a folder of models that
# C has trained, to be compared bit by bit.
set -eu
PATH="$PATH:/usr/local/go/bin"
cd "$(dirname "$0")"
export GOPROXY=off GOTOOLCHAIN=local GOFLAGS= GOWORK=off GODEBUG=cgocheck=1 SL_GOLDEN_MODELS="${1:-}"

./generate.sh --check
unformatted=$(gofmt -l ./*.go internal/slc/callbacks.go internal/slc/calls.go internal/slc/nocgo.go ../../examples/go)
test -z "$unformatted" || { echo "not as gofmt has it: $unformatted" >&2 && exit 1; }
go vet -race ./...
go test -race -count=1 ./...
cd ../../examples/go
go vet -race ./...
go test -race -count=1 ./...
