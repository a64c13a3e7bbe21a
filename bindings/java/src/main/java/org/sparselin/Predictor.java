package org.sparselin;

import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * What predicting needs of a {@link Model}, as it was when {@link Model#predictor} was called: for the threads of a server, while another one
 * trains the model and replaces the predictor now and then.
 *
 * <p>It never changes, so no call waits for anything. There is nothing to close: its native memory, which holds the features whose weight is
 * not 0, is freed some time after nobody refers to it any more.
 *
 * <p>Serializing a predictor writes what {@link #toBytes} gives.
 */
public final class Predictor extends LinearModel implements Serializable {
    private static final long serialVersionUID = 1;

    Predictor(LongSupplier make) {
        super(new Owned("predictor", make, Native::modelFree, Native::modelMemory));
    }

    /**
     * Writes the predictor to a file, which is there whole or not at all and is the same on every machine and from every language.
     *
     * @param file where to, in the default file system
     * @throws SparselinException IO: the system's reason
     */
    public void save(Path file) {
        write(file, Keep.PREDICTOR);
    }

    /**
     * Reads a predictor from a file that it or a model was saved to, in whichever language.
     *
     * @param file the file, of the default file system
     * @return the predictor
     * @throws SparselinException as for {@link Model#load}
     */
    public static Predictor load(Path file) {
        try (Model model = Model.load(file)) {
            return model.predictor();
        }
    }

    /**
     * Gives the bytes that {@link #save} would write.
     *
     * @return the bytes
     */
    public byte[] toBytes() {
        return bytes(Keep.PREDICTOR);
    }

    /**
     * Makes a predictor from the bytes that it or a model gave, or from those of a file.
     *
     * @param bytes all of them
     * @return the predictor
     * @throws SparselinException as for {@link Model#fromBytes}
     */
    public static Predictor fromBytes(byte[] bytes) {
        try (Model model = Model.fromBytes(bytes)) {
            return model.predictor();
        }
    }

    private Object writeReplace() {
        return new Bytes(toBytes());
    }

    private void readObject(ObjectInputStream in) throws InvalidObjectException {
        throw new InvalidObjectException("a predictor is written as its bytes");
    }

    /** What a serialized predictor is. */
    private record Bytes(byte[] bytes) implements Serializable {
        private Object readResolve() {
            return fromBytes(bytes);
        }
    }
}
