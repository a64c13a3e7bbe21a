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

    /**
     * Rows of a share of the weight, whose probabilities are next to each other.
     *
     * @param predicted mean probability
     * @param observed share of the larger label
     * @param chance standard deviation that this share has where the probabilities are right
     */
    public record Bin(double predicted, double observed, double chance) {}

    /**
     * Says how far probabilities are from frequencies: rows in ascending order of the probability of the larger label fill bins of equal weight.
     *
     * @param probabilities one a row
     * @param labels one a row: -1 (or 0) and 1
     * @param weights importance of the rows; null if all are 1
     * @param bins how many
     * @return the bins
     * @throws IllegalArgumentException if {@code bins} is not from 1 to 1,048,576
     * @throws SparselinException INVALID_ARGUMENT: arrays that do not fit together. INVALID_DATA: a number that is no probability or no such
     *     label, or no row that counts
     */
    public static Bin[] calibration(double[] probabilities, double[] labels, double[] weights, int bins) {
        Objects.requireNonNull(probabilities, "probabilities");
        Objects.requireNonNull(labels, "labels");
        if (bins < 1 || bins > 1 << 20) // as the library has it, which needs the outputs first
            throw new IllegalArgumentException("bins is " + bins + ", but must be from 1 to 1048576");
        NativeLibrary.need();
        double[][] found = new double[3][bins];
        Native.calibration(probabilities, labels, weights, found[0], found[1], found[2]);
        Bin[] all = new Bin[bins];
        for (int k = 0; k < bins; k++) all[k] = new Bin(found[0][k], found[1][k], found[2][k]);
        return all;
    }
}
