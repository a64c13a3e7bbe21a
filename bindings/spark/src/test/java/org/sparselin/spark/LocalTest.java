package org.sparselin.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.evaluation.BinaryClassificationEvaluator;
import org.apache.spark.ml.evaluation.MulticlassClassificationEvaluator;
import org.apache.spark.ml.evaluation.RegressionEvaluator;
import org.apache.spark.ml.feature.HashingTF;
import org.apache.spark.ml.feature.Tokenizer;
import org.apache.spark.ml.linalg.SparseVector;
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
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparselin.Model;
import org.sparselin.Options;
import org.sparselin.SparselinException;

/** In one process, whose tasks are tried four times. */
class LocalTest {
    private static SparkSession spark;

    @BeforeAll
    static void begin() {
        spark = Data.local();
    }

    @AfterAll
    static void end() {
        spark.stop();
    }

    private static byte[] bytes(SparselinClassificationModel model) {
        try (Model all = model.model()) {
            return all.toBytes();
        }
    }

    private static double error(Dataset<Row> predicted) {
        return 1 - new MulticlassClassificationEvaluator().setMetricName("accuracy").evaluate(predicted);
    }

    /** Of options that a merge by hand can follow. */
    @Test
    void equalsAMergeByHand() {
        String[][] all = {{}, {"l1", "1e-4", "average", "none"}, {"loss", "hinge", "scale", "none"}, {"center", "true", "l2", "1e-3"}};
        for (int classes = 2; classes <= 3; ++classes) {
            Dataset<Row> frame = Data.frame(spark, Data.rows(400, classes, classes), 4);
            List<List<Row>> partitions = frame.javaRDD().glom().collect();
            double[] labels = classes == 2 ? new double[] {0, 1} : new double[] {0, 1, 2};
            for (String[] set : all) {
                SparselinClassifier classifier = new SparselinClassifier().setWeightCol("weight").setOption("sampling", "sequential").setRounds(2);
                Options options = new Options().set("loss", "log").set("sampling", "sequential");
                for (int i = 0; i < set.length; i += 2) {
                    classifier.setOption(set[i], set[i + 1]);
                    options.set(set[i], set[i + 1]);
                }
                try (Model expected = Data.merged(partitions, options, 2, labels)) {
                    assertArrayEquals(expected.toBytes(), bytes(classifier.fit(frame)), () -> Arrays.toString(set));
                }
            }
        }
    }

    /** A partition whose values are all 1 holds none of them, but for one where another comes late. */
    @Test
    void valuesOfOneAreValues() {
        List<Row> rows = new ArrayList<>();
        for (Row row : Data.rows(300, 2, 3)) {
            SparseVector x = (SparseVector) row.get(2);
            double[] ones = new double[x.indices().length];
            Arrays.fill(ones, 1);
            if (rows.size() == 70) ones[0] = 3;
            rows.add(RowFactory.create(row.get(0), row.get(1), Vectors.sparse(x.size(), x.indices(), ones)));
        }
        Dataset<Row> frame = Data.frame(spark, rows, 3);
        Options options = new Options().set("loss", "log").set("sampling", "sequential");
        try (Model expected = Data.merged(frame.javaRDD().glom().collect(), options, 1, 0, 1)) {
            assertArrayEquals(expected.toBytes(),
                    bytes(new SparselinClassifier().setWeightCol("weight").setOption("sampling", "sequential").setRounds(1).fit(frame)));
        }
    }

    @Test
    void sameBitsAgainAndThroughATree() {
        Dataset<Row> frame = Data.frame(spark, Data.rows(900, 2, 5), 20);
        SparselinClassifier classifier = new SparselinClassifier();
        SparselinClassificationModel model = classifier.fit(frame);
        assertArrayEquals(bytes(model), bytes(classifier.fit(frame)));
        SparselinClassificationModel flat = classifier.copy(new ParamMap()).setAggregationDepth(1).fit(frame);
        assertEquals(3 * 900, model.predictor().steps());
        assertEquals(3 * 900, flat.predictor().steps());
        for (int i = 0; i < 500; ++i) assertEquals(flat.predictor().weight(i), model.predictor().weight(i), 1e-11);
        assertFalse(Arrays.equals(bytes(model), bytes(new SparselinClassifier().setOption("seed", 1).fit(frame))));
    }

