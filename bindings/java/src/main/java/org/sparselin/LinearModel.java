package org.sparselin;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;

/**
 * What a {@link Model} and a {@link Predictor} have in common: scores w.x + b of sparse examples, how good they are, and the weights behind
 * them. None of these calls changes anything.
 *
 * <p>A model of 3 classes and more has a score, a bias and weights for each of them, numbered from 0 by ascending label. It refuses the calls
 * of one score (STATE; the message names the one to use): {@link #predict}, {@link #predictCsr}, {@link #predictDataset}, {@link
 * #probability}, {@link #label}, {@link #smallerLabel}, {@link #largerLabel}, {@link #weights}, {@link #weight} and {@link #bias}. Those of
 * several, from {@link #classes} to {@link #confusion}, serve models of one score, too.
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

    final transient EncoderCopies encoders = new EncoderCopies();

    LinearModel(Owned owned) {
        this.owned = owned;
    }

    /**
     * Copies the encoder that the model carries.
     *
     * @return the copy
     * @throws SparselinException STATE: it carries none
     */
    public Encoder encoder() {
        return new Encoder(() -> owned.readLong(Native::modelEncoder));
    }

    /**
     * Computes the score of a record, of which the encoder that the model carries makes a row. Names that the encoder does not know are left
     * out, and it learns nothing.
     *
     * @param fields values by name, as {@link Encoder#row(Map)} takes them
     * @return the score
     * @throws IllegalArgumentException as for {@link Encoder#row(Map)}
     * @throws SparselinException STATE: the model carries no encoder
     */
    public double predictRecord(Map<String, ?> fields) {
        double[] score = new double[1];
        encoders.encode(this, fields, encoder -> owned.use(model -> score[0] = Native.modelPredictRecord(model, encoder)));
        return score[0];
    }

    /**
     * Computes the scores of a record as {@link #predictRecord} does, one for each class.
     *
     * @param fields values by name
     * @return as many as {@link #classes} says, for {@link #probabilities} and {@link #predictedLabel}
     * @throws IllegalArgumentException as for {@link Encoder#row(Map)}
     * @throws SparselinException STATE: the model carries no encoder
     */
    public double[] scoresRecord(Map<String, ?> fields) {
        double[][] scores = new double[1][];
        encoders.encode(this, fields, encoder -> owned.use(model -> {
            scores[0] = new double[(int) Native.modelClasses(model)];
            Native.modelScoresRecord(model, encoder, scores[0]);
        }));
        return scores[0];
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
     * Computes the score of an example as {@link #predict(int[], double[])} does. It has a name of its own so that there null still means
     * values of 1.
     *
     * @param indices features, from 0
     * @param values as many
     * @return the score
     * @throws SparselinException as for {@link #predict(int[], double[])}
     */
    public double predictFloats(int[] indices, float[] values) {
        Objects.requireNonNull(indices, "indices");
        Objects.requireNonNull(values, "values");
        return owned.readDouble(model -> Native.modelPredictFloats(model, indices, values));
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
     * @throws SparselinException STATE: the loss gives no probabilities
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
     * Counts the scores of an example.
     *
     * @return the classes of a model of 3 and more, 1 of any other
     */
    public int classes() {
        return (int) owned.readLong(Native::modelClasses);
    }

    /**
     * Reads the labels of the classes.
     *
     * @return the labels, ascending; of a model of two labels its pair
     * @throws SparselinException STATE: the loss has no labels, or nothing has fixed them yet
     */
    public double[] labels() {
        return owned.read(LinearModel::labels);
    }

    private static double[] labels(long model) {
        double[] labels = new double[(int) Native.modelClassLabels(model, new double[0])];
        Native.modelClassLabels(model, labels);
        return labels;
    }

    /**
     * Computes the scores of an example, one a class, as {@link #predict(int[], double[])} does of one.
     *
     * @param indices features, from 0
     * @param values null if all are 1
     * @return as many scores as {@link #classes} says
     * @throws SparselinException as for {@link #predict(int[], double[])}
     */
    public double[] scores(int[] indices, double[] values) {
        Objects.requireNonNull(indices, "indices");
        return owned.read(model -> {
            double[] scores = new double[(int) Native.modelClasses(model)];
            Native.modelScores(model, indices, values, scores);
            return scores;
        });
    }

    /**
     * Computes the scores of an example as {@link #scores} does.
     *
     * @param indices features, from 0
     * @param values as many
     * @return as many scores as {@link #classes} says
     * @throws SparselinException as for {@link #predict(int[], double[])}
     */
    public double[] scoresFloats(int[] indices, float[] values) {
        Objects.requireNonNull(indices, "indices");
        Objects.requireNonNull(values, "values");
        return owned.read(model -> {
            double[] scores = new double[(int) Native.modelClasses(model)];
            Native.modelScoresFloats(model, indices, values, scores);
            return scores;
        });
    }

    /**
     * Computes the scores of the rows of a matrix.
     *
     * @param rowPointers where the rows begin, and where the last one ends
     * @param indices features, from 0
     * @param values null if all are 1
     * @return rows times classes scores, row by row: score k of row r is at {@code r * classes() + k}
     * @throws SparselinException as for {@link #predictCsr(int[], int[], double[])}
     * @throws ArithmeticException if an array cannot have so many
     */
    public double[] scoresCsr(int[] rowPointers, int[] indices, double[] values) {
        Objects.requireNonNull(indices, "indices");
        long[] pointers = Rows.widen(rowPointers);
        return owned.read(model -> {
            int classes = (int) Native.modelClasses(model);
            double[] scores = new double[Math.multiplyExact(Math.max(pointers.length - 1, 0), classes)];
            Rows.inParts(pointers.length, (long) indices.length * classes, (first, count) ->
                    Native.modelScoresCsr(model, pointers, indices, values, first, count, scores));
            return scores;
        });
    }

    /**
     * Computes the scores of the rows of a data set.
     *
     * @param data the rows
     * @return rows times classes scores, as {@link #scoresCsr} gives them
     * @throws SparselinException INVALID_DATA: a score that is not finite
     * @throws ArithmeticException if an array cannot have so many
     */
    public double[] scoresDataset(Dataset data) {
        return owned.read(model -> data.handle.read(rows -> {
            long count = Math.multiplyExact(Native.datasetRows(rows), Native.modelClasses(model));
            double[] scores = new double[Math.toIntExact(count)];
            Native.modelScoresDataset(model, rows, scores);
            return scores;
        }));
    }

    /**
     * Turns scores into probabilities.
     *
     * @param scores those of a row, or of many as {@link #scoresCsr} gives them
     * @return as many probabilities, each in the place of its score. They add up to 1 in each row; of a model of two labels there is one a
     *     row, that of the larger label
     * @throws SparselinException STATE: the loss gives no probabilities. INVALID_DATA: a score that is not finite (where there is one a row: not a
     *     number). INVALID_ARGUMENT: scores that are not whole rows
     */
    public double[] probabilities(double[] scores) {
        double[] probabilities = new double[scores.length];
        owned.use(model -> Native.modelProbabilities(model, scores, probabilities));
        return probabilities;
    }

    /**
     * Turns the scores of a row into a label.
     *
     * @param scores as many as {@link #classes} says
     * @return the label of the largest score, of equal ones the smaller label; of a model of two labels as {@link #label}
     * @throws SparselinException as for {@link #predictedLabels}
     */
    public double predictedLabel(double[] scores) {
        Objects.requireNonNull(scores, "scores");
        double[] label = new double[1];
        owned.use(model -> Native.modelPredictedLabels(model, scores, label));
        return label[0];
    }

    /**
     * Turns the scores of rows into labels, as {@link #predictedLabel} does.
     *
     * @param scores those of many rows, as {@link #scoresCsr} gives them
     * @return labels, one a row
     * @throws SparselinException STATE: the labels are not known, see {@link #labels}. INVALID_DATA and INVALID_ARGUMENT as for {@link
     *     #probabilities}
     */
    public double[] predictedLabels(double[] scores) {
        Objects.requireNonNull(scores, "scores");
        return owned.read(model -> {
            double[] labels = new double[scores.length / (int) Native.modelClasses(model)];
            Native.modelPredictedLabels(model, scores, labels);
            return labels;
        });
    }

    /**
     * Copies all weights of a class that are not 0, and its bias, as {@link #weights} does of a model of one score.
     *
     * @param k the class, from 0; of a model of one score 0
     * @return the weights by ascending index
     * @throws SparselinException INVALID_ARGUMENT: there is no such class
     */
    public Weights classWeights(int k) {
        return owned.read(model -> {
            int count = Math.toIntExact(Native.modelClassNonzeros(model, k, new int[0], new double[0]));
            int[] indices = new int[count];
            double[] values = new double[count];
            Native.modelClassNonzeros(model, k, indices, values);
            return new Weights(indices, values, Native.modelClassBias(model, k));
        });
    }

    /**
     * Reads the weight of one feature for a class.
     *
     * @param k the class, from 0; of a model of one score 0
     * @param index the feature, from 0
     * @return its weight, 0 if it was never seen
     * @throws SparselinException INVALID_ARGUMENT: there is no such class
     */
    public double classWeight(int k, int index) {
        return owned.readDouble(model -> Native.modelClassWeight(model, k, index));
    }

    /**
     * Reads the bias of a class.
     *
     * @param k the class, from 0; of a model of one score 0
     * @return the bias
     * @throws SparselinException INVALID_ARGUMENT: there is no such class
     */
    public double classBias(int k) {
        return owned.readDouble(model -> Native.modelClassBias(model, k));
    }

    /**
     * Says what is taken for what on a data set.
     *
     * @param data the rows
     * @return the weights of the rows, summed up by their class and the class predicted: {@code [true][predicted]}, 2 x 2 of a model of two
     *     labels
     * @throws SparselinException STATE: the loss has no labels, or nothing has fixed them yet. INVALID_DATA: a label that is none of the
     *     classes, or a row whose score overflows; the message names the row
     * @throws ArithmeticException if an array cannot have so many, beyond 46,340 labels
     */
    public double[][] confusion(Dataset data) {
        return owned.read(model -> data.handle.read(rows -> {
            int labels = labels(model).length;
            double[] counts = new double[Math.multiplyExact(labels, labels)];
            Native.modelConfusion(model, rows, counts);
            double[][] table = new double[labels][];
            for (int k = 0; k < labels; ++k) table[k] = Arrays.copyOfRange(counts, k * labels, (k + 1) * labels);
            return table;
        }));
    }

    /**
     * Says how good the model is on a data set, every row counted with its weight.
     *
     * @param data the rows, other than those it was trained on
     * @param metric {@code loss} (mean of the model's own), {@code objective} (loss and penalties), {@code error_rate},
     *     {@code macro_f1} and {@code mcc} (losses that tell labels apart), {@code f1}, {@code auc} and {@code average_precision} (two labels),
     *     {@code log_loss}, {@code brier} and {@code calibration_error} (losses that give probabilities; the last over ten bins of equal weight),
     *     {@code rmse}, {@code mae}, {@code r2}. Models of several classes have {@code loss}, {@code objective}, {@code error_rate}, {@code
     *     macro_f1}, {@code mcc} and {@code log_loss}
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
        return owned.read(model -> Native.modelAsBytes(model, keep.ordinal()));
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
