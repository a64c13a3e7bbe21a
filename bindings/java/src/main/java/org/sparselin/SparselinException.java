package org.sparselin;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;

/** A call failed. The message is one line that names the value at fault and its place. */
public final class SparselinException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What the library's messages tell to call, by the name that it has here. */
    private static final Map<String, String> CALLS = Map.ofEntries(
            Map.entry("sl_encoder_create", "Encoder"),
            Map.entry("sl_model_create", "Model"),
            Map.entry("sl_model_class_bias", "classBias"),
            Map.entry("sl_model_class_labels", "labels"),
            Map.entry("sl_model_class_nonzeros", "classWeights"),
            Map.entry("sl_model_class_weight", "classWeight"),
            Map.entry("sl_model_predicted_labels", "predictedLabels"),
            Map.entry("sl_model_probabilities", "probabilities"),
            Map.entry("sl_model_scores", "scores"),
            Map.entry("sl_model_scores_csr", "scoresCsr"),
            Map.entry("sl_model_scores_dataset", "scoresDataset"),
            Map.entry("sl_model_scores_rows", "scoresDataset"),
            Map.entry("sl_model_set_encoder", "setEncoder"),
            Map.entry("sl_model_set_labels", "setLabels"));
    private static final Pattern CALL = Pattern.compile("\\bsl_\\w+");

    /** Why. */
    private final Status status;

    /** Which row is at fault. */
    private final long row;

    /** How far the call came. */
    private final long rowsDone;

    // Called by the native code.
    private SparselinException(int status, byte[] message, long row, long rowsDone) {
        super(CALL.matcher(new String(message, StandardCharsets.UTF_8)).replaceAll(call -> CALLS.getOrDefault(call.group(), call.group())));
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
