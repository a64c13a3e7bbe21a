//go:build !go1.20

package sparselin

import "context"

// ended returns why a context is done. Causes are new in Go 1.20.
func ended(ctx context.Context) error { return ctx.Err() }
