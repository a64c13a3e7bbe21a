package org.sparselin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Who may be at an object together, with an object that counts who is. */
class HandleTest {
    private static final int THREADS = 6;

    private final AtomicInteger readers = new AtomicInteger();
    private final AtomicInteger writers = new AtomicInteger();
    private final AtomicInteger freed = new AtomicInteger();
    private final AtomicInteger wrong = new AtomicInteger();
    private int written; // by whoever writes, without more care

    private Handle handle() {
        freed.set(0);
        return new Handle("thing", () -> 1, address -> {
            if (freed.incrementAndGet() > 1 || readers.get() > 0 || writers.get() > 0) wrong.incrementAndGet();
        }, address -> 0);
    }

    private void read(Handle handle) {
        handle.use(address -> {
            readers.incrementAndGet();
            if (writers.get() > 0 || freed.get() > 0) wrong.incrementAndGet();
            readers.decrementAndGet();
        });
    }

    private void write(Handle handle) {
        handle.step(address -> {
            if (writers.incrementAndGet() > 1 || readers.get() > 0 || freed.get() > 0) wrong.incrementAndGet();
            ++written;
            writers.decrementAndGet();
        });
    }

    private interface Body {
        void run(int thread) throws Exception;
    }

    private static void inThreads(Body body) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int t = 0; t < THREADS; ++t) {
                int thread = t;
                all.add(pool.submit(() -> {
                    body.run(thread);
                    return null;
                }));
            }
            for (Future<?> one : all) one.get(1, TimeUnit.MINUTES);
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void writersAreAlone() throws Exception {
        Handle handle = handle();
        inThreads(thread -> {
            if (thread == 0) Thread.currentThread().interrupt(); // which must not matter
            for (int i = 0; i < 30_000; ++i) {
                if ((i + thread) % 5 == 0) write(handle);
                else read(handle);
            }
        });
        assertEquals(THREADS * 6_000, written);
        assertEquals(0, wrong.get());
        assertEquals(0, freed.get());
        handle.close();
        assertEquals(1, freed.get());
        assertThrows(IllegalStateException.class, () -> read(handle));
        assertThrows(IllegalStateException.class, () -> write(handle));
        handle.close();
        assertEquals(1, freed.get());
    }

    @Test
    void theLastOneFreesWhatIsClosed() throws Exception {
        for (int round = 0; round < 150; ++round) {
            Handle handle = handle();
            int closer = round % THREADS;
            inThreads(thread -> {
                try {
                    for (int i = 0;; ++i) {
                        if (thread == closer && i == 200) handle.close();
                        if (i % 7 == thread) write(handle);
                        else read(handle);
                    }
                } catch (IllegalStateException e) {
                    assertEquals("the thing is closed", e.getMessage());
                }
            });
            assertEquals(1, freed.get(), "round " + round);
        }
        assertEquals(0, wrong.get());
    }

    @Test
    void aBodyThatFailsLeavesNothingBehind() {
        Handle handle = handle();
        for (int i = 0; i < 3; ++i) {
            assertThrows(ArithmeticException.class, () -> handle.write(address -> {
                throw new ArithmeticException();
            }));
            assertThrows(ArithmeticException.class, () -> handle.use(address -> {
                throw new ArithmeticException();
            }));
        }
        write(handle);
        read(handle);
        handle.write(address -> {
            handle.close();
            assertEquals(0, freed.get());
        });
        assertEquals(1, freed.get());
        Handle another = handle();
        another.use(address -> {
            another.close();
            assertEquals(0, freed.get());
        });
        assertEquals(1, freed.get());
    }
}
