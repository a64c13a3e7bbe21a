package org.sparselin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparselin.Fixtures.Matrix;

class PredictorTest {
    private static final Matrix MATRIX = Matrix.random(300, 20, 300, 1);

    private static double[] scores(LinearModel model) {
        return model.predictCsr(MATRIX.rowPointers(), MATRIX.indices(), MATRIX.values());
    }

    @Test
    void answersAsTheModelDid() {
        try (Model model = MATRIX.trained(new Options()); Dataset data = MATRIX.dataset()) {
            Predictor predictor = model.predictor();
            for (LinearModel one : List.of(model, predictor)) {
                Fixtures.assertSameBits(scores(model), scores(one));
                Fixtures.assertSameBits(scores(model), one.predictDataset(data));
                double[] given = new double[MATRIX.rows() + 1];
                one.predictDataset(data, given);
                Fixtures.assertSameBits(scores(model), java.util.Arrays.copyOf(given, MATRIX.rows()));
                Fixtures.assertSameBits(model.predict(MATRIX.rowIndices(3), null), one.predict(MATRIX.rowIndices(3), null));
                Fixtures.assertSameBits(model.weights(), one.weights());
                Fixtures.assertSameBits(model.weight(1), one.weight(1));
                assertEquals(model.evaluate(data, "auc"), one.evaluate(data, "auc"));
                assertEquals(model.probability(0.5), one.probability(0.5));
                assertEquals(-1, one.label(-0.5));
                assertEquals(-1, one.smallerLabel());
                assertEquals(1, one.largerLabel());
                assertEquals(model.dimension(), one.dimension());
                assertEquals(300, one.steps());
                assertEquals(model.meanLoss(), one.meanLoss());
                assertEquals("log", one.option("loss"));
            }
            assertTrue(predictor.memory() < model.memory());
            Fixtures.assertFails(Status.STATE, "saved as a predictor", () -> predictor.evaluate(data, "objective"));
            Fixtures.assertFails(Status.INVALID_DATA, "an index is -5", () -> predictor.predict(new int[] {-5}, null));
        }
    }

    @Test
    void laterTrainingAndClosingDoNotTouchIt() {
        Model model = MATRIX.trained(new Options());
        double[] before = scores(model);
        Predictor predictor = model.predictor();
        model.feedCsr(MATRIX.rowPointers(), MATRIX.indices(), MATRIX.values(), MATRIX.labels());
        Fixtures.assertSameBits(before, scores(predictor));
        Predictor later = model.predictor();
        Fixtures.assertSameBits(scores(model), scores(later));
        model.close();
        assertThrows(IllegalStateException.class, model::predictor);
        Fixtures.assertSameBits(before, scores(predictor));
    }

    @Test
    void anUntrainedModelHasOneToo() {
        try (Model model = new Model(new Options().set("loss", "squared"))) {
            assertEquals(0, model.predictor().predict(new int[] {1}, null));
            assertEquals(0, model.predictor().steps());
        }
    }

    @Test
    void isKeptInFilesBytesAndStreams(@TempDir Path folder) throws IOException, ClassNotFoundException {
        Path file = folder.resolve("predictor.slm");
        try (Model model = MATRIX.trained(new Options())) {
            Predictor predictor = model.predictor();
            assertArrayEquals(model.toBytes(LinearModel.Keep.PREDICTOR), predictor.toBytes());
            predictor.save(file);
            assertArrayEquals(Files.readAllBytes(file), predictor.toBytes());
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (ObjectOutputStream stream = new ObjectOutputStream(out)) {
                stream.writeObject(predictor);
            }
            try (ObjectInputStream stream = new ObjectInputStream(new ByteArrayInputStream(out.toByteArray()));
                    Model loaded = Model.load(file)) {
                for (Predictor again : List.of((Predictor) stream.readObject(), Predictor.load(file), loaded.predictor(),
                        Predictor.fromBytes(predictor.toBytes()), Predictor.fromBytes(model.toBytes()))) {
                    Fixtures.assertSameBits(scores(model), scores(again));
                    assertArrayEquals(predictor.toBytes(), again.toBytes());
                }
            }
        }
        Fixtures.assertFails(Status.FORMAT, "", () -> Predictor.fromBytes(new byte[3]));
        Fixtures.assertFails(Status.IO, "", () -> Predictor.load(folder.resolve("nothing")));
    }

