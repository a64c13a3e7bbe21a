package org.sparselin;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;

/**
 * A native object that can be changed and closed. Any number of calls may read it at a time, without waiting for one another: they only count
 * themselves. One may write, while none reads. Closing waits for nobody: no call begins after it, and the last of those that are under way frees
 * the object.
 */
final class Handle extends Owned {
    private static final Map<Thread, Handle> WAITING = new HashMap<>(); // which writer's end a thread waits for; guarded by itself
    private static final int SPINS = 100;

    private final Users users = new Users();
    private final ReentrantLock writing = new ReentrantLock();
    private volatile Thread writer; // who writes, or waits for those who read
    private volatile boolean closed;
    private long steps;

    Handle(String name, LongSupplier make, LongConsumer free, LongUnaryOperator weigh) {
        super(name, make, free, weigh);
    }

    void close() {
        closed = true;
        freeIfUnused();
    }

    void requireOpen() {
        if (closed) throw new IllegalStateException("the " + name + " is closed");
    }

    /** Calls {@code body} while no other call is under way. */
    void write(LongConsumer body) {
        write(body, true);
    }

    /** The same for a body that changes so little that its object need not be weighed every time. */
    void step(LongConsumer body) {
        write(body, false);
    }

    private void write(LongConsumer body, boolean much) {
        lock();
        try {
            writer = Thread.currentThread();
            awaitReaders();
            requireOpen();
            body.accept(address);
            if (much || (++steps & steps - 1) == 0) weigh();
        } finally {
            writer = null;
            writing.unlock();
            if (closed) freeIfUnused();
            super.end(0);
        }
    }

    /** Calls {@code body} while it reads all of these: each once and in one order, so that such calls cannot wait for one another in a circle. */
    static long readAll(List<Handle> handles, LongSupplier body) {
        Handle[] read = handles.stream().distinct().sorted(Comparator.comparingLong(handle -> handle.address)).toArray(Handle[]::new);
        int[] places = new int[read.length];
        int begun = 0;
        try {
            for (; begun < read.length; ++begun) places[begun] = read[begun].begin();
            return body.getAsLong();
        } finally {
            while (begun-- > 0) read[begun].end(places[begun]);
        }
    }

    @Override
    int begin() {
        int place = users.enter();
        if (writer != null) {
            end(place);
            lock();
            place = users.enter();
            writing.unlock();
        }
        if (closed) {
            end(place);
            requireOpen();
        }
        return place;
    }

    @Override
    void end(int place) {
        users.leave(place);
        Thread waiting = writer;
        if (waiting != null) LockSupport.unpark(waiting);
        if (closed) freeIfUnused();
        super.end(place);
    }

    /** Whoever comes from now on finds it closed, so that it is enough to have seen nobody. */
    private void freeIfUnused() {
        if (users.none() && writer == null) free();
    }

    private void awaitReaders() {
        for (int spins = 0; !users.none(); ++spins) {
            if (spins < SPINS) Thread.onSpinWait();
            else if (Thread.currentThread().isInterrupted()) Thread.yield();
            else LockSupport.park(this);
        }
    }

    private void lock() {
        if (writing.isHeldByCurrentThread()) throw new IllegalStateException("the " + name + " is in use by the call that this one is made from");
        if (writing.tryLock()) return;
        Thread self = Thread.currentThread();
        synchronized (WAITING) {
            Handle next = this;
            while (next != null) {
                Thread ahead = next.writer;
                if (ahead == self) throw new IllegalStateException("the " + name + " is being fitted by a thread that waits for what this thread fits");
                next = WAITING.get(ahead);
            }
            WAITING.put(self, this);
        }
        try {
            writing.lock();
        } finally {
            synchronized (WAITING) {
                WAITING.remove(self);
            }
        }
    }
}
