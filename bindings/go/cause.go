//go:build go1.20

package sparselin

import (
	"context"
	"errors"
	"fmt"
)

// ended returns why a context is done, as an error in which errors.Is finds both ctx.Err() and context.Cause(ctx).
func ended(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return cause
	}
	return fmt.Errorf("%w: %w", err, cause)
}
