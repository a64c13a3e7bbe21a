package org.sparselin.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparselin.Model;
import org.sparselin.Options;

/** On two executors, which are processes of their own and are sent everything, by Kryo where Spark lets it. */
class ClusterTest {
    private static SparkSession spark;

    @BeforeAll
    static void begin() throws Exception {
        Files.createDirectories(Path.of(System.getenv("SPARK_HOME"), "jars"));
        spark = SparkSession.builder().master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
                .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
                .config("spark.executor.memory", "512m").config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
                .config("spark.executor.extraClassPath", System.getProperty("java.class.path")).getOrCreate();
        spark.sparkContext().setLogLevel("OFF");
    }

    @AfterAll
    static void end() {
        spark.stop();
    }

    private static void assertEqualsByHand(Dataset<Row> known, Dataset<Row> frame) {
        SparselinClassificationModel model = new SparselinClassifier().setWeightCol("weight").setOption("sampling", "sequential").fit(frame);
        List<List<Row>> partitions = known.javaRDD().glom().collect();
        Options options = new Options().set("loss", "log").set("sampling", "sequential");
        try (Model expected = Data.merged(partitions, options, 3, 0, 1); Model actual = model.model()) {
            assertArrayEquals(expected.toBytes(), actual.toBytes());
        }
    }

    @Test
    void equalsAMergeByHand() {
        Dataset<Row> frame = Data.frame(spark, Data.rows(600, 2, 3), 5);
        assertEqualsByHand(frame, frame);
    }

    @Test
    void mergesInATreeAndTransforms() {
        Dataset<Row> frame = Data.frame(spark, Data.rows(600, 3, 3), 17);
        SparselinClassificationModel model = new SparselinClassifier().setRounds(1).fit(frame);
        for (Row row : model.transform(frame).collectAsList())
            assertEquals(model.predict(row.<Vector>getAs("features")), row.<Double>getAs("prediction"));
    }

    @Test
    void readsColumns() {
        Dataset<Row> mails = Data.mails(spark, 200, 4);
        SparselinClassificationModel model = new SparselinClassifier().setTextCols("subject").setNumericCols("links").fit(mails);
        assertEquals(0, model.transform(mails).filter("prediction <> label and subject is not null").count());
    }

    /** The executor that reads partition 1 first dies, with all it holds. */
    @Test
    void aKilledExecutorChangesNoNumber(@TempDir Path folder) {
        Dataset<Row> frame = Data.frame(spark, Data.rows(600, 2, 4), 5);
        File mark = folder.resolve("killed").toFile();
        assertFalse(mark.exists());
        Dataset<Row> failing = spark.createDataFrame(frame.javaRDD().map(row -> {
            if (TaskContext.get().partitionId() == 1 && mark.createNewFile()) Runtime.getRuntime().halt(1);
            return row;
        }), Data.SCHEMA);
        assertEqualsByHand(frame, failing);
        assertTrue(mark.exists());
    }
}
