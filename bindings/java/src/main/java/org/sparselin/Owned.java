package org.sparselin;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.AbstractCollection;
import java.util.Iterator;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.LongToDoubleFunction;
import java.util.function.LongUnaryOperator;

/**
 * A native object that nobody changes, and that is freed some time after nobody can reach this any more.
 *
 * <p>It calls itself a collection only for those who write or copy objects field by field, such as Kryo and Gson: they ask for its elements,
 * and get an exception in place of an address.
 */
class Owned extends AbstractCollection<Object> {
    final String name;
    final long address;
    private final LongUnaryOperator weigh;
    private final Freeing freeing;
    private final Cleaner.Cleanable cleanable;

    /**
     * Makes the native object.
     *
     * @param name what it is called in messages
     * @param make gives its address
     * @param free frees what is at an address
     * @param weigh says how many bytes it holds
     */
    Owned(String name, LongSupplier make, LongConsumer free, LongUnaryOperator weigh) {
        NativeLibrary.need();
        this.name = name;
        this.weigh = weigh;
        address = make.getAsLong();
        freeing = new Freeing(address, free);
        cleanable = NativeMemory.CLEANER.register(this, freeing);
        weigh();
    }

    final <T> T read(LongFunction<T> body) {
        int place = begin();
        try {
            return body.apply(address);
        } finally {
            end(place);
        }
    }

    final double readDouble(LongToDoubleFunction body) {
        int place = begin();
        try {
            return body.applyAsDouble(address);
        } finally {
            end(place);
        }
    }

    final long readLong(LongUnaryOperator body) {
        int place = begin();
        try {
            return body.applyAsLong(address);
        } finally {
            end(place);
        }
    }

    final void use(LongConsumer body) {
        int place = begin();
        try {
            body.accept(address);
        } finally {
            end(place);
        }
    }

    /** Begins a call; what it returns is handed to {@link #end}. */
    int begin() {
        return 0;
    }

    void end(int place) {
        // Not before the call is over may the cleaner think that nobody needs this any more.
        Reference.reachabilityFence(this);
    }

    /** Counts what it holds by now. */
    final void weigh() {
        freeing.holds(weigh.applyAsLong(address));
    }

    /** Frees the native object. A second time does nothing. */
    final void free() {
        cleanable.clean();
    }

    @Override
    public final Iterator<Object> iterator() {
        throw notByFields();
    }

    @Override
    public final int size() {
        throw notByFields();
    }

    @Override
    public final String toString() {
        return name;
    }

    private UnsupportedOperationException notByFields() {
        return new UnsupportedOperationException("a " + name + " is native memory, and cannot be written or copied field by field. Java's own "
                + "serialization knows how to write models and predictors (for Kryo: register their classes with its JavaSerializer), and so "
                + "does toBytes");
    }

    /** What there is to do at the end, which must not refer to the object itself. */
    private static final class Freeing implements Runnable {
        private final long address;
        private final LongConsumer free;
        private volatile long bytes;

        Freeing(long address, LongConsumer free) {
            this.address = address;
            this.free = free;
        }

        void holds(long now) {
            long by = now - bytes;
            bytes = now;
            NativeMemory.changed(by);
        }

        @Override
        public void run() {
            free.accept(address);
            NativeMemory.changed(-bytes);
        }
    }
}
