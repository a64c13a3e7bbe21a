package org.sparselin;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/**
 * Settings by name, all at their defaults to begin with: {@code new Options().set("loss", "hinge").set("l1", 1e-5)}. The names are the same in
 * every language and in the command line program; {@link #all} lists them with their ranges, defaults and meaning, and so does
 * {@code sparselin train --help}. A model keeps a copy, so one object may serve many models and may change in between. There is nothing to close.
 */
public final class Options implements Serializable {
    private static final long serialVersionUID = 1;

    /** Names and values in the order in which they were set; a list never changes. */
    private volatile ArrayList<String[]> settings = new ArrayList<>();

    /** Makes a set of options, all at their defaults. */
    public Options() {}

    /**
     * Sets an option from text. Numbers have a decimal point, truth values are {@code true} and {@code false}.
     *
     * @param name the option
     * @param value what to set it to
     * @return this
     * @throws SparselinException INVALID_OPTION: there is no such option (the message suggests the nearest), or the value is of the wrong kind
     *     or out of range. Which options exclude each other is judged when a model is made.
     */
    public Options set(String name, String value) {
        return keep(name, options -> Native.optionsSet(options, name, value));
    }

    /**
     * Sets an option that holds a number.
     *
     * @param name the option
     * @param value what to set it to
     * @return this
     * @throws SparselinException as for {@link #set(String, String)}
     */
    public Options set(String name, double value) {
        return keep(name, options -> Native.optionsSetNumber(options, name, value));
    }

    /**
     * Sets an option that counts something, or a seed.
     *
     * @param name the option
     * @param value what to set it to
     * @return this
     * @throws SparselinException as for {@link #set(String, String)}
     */
    public Options set(String name, long value) {
        return set(name, Long.toString(value));
    }

    /**
     * Sets an option that is true or false.
     *
     * @param name the option
     * @param value what to set it to
     * @return this
     * @throws SparselinException as for {@link #set(String, String)}
     */
    public Options set(String name, boolean value) {
        return set(name, Boolean.toString(value));
    }

    /**
     * Reads an option back.
     *
     * @param name the option
     * @return its value, in a form that {@link #set(String, String)} takes and that gives the same value to the bit
     * @throws SparselinException INVALID_OPTION: there is no such option
     */
    public String get(String name) {
        return withNative(options -> Native.optionsGet(options, name));
    }

    /** Another one of the same settings. */
    Options copy() {
        Options copied = new Options();
        copied.settings = settings;
        return copied;
    }

    /** Keeps what {@code setting} sets the option to, in the library's words. */
    private synchronized Options keep(String name, LongConsumer setting) {
        String value = withNative(options -> {
            setting.accept(options);
            return Native.optionsGet(options, name);
        });
        // A preset sets other options, too, and another one does not undo that.
        ArrayList<String[]> changed = new ArrayList<>(settings);
        changed.removeIf(earlier -> earlier[0].equals(name) && (!name.equals("preset") || earlier[1].equals(value)));
        changed.add(new String[] {name, value});
        settings = changed;
        return this;
    }

    /** Calls {@code body} with a native set of these options, which lives as long as the call. */
    <T> T withNative(LongFunction<T> body) {
        NativeLibrary.need();
        long options = Native.optionsCreate();
        try {
            for (String[] setting : settings) Native.optionsSet(options, setting[0], setting[1]);
            return body.apply(options);
        } finally {
            Native.optionsFree(options);
        }
    }

    /**
     * Lists all options there are.
     *
     * @return the options in the library's order
     */
    public static List<Description> all() {
        NativeLibrary.need();
        return IntStream.range(0, (int) Native.optionCount())
                .mapToObj(i -> new Description(describe(i, 0), describe(i, 1), describe(i, 2), describe(i, 3)))
                .toList();
    }

    private static String describe(int i, int what) {
        return Native.optionDescribe(i, what);
    }

    /**
     * What there is to know about an option.
     *
     * @param name the name
     * @param kind {@code number}, {@code integer}, {@code boolean}, or the choices as {@code a|b|c}; {@code |auto} at the end of a number's
     *     where the choice may be left to the library
     * @param standard the default, as {@link Options#get} gives it
     * @param help one or two sentences
     */
    public record Description(String name, String kind, String standard, String help) {}
}
