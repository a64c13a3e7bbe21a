package org.sparselin;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A call failed. The message is one line that names the value at fault and its place. */
public final class SparselinException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Why. */
    private final Status status;

    /** Which row is at fault. */
    private final long row;

    /** How far the call came. */
    private final long rowsDone;

    // Called by the native code.
    private SparselinException(int status, byte[] message, long row, long rowsDone) {
        super(new String(message, StandardCharsets.UTF_8));
        this.status = Status.of(status);
        this.row = row;
        this.rowsDone = rowsDone;
    }

    /** A stream could not be read. */
    SparselinException(IOException cause) {
        super("the stream cannot be read: " + cause, cause);
        status = Status.IO;
        row = -1;
        rowsDone = 0;
    }

    /**
     * Says what kind of error it is.
     *
     * @return the status, never {@link Status#OK}
     */
    public Status status() {
        return status;
    }

    /**
     * Says which row of the matrix or data set that the call was given is at fault. The message begins with it.
     *
     * @return a row, from 0; -1 if no row is to blame, or there were none
     */
    public long row() {
        return row;
    }

    /**
     * Says how many rows {@link Model#feedCsr} or {@link Model#feedDataset} had learned when they failed.
     *
     * @return rows, 0 for every other call
     */
    public long rowsDone() {
        return rowsDone;
    }
}
