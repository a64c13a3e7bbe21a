package org.sparselin;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * Labelled sparse rows in native memory: 4 bytes a nonzero where all values are 1, 8 where all are floats, else 12, and 24 a row. It
 * never changes, so any number of threads may use it, and any number of models may be fitted to it. Indices of a row ascend, repeated
 * ones are added up, zeros left out. What the labels mean is up to the model.
 */
public final class Dataset implements AutoCloseable {
    /** Not transient, so that it is met by whoever writes objects field by field; see there. */
    final Handle handle;

    Dataset(LongSupplier make) {
        handle = new Handle("data set", make, Native::datasetFree,
                data -> 24 * Native.datasetRows(data) + 12 * Native.datasetNonzeros(data));
    }

    /**
     * Copies the rows of a matrix in compressed sparse rows.
     *
     * @param rowPointers where the rows begin, and where the last one ends
     * @param indices features, from 0
     * @param values null if all are 1
     * @param labels one a row
     * @param weights importance of the rows, at least 0 and about 1 on average; null if all are 1
     * @return the data set
     * @throws SparselinException INVALID_ARGUMENT: arrays that do not fit together. INVALID_DATA: a number that is not finite, a negative
     *     weight or index. OUT_OF_MEMORY
     */
    public static Dataset fromCsr(int[] rowPointers, int[] indices, double[] values, double[] labels, double[] weights) {
        Objects.requireNonNull(indices, "indices");
        Objects.requireNonNull(labels, "labels");
        long[] pointers = Rows.widen(rowPointers);
        return new Dataset(() -> Native.datasetFromCsr(pointers, indices, values, labels, weights));
    }

    /**
     * Copies the rows of a matrix as {@link #fromCsr} does. It has a name of its own so that there null still means values of 1.
     *
     * @param rowPointers where the rows begin, and where the last one ends
     * @param indices features, from 0
     * @param values as many
     * @param labels one a row
     * @param weights importance of the rows, at least 0 and about 1 on average; null if all are 1
     * @return the data set
     * @throws SparselinException as for {@link #fromCsr}
     */
    public static Dataset fromCsrFloats(int[] rowPointers, int[] indices, float[] values, double[] labels, double[] weights) {
        Objects.requireNonNull(indices, "indices");
        Objects.requireNonNull(values, "values");
        Objects.requireNonNull(labels, "labels");
        long[] pointers = Rows.widen(rowPointers);
        return new Dataset(() -> Native.datasetFromFloats(pointers, indices, values, labels, weights));
    }

    /**
     * Turns a matrix in compressed sparse columns into rows, as many as there are labels.
     *
     * @param columnPointers where the columns begin, and where the last one ends
     * @param rows the row of each value, from 0
     * @param values null if all are 1
     * @param labels one a row
     * @param weights importance of the rows, at least 0 and about 1 on average; null if all are 1
     * @return the data set
     * @throws SparselinException as for {@link #fromCsr}
     */
    public static Dataset fromCsc(int[] columnPointers, int[] rows, double[] values, double[] labels, double[] weights) {
        Objects.requireNonNull(rows, "rows");
        Objects.requireNonNull(labels, "labels");
        long[] pointers = Rows.widen(columnPointers);
        return new Dataset(() -> Native.datasetFromCsc(pointers, rows, values, labels, weights));
    }

    /**
     * Reads a file: svmlight text with indices from 1, or what {@link #save} wrote.
     *
     * @param file the file, of the default file system
     * @return the data set
     * @throws SparselinException IO: the file cannot be read. FORMAT: a malformed line, of which the message tells number and column
     */
    public static Dataset load(Path file) {
        return load(file, new Options());
    }

    /**
     * Reads a file as {@link #load(Path)} does, as the options say.
     *
     * @param file the file, of the default file system
     * @param options {@code index_base}: {@code one} or {@code zero}; the others do not matter
     * @return the data set
     * @throws SparselinException as for {@link #load(Path)}
     */
    public static Dataset load(Path file, Options options) {
        String path = Text.path(file);
        Objects.requireNonNull(options, "options");
        return new Dataset(() -> options.withNative(set -> Native.datasetLoad(path, set)));
    }

    /**
     * Reads svmlight text, {@code label index:value ...} a line with indices from 1, from a stream to its end, such as one that unpacks.
     * The stream is left open.
     *
     * @param text the stream
     * @return the data set
     * @throws SparselinException IO: the stream cannot be read, its own exception is the cause. FORMAT: a malformed line, of which the message
     *     tells number and column
     */
    public static Dataset read(InputStream text) {
        return read(text, new Options());
    }

    /**
     * Reads svmlight text as {@link #read(InputStream)} does, as the options say.
     *
     * @param text the stream
     * @param options {@code index_base}: {@code one} or {@code zero}; the others do not matter
     * @return the data set
     * @throws SparselinException as for {@link #read(InputStream)}
     */
    public static Dataset read(InputStream text, Options options) {
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(options, "options");
        return new Dataset(() -> options.withNative(set -> Native.datasetRead(text, set)));
    }

    /**
     * Makes a data set of the same rows with other labels, for models of several targets. The rows themselves are
     * shared, not copied; either data set may be closed before the other.
     *
     * @param labels one a row; null: those of this
     * @param weights importance of the rows; null: those of this
     * @return the data set
     * @throws SparselinException as for {@link #fromCsr}
     */
    public Dataset withLabels(double[] labels, double[] weights) {
        return new Dataset(() -> handle.readLong(data -> Native.datasetWithLabels(data, labels, weights)));
    }

