package sparselin

// A callback keeps a panic of the user's function from unwinding the C library's frames: run catches it there, and repanic lets it go on
// here, once the C library has returned.
type callback struct {
	panicked bool
	value    any
}

// run calls f and tells whether it returned.
func (c *callback) run(f func()) (ok bool) {
	defer func() {
		if !ok {
			c.panicked, c.value = true, recover()
		}
	}()
	f()
	return true
}

func (c *callback) repanic() {
	if c.panicked {
		panic(c.value)
	}
}
