package org.sparselin.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.evaluation.MulticlassClassificationEvaluator;
import org.apache.spark.ml.feature.SQLTransformer;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.tuning.CrossValidator;
import org.apache.spark.ml.tuning.CrossValidatorModel;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparselin.Encoder;
import org.sparselin.Model;
import org.sparselin.Options;
import org.sparselin.Predictor;

/** Columns of texts, categories and numbers, of which an encoder makes features. */
class ColumnsTest {
    private static SparkSession spark;
    private static Dataset<Row> mails;

    @BeforeAll
    static void begin() {
        spark = Data.local();
        mails = Data.mails(spark, 300, 4);
    }

    @AfterAll
    static void end() {
        spark.stop();
    }

    private static SparselinClassifier classifier() {
        return new SparselinClassifier().setTextCols("subject", "the `body`").setCategoricalCols("sender", "hour", "known").setNumericCols("links");
    }

    private static Map<String, Object> record(Row mail) {
        Map<String, Object> record = new HashMap<>();
        for (String name : new String[] {"subject", "the `body`"})
            if (mail.getAs(name) != null) record.put(name, new Encoder.Words(mail.getAs(name)));
        for (String name : new String[] {"sender", "hour", "known"})
            if (mail.getAs(name) != null) record.put(name, mail.getAs(name).toString());
        if (mail.getAs("links") != null) record.put("links", mail.<Number>getAs("links"));
        return record;
    }

    private static double error(Dataset<Row> predicted) {
        return 1 - new MulticlassClassificationEvaluator().setMetricName("accuracy").evaluate(predicted);
    }

    /** What the library's encoder makes of the same records, as vectors. */
    private static Dataset<Row> vectors(Options encoding) {
        try (Encoder encoder = new Encoder(encoding)) {
            return Data.frame(spark, mails.collectAsList().stream().map(mail -> {
                Encoder.Row row = encoder.row(record(mail));
                return RowFactory.create(mail.<Double>getAs("label"), 1.0, Vectors.sparse(1 << 20, row.indices(), row.values()));
            }).toList(), mails.javaRDD().getNumPartitions());
        }
    }

    @Test
    void equalVectorsOfTheSameEncoder() {
        Options encoding = new Options().set("hash_bits", 20).set("ngram_max", 2).set("tokens", "char_wb");
        SparselinClassificationModel ofColumns =
                classifier().setOption("hash_bits", 20).setOption("ngram_max", 2).setOption("tokens", "char_wb").fit(mails);
        Dataset<Row> vectors = vectors(encoding);
        SparselinClassificationModel ofVectors = new SparselinClassifier().fit(vectors);
        try (Model columns = ofColumns.model(); Model expected = ofVectors.model()) {
            try (Encoder encoder = columns.encoder(); Encoder same = new Encoder(encoding)) {
                assertArrayEquals(same.toBytes(), encoder.toBytes());
            }
            columns.setEncoder(null);
            assertArrayEquals(expected.toBytes(), columns.toBytes());
        }
        assertEquals(ofVectors.transform(vectors).select("rawPrediction", "prediction").collectAsList(),
                ofColumns.transform(mails).select("rawPrediction", "prediction").collectAsList());
    }

    /** The model's file is all that a program without Spark needs. */
    @Test
    void predictsAsTheLibraryDoesOfRecords() {
        SparselinClassificationModel model = classifier().fit(mails);
        Dataset<Row> predicted = model.transform(mails);
        assertArrayEquals(new String[] {"label", "subject", "the `body`", "sender", "hour", "known", "links", "features", "rawPrediction",
            "probability", "prediction"}, predicted.columns());
        assertTrue(error(predicted) < 0.02, () -> "error " + error(predicted));
        Predictor predictor = model.predictor();
        assertEquals("31", predictor.encoder().option("hash_bits"));
        for (Row mail : predicted.collectAsList())
            assertEquals(predictor.predictRecord(record(mail)), mail.<Vector>getAs("rawPrediction").apply(1));
    }

    /** What is null is not there: neither a feature nor an error, also where all is. */
    @Test
    void nullIsNoFeature() {
        SparselinClassificationModel model = classifier().fit(mails);
        Dataset<Row> without = mails.selectExpr("label", "string(null) subject", "string(null) `the ``body```", "string(null) sender", "int(null) hour",
                "boolean(null) known", "double(null) links");
        double bias = model.predictor().bias();
        for (Row row : model.transform(without).takeAsList(5))
            assertEquals(bias, row.<Vector>getAs("rawPrediction").apply(1));
        try (Model alone = classifier().fit(without).model()) {
            assertEquals(0, alone.weights().indices().length);
        }
    }

