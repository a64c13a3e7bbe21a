package org.sparselin.spark;

import java.io.Serializable;
import java.util.List;
import java.util.Set;
import org.apache.spark.ml.param.BooleanParam;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.LongParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.param.Params;
import org.sparselin.Options;

/**
 * The params of an estimator that Spark does not give it: one for each option of the library, by its own name, and those of training in rounds.
 * Params are made anew for each estimator, since each knows whose it is.
 */
final class OptionParams implements Serializable {
    private static final long serialVersionUID = 1;

    /** Options of files and threads, and those that ask for all rows or all names in one place. */
    private static final Set<String> OF_OTHERS = Set.of("balance", "index_base", "threads", "features", "keep_names", "min_count");
    private static final Set<String> OF_ENCODERS =
            Set.of("hash_bits", "hash_sign", "hash_like", "tokens", "ngram_min", "ngram_max", "lowercase");
    private static final long MOST_HASH_BITS = 31; // of indices that are ints

    final Param<String> weightCol;
    final LongParam rounds;
    final LongParam aggregationDepth;
    final ColumnParams columns;
    private final Param<?>[] options;

    OptionParams(Params owner, boolean classifies) {
        String uid = owner.uid();
        columns = new ColumnParams(owner);
        weightCol = new Param<>(uid, "weightCol", "Column of example weights, at least 0 and about 1 on average; not set: all are 1.");
        rounds = new LongParam(uid, "rounds", "Rounds of training: in each every partition learns its rows, and what they learned is merged.");
        aggregationDepth = new LongParam(uid, "aggregationDepth", "Levels of the tree in which the partitions' models are merged.");
        List<Options.Description> all = Options.all().stream().filter(option -> !OF_OTHERS.contains(option.name()))
                .filter(option -> classifies || !Set.of("classes", "multiclass").contains(option.name())).toList();
        options = new Param<?>[all.size()];
        for (int i = 0; i < options.length; ++i) {
            Options.Description option = all.get(i);
            options[i] = switch (option.kind()) {
                case "number" -> new DoubleParam(uid, option.name(), option.help());
                case "integer" -> new LongParam(uid, option.name(), option.help());
                case "boolean" -> new BooleanParam(uid, option.name(), option.help());
                default -> new Param<String>(uid, option.name(), option.kind() + ": " + option.help());
            };
        }
    }

    /** Gives `target` the library's defaults, but for `loss` that one. */
    void setDefaults(ParamMap target, String loss) {
        for (Options.Description option : Options.all())
            for (Param<?> param : options)
                if (param.name().equals(option.name())) put(target, param, option.standard());
        put(target, find("loss"), loss);
        put(target, find("hash_bits"), MOST_HASH_BITS);
        put(target, rounds, 3L);
        put(target, aggregationDepth, 2L);
    }

    Param<?>[] with(Param<?>[] own) {
        return columns.with(ColumnParams.merged(ColumnParams.merged(own, options), weightCol, rounds, aggregationDepth));
    }

    Param<?> find(String name) {
        for (Param<?> option : options)
            if (option.name().equals(name)) return option;
        new Options().get(name); // throws, with the nearest name, if the library has none of it
        throw new IllegalArgumentException("the option " + name + " is not for this estimator"
                + switch (name) {
                    case "balance" -> ": set a column of weights, which balance the classes";
                    case "features", "keep_names", "min_count" ->
                        ": features are hashed, since a dictionary, and what names there are, would have to be known in one place";
                    default -> "";
                });
    }

    /** Sets the option to `value`, which the library has to take. */
    void set(ParamMap target, String name, Object value) {
        Param<?> param = find(name);
        put(target, param, new Options().set(name, value.toString()).get(name));
    }

    @SuppressWarnings("unchecked")
    private static void put(ParamMap target, Param<?> param, Object value) {
        String text = value.toString();
        Object typed = param instanceof DoubleParam ? (Object) number(text)
                : param instanceof LongParam ? (Object) Long.parseUnsignedLong(text)
                : param instanceof BooleanParam ? (Object) Boolean.parseBoolean(text) : text;
        target.put((Param<Object>) param, typed);
    }

    private static double number(String text) {
        return switch (text) {
            case "inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    /** The options of models that `set` has, as the library wants them. A preset comes first, so that the others win. */
    Options options(ParamMap set, String loss) {
        Options result = new Options();
        if (set.contains(find("preset"))) result.set("preset", set.apply(find("preset")).toString());
        result.set("loss", loss);
        for (Param<?> option : options)
            if (set.contains(option) && !OF_ENCODERS.contains(option.name()) && !option.name().equals("preset") && !option.name().equals("loss"))
                copy(set, option, result);
        return result;
    }

    /** Those of the encoder that reads columns; where it is vectors that are read, there may be none. */
    Options encoding(ParamMap set, boolean encoded) {
        Options result = new Options();
        if (encoded) result.set("hash_bits", MOST_HASH_BITS);
        for (Param<?> option : options) {
            if (!set.contains(option) || !OF_ENCODERS.contains(option.name())) continue;
            if (!encoded)
                throw new IllegalArgumentException("the option " + option.name()
                        + " is set, but no columns that it is about: set textCols, categoricalCols or numericCols, too");
            copy(set, option, result);
        }
        if (Long.parseLong(result.get("hash_bits")) > MOST_HASH_BITS && encoded)
            throw new IllegalArgumentException("hash_bits is " + result.get("hash_bits") + ", but must be at most " + MOST_HASH_BITS + " in Spark");
        return result;
    }

    private static void copy(ParamMap set, Param<?> option, Options result) {
        Object value = set.apply(option);
        if (value instanceof Double number) result.set(option.name(), (double) number);
        else if (value instanceof Long number) result.set(option.name(), Long.toUnsignedString(number));
        else result.set(option.name(), value.toString());
    }
}