    /** A server: some predict all the time, one trains and puts a new predictor in place. */
    @Test
    void isReplacedWhileOthersPredict() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        try (Model model = MATRIX.trained(new Options())) {
            Predictor[] current = {model.predictor()};
            double[] first = scores(current[0]);
            CountDownLatch replaced = new CountDownLatch(50);
            List<Future<?>> served = new java.util.ArrayList<>();
            for (int t = 0; t < 3; ++t)
                served.add(pool.submit(() -> {
                    do {
                        Predictor predictor;
                        synchronized (current) {
                            predictor = current[0];
                        }
                        Fixtures.assertSameBits(scores(predictor), scores(predictor));
                    } while (replaced.getCount() > 0);
                }));
            while (replaced.getCount() > 0) {
                model.feedCsr(MATRIX.rowPointers(), MATRIX.indices(), MATRIX.values(), MATRIX.labels());
                Predictor next = model.predictor();
                synchronized (current) {
                    current[0] = next;
                }
                if (replaced.getCount() % 10 == 0) System.gc();
                replaced.countDown();
            }
            for (Future<?> one : served) one.get(1, TimeUnit.MINUTES);
            assertTrue(first[0] != scores(current[0])[0]);
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void partsOfArrays() {
        try (Model model = MATRIX.trained(new Options())) {
            double[] expected = scores(model);
            for (LinearModel one : List.of(model, model.predictor()))
                for (int r = 0; r < MATRIX.rows(); ++r)
                    Fixtures.assertSameBits(expected[r],
                            one.predict(MATRIX.indices(), MATRIX.values(), MATRIX.rowPointers()[r], MATRIX.rowPointers()[r + 1]));
            int[] indices = {1, -5, 2, 3};
            Fixtures.assertSameBits(model.predict(new int[] {2, 3}, null), model.predict(indices, null, 2, 4));
            Fixtures.assertSameBits(model.predict(new int[0], null), model.predict(indices, null, 4, 4));
            Fixtures.assertFails(Status.INVALID_DATA, "an index is -5", () -> model.predict(indices, null, 1, 3));
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "values has 3 entries", () -> model.predict(indices, new double[3], 2, 3));
            for (int[] part : new int[][] {{-1, 2}, {3, 2}, {0, 5}, {5, 5}, {Integer.MIN_VALUE, Integer.MAX_VALUE}})
                assertThrows(IndexOutOfBoundsException.class, () -> model.predict(indices, null, part[0], part[1]));
            assertThrows(NullPointerException.class, () -> model.predict(null, null, 0, 0));
        }
    }

    @Test
    void scoresIntoAGivenArray() {
        try (Model model = MATRIX.trained(new Options())) {
            double[] expected = scores(model);
            double[] given = new double[MATRIX.rows()];
            model.predictCsr(MATRIX.rowPointers(), MATRIX.indices(), MATRIX.values(), given);
            Fixtures.assertSameBits(expected, given);
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "scores has 299 entries, but rows 300",
                    () -> model.predictCsr(MATRIX.rowPointers(), MATRIX.indices(), MATRIX.values(), new double[299]));
            assertThrows(NullPointerException.class,
                    () -> model.predictCsr(MATRIX.rowPointers(), MATRIX.indices(), MATRIX.values(), null));
            try (Dataset data = MATRIX.dataset()) {
                Fixtures.assertFails(Status.INVALID_ARGUMENT, "299", () -> model.predictDataset(data, new double[299]));
                assertThrows(NullPointerException.class, () -> model.predictDataset(data, null));
            }
        }
    }
}
