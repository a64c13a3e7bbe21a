package org.sparselin;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
        handle = new Handle("encoder", make, Native::encoderFree, encoder -> 0);
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
     * Makes a row of a record. A dictionary numbers new names in the order of the map.
     *
     * @param fields values by name: a {@link Number} is a number, a {@link String} or {@link Boolean} a category, {@link Words} a text
     * @return the row, for {@link Model#feed} and {@link Model#predict}
     * @throws IllegalArgumentException a value of another type, or a number that is not finite; nothing is learned
     * @throws SparselinException INVALID_DATA: an index of 2<sup>31</sup> or more
     */
    public Row row(Map<String, ?> fields) {
        fields.forEach((name, value) -> {
            Objects.requireNonNull(name, "name");
            boolean known = value instanceof Number n ? Double.isFinite(n.doubleValue())
                    : value instanceof String || value instanceof Boolean || value instanceof Words words && words.text != null;
            if (!known) throw new IllegalArgumentException("field " + name + " is " + value
                    + ", not a finite number, a string, a boolean or Encoder.Words");
        });
        Row[] row = new Row[1];
        handle.step(encoder -> {
            Native.encoderClear(encoder);
            fields.forEach((name, value) -> {
                if (value instanceof Number n) Native.encoderNumber(encoder, name, n.doubleValue());
                else if (value instanceof Words words) Native.encoderText(encoder, name, words.text.getBytes(StandardCharsets.UTF_8));
                else Native.encoderCategory(encoder, name, value.toString());
            });
            int count = Math.toIntExact(Native.encoderRow(encoder, new int[0], new double[0]));
            row[0] = new Row(new int[count], new double[count]);
            Native.encoderRow(encoder, row[0].indices, row[0].values);
        });
        return row[0];
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
