package org.sparselin.spark;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.spark.sql.Row;
import org.sparselin.Encoder;
import org.sparselin.Model;

/**
 * The rows of a partition, 4 bytes a nonzero where all values are 1, else 12, and 20 a row: read once from Spark's, and learned in an order of
 * their own in each round.
 */
final class Rows implements Serializable {
    private static final long serialVersionUID = 1;
    private static final int MOST_LABELS = 65_536;
    private static final int BATCH = 4096; // rows that go to the library in one call

    private int[] ends = new int[16]; // ends[r] is where row r ends
    private int[] indices = new int[256];
    private double[] values; // null as long as all are 1
    private double[] labels = new double[16];
    private double[] weights = new double[16];
    private int count;

    /** Reads rows of label, weight and what {@code features} reads; those of weight 0 are as if they were not there. */
    static Rows read(Iterator<Row> rows, Function<Row, Encoder.Row> features) {
        Rows result = new Rows();
        while (rows.hasNext()) {
            Row row = rows.next();
            if (row.isNullAt(0) || row.isNullAt(1))
                throw new IllegalArgumentException("a row has no " + (row.isNullAt(0) ? "label" : "weight"));
            Encoder.Row own = features.apply(row);
            if (row.getDouble(1) != 0) result.add(own.indices(), own.values(), row.getDouble(0), row.getDouble(1));
        }
        result.indices = Arrays.copyOf(result.indices, result.nonzeros(result.count));
        if (result.values != null) result.values = Arrays.copyOf(result.values, result.indices.length);
        return result;
    }

    private int nonzeros(int rows) {
        return rows == 0 ? 0 : ends[rows - 1];
    }

    private void add(int[] rowIndices, double[] rowValues, double label, double weight) {
        int at = nonzeros(count), more = rowIndices.length;
        if (at + (long) more > Integer.MAX_VALUE - 8)
            throw new IllegalStateException("a partition has more than 2^31 nonzeros: repartition the data into more of them");
        if (at + more > indices.length) {
            int length = (int) Math.min(Integer.MAX_VALUE - 8, Math.max(at + more, indices.length * 3L / 2));
            indices = Arrays.copyOf(indices, length);
            if (values != null) values = Arrays.copyOf(values, length);
        }
        if (values == null && !Arrays.stream(rowValues).allMatch(value -> value == 1)) {
            values = new double[indices.length];
            Arrays.fill(values, 0, at, 1);
        }
        if (count == ends.length) {
            int length = count + count / 2;
            ends = Arrays.copyOf(ends, length);
            labels = Arrays.copyOf(labels, length);
            weights = Arrays.copyOf(weights, length);
        }
        System.arraycopy(rowIndices, 0, indices, at, more);
        if (values != null) System.arraycopy(rowValues, 0, values, at, more);
        ends[count] = at + more;
        labels[count] = label;
        weights[count] = weight;
        ++count;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** The distinct labels, ascending; of far too many for any model not all. */
    double[] labels() {
        TreeSet<Double> distinct = new TreeSet<>();
        for (int r = 0; r < count && distinct.size() <= MOST_LABELS; ++r) distinct.add(labels[r] + 0.0);
        return distinct.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** Counts all rows into the statistics of a model. */
    void observe(Model model) {
        for (int r = 0, from = 0; r < count; from = ends[r++])
            model.observe(Arrays.copyOfRange(indices, from, ends[r]), values == null ? null : Arrays.copyOfRange(values, from, ends[r]), weights[r]);
    }

    /**
     * Feeds all rows to a model, so often and in such an order as its options say. What is drawn depends on {@code stream} alone.
     *
     * @return the sum of the weights
     */
    double feed(Model model, long stream) {
        String sampling = model.option("sampling");
        SplittableRandom random = new SplittableRandom(stream);
        int[] order = new int[count];
        double weight = 0;
        for (long epochs = Long.parseLong(model.option("epochs")); epochs > 0; --epochs) {
            for (int r = 0; r < count; ++r) order[r] = sampling.equals("with_replacement") ? random.nextInt(count) : r;
            for (int r = count - 1; sampling.equals("shuffle") && r > 0; --r) {
                int other = random.nextInt(r + 1), row = order[r];
                order[r] = order[other];
                order[other] = row;
            }
            for (int from = 0; from < count; from += BATCH) feed(model, order, from, Math.min(count, from + BATCH));
            for (int row : order) weight += weights[row];
        }
        return weight;
    }

    private void feed(Model model, int[] order, int from, int to) {
        int[] pointers = new int[to - from + 1];
        for (int r = from; r < to; ++r) pointers[r - from + 1] = pointers[r - from] + ends[order[r]] - nonzeros(order[r]);
        int[] batchIndices = new int[pointers[to - from]];
        double[] batchValues = values == null ? null : new double[batchIndices.length];
        double[] batchLabels = new double[to - from], batchWeights = new double[to - from];
        for (int r = from; r < to; ++r) {
            int row = order[r], begin = nonzeros(row), at = pointers[r - from];
            System.arraycopy(indices, begin, batchIndices, at, ends[row] - begin);
            if (values != null) System.arraycopy(values, begin, batchValues, at, ends[row] - begin);
            batchLabels[r - from] = labels[row];
            batchWeights[r - from] = weights[row];
        }
        model.feedCsr(pointers, batchIndices, batchValues, batchLabels, batchWeights);
    }
}
