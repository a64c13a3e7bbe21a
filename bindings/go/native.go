package sparselin

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// The garbage collector does not see the C library's memory, and would run too late for models and data sets that nobody closed. So their bytes
// are counted, and it is made to run whenever they have doubled since they were fewest, as it would itself if it saw them.
var native struct {
	bytes, limit atomic.Int64
	collecting   sync.Mutex
}

const leastLimit = 64 << 20

func limitFor(bytes int64) int64 {
	if bytes < leastLimit/2 {
		return leastLimit
	}
	return 2 * bytes
}

func init() { native.limit.Store(leastLimit) }

// took counts bytes that the C library has taken since. The caller holds no lock.
func took(more int64) {
	if bytes := native.bytes.Add(more); more <= 0 || bytes <= native.limit.Load() || !native.collecting.TryLock() {
		return
	}
	defer native.collecting.Unlock()
	runtime.GC()
	native.limit.Store(limitFor(native.bytes.Load())) // Finalizers are about to run: each lowers it.
}

// gave counts bytes that the C library has given back.
func gave(bytes int64) {
	limit := limitFor(native.bytes.Add(-bytes))
	for before := native.limit.Load(); limit < before && !native.limit.CompareAndSwap(before, limit); before = native.limit.Load() {
	}
}
