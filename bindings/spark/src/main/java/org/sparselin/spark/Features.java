package org.sparselin.spark;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.SparseVector;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.TaskCompletionListener;
import org.sparselin.Encoder;

/** Where the features of rows are: in a column of vectors, or in columns of texts, categories and numbers, which an encoder reads. */
final class Features implements Serializable {
    private static final long serialVersionUID = 1;

    /** What a column holds. */
    enum Kind {
        /** Vectors; it is the only column. */
        VECTOR("a vector"),
        /** Texts. */
        TEXT("a string"),
        /** Categories. */
        CATEGORY("a string, a whole number or a boolean"),
        /** Numbers. */
        NUMBER("a number");

        private final String holds;

        Kind(String holds) {
            this.holds = holds;
        }

        private boolean takes(DataType type) {
            boolean whole = type instanceof ByteType || type instanceof ShortType || type instanceof IntegerType || type instanceof LongType;
            return switch (this) {
                case VECTOR -> type.equals(SQLDataTypes.VectorType());
                case TEXT -> type instanceof StringType;
                case CATEGORY -> type instanceof StringType || type instanceof BooleanType || whole;
                case NUMBER -> type instanceof NumericType;
            };
        }
    }

    private final String[] names;
    private final Kind[] kinds;

    /**
     * Names the columns.
     *
     * @param kinds as many as there are names
     */
    Features(String[] names, Kind[] kinds) {
        this.names = names;
        this.kinds = kinds;
        for (String name : names)
            if (Arrays.stream(names).filter(name::equals).count() > 1) throw new IllegalArgumentException("the column " + name + " is set twice");
    }

    boolean encoded() {
        return kinds[0] != Kind.VECTOR;
    }

    /** The columns, as they are selected after {@code first}. */
    Column[] after(Column... first) {
        Column[] all = Arrays.copyOf(first, first.length + names.length);
        for (int i = 0; i < names.length; ++i) all[first.length + i] = functions.col('`' + names[i].replace("`", "``") + '`');
        return all;
    }

    /** The places of the columns where they come after so many others. */
    int[] placesAfter(int others) {
        return IntStream.range(others, others + names.length).toArray();
    }

    int[] placesIn(StructType schema) {
        return Arrays.stream(names).mapToInt(schema::fieldIndex).toArray();
    }

    /**
     * Checks the columns of a schema.
     *
     * @param vectors the name of the column of vectors, where there is one
     * @param validate Spark's own check, which knows no other features than vectors, and adds columns
     * @return the schema with what {@code validate} has added
     */
    StructType validate(StructType schema, String vectors, UnaryOperator<StructType> validate) {
        if (!encoded()) return validate.apply(schema);
        for (int i = 0; i < names.length; ++i) {
            if (!Arrays.asList(schema.fieldNames()).contains(names[i]))
                throw new IllegalArgumentException("there is no column " + names[i] + " among " + String.join(", ", schema.fieldNames()));
            DataType type = schema.apply(names[i]).dataType();
            if (!kinds[i].takes(type))
                throw new IllegalArgumentException("the column " + names[i] + " is of type " + type.simpleString() + ", but "
                        + kinds[i].name().toLowerCase(Locale.ROOT) + " is " + kinds[i].holds);
        }
        StructType standIn = new StructType(Arrays.stream(schema.fields()).filter(field -> !field.name().equals(vectors))
                .toArray(StructField[]::new)).add(vectors, SQLDataTypes.VectorType());
        StructType result = schema;
        for (StructField field : validate.apply(standIn).fields())
            if (!Arrays.asList(standIn.fieldNames()).contains(field.name())) result = result.add(field);
        return result;
    }

    /**
     * For a task: what makes features of its rows. Indices ascend, and none is there twice.
     *
     * @param encoder makes the encoder, where there is one; it is closed when the task ends
     * @param places where the columns are in a row
     */
    Function<Row, Encoder.Row> reader(Supplier<Encoder> encoder, int[] places) {
        if (!encoded()) return row -> ofVector(row, places[0]);
        Encoder own = encoder.get();
        TaskContext.get().addTaskCompletionListener((TaskCompletionListener) task -> own.close());
        return row -> {
            own.clear();
            for (int i = 0; i < places.length; ++i) {
                if (row.isNullAt(places[i])) continue;
                Object value = row.get(places[i]);
                switch (kinds[i]) {
                    case TEXT -> own.text(names[i], (String) value);
                    case NUMBER -> own.number(names[i], ((Number) value).doubleValue());
                    default -> own.category(names[i], value.toString());
                }
            }
            return own.row();
        };
    }

    private static Encoder.Row ofVector(Row row, int place) {
        if (row.isNullAt(place)) throw new IllegalArgumentException("a row has no features");
        return entries((Vector) row.get(place));
    }

    /** The entries of a vector that are held, or of a dense one those that are not 0. */
    static Encoder.Row entries(Vector vector) {
        SparseVector sparse = vector instanceof SparseVector already ? already : vector.toSparse();
        return new Encoder.Row(sparse.indices(), sparse.values());
    }
}
