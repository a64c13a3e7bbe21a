package org.sparselin;

/** The rows of a matrix in compressed sparse rows, in parts so short that pinned arrays do not hold up garbage collection. */
final class Rows {
    private static final int PART = 1 << 15; // nonzeros or rows, about

    private Rows() {}

    /** Takes row pointers as the library wants them; the copy is also what keeps them as they are while they are used. */
    static long[] widen(int[] pointers) {
        long[] wide = new long[pointers.length];
        for (int i = 0; i < wide.length; ++i) wide[i] = pointers[i];
        return wide;
    }

    /** Calls {@code body} with the first row and the number of rows of every part, at least once. */
    static void inParts(int pointers, long nonzeros, Body body) {
        int rows = Math.max(pointers - 1, 0);
        int part = (int) Math.max(1, (long) rows * PART / Math.max(Math.max(nonzeros, rows), 1));
        int first = 0;
        do {
            body.accept(first, Math.min(part, rows - first));
            first += part;
        } while (first < rows);
    }

    @FunctionalInterface
    interface Body {
        void accept(long first, long count);
    }
}
