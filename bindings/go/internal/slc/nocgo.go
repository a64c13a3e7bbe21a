//go:build !cgo

package slc

var _ = this_package_needs_cgo_and_a_C_plus_plus_compiler // Set CGO_ENABLED=1, and CXX if the compiler is not g++.
