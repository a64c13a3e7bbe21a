package org.sparselin;

/** What was wrong, in a {@link SparselinException}. The same statuses as those of the C interface. */
public enum Status {
    /** Nothing; never in an exception. */
    OK,
    /** Arrays that do not fit together, row pointers that do not ascend or lead out of the arrays, an unknown metric. */
    INVALID_ARGUMENT,
    /** An unknown option, a value out of its range, or options that exclude each other. */
    INVALID_OPTION,
    /** Not a number, an infinity, a negative weight or index, a label that the loss cannot take, an index beyond the option dimension. */
    INVALID_DATA,
    /** Not now: the message says what has to come first. */
    STATE,
    /** Native memory is short. */
    OUT_OF_MEMORY,
    /** A file or stream cannot be read or written; the message holds the system's reason. */
    IO,
    /** Not a file of this library, a damaged one, or a malformed line of text, with its number. */
    FORMAT,
    /** Written by a newer version of the library. */
    VERSION,
    /** The step would bring a weight beyond what a double can hold; a smaller eta0 or normalize helps. */
    DIVERGED,
    /** A fit was stopped. */
    CANCELLED,
    /** A bug in the library; please report it with the message. */
    INTERNAL;

    private static final Status[] ALL = values();

    static Status of(int number) {
        return number >= 0 && number < ALL.length ? ALL[number] : INTERNAL;
    }
}
