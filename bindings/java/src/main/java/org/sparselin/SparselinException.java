package org.sparselin;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A call failed. The message is one line that names the value at fault and its place. */
public final class SparselinException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Why. */
    private final Status status;

    /** How far the call came. */
    private final long rowsDone;

    // Called by the native code.
    private SparselinException(int status, byte[] message, long rowsDone) {
        super(new String(message, StandardCharsets.UTF_8));
        this.status = Status.of(status);
        this.rowsDone = rowsDone;
    }

    /** A stream could not be read. */
    SparselinException(IOException cause) {
        super("the stream cannot be read: " + cause, cause);
        status = Status.IO;
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
     * Says how many rows {@link Model#feedCsr} or {@link Model#feedDataset} had learned when they failed, which is also the number of the row
     * at fault.
     *
     * @return rows, 0 for every other call
     */
    public long rowsDone() {
        return rowsDone;
    }
}
