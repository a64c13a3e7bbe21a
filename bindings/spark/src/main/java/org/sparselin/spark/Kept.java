package org.sparselin.spark;

import java.io.IOException;
import java.io.Serializable;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkContext;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWriter;
import org.apache.spark.ml.util.Identifiable;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWriter;
import org.sparselin.Model;
import org.sparselin.Predictor;

/** A model as its bytes, with the predictor that is made of them where one is asked for. */
final class Kept implements Serializable {
    private static final long serialVersionUID = 1;
    private static final String FILE = "model.slm";
    private static final ThreadLocal<String> ANNOUNCED = new ThreadLocal<>();

    private final byte[] bytes;
    private transient volatile Predictor predictor;
    private transient Model shared;

    Kept(byte[] bytes) {
        this.bytes = bytes;
    }

    Model model() {
        return Model.fromBytes(bytes);
    }

    /** What is new in another one, that was a copy of this. */
    Patch patchTo(Model other) {
        return new Patch(bytes, other.toBytes());
    }

    Kept patched(Patch patch) {
        return new Kept(patch.applyTo(bytes));
    }

    /** The model for those who only look at it or copy it, which is made of the bytes once in a process. */
    synchronized Model shared() {
        if (shared == null) shared = model();
        return shared;
    }

    /** Frees what {@link #shared} made in this process. */
    synchronized void release() {
        if (shared != null) shared.close();
        shared = null;
    }

    Predictor predictor() {
        Predictor made = predictor;
        if (made == null) predictor = made = Predictor.fromBytes(bytes);
        return made;
    }

    /** The same, but for what only training needs. */
    Kept alone() {
        return new Kept(predictor().toBytes());
    }

    /**
     * Tells {@link #uid} what the object that this thread makes next is called: Spark's constructors ask for it, before a field can be set.
     *
     * @return what is handed in
     */
    static <T> T announce(String uid, T through) {
        ANNOUNCED.set(uid);
        return through;
    }

    /** The name that was announced, or a new one. */
    static String uid(String prefix) {
        String uid = ANNOUNCED.get();
        ANNOUNCED.remove();
        return uid != null ? uid : Identifiable.randomUID(prefix);
    }

    /** Writes params as Spark's own models do, and beside them the file that the library reads in every language. */
    <M extends Params> MLWriter writer(M model) {
        return new MLWriter() {
            @Override
            public void saveImpl(String path) {
                DefaultParamsWriter.saveMetadata(model, path, sc(), scala.Option.empty(), scala.Option.empty());
                Path file = new Path(path, FILE);
                try (FSDataOutputStream out = files(file, sc()).create(file)) {
                    out.write(bytes);
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            }
        };
    }

    /** Makes a model of its name and its bytes. */
    @FunctionalInterface
    interface Maker<M> {
        M make(String uid, Kept kept);
    }

    static <M extends Params> MLReader<M> reader(Class<M> type, Maker<M> maker) {
        return new MLReader<>() {
            @Override
            public M load(String path) {
                DefaultParamsReader.Metadata metadata = DefaultParamsReader.loadMetadata(path, sc(), type.getName());
                Path file = new Path(path, FILE);
                try (FSDataInputStream in = files(file, sc()).open(file)) {
                    M model = maker.make(metadata.uid(), new Kept(in.readAllBytes()));
                    metadata.getAndSetParams(model, scala.Option.empty());
                    return model;
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            }
        };
    }

    private static FileSystem files(Path file, SparkContext context) throws IOException {
        return file.getFileSystem(context.hadoopConfiguration());
    }
}