    /**
     * Writes the rows to a file in a form that loads faster than text. The file is there whole or not at all.
     *
     * @param file where to, in the default file system
     * @throws SparselinException IO: the system's reason
     */
    public void save(Path file) {
        handle.use(data -> Native.datasetSave(data, Text.path(file)));
    }

    /**
     * Counts the rows.
     *
     * @return rows
     */
    public long rows() {
        return handle.readLong(Native::datasetRows);
    }

    /**
     * Counts the values that are held.
     *
     * @return nonzeros of all rows
     */
    public long nonzeros() {
        return handle.readLong(Native::datasetNonzeros);
    }

    /**
     * Says how many features there are.
     *
     * @return largest index + 1
     */
    public long dimension() {
        return handle.readLong(Native::datasetDimension);
    }

    /**
     * Copies one row, as it is held.
     *
     * @param row which, from 0
     * @return the row
     * @throws SparselinException INVALID_ARGUMENT: there is no such row
     */
    public Row row(long row) {
        return handle.read(data -> {
            int count = Math.toIntExact(Native.datasetRow(data, row, new int[0], new double[0]));
            int[] indices = new int[count];
            double[] values = new double[count];
            Native.datasetRow(data, row, indices, values);
            return new Row(indices, values, Native.datasetLabel(data, row), Native.datasetWeight(data, row));
        });
    }

    /**
     * Frees the memory: at once, or when the last call that uses it ends. It does not wait for that. Closing twice is fine, using it
     * afterwards an IllegalStateException.
     */
    @Override
    public void close() {
        handle.close();
    }

    /** Collects rows that come one by one. Threads that share one take turns. */
    public static final class Builder implements AutoCloseable {
        /** Not transient, so that it is met by whoever writes objects field by field; see there. */
        final Handle handle;

        /** What the rows take, guarded by the handle. */
        private long bytes;

        /** Makes a builder for any number of rows. */
        public Builder() {
            this(0, 0);
        }

        /**
         * Makes a builder with room for so many rows, so that no more is taken than they need. There may be more of
         * them all the same.
         *
         * @param rows how many there will be
         * @param nonzeros how many values they will have in all
         * @throws SparselinException OUT_OF_MEMORY
         */
        public Builder(long rows, long nonzeros) {
            if (rows < 0 || nonzeros < 0) throw new IllegalArgumentException("there cannot be " + rows + " rows and " + nonzeros + " nonzeros");
            handle = new Handle("builder", () -> Native.builderCreate(rows, nonzeros), Native::builderFree, builder -> bytes);
        }

        /**
         * Adds a row of weight 1.
         *
         * @param indices features, from 0
         * @param values null if all are 1
         * @param label what the example is
         * @return this
         * @throws SparselinException as for {@link #add(int[], double[], int, int, double, double)}
         */
        public Builder add(int[] indices, double[] values, double label) {
            return add(indices, values, 0, indices.length, label, 1);
        }

        /**
         * Adds a row that is a part of longer arrays.
         *
         * @param indices features, from 0
         * @param values null if all are 1
         * @param from where the row begins
         * @param to where it ends: the place after its last feature
         * @param label what the example is
         * @param weight importance, at least 0 and about 1 on average
         * @return this
         * @throws SparselinException INVALID_ARGUMENT: arrays of different length. INVALID_DATA: a number that is not finite, a negative weight
         *     or index
         * @throws IndexOutOfBoundsException if the part is not within the arrays
         */
        public Builder add(int[] indices, double[] values, int from, int to, double label, double weight) {
            Objects.checkFromToIndex(from, to, indices.length);
            handle.step(builder -> {
                Native.builderAdd(builder, indices, values, from, to, label, weight);
                bytes += 24 + 12L * (to - from);
            });
            return this;
        }

        /**
         * Adds a row as {@link #add(int[], double[], double)} does. It has a name of its own so that there null still means values of 1.
         *
         * @param indices features, from 0
         * @param values as many
         * @param label what the example is
         * @param weight importance, at least 0 and about 1 on average
         * @return this
         * @throws SparselinException as for {@link #add(int[], double[], int, int, double, double)}
         */
        public Builder addFloats(int[] indices, float[] values, double label, double weight) {
            Objects.requireNonNull(indices, "indices");
            Objects.requireNonNull(values, "values");
            handle.step(builder -> {
                Native.builderAddFloats(builder, indices, values, label, weight);
                bytes += 24 + 12L * indices.length;
            });
            return this;
        }

        /**
         * Makes the rows a data set, which takes them over. Those that are added later belong to the next one.
         *
         * @return the data set
         */
        public Dataset build() {
            return new Dataset(() -> {
                long[] data = new long[1];
                handle.write(builder -> {
                    data[0] = Native.builderFinish(builder);
                    bytes = 0;
                });
                return data[0];
            });
        }

        /** Frees the rows that no data set has taken over. Closing twice is fine, using it afterwards an IllegalStateException. */
        @Override
        public void close() {
            handle.close();
        }
    }

    /**
     * A labelled example.
     *
     * @param indices features, from 0, ascending
     * @param values as many
     * @param label what is to be predicted
     * @param weight its importance
     */
    public record Row(int[] indices, double[] values, double label, double weight) {}
}
