//go:build never

// Package src is not Go. With this file `go mod vendor` takes the sources along, which bindings/go compiles.
package src
