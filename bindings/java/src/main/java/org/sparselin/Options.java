package org.sparselin;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Settings by name, all at their defaults to begin with: {@code new Options().set("loss", "hinge").set("l1", 1e-5)}. The names are the same in
 * every language and in the command line program; {@link #all} lists them with their ranges, defaults and meaning, and so does
 * {@code sparselin train --help}. A model keeps a copy, so one object may serve many models and may change in between.
 */
public final class Options {
    final Handle handle = new Handle("set of options", Native.optionsCreate(), Native::optionsFree);

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
        handle.write(options -> Native.optionsSet(options, name, value));
        return this;
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
        handle.write(options -> Native.optionsSetNumber(options, name, value));
        return this;
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
        return handle.read(options -> Native.optionsGet(options, name));
    }

    /**
     * Lists all options there are.
     *
     * @return the options in the library's order
     */
    public static List<Description> all() {
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
