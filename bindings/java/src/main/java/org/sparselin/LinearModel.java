package org.sparselin;

import java.nio.file.Path;
import java.util.Objects;

/**
 * What a {@link Model} and a {@link Predictor} have in common: scores w.x + b of sparse examples, how good they are, and the weights behind
 * them. None of these calls changes anything.
 */
public abstract sealed class LinearModel permits Model, Predictor {
    /** Not transient, so that it is met by whoever writes objects field by field; see there. */
    final Owned owned;

    /** What is kept of a model in a file or in bytes. */
    public enum Keep {
        /** All of it: training can go on to the same bits as if it had never been saved. */
        EVERYTHING,
        /** What predicting takes; small. */
        PREDICTOR
    }

    LinearModel(Owned owned) {
        this.owned = owned;
    }

    /**
     * Computes the score w.x + b of an example. Features that were never seen count nothing.
     *
     * @param indices features, from 0
     * @param values null if all are 1
     * @return the score, within the options {@code clip_min} and {@code clip_max} where these are set
     * @throws SparselinException INVALID_ARGUMENT: arrays of different length. INVALID_DATA: a value that is not finite, a negative index
     */
    public double predict(int[] indices, double[] values) {
        Objects.requireNonNull(indices, "indices");
        return owned.readDouble(model -> Native.modelPredict(model, indices, values));
    }

    /**
     * Computes the score of an example that is a part of longer arrays, such as a row of a matrix, as {@link #predict(int[], double[])} does.
     *
     * @param indices features, from 0
     * @param values null if all are 1
     * @param from where the example begins
     * @param to where it ends: the place after its last feature
     * @return the score
     * @throws SparselinException as for {@link #predict(int[], double[])}
     * @throws IndexOutOfBoundsException if the part is not within the arrays
     */
    public double predict(int[] indices, double[] values, int from, int to) {
        Objects.checkFromToIndex(from, to, indices.length);
        return owned.readDouble(model -> Native.modelPredictPart(model, indices, values, from, to));
    }

    /**
     * Computes the scores of the rows of a matrix.
     *
     * @param rowPointers where the rows begin, and where the last one ends
     * @param indices features, from 0
     * @param values null if all are 1
     * @return scores, one a row
     * @throws SparselinException as for {@link #predict(int[], double[])}; the message names the row. INVALID_ARGUMENT: row pointers that
     *     do not ascend, or lead out of the arrays
     */
    public double[] predictCsr(int[] rowPointers, int[] indices, double[] values) {
        double[] scores = new double[Math.max(rowPointers.length - 1, 0)];
        predictCsr(rowPointers, indices, values, scores);
        return scores;
    }

    /**
     * Computes the scores of the rows of a matrix into an array.
     *
     * @param rowPointers where the rows begin, and where the last one ends
     * @param indices features, from 0
     * @param values null if all are 1
     * @param scores filled with the scores, one a row; if the call fails, those of rows before the one at fault may be there
     * @throws SparselinException as for {@link #predictCsr(int[], int[], double[])}. INVALID_ARGUMENT: more scores than rows, or fewer
     */
    public void predictCsr(int[] rowPointers, int[] indices, double[] values, double[] scores) {
        Objects.requireNonNull(indices, "indices");
        Objects.requireNonNull(scores, "scores");
        long[] pointers = Rows.widen(rowPointers);
        owned.use(model -> Rows.inParts(pointers.length, indices.length, (first, count) ->
                Native.modelPredictCsr(model, pointers, indices, values, first, count, scores)));
    }

    /**
     * Computes the scores of the rows of a data set.
     *
     * @param data the rows
     * @return scores, one a row
     * @throws SparselinException INVALID_DATA: a score that is not finite
     */
    public double[] predictDataset(Dataset data) {
        double[] scores = new double[Math.toIntExact(data.rows())];
        predictDataset(data, scores);
        return scores;
    }

    /**
     * Computes the scores of the rows of a data set into an array.
     *
     * @param data the rows
     * @param scores one a row are filled from the beginning; none if the call fails
     * @throws SparselinException as for {@link #predictDataset(Dataset)}. INVALID_ARGUMENT: fewer scores than rows
     */
    public void predictDataset(Dataset data, double[] scores) {
        Objects.requireNonNull(scores, "scores");
        owned.use(model -> data.handle.use(rows -> Native.modelPredictDataset(model, rows, scores)));
    }

    /**
     * Turns a score into a probability.
     *
     * @param score what a prediction gave
     * @return the probability of the larger label, 1 / (1 + exp(-score))
     * @throws SparselinException STATE: the loss is not log
     */
    public double probability(double score) {
        return owned.readDouble(model -> Native.modelProbability(model, score));
    }

