package org.sparselin.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.storage.StorageLevel;
import org.sparselin.Encoder;
import org.sparselin.Model;
import org.sparselin.Options;
import scala.Tuple2;

/**
 * Training in rounds. A first job merges what the partitions have observed, and finds the labels. In each round the model goes to all
 * partitions, each of which trains a copy on its rows, and what the copies have learned since is merged into the next. The result is fixed by
 * the partitions, the order of their rows and the seed: not by where and when a task runs, nor by how often it was tried.
 */
final class Training {
    private static final int LEAST_FAN = 16; // models that are merged in one place without a shuffle before
    private static final int MOST_FOUND = 1000; // classes that nobody has said there are

    private Training() {}

    /**
     * What came of it.
     *
     * @param model all of the model
     * @param losses of each round the mean loss of its rows, each just before it was learned
     */
    record Result(Kept model, double[] losses) {}

    /** A model on its way to the others. Not a record, which Kryo as Spark has it cannot read. */
    private static final class Part implements Serializable {
        private static final long serialVersionUID = 1;

        int place; // among the models that it is merged with
        Patch model; // beside what the round began with
        double weight; // of the rows that it has met in this round
        double squares; // of the weights of the partitions that are in it
        double loss; // of these, just before they were learned
        double[] labels; // of these, in the first job

        Part(int place, Patch model, double weight, double squares, double loss, double[] labels) {
            this.place = place;
            this.model = model;
            this.weight = weight;
            this.squares = squares;
            this.loss = loss;
            this.labels = labels;
        }
    }

    /** What happens to the rows of a partition. */
    @FunctionalInterface
    private interface Work extends Serializable {
        Part run(int partition, Rows rows, Kept begin);
    }

    /**
     * Trains on rows of label, weight and features.
     *
     * @param data label and weight as doubles, and what {@code features} reads; they are read once, and kept where Spark has room
     * @param encoding of the encoder that the model carries, where features are encoded
     */
    static Result run(Dataset<Row> data, Features features, Options encoding, Options options, boolean classifies, long rounds, long depth) {
        if (rounds < 1 || rounds > 10_000) throw new IllegalArgumentException("rounds is " + rounds + ", but must be from 1 to 10000");
        if (depth < 1) throw new IllegalArgumentException("aggregationDepth is " + depth + ", but must be at least 1");
        Kept begin;
        long seed;
        boolean observes;
        try (Model model = new Model(options); Encoder encoder = new Encoder(encoding)) {
            if (features.encoded()) model.setEncoder(encoder);
            begin = new Kept(model.toBytes());
            seed = Long.parseUnsignedLong(model.option("seed"));
            observes = !model.option("scale").equals("none") || model.option("center").equals("true");
        }
        JavaSparkContext context = JavaSparkContext.fromSparkContext(data.sparkSession().sparkContext());
        JavaRDD<Rows> rows = data.javaRDD().mapPartitions(
                partition -> List.of(Rows.read(partition, features.reader(() -> new Encoder(encoding), features.placesAfter(2)))).iterator());
        rows.persist(StorageLevel.MEMORY_AND_DISK());
        try {
            Part merged = inAllPartitions(rows, depth, context.broadcast(begin), (partition, own, untrained) -> {
                try (Model model = untrained.shared().copy()) {
                    if (observes) own.observe(model);
                    return new Part(partition, untrained.patchTo(model), 0, 0, 0, classifies ? own.labels() : new double[0]);
                }
            });
            begin = begin.patched(merged.model);
            if (classifies) begin = withLabels(begin, merged.labels);
            double weight = 0; // of all rows that the model has learned
            double[] losses = new double[(int) rounds];
            for (int round = 0; round < rounds; ++round) {
                double before = weight;
                long stream = mix(mix(seed) + round);
                merged = inAllPartitions(rows, depth, context.broadcast(begin), (partition, own, begun) -> {
                    try (Model model = begun.shared().copy()) {
                        double lossBefore = before == 0 ? 0 : before * model.meanLoss();
                        double learned = own.feed(model, mix(stream + partition));
                        double loss = model.meanLoss() * (before + learned) - lossBefore;
                        return new Part(partition, begun.patchTo(model), learned, learned * learned, loss, new double[0]);
                    }
                });
                losses[round] = merged.loss / merged.weight;
                weight += merged.weight;
                begin = begin.patched(merged.model);
            }
            return new Result(begin, losses);
        } finally {
            rows.unpersist();
        }
    }

