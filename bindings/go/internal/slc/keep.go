//go:build never

package slc

// No build has this tag: with these lines `go mod vendor` takes along what core.cpp includes.
import (
	_ "sparselin.org/sparselin/include"
	_ "sparselin.org/sparselin/src"
)