    @Test
    void savesAndLoads(@TempDir Path folder) throws Exception {
        SparselinClassifier classifier = classifier().setOption("hash_bits", 18);
        classifier.save(folder.resolve("estimator").toString());
        SparselinClassifier loaded = SparselinClassifier.load(folder.resolve("estimator").toString());
        SparselinClassificationModel model = loaded.fit(mails);
        try (Model expected = classifier.fit(mails).model(); Model actual = model.model()) {
            assertArrayEquals(expected.toBytes(), actual.toBytes());
        }
        model.save(folder.resolve("model").toString());
        List<Row> predicted = model.transform(mails).collectAsList();
        SparselinClassificationModel again = SparselinClassificationModel.load(folder.resolve("model").toString());
        assertEquals(predicted, again.transform(mails).collectAsList());
        assertEquals(predicted, again.copy(new ParamMap()).transform(mails).collectAsList());
        SparselinRegressor regressor = new SparselinRegressor().setTextCols("subject").setLabelCol("links");
        regressor.save(folder.resolve("regressor").toString());
        Dataset<Row> known = mails.filter("links is not null");
        SparselinRegressionModel numbers = SparselinRegressor.load(folder.resolve("regressor").toString()).fit(known);
        numbers.save(folder.resolve("numbers").toString());
        Dataset<Row> guessed = SparselinRegressionModel.load(folder.resolve("numbers").toString()).transform(known);
        assertEquals(numbers.transform(known).collectAsList(), guessed.collectAsList());
        assertEquals(DataTypes.DoubleType, guessed.schema().apply("prediction").dataType());
        assertTrue(guessed.filter("abs(prediction - links) < 2").count() > 0.8 * known.count());
    }

    @Test
    void isAStageOfPipelinesAndValidators(@TempDir Path folder) throws Exception {
        SparselinClassifier classifier = new SparselinClassifier().setTextCols("both").setCategoricalCols("sender").setRounds(1);
        Pipeline pipeline = new Pipeline().setStages(new PipelineStage[] {
            new SQLTransformer().setStatement("select *, concat_ws(' ', subject, `the ``body```) both from __THIS__"), classifier});
        PipelineModel model = pipeline.fit(mails);
        assertTrue(error(model.transform(mails)) < 0.02);
        model.save(folder.resolve("pipeline").toString());
        assertEquals(model.transform(mails).collectAsList(), PipelineModel.load(folder.resolve("pipeline").toString()).transform(mails).collectAsList());
        Param<Object> longest = classifier.getParam("ngram_max"), bits = classifier.getParam("hash_bits");
        ParamMap[] grid = {new ParamMap().put(longest, 2L).put(bits, 1L), new ParamMap().put(longest, 1L).put(bits, 16L)};
        CrossValidatorModel best = new CrossValidator().setEstimator(pipeline).setEvaluator(new MulticlassClassificationEvaluator())
                .setEstimatorParamMaps(grid).setNumFolds(2).fit(mails);
        assertTrue(best.avgMetrics()[0] < best.avgMetrics()[1]);
        Predictor chosen = ((SparselinClassificationModel) ((PipelineModel) best.bestModel()).stages()[1]).predictor();
        assertEquals("16", chosen.encoder().option("hash_bits"));
    }

    @Test
    void schemasAreKnownBefore() {
        Set<String> known = Set.of(classifier().transformSchema(mails.schema()).fieldNames());
        assertEquals(Set.of(classifier().setRounds(1).fit(mails).transform(mails).columns()), known);
    }

    @Test
    void saysWhatIsWrong() {
        Data.refuses("there is no column titel among label, subject", () -> new SparselinClassifier().setTextCols("titel").fit(mails));
        SparselinClassificationModel model = classifier().fit(mails);
        Data.refuses("there is no column sender among label", () -> model.transform(mails.drop("sender")));
        Data.refuses("the column hour is of type int, but text is a string", () -> new SparselinClassifier().setTextCols("hour").fit(mails));
        Data.refuses("the column links is of type double, but category is a string, a whole number or a boolean",
                () -> new SparselinRegressor().setCategoricalCols("links").fit(mails));
        Data.refuses("the column subject is of type string, but number is a number",
                () -> new SparselinClassifier().setNumericCols("subject").fit(mails));
        Data.refuses("the column sender is of type array<string>, but category", () -> model.transform(mails.selectExpr("label", "subject",
                "`the ``body```", "split(sender, ' ') sender", "hour", "known", "links")));
        Data.refuses("the column sender is set twice",
                () -> new SparselinClassifier().setTextCols("sender").setCategoricalCols("sender").fit(mails));
        Data.refuses("featuresCol is set to features", () -> classifier().setFeaturesCol("features").fit(mails));
        Data.refuses("textCols", () -> new SparselinClassifier().setOption("ngram_max", 2).fit(Data.frame(spark, Data.rows(40, 2, 3), 2)));
        Data.refuses("hash_bits is 32, but must be at most 31", () -> classifier().setOption("hash_bits", 32).fit(mails));
        Data.refuses("ngram", () -> classifier().setOption("ngram_min", 2).fit(mails));
        Data.refuses("features are hashed", () -> classifier().setOption("features", "dictionary"));
        Data.refuses("features are hashed", () -> classifier().setOption("min_count", 2));
        Data.refuses("links", () -> classifier().fit(mails.selectExpr("label", "subject", "`the ``body```", "sender", "hour", "known",
                "double('NaN') links")));
        Data.refuses("label", () -> classifier().fit(mails.drop("label")));
        Data.refuses("a row has no label", () -> classifier().fit(mails.selectExpr("if(hour = 3, null, label) label", "subject", "`the ``body```",
                "sender", "hour", "known", "links")));
        assertEquals(3, new SparselinClassifier().fit(Data.frame(spark, Data.rows(40, 2, 3), 2)).losses().length);
    }
}
