package org.sparselin;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Turns records of named numbers, categories and texts into rows, which models are fed. The options {@code features}, {@code hash_bits},
 * {@code tokens} and others say how.
 *
 * <p>Hashed features have 32 bits by default, and arrays of int hold indices below 2<sup>31</sup>: set {@code hash_bits} to 31 or less for
 * {@link #row}, which refuses larger ones. Data sets, and so {@link #texts}, hold them all.
 */
public final class Encoder implements AutoCloseable {
    /** Not transient, so that it is met by whoever writes objects field by field; see there. */
    final Handle handle;

    Encoder(LongSupplier make) {
        handle = new Handle("encoder", make, Native::encoderFree, Native::encoderMemory);
    }

    /**
     * Makes an encoder.
     *
     * @param options how it makes rows; they are copied
     * @throws SparselinException INVALID_OPTION: options that exclude each other, or that only models read
     */
    public Encoder(Options options) {
        this(() -> options.withNative(Native::encoderCreate));
    }

    /**
     * A value of a record that is split into tokens, where a string is a category.
     *
     * @param text the text
     */
    public record Words(String text) {}

    /**
     * Gives the records after this the crosses of two fields, too.
     *
     * @param first a field
     * @param second another
     * @throws SparselinException STATE: there were records already. INVALID_ARGUMENT: a field with itself, or crossed already
     */
    public void cross(String first, String second) {
        handle.write(encoder -> Native.encoderCross(encoder, first, second));
    }

    /**
     * A row: indices ascend, none is there twice, no value is 0.
     *
     * @param indices features, from 0
     * @param values as many
     */
    public record Row(int[] indices, double[] values) {}

    /**
     * Makes a row of a record, which begins anew. A dictionary numbers new names in the order of the map.
     *
     * @param fields values by name: a {@link Number} is a number, a {@link String} or {@link Boolean} a category, {@link Words} a text
     * @return the row, for {@link Model#feed} and {@link Model#predict}
     * @throws IllegalArgumentException a value of another type, or a number that is not finite; nothing is learned
     * @throws SparselinException INVALID_DATA: an index of 2<sup>31</sup> or more
     */
    public Row row(Map<String, ?> fields) {
        Row[] row = new Row[1];
        encode(fields, encoder -> row[0] = rowOf(encoder));
        return row[0];
    }

    /**
     * Makes a row of the record that {@link #number}, {@link #category} and {@link #text} put together since {@link #clear}. More may be added
     * afterwards. Threads that share an encoder take turns call by call, so a record put together like this belongs to one thread.
     *
     * @return the row
     * @throws SparselinException INVALID_DATA: an index of 2<sup>31</sup> or more
     */
    public Row row() {
        Row[] row = new Row[1];
        handle.step(encoder -> row[0] = rowOf(encoder));
        return row[0];
    }

    /**
     * Begins a new record.
     *
     * @return this
     */
    public Encoder clear() {
        handle.step(Native::encoderClear);
        return this;
    }

    /**
     * Adds a number to the record.
     *
     * @param name the field, and the feature
     * @param value its value
     * @return this
     * @throws SparselinException INVALID_DATA: it is not finite
     */
    public Encoder number(String name, double value) {
        handle.step(encoder -> Native.encoderNumber(encoder, name, value));
        return this;
    }

    /**
     * Adds a category to the record: the feature {@code name=value}. Several of one name are several features.
     *
     * @param name the field
     * @param value the category
     * @return this
     */
    public Encoder category(String name, String value) {
        handle.step(encoder -> Native.encoderCategory(encoder, name, value));
        return this;
    }

    /**
     * Adds a text to the record: a feature {@code name=token}, or {@code token} if the name is empty, for each of its tokens.
     *
     * @param name the field; may be empty
     * @param text the text
     * @return this
     */
    public Encoder text(String name, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        handle.step(encoder -> Native.encoderText(encoder, name, bytes));
        return this;
    }

    /** Makes {@code fields} the record, and calls {@code body} before any other call. */
    void encode(Map<String, ?> fields, LongConsumer body) {
        check(fields);
        handle.step(encoder -> {
            put(encoder, fields);
            body.accept(encoder);
        });
    }

    private static void check(Map<String, ?> fields) {
        fields.forEach((name, value) -> {
            Objects.requireNonNull(name, "name");
            Text.needNoNul(name);
            if (value instanceof String s) Text.needNoNul(s);
            boolean known = value instanceof Number n ? Double.isFinite(n.doubleValue())
                    : value instanceof String || value instanceof Boolean || value instanceof Words words && words.text != null;
            if (!known) throw new IllegalArgumentException("field " + name + " is " + value
                    + ", not a finite number, a string, a boolean or Encoder.Words");
        });
    }

    private static void put(long encoder, Map<String, ?> fields) {
        Native.encoderClear(encoder);
        fields.forEach((name, value) -> {
            if (value instanceof Number n) Native.encoderNumber(encoder, name, n.doubleValue());
            else if (value instanceof Words words) Native.encoderText(encoder, name, words.text.getBytes(StandardCharsets.UTF_8));
            else Native.encoderCategory(encoder, name, value.toString());
        });
    }

    private static Row rowOf(long encoder) {
        int count = Math.toIntExact(Native.encoderRow(encoder, new int[0], new double[0]));
        Row row = new Row(new int[count], new double[count]);
        Native.encoderRow(encoder, row.indices, row.values);
        return row;
    }

    /**
     * Makes a data set of records, whose indices may be any.
     *
     * @param records fields as {@link #row(Map)} takes them
     * @param labels one a record; null: all 0. {@link Dataset#withLabels} gives rows weights
     * @return the rows
     * @throws IllegalArgumentException as for {@link #row(Map)}; the message says which record, and nothing is learned
     * @throws SparselinException INVALID_ARGUMENT: more labels than records, or fewer. INVALID_DATA: a label that is not finite. Nothing is
     *     learned
     */
    public Dataset records(List<? extends Map<String, ?>> records, double[] labels) {
        double[] known = labels == null ? new double[records.size()] : labels.clone();
        Dataset.fromCsr(new int[records.size() + 1], new int[0], null, known, null).close(); // refuses labels before a name is learned
        int place = 0;
        for (Map<String, ?> record : records) {
            try {
                check(record);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("record " + place + ": " + e.getMessage(), e);
            }
            ++place;
        }
        try (Dataset.Builder builder = new Dataset.Builder(records.size(), 0)) {
            handle.write(encoder -> builder.handle.write(rows -> {
                int row = 0;
                for (Map<String, ?> record : records) {
                    put(encoder, record);
                    Native.encoderAddRow(encoder, rows, known[row++]);
                }
            }));
            return builder.build();
        }
    }

    /**
     * Makes a data set of texts, each a record of its own with one field.
     *
     * @param name the field; may be empty
     * @param texts the texts
     * @param labels one a text; null: all 0
     * @return the rows
     * @throws SparselinException INVALID_ARGUMENT: more labels than texts, or fewer
     */
    public Dataset texts(String name, List<String> texts, double[] labels) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        long[] ends = new long[texts.size() + 1];
        int row = 0;
        for (String text : texts) {
            all.writeBytes(text.getBytes(StandardCharsets.UTF_8));
            ends[++row] = all.size();
        }
        Dataset[] data = new Dataset[1];
        handle.write(encoder -> data[0] = new Dataset(() -> Native.encoderTexts(encoder, name, all.toByteArray(), ends, labels, null)));
        return data[0];
    }

    /** Ends the learning of names: those that are not known are left out from here on. */
    public void freeze() {
        handle.write(Native::encoderFreeze);
    }

    /**
     * Says what all indices are below.
     *
     * @return the names of a dictionary, or 2 to the power of {@code hash_bits}
     */
    public long dimension() {
        return handle.readLong(Native::encoderDimension);
    }

    /**
     * Says what a feature is called, of a dictionary or with the option {@code keep_names}.
     *
     * @param index the feature, as an unsigned integer
     * @return its name
     * @throws SparselinException STATE: features are hashed and their names not kept. INVALID_ARGUMENT: it was never seen, or was dropped
     */
    public String name(int index) {
        return text((encoder, bytes) -> Native.encoderName(encoder, index, bytes));
    }

    /**
     * Reads an option that the encoder was made with.
     *
     * @param name the option
     * @return its value, as {@link Options#get} gives it
     * @throws SparselinException INVALID_OPTION: there is no such option
     */
    public String option(String name) {
        return handle.read(encoder -> Native.encoderOption(encoder, name));
    }

    /**
     * Sets in how many threads {@link #texts} runs, which files do not keep.
     *
     * @param threads from 0 (as many as there are cores) to 1024
     * @throws SparselinException INVALID_ARGUMENT: another number
     */
    public void setThreads(int threads) {
        handle.write(encoder -> Native.encoderSetThreads(encoder, threads));
    }

    /**
     * Gives the encoder a text of yours that goes where it goes: into its file, and that of a model that carries it.
     *
     * @param note the text, which the library does not read
     */
    public void setNote(String note) {
        handle.write(encoder -> Native.encoderSetNote(encoder, note));
    }

    /**
     * Reads the text that {@link #setNote} gave.
     *
     * @return the text; empty at first
     */
    public String note() {
        return text(Native::encoderNote);
    }

    @FunctionalInterface
    private interface Writing {
        long write(long encoder, byte[] bytes);
    }

    private String text(Writing writing) {
        return handle.read(encoder -> {
            byte[] bytes = new byte[Math.toIntExact(writing.write(encoder, new byte[0]))];
            writing.write(encoder, bytes);
            return new String(bytes, 0, bytes.length - 1, StandardCharsets.UTF_8);
        });
    }

    /**
     * Measures the native memory that the encoder holds.
     *
     * @return bytes
     */
    public long memory() {
        return handle.readLong(Native::encoderMemory);
    }

    /**
     * Writes the encoder to a file.
     *
     * @param file where to, in the default file system
     * @throws SparselinException IO: the system's reason
     */
    public void save(Path file) {
        String path = Text.path(file);
        handle.use(encoder -> Native.encoderSave(encoder, path));
    }

    /**
     * Reads an encoder from a file.
     *
     * @param file the file, of the default file system
     * @return the encoder
     * @throws SparselinException as for {@link Model#load}
     */
    public static Encoder load(Path file) {
        String path = Text.path(file);
        return new Encoder(() -> Native.encoderLoad(path));
    }

    /**
     * Gives the bytes that {@link #save} would write.
     *
     * @return the bytes
     */
    public byte[] toBytes() {
        return handle.read(encoder -> {
            byte[] bytes = new byte[Math.toIntExact(Native.encoderToBytes(encoder, new byte[0]))];
            Native.encoderToBytes(encoder, bytes);
            return bytes;
        });
    }

    /**
     * Makes an encoder from its bytes.
     *
     * @param bytes all of them
     * @return the encoder
     * @throws SparselinException as for {@link Model#fromBytes}
     */
    public static Encoder fromBytes(byte[] bytes) {
        Objects.requireNonNull(bytes, "bytes");
        return new Encoder(() -> Native.encoderFromBytes(bytes));
    }

    /** Frees the memory, as {@link Model#close} does. */
    @Override
    public void close() {
        handle.close();
    }
}
