import java.util.List;
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

/**
 * SparkBars FILE FEATURES OURS SPARKS PENALTIES ITERATIONS: what estimators make of four fifths of the rows, by the others: wrong, log loss,
 * seconds, and seconds of processors in all threads, which others on the machine disturb less. OURS and SPARKS are numbers of partitions at which ours and Spark's own are fitted, in turn.
 */
public class SparkBars {
    private static final com.sun.management.OperatingSystemMXBean PROCESS =
            (com.sun.management.OperatingSystemMXBean) java.lang.management.ManagementFactory.getOperatingSystemMXBean();
    private static Dataset<Row> train, test;

    private static <M extends Model<M>> M line(String what, Supplier<M> fit) {
        long begin = System.nanoTime(), beginOfWork = PROCESS.getProcessCpuTime();
        M model = fit.get();
        double seconds = (System.nanoTime() - begin) / 1e9, work = (PROCESS.getProcessCpuTime() - beginOfWork) / 1e9;
        Dataset<Row> scored = model.transform(test).select("label", model instanceof org.apache.spark.ml.classification.LinearSVCModel
                ? new String[] {"prediction"} : new String[] {"prediction", "probability"}).cache();
        double wrong = scored.filter("prediction <> label").count() / (double) scored.count();
        String loss = "";
        if (List.of(scored.columns()).contains("probability"))
            loss = String.format(Locale.ROOT, "%.4f", new MulticlassClassificationEvaluator().setMetricName("logLoss").evaluate(scored));
        scored.unpersist();
        System.out.printf(Locale.ROOT, "%-60s %.4f  %6s  %7.2f s  %7.2f%n", what, wrong, loss, seconds, work);
        return model;
    }

    private static List<Integer> numbers(String list) {
        return Stream.of(list.split(",")).map(Integer::valueOf).toList();
    }

    public static void main(String[] args) {
        SparkSession spark = SparkSession.builder().master("local[2]").config("spark.ui.enabled", "false")
                .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.maxResultSize", "0").getOrCreate();
        spark.sparkContext().setLogLevel("OFF");
        Dataset<Row> all = spark.read().format("libsvm").option("numFeatures", args[1]).load(args[0])
                .withColumn("place", functions.monotonically_increasing_id());
        test = all.filter("place % 5 = 4").drop("place").repartition(4).cache();
        Dataset<Row> rows = all.filter("place % 5 < 4").drop("place").repartition(16).cache();
        System.out.println(rows.count() + " rows, " + test.count() + " of test");
        List<Integer> ours = numbers(args[2]), sparks = numbers(args[3]);
        for (int partitions : Stream.concat(ours.stream(), sparks.stream()).distinct().filter(each -> each > 0).toList()) {
            train = partitions == 16 ? rows : (partitions > 16 ? rows.repartition(partitions) : rows.coalesce(partitions)).cache();
            train.count();
            for (int rounds : ours.contains(partitions) ? new int[] {1, 3, 10} : new int[] {})
                for (int again = 0; again < (rounds == 1 ? 2 : 1); ++again) { // the first one warms up
                    SparselinClassificationModel model = line(String.format("%d partitions, %d rounds%s", partitions, rounds, again == 0 ? "" : ", again"),
                            () -> new SparselinClassifier().setRounds(rounds).fit(train));
                    if (rounds == 1 && again == 0)
                        try (org.sparselin.Model bytes = model.model()) {
                            System.out.println("a model on its way has " + bytes.toBytes().length + " bytes");
                        }
                }
            if (partitions == 1 && ours.contains(1))
                for (int passes : new int[] {3, 10})
                    line("1 partition, 1 round of " + passes + " passes", () -> new SparselinClassifier().setOption("epochs", passes).setRounds(1).fit(train));
            if (sparks.contains(partitions))
                for (double penalty : Stream.of(args[4].split(",")).mapToDouble(Double::parseDouble).toArray())
                    for (int iterations : numbers(args[5])) {
                        String how = String.format(" at %d partitions, regParam %s, maxIter %d", partitions, penalty, iterations);
                        line("LogisticRegression" + how, () -> new LogisticRegression().setStandardization(false).setRegParam(penalty)
                                .setMaxIter(iterations).fit(train));
                        line("LinearSVC" + how, () -> new LinearSVC().setStandardization(false).setRegParam(penalty).setMaxIter(iterations).fit(train));
                    }
            if (partitions != 16) train.unpersist();
        }
        spark.stop();
    }
}
