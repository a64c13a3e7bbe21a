package org.sparselin;

import java.util.Objects;

/** Judges scores from anywhere, without a model. */
public final class Scores {
    private Scores() {}

    /**
     * Says how good scores are, every row of weight 1.
     *
     * @param metric one of those of {@link LinearModel#evaluate} but {@code loss} and {@code objective}
     * @param scores as for {@link #evaluate(String, double[], double[], double[])}
     * @param labels as there
     * @return the figure
     * @throws SparselinException as there
     */
    public static double evaluate(String metric, double[] scores, double[] labels) {
        return evaluate(metric, scores, labels, null);
    }

    /**
     * Says how good scores are.
     *
     * @param metric one of those of {@link LinearModel#evaluate} but {@code loss} and {@code objective}
     * @param scores one a row: the larger label is predicted above 0, and its probability is 1 / (1 + exp(-score)), so that the score of a
     *     probability p is log(p / (1 - p)). Or K a row, row by row, from K = 3 on: the largest is predicted, and the score of a probability p is
     *     log(p)
     * @param labels one a row: -1 (or 0) and 1, or of several classes 0 to K - 1; of {@code rmse}, {@code mae} and {@code r2} any numbers
     * @param weights importance of the rows; null if all are 1
     * @return the figure
     * @throws SparselinException INVALID_ARGUMENT: no such metric, or arrays that do not fit together. INVALID_DATA: a number that is not finite,
     *     another label, or a figure that is undefined on these rows
     */
    public static double evaluate(String metric, double[] scores, double[] labels, double[] weights) {
        Objects.requireNonNull(metric, "metric");
        Objects.requireNonNull(scores, "scores");
        Objects.requireNonNull(labels, "labels");
        NativeLibrary.need();
        return Native.evaluateScores(metric, scores, labels, weights);
    }
}
