package org.sparselin.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.SparseVector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.sparselin.Model;
import org.sparselin.Options;

/** Rows that can be learned, and what the library makes of them without Spark. */
final class Data {
    static final StructType SCHEMA = new StructType().add("label", DataTypes.DoubleType).add("weight", DataTypes.DoubleType)
            .add("features", SQLDataTypes.VectorType());
    private static final int FEATURES = 500, NONZEROS = 12;

    private Data() {}

    /** Rows of labels 0, 1, ..., each with features of its own among others that say nothing. Of one class: numbers. */
    static List<Row> rows(int count, int classes, long seed) {
        Random random = new Random(seed);
        List<Row> rows = new ArrayList<>();
        for (int r = 0; r < count; ++r) {
            int label = random.nextInt(Math.max(classes, 2));
            double[] dense = new double[FEATURES];
            for (int j = 0; j < NONZEROS; ++j) {
                int feature = random.nextInt(FEATURES);
                if (feature % 5 < 3 || feature % 7 % Math.max(classes, 2) == label) dense[feature] = 1 + random.nextInt(3);
            }
            double sum = 0;
            for (int i = 0; i < 50; ++i) sum += dense[i] * (i % 5 - 2);
            rows.add(RowFactory.create(classes == 1 ? sum : label, 0.5 + random.nextInt(3) / 2.0, Vectors.dense(dense).toSparse()));
        }
        return rows;
    }

    static Dataset<Row> frame(SparkSession spark, List<Row> rows, int partitions) {
        return spark.createDataFrame(JavaSparkContext.fromSparkContext(spark.sparkContext()).parallelize(rows, partitions), SCHEMA);
    }

    /** What the estimator makes of the partitions where sampling is sequential: rounds of copies that are trained and what they learned merged. */
    static Model merged(List<List<Row>> partitions, Options options, int rounds, double... labels) {
        Model model = all(partitions, new Model(options), false);
        if (labels.length > 0) model.setLabels(labels);
        for (int round = 0; round < rounds; ++round) model = all(partitions, model, true);
        return model;
    }

    private static Model all(List<List<Row>> partitions, Model begin, boolean learn) {
        boolean observes = !begin.option("scale").equals("none") || begin.option("center").equals("true");
        List<Model> parts = new ArrayList<>();
        double sum = 0, squares = 0;
        for (List<Row> rows : partitions) {
            if (rows.isEmpty()) continue;
            Model part = begin.copy();
            double weight = 0;
            for (Row row : rows) {
                SparseVector x = (SparseVector) row.get(2);
                if (learn) part.feed(x.indices(), x.values(), row.getDouble(0), row.getDouble(1));
                else if (observes) part.observe(x.indices(), x.values(), row.getDouble(1));
                weight += row.getDouble(1);
            }
            sum += weight;
            squares += weight * weight;
            parts.add(part);
        }
        return learn ? Model.mergeRound(begin, parts, sum * sum / squares) : Model.merge(parts);
    }
}