    @Test
    void learns() {
        for (int classes = 2; classes <= 3; ++classes) {
            Dataset<Row> frame = Data.frame(spark, Data.rows(3000, classes, 7), 3), test = Data.frame(spark, Data.rows(1000, classes, 8), 2);
            SparselinClassificationModel model = new SparselinClassifier().fit(frame);
            Dataset<Row> predicted = model.transform(test);
            assertArrayEquals(new String[] {"label", "weight", "features", "rawPrediction", "probability", "prediction"}, predicted.columns());
            assertTrue(error(predicted) < 0.25, () -> "error " + error(predicted));
            assertEquals(classes, model.numClasses());
            double[] losses = model.losses();
            assertEquals(3, losses.length);
            assertTrue(losses[2] < losses[1] && losses[1] < losses[0], () -> Arrays.toString(losses));
            for (Row row : predicted.takeAsList(50)) {
                SparseVector x = (SparseVector) row.get(2);
                Vector raw = row.getAs("rawPrediction"), probability = row.getAs("probability");
                double prediction = row.<Double>getAs("prediction");
                double[] scores = model.predictor().scores(x.indices(), x.values());
                assertEquals(scores[scores.length - 1], raw.apply(classes - 1));
                assertEquals(model.predictor().predictedLabel(scores), prediction);
                assertEquals(raw, model.predictRaw(x));
                assertEquals(probability, model.predictProbability(x));
                assertEquals(prediction, model.predict(x));
                assertEquals(1, Arrays.stream(probability.toArray()).sum(), 1e-12);
            }
            if (classes == 2) assertTrue(new BinaryClassificationEvaluator().evaluate(predicted) > 0.85);
        }
    }

    @Test
    void lossOfTheFirstRoundIsThatOfTheParts() {
        Dataset<Row> frame = Data.frame(spark, Data.rows(300, 2, 3), 3);
        Model observed = Data.merged(frame.javaRDD().glom().collect(), new Options(), 0, 0, 1);
        double loss = 0, weight = 0;
        for (List<Row> rows : frame.javaRDD().glom().collect()) {
            Model part = observed.copy();
            double own = 0;
            for (Row row : rows) {
                SparseVector x = (SparseVector) row.get(2);
                part.feed(x.indices(), x.values(), row.getDouble(0), row.getDouble(1));
                own += row.getDouble(1);
            }
            loss += own * part.meanLoss();
            weight += own;
        }
        SparselinClassificationModel model =
                new SparselinClassifier().setWeightCol("weight").setOption("sampling", "sequential").setRounds(1).fit(frame);
        assertEquals(loss / weight, model.losses()[0], 1e-12);
    }

    @Test
    void labelsAreAnyPairAndAnyWholeNumbers() {
        Dataset<Row> frame = Data.frame(spark, Data.rows(300, 3, 3), 3);
        SparselinClassificationModel model = new SparselinClassifier().fit(frame.withColumn("label", frame.col("label").multiply(10).minus(10)));
        assertArrayEquals(new double[] {-10, 0, 10}, model.labels());
        assertEquals(1, model.transform(frame).select("prediction").distinct().filter("prediction = 10").count());
        assertArrayEquals(new double[] {0, 1, 2, 3, 4}, new SparselinClassifier().setOption("classes", 5).fit(frame).labels());
        assertArrayEquals(new double[] {0, 1}, new SparselinClassifier().fit(frame.filter("label = 0")).labels());
        Data.refuses("labels, from 0.5 to 2.5", () -> new SparselinClassifier().fit(frame.withColumn("label", frame.col("label").plus(0.5))));
        Data.refuses("classes is 2", () -> new SparselinClassifier().setOption("classes", 2).fit(frame));
        Data.refuses("single label", () -> new SparselinClassifier().fit(frame.withColumn("label", functions.lit(7))));
    }

