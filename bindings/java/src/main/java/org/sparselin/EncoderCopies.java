package org.sparselin;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongConsumer;

/** Frozen copies of the encoder that a model carries, as many as were in use at a time, so that no record waits for another. */
final class EncoderCopies {
    private volatile Queue<Encoder> idle = new ConcurrentLinkedQueue<>();

    /** Makes {@code fields} the record of a copy of the encoder that {@code carrier} carries, and calls {@code body} with that copy. */
    void encode(LinearModel carrier, Map<String, ?> fields, LongConsumer body) {
        Queue<Encoder> copies = idle;
        Encoder one = copies.poll();
        if (one == null) {
            one = carrier.encoder();
            one.freeze();
        }
        try {
            one.encode(fields, body);
        } finally {
            copies.add(one);
        }
    }

    /** Another encoder is carried from here on, or none. Copies that are in use go back to where nobody looks any more. */
    void drop() {
        Queue<Encoder> before = idle;
        idle = new ConcurrentLinkedQueue<>();
        for (Encoder one = before.poll(); one != null; one = before.poll()) one.close();
    }
}
