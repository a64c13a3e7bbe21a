package sparselin

import "runtime"

// A callback keeps a panic of the user's function, or the end of its goroutine (runtime.Goexit, as in t.FailNow), from leaving the C
// library's frames behind: run catches it there, and repanic lets it go on here, once the C library has returned.
type callback struct {
	panicked, exited bool
	value            any
}

// run calls f, in a goroutine of its own since the end of one cannot be held up, and tells whether it returned.
func (c *callback) run(f func()) (ok bool) {
	done := make(chan struct{})
	c.exited = true
	go func() {
		defer close(done)
		func() {
			defer func() {
				if !ok {
					c.value = recover()
				}
			}()
			f()
			ok = true
		}()
		c.exited, c.panicked = false, !ok
	}()
	<-done
	return ok
}

func (c *callback) repanic() {
	if c.exited {
		runtime.Goexit()
	}
	if c.panicked {
		panic(c.value)
	}
}
