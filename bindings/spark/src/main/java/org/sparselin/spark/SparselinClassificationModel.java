package org.sparselin.spark;

import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.classification.ProbabilisticClassificationModel;
import org.apache.spark.ml.linalg.DenseVector;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.sparselin.Model;
import org.sparselin.Predictor;
import org.sparselin.SparselinException;
import org.sparselin.Status;

/** What a {@link SparselinClassifier} makes. What it predicts are the labels themselves; probabilities there are of losses that give them. */
public final class SparselinClassificationModel extends ProbabilisticClassificationModel<Vector, SparselinClassificationModel>
        implements MLWritable {
    private static final long serialVersionUID = 1;

    private String uid; // set, and so without an initial value, while the super class is made
    private final ColumnParams columns;
    private final Kept kept;
    private final double[] losses;
    private final double[] labels;

    SparselinClassificationModel(String uid, Kept kept, double[] losses) {
        this(Kept.announce(uid, kept), losses);
    }

    private SparselinClassificationModel(Kept kept, double[] losses) {
        columns = new ColumnParams(this);
        this.kept = kept;
        this.losses = losses;
        labels = kept.predictor().labels();
        if (!hasProbabilities(kept.predictor())) setProbabilityCol("");
    }

    private static boolean hasProbabilities(Predictor predictor) {
        try {
            return predictor.probabilities(new double[0]) != null;
        } catch (SparselinException e) {
            if (e.status() != Status.STATE) throw e;
            return false; // of this loss
        }
    }

    @Override
    public String uid() {
        if (uid == null) uid = Kept.uid("sparselinClassifier");
        return uid;
    }

    @Override
    public Param<?>[] params() {
        return columns == null ? super.params() : columns.with(super.params());
    }

    /**
     * Makes the library's model, as training left it.
     *
     * @return the model, for the caller to close
     */
    public Model model() {
        return kept.model();
    }

    /**
     * Gives what predicting needs, for a server without Spark, say.
     *
     * @return the predictor
     */
    public Predictor predictor() {
        return kept.predictor();
    }

    /**
     * Says how training went: of each round the mean loss of every row just before it was learned.
     *
     * @return as many losses as there were rounds; none of a model that was loaded
     */
    public double[] losses() {
        return losses.clone();
    }

    /**
     * Reads the labels of the classes.
     *
     * @return the labels, ascending: class k of rawPrediction and probability is that of {@code labels()[k]}
     */
    public double[] labels() {
        return labels.clone();
    }

    @Override
    public int numClasses() {
        return labels.length;
    }

    @Override
    public Vector predictRaw(Vector features) {
        return raw(Scoring.scores(kept.predictor(), features));
    }

    @Override
    public Vector raw2probabilityInPlace(Vector raw) {
        double[] values = ((DenseVector) raw).values();
        double[] probabilities = probabilities(kept.predictor(), values.length == 2 ? new double[] {values[1]} : values.clone());
        System.arraycopy(probabilities, 0, values, 0, values.length);
        return raw;
    }

    @Override
    public double raw2prediction(Vector raw) {
        return isDefined(thresholds()) ? probability2prediction(raw2probability(raw)) : labels[raw.argmax()];
    }

    @Override
    public double probability2prediction(Vector probability) {
        double[] thresholds = thresholdOfEach();
        return labels[thresholds != null ? best(probability.toArray(), thresholds) : probability.argmax()];
    }

    @Override
    public double predict(Vector features) {
        return raw2prediction(predictRaw(features));
    }

    @SuppressWarnings({"rawtypes", "unchecked"})
    @Override
    public scala.Tuple3 findSummaryModel() {
        return super.findSummaryModel();
    }

    @Override
    public StructType transformSchema(StructType schema) {
        columns.features(this).validate(schema, getFeaturesCol(),
                all -> validateAndTransformSchema(all, false, SQLDataTypes.VectorType()));
        StructType result = schema;
        if (!getRawPredictionCol().isEmpty()) result = result.add(getRawPredictionCol(), SQLDataTypes.VectorType(), false);
        if (!getProbabilityCol().isEmpty()) result = result.add(getProbabilityCol(), SQLDataTypes.VectorType(), false);
        if (!getPredictionCol().isEmpty()) result = result.add(getPredictionCol(), DataTypes.DoubleType, false);
        return result;
    }

    /** {@inheritDoc} Rows are scored in batches. */
    @Override
    public Dataset<Row> transform(Dataset<?> dataset) {
        StructType schema = transformSchema(dataset.schema());
        boolean raw = !getRawPredictionCol().isEmpty(), probability = !getProbabilityCol().isEmpty();
        boolean prediction = !getPredictionCol().isEmpty();
        double[] thresholds = thresholdOfEach(), labels = this.labels;
        Features features = columns.features(this);
        int[] places = features.placesIn(dataset.schema());
        Broadcast<Kept> shared = JavaSparkContext.fromSparkContext(dataset.sparkSession().sparkContext()).broadcast(kept.alone());
        MapPartitionsFunction<Row, Row> score = rows -> {
            Predictor predictor = shared.value().predictor();
            return new Scoring(rows, features.reader(predictor::encoder, places), predictor, scores -> {
                Object[] more = new Object[(raw ? 1 : 0) + (probability ? 1 : 0) + (prediction ? 1 : 0)];
                int at = 0;
                if (raw) more[at++] = raw(scores);
                double[] shares = probability || thresholds != null ? probabilities(predictor, scores) : null;
                if (probability) more[at++] = Vectors.dense(shares);
                if (prediction) more[at] = labels[thresholds != null ? best(shares, thresholds) : raw(scores).argmax()];
                return more;
            });
        };
        return dataset.toDF().mapPartitions(score, Encoders.row(schema));
    }

    /** Of two labels each has a score, too. */
    private static Vector raw(double[] scores) {
        return Vectors.dense(scores.length == 1 ? new double[] {-scores[0], scores[0]} : scores.clone());
    }

    private static double[] probabilities(Predictor predictor, double[] scores) {
        double[] probabilities = predictor.probabilities(scores);
        return probabilities.length == 1 ? new double[] {1 - probabilities[0], probabilities[0]} : probabilities;
    }

    /** Null where none are set. */
    private double[] thresholdOfEach() {
        if (!isDefined(thresholds())) return null;
        double[] thresholds = getThresholds();
        if (thresholds.length != labels.length)
            throw new IllegalArgumentException("there are " + thresholds.length + " thresholds, but the model has " + labels.length + " classes");
        return thresholds;
    }

    /** The class that is likeliest beside its threshold. */
    private static int best(double[] probabilities, double[] thresholds) {
        int best = 0;
        double largest = Double.NEGATIVE_INFINITY;
        for (int k = 0; k < probabilities.length; ++k) {
            double scaled = probabilities[k] / thresholds[k];
            if (scaled > largest) {
                largest = scaled;
                best = k;
            }
        }
        return best;
    }

    @Override
    public SparselinClassificationModel copy(ParamMap extra) {
        SparselinClassificationModel copy = new SparselinClassificationModel(uid(), kept, losses);
        return copyValues(copy, extra).setParent(parent());
    }

    @Override
    public MLWriter write() {
        return kept.writer(this);
    }

    /**
     * Reads models that were saved.
     *
     * @return the reader
     */
    public static MLReader<SparselinClassificationModel> read() {
        return Kept.reader(SparselinClassificationModel.class, (uid, kept) -> new SparselinClassificationModel(uid, kept, new double[0]));
    }

    /**
     * Reads a model that was saved.
     *
     * @param path where it was saved
     * @return the model
     */
    public static SparselinClassificationModel load(String path) {
        return read().load(path);
    }
}
