package sparselin

import (
	"context"
	"errors"
	"math"
	"testing"
)

func TestBuilder(t *testing.T) {
	b, err := NewBuilder(2, 3)
	ok(t, err)
	for round := 0; round < 2; round++ {
		ok(t, b.Add([]uint32{7, 3}, []float64{1, 2}, 5, 0.5))
		err = b.Add([]uint32{7, 3}, []float64{1, math.NaN()}, 5, 1)
		fails(t, err, ErrInvalidData, "row 1: ")
		var e *Error
		if errors.As(err, &e); e.Row != 1 {
			t.Errorf("row %d", e.Row)
		}
		fails(t, b.Add([]uint32{7, 3}, []float64{1}, 5, 1), ErrInvalidArgument, "values")
		ok(t, b.Add(nil, nil, -1, 1))
		d, err := b.Dataset()
		ok(t, err)
		if rows, err := d.Rows(); err != nil || rows != 2 {
			t.Errorf("%d rows, %v", rows, err)
		}
		row, err := d.Row(0)
		ok(t, err)
		other, err := d.WithLabels([]float64{8, 9}, nil)
		ok(t, err)
		if r, err := other.Row(0); err != nil || r.Label != 8 || r.Weight != 0.5 || len(r.Indices) != 2 {
			t.Errorf("%v, %v", r, err)
		}
		_, err = other.WithLabels(nil, []float64{1})
		fails(t, err, ErrInvalidArgument, "weights")
		ok(t, other.Close())
		_, err = other.WithLabels(nil, nil)
		fails(t, err, ErrInvalidArgument, "closed")
		if len(row.Indices) != 2 || row.Indices[0] != 3 || row.Values[0] != 2 || row.Label != 5 || row.Weight != 0.5 {
			t.Errorf("%v", row)
		}
		ok(t, d.Close())
	}
	ok(t, b.Close())
	ok(t, b.Close())
	fails(t, b.Add(nil, nil, 1, 1), ErrInvalidArgument, "closed")
	_, err = b.Dataset()
	fails(t, err, ErrInvalidArgument, "closed")
	_, err = (*Builder)(nil).Dataset()
	fails(t, err, ErrInvalidArgument, "closed")
	_, err = NewBuilder(math.MaxUint64, 0)
	fails(t, err, ErrInvalidArgument, "rows")
}

func TestFitState(t *testing.T) {
	b, err := NewBuilder(0, 0)
	ok(t, err)
	defer b.Close()
	for r := 0; r < 100; r++ {
		ok(t, b.Add([]uint32{uint32(r % 7)}, nil, float64(r%2), 1))
	}
	d, err := b.Dataset()
	ok(t, err)
	defer d.Close()
	m := newModel(t, With("epochs", 1000000))
	defer m.Close()
	want := func(state FitState) {
		t.Helper()
		if got, err := m.FitState(d); err != nil || got != state {
			t.Errorf("%v, %v is not %v", got, err, state)
		}
	}
	want(FitNew)
	ctx, cancel := context.WithCancel(context.Background())
	if err := m.Fit(ctx, d, func(Progress) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	want(FitStopped)
	m = newModel(t)
	ok(t, m.Fit(context.Background(), d, nil))
	want(FitDone)
	_, err = m.FitState(nil)
	fails(t, err, ErrInvalidArgument, "closed")
}
