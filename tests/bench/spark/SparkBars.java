import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.ml.Model;
import org.apache.spark.ml.classification.LinearSVC;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.evaluation.MulticlassClassificationEvaluator;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.sparselin.spark.SparselinClassificationModel;
import org.sparselin.spark.SparselinClassifier;

/** SparkBars FILE [FEATURES PARTITIONS PENALTIES]: what estimators make of four fifths of the rows, by the others: wrong, log loss, seconds. */
public class SparkBars {
    private static Dataset<Row> train, test;

    private static <M extends Model<M>> M line(String what, Supplier<M> fit) {
        long begin = System.nanoTime();
        M model = fit.get();
        double seconds = (System.nanoTime() - begin) / 1e9;
        Dataset<Row> scored = model.transform(test);
        double wrong = scored.filter("prediction <> label").count() / (double) test.count();
        String loss = "";
        if (java.util.List.of(scored.columns()).contains("probability"))
            loss = String.format(Locale.ROOT, "%.4f", new MulticlassClassificationEvaluator().setMetricName("logLoss").evaluate(scored));
        System.out.printf(Locale.ROOT, "%-60s %.4f  %6s  %6.2f s%n", what, wrong, loss, seconds);
        return model;
    }

    public static void main(String[] args) {
        String features = args.length > 1 ? args[1] : "47236", counts = args.length > 1 ? args[2] : "1,2,4,8,16,64";
        String penalties = args.length > 1 ? args[3] : "0,1e-6,1e-5,1e-4";
        SparkSession spark = SparkSession.builder().master("local[2]").config("spark.ui.enabled", "false")
                .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1").getOrCreate();
        spark.sparkContext().setLogLevel("OFF");
        Dataset<Row> all = spark.read().format("libsvm").option("numFeatures", features).load(args[0])
                .withColumn("place", functions.monotonically_increasing_id());
        test = all.filter("place % 5 = 4").drop("place").repartition(4).cache();
        Dataset<Row> rows = all.filter("place % 5 < 4").drop("place").repartition(16).cache();
        System.out.println(rows.count() + " rows, " + test.count() + " of test");
        for (int partitions : Stream.of(counts.split(",")).mapToInt(Integer::parseInt).toArray()) {
            train = partitions == 16 ? rows : (partitions > 16 ? rows.repartition(partitions) : rows.coalesce(partitions)).cache();
            train.count();
            for (int rounds : new int[] {1, 3, 10})
                for (int again = 0; again < (rounds == 1 ? 2 : 1); ++again) { // the first one warms up
                    int count = rounds;
                    SparselinClassificationModel model = line(String.format("%d partitions, %d rounds%s", partitions, rounds, again == 0 ? "" : ", again"),
                            () -> new SparselinClassifier().setRounds(count).fit(train));
                    if (partitions == 1 && rounds == 1)
                        try (org.sparselin.Model bytes = model.model()) {
                            System.out.println("a model on its way has " + bytes.toBytes().length + " bytes");
                        }
                }
            if (partitions == 1)
                for (int passes : new int[] {3, 10})
                    line("1 partition, 1 round of " + passes + " passes", () -> new SparselinClassifier().setOption("epochs", passes).setRounds(1).fit(train));
        }
        train = rows.coalesce(2).cache();
        train.count();
        for (double penalty : Stream.of(penalties.split(",")).mapToDouble(Double::parseDouble).toArray()) {
            line("LogisticRegression, regParam " + penalty, () -> new LogisticRegression().setStandardization(false).setRegParam(penalty).fit(train));
            line("LinearSVC, regParam " + penalty, () -> new LinearSVC().setStandardization(false).setRegParam(penalty).fit(train));
        }
        spark.stop();
    }
}
