package org.sparselin.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.param.StringArrayParam;
import org.apache.spark.ml.param.shared.HasFeaturesCol;

/** The params that name the columns of an encoder, of an estimator and of the model that it makes. */
final class ColumnParams implements Serializable {
    private static final long serialVersionUID = 1;

    final StringArrayParam texts;
    final StringArrayParam categories;
    final StringArrayParam numbers;

    ColumnParams(Params owner) {
        texts = new StringArrayParam(owner, "textCols", "Columns of strings that are split into tokens, in place of featuresCol.");
        categories = new StringArrayParam(owner, "categoricalCols",
                "Columns of strings, whole numbers or booleans each value of which is a feature, in place of featuresCol.");
        numbers = new StringArrayParam(owner, "numericCols", "Columns of numbers each of which is a feature, in place of featuresCol.");
    }

    Param<?>[] with(Param<?>[] own) {
        return merged(own, texts, categories, numbers);
    }

    /** All of them, by name, as Spark has them. */
    static Param<?>[] merged(Param<?>[] own, Param<?>... more) {
        Param<?>[] all = Arrays.copyOf(own, own.length + more.length);
        System.arraycopy(more, 0, all, own.length, more.length);
        Arrays.sort(all, Comparator.comparing(Param::name));
        return all;
    }

    /** Where the features are of {@code owner}, whose params these are: in the columns that are set, or else in that of vectors. */
    <T extends HasFeaturesCol> Features features(T owner) {
        List<String> names = new ArrayList<>();
        List<Features.Kind> kinds = new ArrayList<>();
        add(owner, texts, Features.Kind.TEXT, names, kinds);
        add(owner, categories, Features.Kind.CATEGORY, names, kinds);
        add(owner, numbers, Features.Kind.NUMBER, names, kinds);
        if (names.isEmpty()) return new Features(new String[] {owner.getFeaturesCol()}, new Features.Kind[] {Features.Kind.VECTOR});
        if (owner.isSet(owner.featuresCol()))
            throw new IllegalArgumentException("featuresCol is set to " + owner.getFeaturesCol() + ", and the column " + names.get(0)
                    + " is, too: features are in vectors, or in textCols, categoricalCols and numericCols");
        return new Features(names.toArray(String[]::new), kinds.toArray(Features.Kind[]::new));
    }

    private static void add(Params owner, StringArrayParam param, Features.Kind kind, List<String> names, List<Features.Kind> kinds) {
        if (!owner.isSet(param)) return;
        for (String name : owner.<String[]>getOrDefault(param)) {
            names.add(name);
            kinds.add(kind);
        }
    }
}
