package org.sparselin;

import java.io.InputStream;
import java.util.Objects;

/**
 * Reads svmlight text as {@link Dataset#read(InputStream)} does, but some rows at a time, so that a stream of any
 * length is learned in the memory that a few rows take:
 *
 * <pre>{@code
 * try (DatasetReader reader = new DatasetReader(stream)) {
 *     for (Dataset rows; (rows = reader.next(10_000)) != null; rows.close()) model.feedDataset(rows);
 * }
 * }</pre>
 *
 * <p>Threads that share one take turns.
 */
public final class DatasetReader implements AutoCloseable {
    /** Not transient, so that it is met by whoever writes objects field by field; see there. */
    final Handle handle;

    private final InputStream text;

    /**
     * Makes a reader of text with indices from 1.
     *
     * @param text the stream, which is not touched before {@link #next}
     */
    public DatasetReader(InputStream text) {
        this(text, new Options());
    }

    /**
     * Makes a reader.
     *
     * @param text the stream, which is not touched before {@link #next}
     * @param options {@code index_base}: {@code one} or {@code zero}; {@code threads}; the others do not matter
     */
    public DatasetReader(InputStream text, Options options) {
        this.text = Objects.requireNonNull(text, "text");
        Objects.requireNonNull(options, "options");
        handle = new Handle("reader", () -> options.withNative(Native::readerCreate), Native::readerFree, reader -> 0);
    }

    /**
     * Reads the next rows.
     *
     * @param rows about how many at most, at least 1
     * @return at least one row, to be closed when it has been used; null when there are no more
     * @throws SparselinException IO: the stream cannot be read, its own exception is the cause. FORMAT: a malformed
     *     line, of which the message tells number and column; the rows that were read with it are lost, and later calls
     *     fail, too. INVALID_ARGUMENT: no rows
     */
    public Dataset next(int rows) {
        Dataset next = new Dataset(() -> {
            long[] data = new long[1];
            handle.write(reader -> data[0] = Native.readerNext(reader, text, Math.max(rows, 0)));
            return data[0];
        });
        if (next.rows() > 0) return next;
        next.close();
        return null;
    }

    /** Frees the memory; the stream is left open. Closing twice is fine, using it afterwards an IllegalStateException. */
    @Override
    public void close() {
        handle.close();
    }
}