    /**
     * Merges what becomes of all partitions that have rows, in a round of what it began with. Spark's own treeAggregate would merge what is
     * there first, which changes the last bits from run to run: here each model has its place.
     */
    private static Part inAllPartitions(JavaRDD<Rows> rows, long depth, Broadcast<Kept> begin, Work work) {
        try {
            JavaRDD<Part> parts = rows.mapPartitionsWithIndex((partition, all) -> {
                Rows own = all.next();
                return own.isEmpty() ? Collections.emptyIterator() : List.of(work.run(partition, own, begin.value())).iterator();
            }, false);
            int count = rows.getNumPartitions();
            int fan = (int) Math.max(LEAST_FAN, Math.ceil(Math.pow(count, 1.0 / depth)));
            for (; count > fan; count = (count + fan - 1) / fan)
                parts = parts.mapToPair(part -> new Tuple2<>(part.place / fan, part)).groupByKey((count + fan - 1) / fan)
                        .map(group -> merge(group._1(), begin.value(), false, group._2()));
            List<Part> last = parts.collect();
            if (last.isEmpty()) throw new IllegalArgumentException("there are no rows of weight above 0 to learn from");
            return merge(0, begin.value(), true, last);
        } finally {
            begin.value().release();
            begin.destroy();
        }
    }

    /** Merges those of one place. The last ones are all: then it is known of how many partitions their model is made. */
    private static Part merge(int place, Kept begin, boolean last, Iterable<Part> given) {
        List<Part> parts = new ArrayList<>();
        given.forEach(parts::add);
        parts.sort(Comparator.comparingInt(part -> part.place));
        TreeSet<Double> labels = new TreeSet<>();
        double weight = 0, squares = 0, loss = 0;
        for (Part part : parts) {
            weight += part.weight;
            squares += part.squares;
            loss += part.loss;
            for (double label : part.labels) labels.add(label);
        }
        double alike = last ? Math.max(1, weight * weight / squares) : 1; // partitions, if all had the same weight
        // On the driver, where all others wait, by all its processors; among tasks by the one that is theirs.
        Stream<Part> each = last ? parts.parallelStream() : parts.stream();
        List<Model> models = each.map(part -> begin.patched(part.model).model()).toList();
        try (Model merged = weight == 0 ? Model.merge(models) : Model.mergeRound(begin.shared(), models, alike)) {
            return new Part(place, begin.patchTo(merged), weight, squares, loss, labels.stream().mapToDouble(Double::doubleValue).toArray());
        } finally {
            models.forEach(Model::close);
        }
    }

    private static Kept withLabels(Kept merged, double[] found) {
        try (Model model = merged.model()) {
            model.setLabels(classes(model.option("classes"), found));
            return new Kept(model.toBytes());
        }
    }

    /** The labels of a model, of the labels that there are: as fitting it to all rows would fix them. */
    static double[] classes(String classes, double[] found) {
        int count = found.length;
        String are = "the rows have " + count + " labels, from " + found[0] + " to " + found[count - 1];
        if (!classes.equals("auto")) {
            int wanted = Integer.parseInt(classes);
            if (count == wanted) return found;
            for (double label : found)
                if (label != Math.rint(label) || label < 0 || label >= wanted)
                    throw new IllegalArgumentException(are + ", but the option classes is " + wanted + ": so many labels, or such from 0 to "
                            + (wanted - 1));
            double[] all = new double[wanted];
            for (int k = 0; k < wanted; ++k) all[k] = k;
            return all;
        }
        if (count == 1) {
            if (found[0] != -1 && found[0] != 0 && found[0] != 1)
                throw new IllegalArgumentException("all rows have the label " + found[0] + "; a single label can be -1, 0 or 1");
            return new double[] {Math.min(found[0], 0), 1};
        }
        for (double label : found)
            if (count > 2 && (count > MOST_FOUND || label != Math.rint(label)))
                throw new IllegalArgumentException(are + (count > MOST_FOUND ? "" : ", not all whole") + ": for numbers use SparselinRegressor; "
                        + "classes like these have to be asked for with the option classes");
        return found;
    }

    /** SplitMix64's mixing. */
    private static long mix(long x) {
        x += 0x9e3779b97f4a7c15L;
        x = (x ^ x >>> 30) * 0xbf58476d1ce4e5b9L;
        x = (x ^ x >>> 27) * 0x94d049bb133111ebL;
        return x ^ x >>> 31;
    }
}
