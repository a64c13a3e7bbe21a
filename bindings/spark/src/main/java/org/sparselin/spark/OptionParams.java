package org.sparselin.spark;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.apache.spark.ml.param.BooleanParam;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.LongParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.sparselin.Options;

/**
 * The params of an estimator that Spark does not give it: one for each option of the library, by its own name, and those of training in rounds.
 * Params are made anew for each estimator, since each knows whose it is.
 */
final class OptionParams implements Serializable {
    private static final long serialVersionUID = 1;

    /** Options that say how text is read, or how it becomes features, and the one that asks for all rows in one place. */
    private static final Set<String> OF_OTHERS = Set.of("balance", "index_base", "threads", "features", "hash_bits", "hash_sign", "hash_like",
            "keep_names", "min_count", "tokens", "ngram_min", "ngram_max", "lowercase");

    final Param<String> weightCol;
    final LongParam rounds;
    final LongParam aggregationDepth;
    private final Param<?>[] options;

    OptionParams(String uid, boolean classifies) {
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
        put(target, rounds, 3L);
        put(target, aggregationDepth, 2L);
    }

    Param<?>[] with(Param<?>[] own) {
        Param<?>[] all = Arrays.copyOf(own, own.length + 3 + options.length);
        all[own.length] = weightCol;
        all[own.length + 1] = rounds;
        all[own.length + 2] = aggregationDepth;
        System.arraycopy(options, 0, all, own.length + 3, options.length);
        Arrays.sort(all, Comparator.comparing(Param::name));
        return all;
    }

    Param<?> find(String name) {
        for (Param<?> option : options)
            if (option.name().equals(name)) return option;
        new Options().get(name); // throws, with the nearest name, if the library has none of it
        throw new IllegalArgumentException("the option " + name + " is not for this estimator"
                + (name.equals("balance") ? ": set a column of weights, which balance the classes" : ""));
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

    /** The options that `set` has, as the library wants them. A preset comes first, so that the others win. */
    Options options(ParamMap set, String loss) {
        Options result = new Options();
        if (set.contains(find("preset"))) result.set("preset", set.apply(find("preset")).toString());
        result.set("loss", loss);
        for (Param<?> option : options) {
            if (!set.contains(option) || option.name().equals("preset") || option.name().equals("loss")) continue;
            Object value = set.apply(option);
            if (value instanceof Double number) result.set(option.name(), (double) number);
            else if (value instanceof Long number) result.set(option.name(), Long.toUnsignedString(number));
            else result.set(option.name(), value.toString());
        }
        return result;
    }
}
