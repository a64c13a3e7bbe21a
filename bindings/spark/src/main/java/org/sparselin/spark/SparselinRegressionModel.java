package org.sparselin.spark;

import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.RegressionModel;
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

/** What a {@link SparselinRegressor} makes. It predicts numbers. */
public final class SparselinRegressionModel extends RegressionModel<Vector, SparselinRegressionModel>
        implements MLWritable {
    private static final long serialVersionUID = 1;

    private String uid; // set, and so without an initial value, while the super class is made
    private final ColumnParams columns;
    private final Kept kept;
    private final double[] losses;

    SparselinRegressionModel(String uid, Kept kept, double[] losses) {
        this(Kept.announce(uid, kept), losses);
    }

    private SparselinRegressionModel(Kept kept, double[] losses) {
        columns = new ColumnParams(this);
        this.kept = kept;
        this.losses = losses;
    }

    @Override
    public String uid() {
        if (uid == null) uid = Kept.uid("sparselinRegressor");
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

    @Override
    public double predict(Vector features) {
        return Scoring.scores(kept.predictor(), features)[0];
    }

    @Override
    public StructType transformSchema(StructType schema) {
        columns.features(this).validate(schema, getFeaturesCol(),
                all -> validateAndTransformSchema(all, false, SQLDataTypes.VectorType()));
        return getPredictionCol().isEmpty() ? schema : schema.add(getPredictionCol(), DataTypes.DoubleType, false);
    }

    /** {@inheritDoc} Rows are scored in batches. */
    @Override
    public Dataset<Row> transform(Dataset<?> dataset) {
        StructType schema = transformSchema(dataset.schema());
        if (getPredictionCol().isEmpty()) return dataset.toDF();
        Features features = columns.features(this);
        int[] places = features.placesIn(dataset.schema());
        Broadcast<Kept> shared = JavaSparkContext.fromSparkContext(dataset.sparkSession().sparkContext()).broadcast(kept.alone());
        MapPartitionsFunction<Row, Row> score = rows -> {
            Predictor predictor = shared.value().predictor();
            return new Scoring(rows, features.reader(predictor::encoder, places), predictor, scores -> new Object[] {scores[0]});
        };
        return dataset.toDF().mapPartitions(score, Encoders.row(schema));
    }

    @Override
    public SparselinRegressionModel copy(ParamMap extra) {
        SparselinRegressionModel copy = new SparselinRegressionModel(uid(), kept, losses);
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
    public static MLReader<SparselinRegressionModel> read() {
        return Kept.reader(SparselinRegressionModel.class, (uid, kept) -> new SparselinRegressionModel(uid, kept, new double[0]));
    }

    /**
     * Reads a model that was saved.
     *
     * @param path where it was saved
     * @return the model
     */
    public static SparselinRegressionModel load(String path) {
        return read().load(path);
    }
}
