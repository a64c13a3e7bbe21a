//go:build go1.21

package sparselin

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestFitTellsTheCause(t *testing.T) {
	m, data := longFit(t)
	defer m.Close()
	defer data.Close()
	mine := errors.New("the user went away")
	for _, before := range []bool{true, false} {
		ctx, cancel := context.WithCancelCause(context.Background())
		if before {
			cancel(mine)
		}
		err := m.Fit(ctx, data, func(Progress) { cancel(mine) })
		if !errors.Is(err, mine) || !errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	}
	ctx, cancel := context.WithTimeoutCause(context.Background(), time.Millisecond, mine)
	defer cancel()
	if err := m.Fit(ctx, data, nil); !errors.Is(err, mine) || !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}
