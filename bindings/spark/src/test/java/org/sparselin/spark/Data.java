package org.sparselin.spark;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import org.junit.jupiter.api.function.Executable;
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

    /** Spark in this process, whose tasks are tried four times. */
    static SparkSession local() {
        SparkSession spark = SparkSession.builder().master("local[2,4]").config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "4")
                .config("spark.driver.bindAddress", "127.0.0.1").getOrCreate();
        spark.sparkContext().setLogLevel("OFF");
        return spark;
    }

    /** Mails that are wanted or not, of which a part of the columns is null; `features` is a column like others. */
    static Dataset<Row> mails(SparkSession spark, int count, int partitions) {
        Random random = new Random(7);
        List<Row> rows = new ArrayList<>();
        for (int r = 0; r < count; ++r) {
            boolean spam = random.nextInt(2) == 0;
            rows.add(RowFactory.create(spam ? 1.0 : 0.0, random.nextInt(9) == 0 ? null : (spam ? "cheap offer " : "minutes of meeting ") + r,
                    (spam ? "buy pills é\u4e2d now, " : "see the agenda é\u4e2d at noon, ") + random.nextInt(100),
                    random.nextInt(5) == 0 ? null : "sender " + random.nextInt(10), random.nextInt(24), random.nextInt(9) == 0 ? null : !spam,
                    random.nextInt(9) == 0 ? null : (spam ? 6.0 : 0.0) + random.nextInt(2), "no vector"));
        }
        StructType schema = new StructType().add("label", DataTypes.DoubleType).add("subject", DataTypes.StringType)
                .add("the `body`", DataTypes.StringType).add("sender", DataTypes.StringType).add("hour", DataTypes.IntegerType)
                .add("known", DataTypes.BooleanType).add("links", DataTypes.DoubleType).add("features", DataTypes.StringType);
        return spark.createDataFrame(JavaSparkContext.fromSparkContext(spark.sparkContext()).parallelize(rows, partitions), schema);
    }

    static void refuses(String why, Executable call) {
        StringBuilder messages = new StringBuilder();
        for (Throwable t = assertThrows(Exception.class, call, why); t != null; t = t.getCause()) messages.append(t.getMessage()).append('\n');
        assertTrue(messages.toString().contains(why), messages::toString);
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
