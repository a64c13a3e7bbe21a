package org.sparselin;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.LongToDoubleFunction;
import java.util.function.LongUnaryOperator;

/**
 * A native object and the lock that keeps it alive while it is used: any number of threads may read, one may write, and closing is writing.
 * A callback cannot write what its own call uses, or read what its own call writes.
 */
final class Handle {
    private static final Cleaner CLEANER = Cleaner.create();

    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final Cleaner.Cleanable cleanable;
    private final String name;
    private long address; // 0 once closed

    Handle(String name, long address, LongConsumer free) {
        this.name = name;
        this.address = address;
        cleanable = CLEANER.register(this, () -> free.accept(address));
    }

    void close() {
        lockForWriting();
        try {
            address = 0;
            cleanable.clean();
        } finally {
            lock.writeLock().unlock();
        }
    }

    <T> T read(LongFunction<T> body) {
        long open = beginReading();
        try {
            return body.apply(open);
        } finally {
            endReading();
        }
    }

    double readDouble(LongToDoubleFunction body) {
        long open = beginReading();
        try {
            return body.applyAsDouble(open);
        } finally {
            endReading();
        }
    }

    long readLong(LongUnaryOperator body) {
        long open = beginReading();
        try {
            return body.applyAsLong(open);
        } finally {
            endReading();
        }
    }

    void use(LongConsumer body) {
        long open = beginReading();
        try {
            body.accept(open);
        } finally {
            endReading();
        }
    }

    void write(LongConsumer body) {
        lockForWriting();
        try {
            body.accept(open());
        } finally {
            lock.writeLock().unlock();
            Reference.reachabilityFence(this);
        }
    }

    private long beginReading() {
        if (lock.isWriteLockedByCurrentThread()) throw inUse();
        lock.readLock().lock();
        if (address != 0) return address;
        lock.readLock().unlock();
        return open();
    }

    private void endReading() {
        lock.readLock().unlock();
        // Not before the call is over may the cleaner think that nobody needs this any more.
        Reference.reachabilityFence(this);
    }

    private void lockForWriting() {
        if (lock.isWriteLockedByCurrentThread() || lock.getReadHoldCount() > 0) throw inUse();
        lock.writeLock().lock();
    }

    private long open() {
        if (address == 0) throw new IllegalStateException("the " + name + " is closed");
        return address;
    }

    private IllegalStateException inUse() {
        return new IllegalStateException("the " + name + " is in use by the call that this one is made from");
    }
}
