package org.sparselin;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Counts the calls that are under way. Threads that meet at it count at places of their own from then on, so that they do not wait for each
 * other's writes.
 */
final class Users {
    private static final int PLACES = Math.min(64, Integer.highestOneBit(8 * Runtime.getRuntime().availableProcessors()));
    private static final int APART = 32; // counts, two cache lines: processors fetch them in pairs
    private static final VarHandle COUNT;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(Users.class, "count", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int count;
    private volatile AtomicIntegerArray counts; // null until threads have met

    /** Counts a call, and says where, for {@link #leave}. What the thread reads after this it reads after it is seen by {@link #none}. */
    int enter() {
        AtomicIntegerArray many = counts;
        if (many == null) {
            int before = count;
            if (COUNT.compareAndSet(this, before, before + 1)) return -1;
            many = spread();
        }
        // The threads of a pool have numbers in a row.
        int place = ((int) Thread.currentThread().getId() & PLACES - 1) * APART;
        many.getAndIncrement(place);
        return place;
    }

    void leave(int place) {
        if (place < 0) COUNT.getAndAdd(this, -1);
        else counts.getAndDecrement(place);
    }

    /** Whether there has been a moment, since this was called, without any of the calls that had begun before. */
    boolean none() {
        if (count != 0) return false;
        AtomicIntegerArray many = counts;
        for (int i = 0; many != null && i < PLACES; ++i)
            if (many.get(i * APART) != 0) return false;
        return true;
    }

    private synchronized AtomicIntegerArray spread() {
        if (counts == null) counts = new AtomicIntegerArray(PLACES * APART);
        return counts;
    }
}
