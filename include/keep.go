//go:build never

// Package include is not Go. With this file `go mod vendor` takes the header along.
package include
