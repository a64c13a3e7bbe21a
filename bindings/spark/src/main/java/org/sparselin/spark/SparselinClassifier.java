package org.sparselin.spark;

import org.apache.spark.ml.classification.ProbabilisticClassifier;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructType;

/**
 * Learns to tell classes apart, two or more, on sparse data.
 *
 * <p>Every option of the library is a param by its own name ({@code l1}, {@code loss}, {@code seed} and so on; {@link #explainParams} lists
 * them), which {@link #setOption} sets. In each of {@code rounds} rounds every partition learns its rows, in an order of its own where
 * {@code sampling} is shuffle, and what they learned is merged; {@code epochs} is passes a round. The same partitions, with their rows in the
 * same order, and the same seed give the same bits. One round is not a pass over the whole: prefer several.
 */
public final class SparselinClassifier extends ProbabilisticClassifier<Vector, SparselinClassifier, SparselinClassificationModel>
        implements DefaultParamsWritable {
    private static final long serialVersionUID = 1;

    private String uid; // set, and so without an initial value, while the super class is made
    private final OptionParams own;

    /** Makes an estimator whose params are at their defaults. */
    public SparselinClassifier() {
        own = new OptionParams(this, true);
        own.setDefaults(defaultParamMap(), "log");
    }

    /**
     * The same with a name, which is how Spark copies and loads it.
     *
     * @param uid the name
     */
    public SparselinClassifier(String uid) {
        this(Kept.announce(uid, (Void) null));
    }

    private SparselinClassifier(Void named) {
        this();
    }

    @Override
    public String uid() {
        if (uid == null) uid = Kept.uid("sparselinClassifier");
        return uid;
    }

    @Override
    public Param<?>[] params() {
        return own == null ? super.params() : own.with(super.params());
    }

    /**
     * Sets an option of the library.
     *
     * @param name the option
     * @param value a number, a truth value or text
     * @return this
     * @throws org.sparselin.SparselinException INVALID_OPTION: there is no such option, or the value is of the wrong kind or out of range
     */
    public SparselinClassifier setOption(String name, Object value) {
        own.set(paramMap(), name, value);
        return this;
    }

    /**
     * Sets how often what the partitions learned is merged.
     *
     * @param rounds at least 1; 3 by default
     * @return this
     */
    public SparselinClassifier setRounds(int rounds) {
        set(own.rounds, (long) rounds);
        return this;
    }

    /**
     * Sets the levels of the tree in which models are merged.
     *
     * @param depth at least 1; 2 by default. Up to 16 models are merged at once whatever it is
     * @return this
     */
    public SparselinClassifier setAggregationDepth(int depth) {
        set(own.aggregationDepth, (long) depth);
        return this;
    }

    /**
     * Sets the column of example weights.
     *
     * @param name the column; weights are at least 0 and about 1 on average
     * @return this
     */
    public SparselinClassifier setWeightCol(String name) {
        set(own.weightCol, name);
        return this;
    }

    /**
     * Sets columns of texts, which an encoder splits into tokens, in place of a column of vectors. With {@link #setCategoricalCols} and {@link
     * #setNumericCols} they are all that is learned from. The options {@code tokens}, {@code ngram_max}, {@code hash_bits} and others say how.
     *
     * @param names columns of strings; null in a row is no text
     * @return this
     */
    public SparselinClassifier setTextCols(String... names) {
        set(own.columns.texts, names);
        return this;
    }

    /**
     * Sets columns of categories, each value of which is a feature.
     *
     * @param names columns of strings, whole numbers or booleans; null in a row is no category
     * @return this
     */
    public SparselinClassifier setCategoricalCols(String... names) {
        set(own.columns.categories, names);
        return this;
    }

    /**
     * Sets columns of numbers, each of which is a feature.
     *
     * @param names columns of numbers; null in a row is 0
     * @return this
     */
    public SparselinClassifier setNumericCols(String... names) {
        set(own.columns.numbers, names);
        return this;
    }

    @Override
    public StructType transformSchema(StructType schema) {
        return own.columns.features(this).validate(schema, getFeaturesCol(),
                all -> validateAndTransformSchema(all, true, SQLDataTypes.VectorType()));
    }

    @Override
    public SparselinClassificationModel train(Dataset<?> dataset) {
        Features features = own.columns.features(this);
        Dataset<Row> rows = dataset.select(features.after(functions.col(getLabelCol()).cast("double"),
                isSet(own.weightCol) ? functions.col(getOrDefault(own.weightCol)).cast("double") : functions.lit(1.0)));
        Training.Result result = Training.run(rows, features, own.encoding(paramMap(), features.encoded()),
                own.options(paramMap(), getOrDefault(own.find("loss")).toString()), true, (long) getOrDefault(own.rounds),
                (long) getOrDefault(own.aggregationDepth));
        return new SparselinClassificationModel(uid(), result.model(), result.losses());
    }

    @Override
    public SparselinClassifier copy(ParamMap extra) {
        return defaultCopy(extra);
    }

    /**
     * Reads estimators that were saved.
     *
     * @return the reader
     */
    public static MLReader<SparselinClassifier> read() {
        return new DefaultParamsReader<>();
    }

    /**
     * Reads an estimator that was saved.
     *
     * @param path where it was saved
     * @return the estimator
     */
    public static SparselinClassifier load(String path) {
        return read().load(path);
    }
}
