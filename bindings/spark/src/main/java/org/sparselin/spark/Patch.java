package org.sparselin.spark;

import java.io.ByteArrayOutputStream;
import java.io.Serializable;
import java.util.Arrays;

/** Bytes as what is new in them beside others, which the receiver has: of a model, what it has learned since it was a copy of another. */
final class Patch implements Serializable {
    private static final long serialVersionUID = 1;
    private static final int LEAST_EQUAL = 16; // bytes in a row for which it pays to end a run of new ones

    private final int length;
    private final byte[] changes; // in turn: how many bytes are those of the others, how many are new, and these

    Patch(byte[] before, byte[] after) {
        length = after.length;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int both = Math.min(before.length, length);
        for (int at = 0; at < length;) {
            int differs = at < both ? Arrays.mismatch(before, at, both, after, at, both) : 0;
            int begin = differs < 0 ? both : at + differs, end = begin;
            for (int same = 0; end < both && same < LEAST_EQUAL; ++same) {
                if (end + same >= both || before[end + same] != after[end + same]) {
                    end += same + 1;
                    same = -1;
                }
            }
            if (end >= both) end = length;
            putNumber(out, begin - at);
            putNumber(out, end - begin);
            out.write(after, begin, end - begin);
            at = end;
        }
        changes = out.toByteArray();
    }

    byte[] applyTo(byte[] before) {
        byte[] after = new byte[length];
        for (int from = 0, at = 0; at < length;) {
            int same = number(from);
            from += bytesOf(same);
            int fresh = number(from);
            from += bytesOf(fresh);
            System.arraycopy(before, at, after, at, same);
            System.arraycopy(changes, from, after, at + same, fresh);
            from += fresh;
            at += same + fresh;
        }
        return after;
    }

    int size() {
        return changes.length;
    }

    /** Seven bits a byte, the lowest first. */
    private static void putNumber(ByteArrayOutputStream out, int number) {
        for (; number > 127; number >>>= 7) out.write(number | 128);
        out.write(number);
    }

    private int number(int from) {
        int number = 0;
        for (int shift = 0;; shift += 7) {
            byte next = changes[from++];
            number |= (next & 127) << shift;
            if (next >= 0) return number;
        }
    }

    private static int bytesOf(int number) {
        return number < 1 << 7 ? 1 : number < 1 << 14 ? 2 : number < 1 << 21 ? 3 : number < 1 << 28 ? 4 : 5;
    }
}