    /** Partitions of one class, of a few rows and of none; and rows that are sorted by label. */
    @Test
    void partitionsOfAnyKind() {
        List<Row> rows = new ArrayList<>(Data.rows(2000, 2, 9));
        rows.sort(Comparator.comparingDouble(row -> row.getDouble(0)));
        Dataset<Row> test = Data.frame(spark, Data.rows(1000, 2, 10), 2);
        double shuffled = error(new SparselinClassifier().fit(Data.frame(spark, Data.rows(2000, 2, 9), 2)).transform(test));
        double sorted = error(new SparselinClassifier().fit(Data.frame(spark, rows, 1)).transform(test));
        assertTrue(sorted < 1.2 * shuffled, () -> sorted + " sorted, " + shuffled + " shuffled");
        SparselinClassificationModel oneClassEach = new SparselinClassifier().fit(Data.frame(spark, rows, 2));
        assertArrayEquals(new double[] {0, 1}, oneClassEach.labels());
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        Collections.shuffle(rows, new Random(1));
        Dataset<Row> skewed = spark.createDataFrame(context.parallelize(rows, 1).union(context.parallelize(Data.rows(3, 2, 4), 5)), Data.SCHEMA);
        double alone = error(new SparselinClassifier().setRounds(1).fit(Data.frame(spark, rows, 1)).transform(test));
        double uneven = error(new SparselinClassifier().setRounds(1).fit(skewed).transform(test));
        assertTrue(uneven < 1.1 * alone, () -> uneven + " skewed, " + alone + " alone");
        Data.refuses("no rows", () -> new SparselinClassifier().fit(skewed.filter("label > 5")));
    }

    /** A partition counts as much as its rows do, in the last round as in the first, though all begin with the same model. */
    @Test
    void shareOfAPartitionIsThatOfItsRows() {
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        List<Row> wrong = new ArrayList<>();
        for (Row row : Data.rows(20, 2, 4)) wrong.add(RowFactory.create(1 - row.getDouble(0), row.get(1), row.get(2)));
        Dataset<Row> skewed = spark.createDataFrame(context.parallelize(Data.rows(2000, 2, 9), 1).union(context.parallelize(wrong, 1)), Data.SCHEMA);
        SparselinClassifier classifier = new SparselinClassifier().setRounds(8).setOption("sampling", "sequential");
        SparselinClassificationModel with = classifier.fit(skewed);
        SparselinClassificationModel without = classifier.fit(Data.frame(spark, Data.rows(2000, 2, 9), 1));
        double difference = 0, squares = 0;
        for (int i = 0; i < 500; ++i) {
            difference += Math.pow(with.predictor().weight(i) - without.predictor().weight(i), 2);
            squares += Math.pow(without.predictor().weight(i), 2);
        }
        double relative = Math.sqrt(difference / squares);
        assertTrue(relative < 0.05, () -> "weights differ by " + relative + " of their length");
    }

    @Test
    void weightZeroIsNoRow() {
        Dataset<Row> frame = Data.frame(spark, Data.rows(400, 2, 3), 3).withColumn("weight", functions.expr("if(weight > 1, 0, 1)"));
        byte[] weighted = bytes(new SparselinClassifier().setWeightCol("weight").fit(frame));
        assertArrayEquals(weighted, bytes(new SparselinClassifier().fit(frame.filter("weight > 0"))));
    }

    /** The first attempt fails in the middle of partition 1. */
    @Test
    void aFailedTaskChangesNoNumber() {
        Dataset<Row> frame = Data.frame(spark, Data.rows(400, 2, 3), 3);
        byte[] expected = bytes(new SparselinClassifier().fit(frame));
        Dataset<Row> failing = spark.createDataFrame(frame.javaRDD().map(row -> {
            TaskContext task = TaskContext.get();
            if (task.partitionId() == 1 && task.attemptNumber() == 0 && row.getDouble(1) > 1) throw new IllegalStateException("a fault");
            return row;
        }), Data.SCHEMA);
        assertArrayEquals(expected, bytes(new SparselinClassifier().fit(failing)));
    }

