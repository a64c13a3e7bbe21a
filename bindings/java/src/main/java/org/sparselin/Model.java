package org.sparselin;

import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A linear model that learns from labelled sparse examples and gives scores w.x + b.
 *
 * <p>A step of training costs what the example's nonzeros cost, whatever the number of features. The same examples in the same order
 * give the same bits, one at a time or in batches, here and in every other language of the library.
 *
 * <p>With a two-label loss (log, hinge, squared_hinge) feeding knows the labels -1 and +1, where 0 counts as -1; fitting a data set with
 * exactly two distinct labels takes those two. A score above 0 stands for the larger label.
 *
 * <p>Serializing a model writes what {@link #toBytes()} gives, so that training goes on to the same bits on the other side.
 */
public final class Model implements AutoCloseable, Serializable {
    private static final long serialVersionUID = 1;

    private final transient Handle handle;

    /** What is kept of a model in a file or in bytes. */
    public enum Keep {
        /** All of it: training can go on to the same bits as if it had never been saved. */
        EVERYTHING,
        /** What predicting takes; small. */
        PREDICTOR
    }

    /** Makes an untrained model with all options at their defaults, which are meant to work untuned. */
    public Model() {
        this(Native.modelCreate(0));
    }

    /**
     * Makes an untrained model.
     *
     * @param options how it learns; they are copied
     * @throws SparselinException INVALID_OPTION: options that exclude each other; the message names both
     */
    public Model(Options options) {
        this(options.handle.readLong(Native::modelCreate));
    }

    private Model(long address) {
        handle = new Handle("model", address, Native::modelFree);
    }

    /**
     * Says which version of the library runs.
     *
     * @return a version such as 1.0.0
     */
    public static String libraryVersion() {
        return Native.version();
    }

    /**
     * Makes an independent copy: from here on the two give the same bits for the same calls.
     *
     * @return the copy
     */
    public Model copy() {
        return new Model(handle.readLong(Native::modelClone));
    }

    /** Frees the memory at once, as soon as no call uses it any more. Closing twice is fine, using it afterwards an IllegalStateException. */
    @Override
    public void close() {
        handle.close();
    }

    /**
     * Counts an example into the statistics that the options {@code center} and {@code scale} rest on, without training on it.
     *
     * @param indices features, from 0
     * @param values null if all are 1
     * @param weight importance, at least 0
     * @throws SparselinException STATE: a step has been made, or the options need no statistics. INVALID_DATA as for {@link #feed(int[],
     *     double[], double, double)}
     */
    public void observe(int[] indices, double[] values, double weight) {
        Objects.requireNonNull(indices, "indices");
        handle.write(model -> Native.modelObserve(model, indices, values, weight));
    }

    /**
     * Makes one step of training, with an example of weight 1.
     *
     * @param indices features, from 0
     * @param values null if all are 1
     * @param label what the example is
     * @throws SparselinException as for {@link #feed(int[], double[], double, double)}
     */
    public void feed(int[] indices, double[] values, double label) {
        feed(indices, values, label, 1);
    }

    /**
     * Makes one step of training. An example without features is fine: it moves the bias.
     *
     * @param indices features, from 0
     * @param values null if all are 1
     * @param label what the example is
     * @param weight importance, at least 0 and about 1 on average; 0 does nothing
     * @throws SparselinException INVALID_ARGUMENT: arrays of different length. INVALID_DATA: a number that is not finite, a negative weight or
     *     index, a label that the loss cannot take, an index not below the option {@code dimension} where that is set. STATE: nothing was
     *     observed though {@code center} or {@code scale} ask for it, or the model can only predict. DIVERGED: the step would overflow
     */
    public void feed(int[] indices, double[] values, double label, double weight) {
        Objects.requireNonNull(indices, "indices");
        handle.write(model -> Native.modelFeed(model, indices, values, label, weight));
    }

    /**
     * Feeds the rows of a matrix in turn, each with weight 1.
     *
     * @param rowPointers where the rows begin, and where the last one ends
     * @param indices features, from 0
     * @param values null if all are 1
     * @param labels one a row
     * @throws SparselinException as for {@link #feedCsr(int[], int[], double[], double[], double[])}
     */
    public void feedCsr(int[] rowPointers, int[] indices, double[] values, double[] labels) {
        feedCsr(rowPointers, indices, values, labels, null);
    }

    /**
     * Feeds the rows of a matrix in turn.
     *
     * @param rowPointers where the rows begin, and where the last one ends
     * @param indices features, from 0
     * @param values null if all are 1
     * @param labels one a row
     * @param weights importance of the rows; null if all are 1
     * @throws SparselinException as for {@link #feed(int[], double[], double, double)}; the message names the row, and the rows before it,
     *     {@link SparselinException#rowsDone}, are learned. INVALID_ARGUMENT: row pointers that do not ascend, or lead out of the arrays
     */
    public void feedCsr(int[] rowPointers, int[] indices, double[] values, double[] labels, double[] weights) {
        Objects.requireNonNull(indices, "indices");
        Objects.requireNonNull(labels, "labels");
        long[] pointers = Rows.widen(rowPointers);
        handle.write(model -> Rows.inParts(pointers.length, indices.length, (first, count) ->
                Native.modelFeedCsr(model, pointers, indices, values, labels, weights, first, count)));
    }

    /**
     * Feeds the rows of a data set in turn: once, in order, without gathering statistics and without taking its two labels for those of the
     * model, which is what {@link #fit(Dataset)} does on top.
     *
     * @param data the rows
     * @throws SparselinException as for {@link #feedCsr(int[], int[], double[], double[], double[])}
     */
    public void feedDataset(Dataset data) {
        handle.write(model -> data.handle.use(rows -> Native.modelFeedDataset(model, rows)));
    }

    /**
     * Trains on a data set: as many passes as the option {@code epochs} says, in the order that {@code sampling} and {@code seed} fix.
     *
     * @param data the rows
     * @throws SparselinException INVALID_DATA: labels of which the loss cannot make a pair; nothing is learned. DIVERGED: a step would
     *     overflow; the steps before are kept. STATE: the model can only predict
     */
    public void fit(Dataset data) {
        fit(data, null);
    }

    /**
     * Trains on a data set as {@link #fit(Dataset)} does, and says how far it has come. If the listener throws an exception, the fit stops
     * and the exception comes out of this call; the rows before are learned. Called again with the same data, fit goes on where it stopped,
     * with other data it starts anew. The model and the data set cannot be closed meanwhile: {@link #close} waits.
     *
     * @param data the rows
     * @param progress hears how far it has come; may be null
     * @throws SparselinException as for {@link #fit(Dataset)}
     */
    public void fit(Dataset data, Progress progress) {
        handle.write(model -> data.handle.use(rows -> Native.modelFit(model, rows, progress)));
    }

    /**
     * Lays the model out for fast prediction, O(features stored), once. Changes no prediction and no later training; the next step drops
     * the layout again.
     */
    public void finalizeModel() {
        handle.write(Native::modelFinalize);
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
        return handle.readDouble(model -> Native.modelPredict(model, indices, values));
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
        Objects.requireNonNull(indices, "indices");
        long[] pointers = Rows.widen(rowPointers);
        double[] scores = new double[Math.max(pointers.length - 1, 0)];
        handle.use(model -> Rows.inParts(pointers.length, indices.length, (first, count) ->
                Native.modelPredictCsr(model, pointers, indices, values, first, count, scores)));
        return scores;
    }

    /**
     * Computes the scores of the rows of a data set.
     *
     * @param data the rows
     * @return scores, one a row
     */
    public double[] predictDataset(Dataset data) {
        return handle.read(model -> data.handle.read(rows -> {
            double[] scores = new double[Math.toIntExact(Native.datasetRows(rows))];
            Native.modelPredictDataset(model, rows, scores);
            return scores;
        }));
    }

    /**
     * Turns a score into a probability.
     *
     * @param score what a prediction gave
     * @return the probability of the larger label, 1 / (1 + exp(-score))
     * @throws SparselinException STATE: the loss is not log
     */
    public double probability(double score) {
        return handle.readDouble(model -> Native.modelProbability(model, score));
    }

    /**
     * Turns a score into a label.
     *
     * @param score what a prediction gave
     * @return the larger label if the score is above 0, else the smaller
     * @throws SparselinException STATE: the loss knows no pair of labels, or nothing has been learned yet
     */
    public double label(double score) {
        return handle.readDouble(model -> Native.modelLabel(model, score));
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
        return handle.readDouble(model -> data.handle.readDouble(rows -> Native.modelEvaluate(model, rows, metric)));
    }

    /**
     * Copies all weights that are not 0, and the bias, as predictions use them for raw values.
     *
     * @return the weights by ascending index
     */
    public Weights weights() {
        return handle.read(model -> {
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
        return handle.readDouble(model -> Native.modelWeight(model, index));
    }

    /**
     * Reads the bias b, as predictions use it for raw values.
     *
     * @return the bias
     */
    public double bias() {
        return handle.readDouble(Native::modelBias);
    }

    /**
     * Says how many features there are.
     *
     * @return largest index fed or observed, + 1
     */
    public long dimension() {
        return handle.readLong(Native::modelDimension);
    }

    /**
     * Counts the steps made since the model was created; examples of weight 0 are none.
     *
     * @return steps
     */
    public long steps() {
        return handle.readLong(Native::modelSteps);
    }

    /**
     * Averages the loss of every example just before it was learned: after one pass an honest estimate of the loss on new data.
     *
     * @return mean loss, weighted
     * @throws SparselinException STATE: no steps yet
     */
    public double meanLoss() {
        return handle.readDouble(Native::modelMeanLoss);
    }

    /**
     * Reads the smaller of the two labels that the model knows.
     *
     * @return the label
     * @throws SparselinException as for {@link #label(double)}
     */
    public double smallerLabel() {
        return handle.readDouble(Native::modelSmallerLabel);
    }

    /**
     * Reads the larger of the two labels that the model knows.
     *
     * @return the label
     * @throws SparselinException as for {@link #label(double)}
     */
    public double largerLabel() {
        return handle.readDouble(Native::modelLargerLabel);
    }

    /**
     * Reads an option that the model was made with.
     *
     * @param name the option
     * @return its value, as {@link Options#get} gives it
     * @throws SparselinException INVALID_OPTION: there is no such option
     */
    public String option(String name) {
        return handle.read(model -> Native.modelOption(model, name));
    }

    /**
     * Measures the native memory that the model holds.
     *
     * @return bytes
     */
    public long memory() {
        return handle.readLong(Native::modelMemory);
    }

    /**
     * Writes everything to a file.
     *
     * @param file where to, in the default file system
     * @throws SparselinException as for {@link #save(Path, Keep)}
     */
    public void save(Path file) {
        save(file, Keep.EVERYTHING);
    }

    /**
     * Writes the model to a file, which is there whole or not at all and is the same on every machine and from every language.
     *
     * @param file where to, in the default file system
     * @param keep all of it, or what predicting takes
     * @throws SparselinException IO: the system's reason
     */
    public void save(Path file, Keep keep) {
        handle.use(model -> Native.modelSave(model, keep.ordinal(), Text.path(file)));
    }

    /**
     * Reads a model from a file, whichever language wrote it.
     *
     * @param file the file, of the default file system
     * @return the model
     * @throws SparselinException IO: the system's reason. FORMAT: not a model, or damaged. VERSION: written by a newer version
     */
    public static Model load(Path file) {
        return new Model(Native.modelLoad(Text.path(file)));
    }

    /**
     * Gives the bytes that {@link #save(Path)} would write.
     *
     * @return everything
     */
    public byte[] toBytes() {
        return toBytes(Keep.EVERYTHING);
    }

    /**
     * Gives the bytes that {@link #save(Path, Keep)} would write.
     *
     * @param keep all of it, or what predicting takes
     * @return the bytes
     */
    public byte[] toBytes(Keep keep) {
        return handle.read(model -> {
            byte[] bytes = new byte[Math.toIntExact(Native.modelToBytes(model, keep.ordinal(), new byte[0]))];
            Native.modelToBytes(model, keep.ordinal(), bytes);
            return bytes;
        });
    }

    /**
     * Makes a model from the bytes that {@link #toBytes(Keep)} gave, or from those of a file.
     *
     * @param bytes all of them
     * @return the model
     * @throws SparselinException FORMAT: not a model, or damaged. VERSION: written by a newer version
     */
    public static Model fromBytes(byte[] bytes) {
        return new Model(Native.modelFromBytes(Objects.requireNonNull(bytes, "bytes")));
    }

    private Object writeReplace() {
        return new Bytes(toBytes());
    }

    private void readObject(ObjectInputStream in) throws InvalidObjectException {
        throw new InvalidObjectException("a model is written as its bytes");
    }

    /** What a serialized model is. */
    private record Bytes(byte[] bytes) implements Serializable {
        private Object readResolve() {
            return fromBytes(bytes);
        }
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