    /**
     * Turns a score into a label.
     *
     * @param score what a prediction gave
     * @return the larger label if the score is above 0, else the smaller
     * @throws SparselinException STATE: the loss knows no pair of labels, or nothing has been learned yet
     */
    public double label(double score) {
        return owned.readDouble(model -> Native.modelLabel(model, score));
    }

    /**
     * Says how good the model is on a data set, every row counted with its weight.
     *
     * @param data the rows, other than those it was trained on
     * @param metric {@code loss} (mean of the model's own), {@code objective} (loss and penalties), {@code error_rate} and {@code auc} (two
     *     labels), {@code log_loss}, {@code brier} and {@code calibration_error} (loss log; the last over ten bins of equal weight),
     *     {@code rmse}, {@code mae}, {@code r2}
     * @return the figure; shares are from 0 to 1
     * @throws SparselinException INVALID_ARGUMENT: no such metric. STATE: one that the model's loss does not know. INVALID_DATA: undefined on
     *     these rows (none at all, all of one label), or a label that the model does not know
     */
    public double evaluate(Dataset data, String metric) {
        return owned.readDouble(model -> data.handle.readDouble(rows -> Native.modelEvaluate(model, rows, metric)));
    }

    /**
     * Copies all weights that are not 0, and the bias, as predictions use them for raw values.
     *
     * @return the weights by ascending index
     */
    public Weights weights() {
        return owned.read(model -> {
            int count = Math.toIntExact(Native.modelNonzeros(model, new int[0], new double[0]));
            int[] indices = new int[count];
            double[] values = new double[count];
            Native.modelNonzeros(model, indices, values);
            return new Weights(indices, values, Native.modelBias(model));
        });
    }

    /**
     * Reads the weight of one feature, as predictions use it for raw values.
     *
     * @param index the feature, from 0
     * @return its weight, 0 if it was never seen
     */
    public double weight(int index) {
        return owned.readDouble(model -> Native.modelWeight(model, index));
    }

    /**
     * Reads the bias b, as predictions use it for raw values.
     *
     * @return the bias
     */
    public double bias() {
        return owned.readDouble(Native::modelBias);
    }

    /**
     * Says how many features there are.
     *
     * @return largest index fed or observed, + 1
     */
    public long dimension() {
        return owned.readLong(Native::modelDimension);
    }

    /**
     * Counts the steps made since the model was created; examples of weight 0 are none.
     *
     * @return steps
     */
    public long steps() {
        return owned.readLong(Native::modelSteps);
    }

    /**
     * Averages the loss of every example just before it was learned: after one pass an honest estimate of the loss on new data.
     *
     * @return mean loss, weighted
     * @throws SparselinException STATE: no steps yet
     */
    public double meanLoss() {
        return owned.readDouble(Native::modelMeanLoss);
    }

    /**
     * Reads the smaller of the two labels that the model knows.
     *
     * @return the label
     * @throws SparselinException as for {@link #label(double)}
     */
    public double smallerLabel() {
        return owned.readDouble(Native::modelSmallerLabel);
    }

    /**
     * Reads the larger of the two labels that the model knows.
     *
     * @return the label
     * @throws SparselinException as for {@link #label(double)}
     */
    public double largerLabel() {
        return owned.readDouble(Native::modelLargerLabel);
    }

    /**
     * Reads an option that the model was made with.
     *
     * @param name the option
     * @return its value, as {@link Options#get} gives it
     * @throws SparselinException INVALID_OPTION: there is no such option
     */
    public String option(String name) {
        return owned.read(model -> Native.modelOption(model, name));
    }

    /**
     * Measures the native memory that the model holds.
     *
     * @return bytes
     */
    public long memory() {
        return owned.readLong(Native::modelMemory);
    }

    final void write(Path file, Keep keep) {
        String path = Text.path(file);
        int kept = keep.ordinal();
        owned.use(model -> Native.modelSave(model, kept, path));
    }

    final byte[] bytes(Keep keep) {
        int kept = keep.ordinal();
        return owned.read(model -> {
            byte[] bytes = new byte[Math.toIntExact(Native.modelToBytes(model, kept, new byte[0]))];
            Native.modelToBytes(model, kept, bytes);
            return bytes;
        });
    }

    /**
     * The weights of a model.
     *
     * @param indices features, from 0, ascending as unsigned integers
     * @param values their weights, none of which is 0
     * @param bias the bias
     */
    public record Weights(int[] indices, double[] values, double bias) {}
}