    @Test
    void savesAndLoads(@TempDir Path folder) throws Exception {
        Dataset<Row> frame = Data.frame(spark, Data.rows(400, 3, 3), 3);
        SparselinClassifier classifier = new SparselinClassifier().setOption("l1", 1e-5).setOption("noise", 0.01).setRounds(2);
        classifier.save(folder.resolve("estimator").toString());
        SparselinClassifier loaded = SparselinClassifier.load(folder.resolve("estimator").toString());
        assertEquals(classifier.uid(), loaded.uid());
        assertEquals(classifier.explainParams(), loaded.explainParams());
        SparselinClassificationModel model = classifier.fit(frame);
        assertArrayEquals(bytes(model), bytes(loaded.fit(frame)));
        model.setPredictionCol("answer").save(folder.resolve("model").toString());
        SparselinClassificationModel again = SparselinClassificationModel.load(folder.resolve("model").toString());
        assertArrayEquals(bytes(model), bytes(again));
        assertEquals(model.uid(), again.uid());
        assertEquals(model.transform(frame).collectAsList(), again.transform(frame).collectAsList());
        assertEquals("answer", again.transform(frame).columns()[5]);
        try (Model library = Model.load(folder.resolve("model").resolve("model.slm"))) {
            assertEquals(3, library.classes());
        }
        SparselinRegressionModel numbers = new SparselinRegressor().fit(Data.frame(spark, Data.rows(400, 1, 3), 3));
        numbers.save(folder.resolve("numbers").toString());
        assertEquals(numbers.predictor().bias(), SparselinRegressionModel.load(folder.resolve("numbers").toString()).predictor().bias());
    }

    @Test
    void isAStageOfPipelinesAndValidators(@TempDir Path folder) throws Exception {
        List<Row> texts = new ArrayList<>();
        for (int i = 0; i < 200; ++i)
            texts.add(RowFactory.create(i % 2 == 0 ? "cheap pills offer " + i : "minutes of the meeting " + i, (double) (i % 2)));
        Dataset<Row> frame = spark.createDataFrame(texts, new StructType().add("text", DataTypes.StringType).add("label", DataTypes.DoubleType));
        SparselinClassifier classifier = new SparselinClassifier();
        Pipeline pipeline = new Pipeline().setStages(new PipelineStage[] {new Tokenizer().setInputCol("text").setOutputCol("words"),
            new HashingTF().setInputCol("words").setOutputCol("features"), classifier});
        PipelineModel model = pipeline.fit(frame);
        assertEquals(0, error(model.transform(frame)));
        model.save(folder.resolve("pipeline").toString());
        assertEquals(0, error(PipelineModel.load(folder.resolve("pipeline").toString()).transform(frame)));
        Param<Object> l2 = classifier.getParam("l2"), rounds = classifier.getParam("rounds");
        ParamMap[] grid = {new ParamMap().put(rounds, 1L).put(l2, "0.5"), new ParamMap().put(rounds, 2L).put(l2, "0.25")};
        CrossValidatorModel best = new CrossValidator().setEstimator(pipeline).setEvaluator(new BinaryClassificationEvaluator())
                .setEstimatorParamMaps(grid).setNumFolds(2).fit(frame);
        SparselinClassificationModel chosen = (SparselinClassificationModel) ((PipelineModel) best.bestModel()).stages()[2];
        assertEquals(chosen.losses().length == 1 ? "0.5" : "0.25", chosen.predictor().option("l2"));
    }

    @Test
    void regresses() {
        Dataset<Row> frame = Data.frame(spark, Data.rows(3000, 1, 3), 3), test = Data.frame(spark, Data.rows(500, 1, 4), 2);
        SparselinRegressionModel model = new SparselinRegressor().setWeightCol("weight").fit(frame);
        Dataset<Row> predicted = model.transform(test);
        double r2 = new RegressionEvaluator().setMetricName("r2").evaluate(predicted);
        assertTrue(r2 > 0.9, () -> "r2 " + r2);
        Row row = predicted.first();
        assertEquals(model.predict(row.<Vector>getAs("features")), row.<Double>getAs("prediction"));
        assertEquals("absolute", new SparselinRegressor().setOption("loss", "absolute").fit(frame).predictor().option("loss"));
    }

