package org.sparselin;

import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * A linear model that learns from labelled sparse examples and gives scores w.x + b.
 *
 * <p>A step of training costs what the example's nonzeros cost, whatever the number of features. The same examples in the same order
 * give the same bits, one at a time or in batches, here and in every other language of the library.
 *
 * <p>With a loss that tells labels apart feeding knows the labels -1 and +1, where 0 counts as -1; fitting a data set with
 * exactly two distinct labels takes those two. So labels of 0 and 1 end as the pair -1 and +1 if they are fed, also by
 * {@link #feedDataset}, and as 0 and 1 if they are fitted, which is what {@link #label}, {@link #smallerLabel} and {@link #largerLabel} then
 * give; the first example fixes the pair for good. A score above 0 stands for the larger label. Fitting a data set of three to 1,000 labels,
 * all whole numbers, makes a model of so many classes; with the option {@code classes} at K feeding knows 0 to K - 1, and fitting these or any
 * K others. {@link #setLabels} says what labels there are.
 *
 * <p>Any number of threads may use a model. Those that only look at it do not wait for one another, but for a call that trains; a
 * {@link #predictor} waits for nobody.
 *
 * <p>Serializing a model writes what {@link #toBytes()} gives, so that training goes on to the same bits on the other side.
 */
public final class Model extends LinearModel implements AutoCloseable, Serializable {
    private static final long serialVersionUID = 1;

    private final transient Handle handle;

    /** How far the fit has come that is under way, null if there is none. */
    private transient volatile Progress.Report report;

    /** Makes an untrained model with all options at their defaults, which are meant to work untuned. */
    public Model() {
        this(() -> Native.modelCreate(0));
    }

    /**
     * Makes an untrained model.
     *
     * @param options how it learns; they are copied
     * @throws SparselinException INVALID_OPTION: options that exclude each other; the message names both
     */
    public Model(Options options) {
        this(() -> options.withNative(Native::modelCreate));
    }

    private Model(LongSupplier make) {
        this(new Handle("model", make, Native::modelFree, Native::modelMemory));
    }

    private Model(Handle handle) {
        super(handle);
        this.handle = handle;
    }

    /**
     * Says which version of the library runs.
     *
     * @return a version such as 1.0.0
     */
    public static String libraryVersion() {
        NativeLibrary.need();
        return Native.version();
    }

    /**
     * Makes one model of several that learned parts of the data (in threads, or on other machines, such as those of Spark), or that only
     * observed them. Weights, biases and averages are the mean of theirs, each counted with its share of all example weights; statistics and
     * steps add up. It can be trained, saved and merged again; of one model it is a copy. One round of parts is not a pass over the whole:
     * prefer several, each of which begins with what was merged.
     *
     * @param models models of the same options, labels and encoder, all of them trained or none; their order fixes the bits
     * @return the merged model, none of whose parts is changed
     * @throws SparselinException INVALID_ARGUMENT: no model, or one that differs from the first; the message says which, and in what. STATE:
     *     some are trained and some are not, or one can only predict. INVALID_DATA: the sums overflow
     */
    public static Model merge(List<Model> models) {
        return merge(null, models, 1);
    }

    /**
     * Makes one model of several that were copies of one and have learned parts of the data since: the end of a round of training in parts,
     * the next of which begins with it. What they began with counts once in steps and sums, and shares are of the example weight learned since.
     *
     * @param begin what all were copies of, trained or not
     * @param models models that have learned since
     * @param parts of how many parts the result is made in the end: where they differ in weight, 1 / (the sum of their shares' squares). With 1
     *     weights are the parts' mean: in a tree of merges below its root, say. With more, weights of features that are rare go on from those
     *     of {@code begin} through the mean and up to sqrt(parts) times as far, since few of a rare feature's rows are in any one part;
     *     where {@code scale} is rms, without {@code center}
     * @return the merged model, none of whose parts is changed
     * @throws SparselinException as of {@link #merge(List)}. INVALID_ARGUMENT: a model is no copy of {@code begin} that has learned
     *     something since, or {@code parts} is below 1. STATE: {@code begin} starts from another model
     */
    public static Model mergeRound(Model begin, List<Model> models, double parts) {
        return merge(Objects.requireNonNull(begin, "begin").handle, models, parts);
    }

    private static Model merge(Handle begin, List<Model> models, double parts) {
        List<Handle> merged = models.stream().map(model -> Objects.requireNonNull(model, "model").handle).toList();
        long[] addresses = merged.stream().mapToLong(part -> part.address).toArray();
        List<Handle> read = Stream.concat(merged.stream(), Stream.ofNullable(begin)).toList();
        return new Model(() -> Handle.readAll(read, () -> Native.modelMerge(begin == null ? 0 : begin.address, addresses, parts)));
    }

    /**
     * Lets a model that has made no step begin at the weights and biases that another one returns, whatever that one's options: a model of
     * last week goes on with another learning rate, say. Labels are the source's; steps, averages and statistics begin anew.
     *
     * @param source a trained model or a predictor
     * @throws SparselinException STATE: this model has made steps, its schedule forgets where it began, or the source has learned nothing.
     *     INVALID_ARGUMENT: other labels, another kind of loss or another {@code normalize}. INVALID_DATA: an index beyond the option {@code
     *     dimension}, or a weight that is too large
     */
    public void start(LinearModel source) {
        // Of a model a copy, so that no call waits for one model while it keeps others from another.
        Predictor from = source instanceof Model model ? model.predictor() : (Predictor) Objects.requireNonNull(source, "source");
        try {
            handle.write(model -> from.owned.use(begin -> Native.modelStart(model, begin)));
        } finally {
            if (from != source) from.owned.free();
        }
    }

    /**
     * Makes an independent copy: from here on the two give the same bits for the same calls.
     *
     * @return the copy
     */
    public Model copy() {
        return new Model(() -> handle.readLong(Native::modelClone));
    }

    /**
     * Takes what predicting needs, as it is now: later training does not change the predictor, and closing the model does not close it.
     * O(features stored).
     *
     * @return the predictor, which gives the same scores to the bit
     */
    public Predictor predictor() {
        return new Predictor(() -> handle.readLong(Native::modelPredictor));
    }

    /**
     * Frees the memory: at once, or when the last call that uses it ends. It does not wait for that, but stops a fit that is under way.
     * Closing twice is fine, using it afterwards an IllegalStateException.
     */
    @Override
    public void close() {
        handle.close();
        encoders.drop();
    }

    /**
     * Gives the model a copy of the encoder that makes its rows, which goes into its file and that of its predictor, too.
     *
     * @param encoder the encoder; null takes it out
     */
    public void setEncoder(Encoder encoder) {
        handle.write(model -> {
            if (encoder == null) Native.modelSetEncoder(model, 0);
            else encoder.handle.use(copied -> Native.modelSetEncoder(model, copied));
        });
        encoders.drop();
    }

    /**
     * Fixes the labels of the classes, and with the option {@code classes} at auto their number: for streams, of which nobody knows all labels
     * beforehand but the caller, and for labels that a part of the data lacks.
     *
     * @param labels 2 to 65,536 distinct numbers in any order; 2 are the pair of labels, 3 and more make it a model of so many classes
     * @throws SparselinException STATE: the labels are fixed already, the loss has none, or the model can only predict. INVALID_ARGUMENT: too
     *     few or too many, or not as many as the option {@code classes} says. INVALID_DATA: one that is not finite, or there twice
     */
    public void setLabels(double... labels) {
        Objects.requireNonNull(labels, "labels");
        handle.write(model -> Native.modelSetLabels(model, labels));
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
        handle.step(model -> Native.modelObserve(model, indices, values, weight));
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
        handle.step(model -> Native.modelFeed(model, indices, values, label, weight));
    }

    /**
     * Makes one step of training as {@link #feed(int[], double[], double, double)} does. It has a name of its own so that there null still
     * means values of 1.
     *
     * @param indices features, from 0
     * @param values as many
     * @param label what the example is
     * @param weight importance, at least 0 and about 1 on average; 0 does nothing
     * @throws SparselinException as for {@link #feed(int[], double[], double, double)}
     */
    public void feedFloats(int[] indices, float[] values, double label, double weight) {
        Objects.requireNonNull(indices, "indices");
        Objects.requireNonNull(values, "values");
        handle.step(model -> Native.modelFeedFloats(model, indices, values, label, weight));
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
     * @throws SparselinException INVALID_DATA: labels of which the loss cannot make a pair or classes; nothing is learned. DIVERGED: a step would
     *     overflow; the steps before are kept. STATE: the model can only predict. CANCELLED: the thread was interrupted; it stays so, and the
     *     rows before are learned
     */
    public void fit(Dataset data) {
        fit(data, null);
    }

    /**
     * Trains on a data set as {@link #fit(Dataset)} does, and says how far it has come. If the listener throws an exception, the fit stops
     * and the exception comes out of this call; the rows before are learned. Called again with the same data, fit goes on where it stopped,
     * with other data it starts anew. So it does when its thread is interrupted (the thread stays so) or the model is closed meanwhile.
     *
     * <p>Early stopping: a listener that throws where {@code epoch()} is one more than in the report before, which is the end of a pass, leaves
     * the model as that pass made it. {@link #evaluate} it on rows that it does not learn, keep a {@link #copy} of the best, and call fit again
     * for the next pass: the bits are those of a fit that ran through.
     *
     * <pre>{@code
     * for (long pass = 1; pass <= epochs && pass - bestPass <= patience; ++pass) {
     *     long end = pass;
     *     try {
     *         model.fit(data, report -> {
     *             if (report.epoch() == end) throw new PassOver();
     *         });
     *     } catch (PassOver over) {
     *         // judged now
     *     }
     *     double loss = model.evaluate(validation, "log_loss");
     *     if (best == null || loss < bestLoss) {
     *         best = model.copy();
     *         bestPass = pass;
     *         bestLoss = loss;
     *     }
     * }
     * }</pre>
     *
     * @param data the rows
     * @param progress hears how far it has come; may be null
     * @throws SparselinException as for {@link #fit(Dataset)}. CANCELLED: the thread was interrupted
     */
    public void fit(Dataset data, Progress progress) {
        handle.write(model -> data.handle.use(rows -> {
            long steps = Native.modelSteps(model);
            report = new Progress.Report(steps, 0, 0, steps > 0 ? Native.modelMeanLoss(model) : 0, 0);
            try {
                Native.modelFit(model, rows, news -> {
                    report = news;
                    if (progress != null) progress.update(news);
                    handle.requireOpen();
                });
            } finally {
                report = null;
            }
        }));
    }

    /** What {@link #fit(Dataset)} would do with a data set. */
    public enum FitState {
        /** All of its passes, from the first row on. */
        NEW,
        /** Go on with the fit that was stopped. */
        STOPPED,
        /** All passes once more: the last fit learned these rows to the end. */
        DONE
    }

    /**
     * Says what {@link #fit(Dataset)} would do with a data set, so that a model that was saved when its fit was stopped
     * can be told from one that is finished.
     *
     * @param data the rows
     * @return what it would do
     */
    public FitState fitState(Dataset data) {
        return FitState.values()[handle.read(model -> data.handle.read(rows -> Native.modelFitState(model, rows)))];
    }

    /** {@inheritDoc} While the model is being fitted they are those of the last report, without waiting. */
    @Override
    public long steps() {
        Progress.Report last = report;
        return last != null ? last.steps() : super.steps();
    }

    /** {@inheritDoc} While the model is being fitted it is that of the last report, without waiting. */
    @Override
    public double meanLoss() {
        Progress.Report last = report;
        return last != null && last.steps() > 0 ? last.meanLoss() : super.meanLoss();
    }

    /**
     * Lays the model out for fast prediction, O(features stored), once. Changes no prediction and no later training; the next step drops
     * the layout again.
     */
    public void finalizeModel() {
        handle.write(Native::modelFinalize);
    }

    /**
     * Sets in how many threads many rows are scored, which files do not keep. Changes no number.
     *
     * @param threads from 0 (as many as there are cores) to 1024
     * @throws SparselinException INVALID_ARGUMENT: another number
     */
    public void setThreads(int threads) {
        handle.write(model -> Native.modelSetThreads(model, threads));
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
        write(file, keep);
    }

    /**
     * Reads a model from a file, whichever language wrote it.
     *
     * @param file the file, of the default file system
     * @return the model
     * @throws SparselinException IO: the system's reason. FORMAT: not a model, or damaged. VERSION: written by a newer version
     */
    public static Model load(Path file) {
        String path = Text.path(file);
        return new Model(() -> Native.modelLoad(path));
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
        return bytes(keep);
    }

    /**
     * Makes a model from the bytes that {@link #toBytes(Keep)} gave, or from those of a file.
     *
     * @param bytes all of them
     * @return the model
     * @throws SparselinException FORMAT: not a model, or damaged. VERSION: written by a newer version
     */
    public static Model fromBytes(byte[] bytes) {
        Objects.requireNonNull(bytes, "bytes");
        return new Model(() -> Native.modelFromBytes(bytes));
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
}
