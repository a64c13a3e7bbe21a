package org.sparselin;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells the garbage collector of the memory that it does not see: where what nobody refers to any more may hold as much as what is in use, or
 * an eighth of the heap, it is asked to look. The JDK does the same for direct buffers.
 */
final class NativeMemory {
    static final Cleaner CLEANER = Cleaner.create();

    private static final long LEAST = Math.max(64L << 20, Runtime.getRuntime().maxMemory() / 8);
    private static final long LONGEST_PAUSE = 256; // milliseconds
    private static final AtomicLong HELD = new AtomicLong();
    private static volatile long limit = LEAST;

    private NativeMemory() {}

    /** So many bytes more are held, or less. */
    static void changed(long by) {
        if (HELD.addAndGet(by) > limit && by > 0) collect();
    }

    private static synchronized void collect() {
        if (HELD.get() <= limit) return; // another thread has just done it
        AtomicBoolean cleaned = new AtomicBoolean();
        CLEANER.register(new Object(), () -> cleaned.set(true));
        System.gc();
        try {
            // The cleaner has a thread of its own. It is done when it has been at it and no more is freed.
            boolean done = false;
            for (long pause = 1; !done && pause <= LONGEST_PAUSE; pause *= 2) {
                long before = HELD.get();
                Thread.sleep(pause);
                done = cleaned.get() && HELD.get() >= before;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        limit = Math.max(LEAST, 2 * HELD.get());
    }
}