    @Test
    void thresholdsAndHinge() {
        Dataset<Row> frame = Data.frame(spark, Data.rows(400, 2, 3), 2);
        SparselinClassificationModel model = new SparselinClassifier().fit(frame);
        long ones = model.transform(frame).filter("prediction = 1").count();
        model.setThresholds(new double[] {0.9, 0.1});
        Dataset<Row> predicted = model.transform(frame);
        assertTrue(predicted.filter("prediction = 1").count() > ones);
        for (Row row : predicted.takeAsList(50)) assertEquals(model.predict(row.<Vector>getAs("features")), row.<Double>getAs("prediction"));
        for (double[] wrong : new double[][] {{1}, {0.5, 0.3, 0.2}}) { // that Spark sees only where they are set on a model
            SparselinClassificationModel other = new SparselinClassifier().setThresholds(wrong).fit(frame);
            String why = "there are " + wrong.length + " thresholds, but the model has 2 classes";
            Data.refuses(why, () -> other.transform(frame));
            Data.refuses(why, () -> other.predict(frame.first().<Vector>getAs("features")));
        }
        SparselinClassificationModel hinge = new SparselinClassifier().setOption("loss", "hinge").fit(frame);
        assertArrayEquals(new String[] {"label", "weight", "features", "rawPrediction", "prediction"}, hinge.transform(frame).columns());
        Data.refuses("probabilities need loss log", () -> hinge.copy(new ParamMap()).setProbabilityCol("p").transform(frame).collect());
    }

    @Test
    void denseVectorsAreTheSame() {
        Dataset<Row> sparse = Data.frame(spark, Data.rows(300, 2, 3), 2);
        Dataset<Row> dense = spark.createDataFrame(
                sparse.javaRDD().map(row -> RowFactory.create(row.get(0), row.get(1), ((Vector) row.get(2)).toDense())), Data.SCHEMA);
        SparselinClassificationModel model = new SparselinClassifier().fit(sparse);
        assertArrayEquals(bytes(model), bytes(new SparselinClassifier().fit(dense)));
        assertEquals(model.transform(sparse).select("prediction").collectAsList(), model.transform(dense).select("prediction").collectAsList());
    }

    @Test
    void everyOptionIsAParam() {
        Dataset<Row> few = Data.frame(spark, Data.rows(10, 2, 3), 1);
        SparselinClassifier classifier = new SparselinClassifier();
        for (Options.Description option : Options.all()) {
            String kind = option.kind(), other = kind.equals("boolean") ? Boolean.toString(!Boolean.parseBoolean(option.standard()))
                    : kind.matches("(integer|number).*") ? "2" : kind.split("\\|")[kind.startsWith(option.standard() + "|") ? 1 : 0];
            boolean ofModels = true;
            try (Model model = new Model(new Options().set(option.name(), other))) {
                assertEquals(0, model.steps());
            } catch (SparselinException e) {
                ofModels = !e.getMessage().contains("is for encoders");
            }
            boolean ours = !List.of("index_base", "threads", "balance", "features", "keep_names", "min_count").contains(option.name());
            assertEquals(ours, classifier.hasParam(option.name()), option.name());
            SparselinClassifier set = new SparselinClassifier();
            // Which of them the encoder is told, and which the model.
            if (ours && !ofModels)
                Data.refuses("no columns that it is about", () -> set.setOption(option.name(), other).fit(few));
            if (ours) assertTrue(classifier.explainParam(classifier.getParam(option.name())).contains("default"), option.name());
        }
    }

    @Test
    void saysWhatIsWrong() {
        Dataset<Row> frame = Data.frame(spark, Data.rows(40, 2, 3), 2);
        Data.refuses("l1", () -> new SparselinClassifier().setOption("l1", -1));
        Data.refuses("learning_rte", () -> new SparselinClassifier().setOption("learning_rte", 1));
        Data.refuses("not for this estimator", () -> new SparselinClassifier().setOption("index_base", "zero"));
        Data.refuses("the option balance is not for this estimator: set a column of weights", () -> new SparselinClassifier().setOption("balance", true));
        Data.refuses("gravity", () -> new SparselinClassifier().setOption("gravity", 1).fit(frame));
        Data.refuses("rounds is 0", () -> new SparselinClassifier().setRounds(0).fit(frame));
        Data.refuses("aggregationDepth is 0", () -> new SparselinClassifier().setAggregationDepth(0).fit(frame));
        Data.refuses("a row has no label", () -> new SparselinClassifier().fit(frame.withColumn("label", functions.expr("if(weight > 1, null, label)"))));
        Data.refuses("weight", () -> new SparselinClassifier().setWeightCol("weight").fit(frame.withColumn("weight", functions.expr("-weight"))));
        Dataset<Row> nan = Data.frame(spark, List.of(RowFactory.create(0.0, 1.0, Vectors.sparse(3, new int[] {1}, new double[] {Double.NaN}))), 1);
        Data.refuses("nan", () -> new SparselinClassifier().fit(nan));
    }
}
