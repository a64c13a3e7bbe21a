package org.sparselin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.sparselin.Fixtures.Matrix;

class ProgressTest {
    private static final Matrix MATRIX = Matrix.random(500, 20, 300, 1);
    private static final Options OPTIONS = new Options().set("epochs", 4).set("sampling", "shuffle");

    private static final class Stop extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    @Test
    void hearsOfEveryPass() {
        List<Progress.Report> reports = new ArrayList<>();
        Thread caller = Thread.currentThread();
        try (Model model = new Model(OPTIONS); Dataset data = MATRIX.dataset()) {
            model.fit(data, report -> {
                assertSame(caller, Thread.currentThread());
                reports.add(report);
            });
            assertTrue(reports.size() >= 4);
            Progress.Report last = reports.get(reports.size() - 1);
            assertEquals(new Progress.Report(2000, 2000, 2000, model.meanLoss(), 4), last);
        }
    }

    @Test
    void anExceptionComesOutAndTheFitGoesOnLater() {
        Stop stop = new Stop();
        try (Model model = new Model(OPTIONS); Model straight = new Model(OPTIONS); Dataset data = MATRIX.dataset()) {
            Stop thrown = assertThrows(Stop.class, () -> model.fit(data, report -> {
                if (report.epoch() == 2) throw stop;
            }));
            assertSame(stop, thrown);
            assertTrue(model.steps() >= 1000 && model.steps() < 2000);
            model.fit(data);
            straight.fit(data);
            assertArrayEquals(straight.toBytes(), model.toBytes());
            assertThrows(OutOfMemoryError.class, () -> model.fit(data, report -> {
                throw new OutOfMemoryError("as a test");
            }));
        }
    }

    @Test
    void theModelSaysHowFarItIsButCannotBeUsedMeanwhile() {
        try (Model model = new Model(OPTIONS); Model other = new Model(); Dataset data = MATRIX.dataset()) {
            model.fit(data, report -> {
                assertEquals(report.steps(), model.steps());
                assertEquals(report.meanLoss(), model.meanLoss());
                for (Executable call : List.<Executable>of(model::bias, model::toBytes, model::predictor, model::finalizeModel, () -> model.fit(data),
                        () -> model.feed(new int[] {1}, null, 1), () -> model.predict(new int[] {1}, null))) {
                    String message = assertThrows(IllegalStateException.class, call).getMessage();
                    assertEquals("the model is in use by the call that this one is made from", message);
                }
                assertEquals(500, data.rows());
                other.fit(data, inner -> assertEquals(500, data.rows()));
            });
            assertEquals(2000, model.steps());
        }
    }

    @Test
    void aFitThatHasMadeNoStepHasNoLoss() {
        try (Model model = new Model(new Options().set("scale", "rms")); Dataset data = Dataset.fromCsr(new int[3], new int[0], null, new double[] {1, -1},
                new double[2])) {
            model.fit(data, report -> {
                assertEquals(0, report.steps());
                assertThrows(IllegalStateException.class, model::meanLoss);
            });
            Fixtures.assertFails(Status.STATE, "step", model::meanLoss);
        }
    }

    @Test
    void closingStopsTheFit() {
        Model model = new Model(OPTIONS);
        Dataset data = MATRIX.dataset();
        List<Long> passes = new ArrayList<>();
        String message = assertThrows(IllegalStateException.class, () -> model.fit(data, report -> {
            passes.add(report.epoch());
            data.close();
            if (report.epoch() == 2) model.close();
        })).getMessage();
        assertEquals("the model is closed", message);
        assertEquals(2, passes.get(passes.size() - 1));
        assertThrows(IllegalStateException.class, model::steps);
        assertThrows(IllegalStateException.class, data::rows);
    }

    @Test
    void anInterruptStopsTheFitWhichGoesOnLater() {
        try (Model model = new Model(OPTIONS); Model straight = new Model(OPTIONS); Dataset data = MATRIX.dataset()) {
            Fixtures.assertFails(Status.CANCELLED, "cancelled after", () -> model.fit(data, report -> {
                if (report.epoch() == 2) Thread.currentThread().interrupt();
            }));
            assertTrue(Thread.interrupted());
            assertTrue(model.steps() >= 1000 && model.steps() < 2000);
            Thread.currentThread().interrupt();
            Fixtures.assertFails(Status.CANCELLED, "cancelled after", () -> model.fit(data));
            assertTrue(Thread.interrupted());
            model.fit(data);
            straight.fit(data);
            assertArrayEquals(straight.toBytes(), model.toBytes());
        }
    }

    /** One of the two has to give up, and is told so; the other one goes on. */
    @Test
    void listenersThatUseEachOthersModelsDoNotWaitForEver() throws Exception {
        try (Model one = new Model(OPTIONS); Model other = new Model(OPTIONS); Dataset data = MATRIX.dataset()) {
            CyclicBarrier bothFit = new CyclicBarrier(2);
            ExecutorService pool = Executors.newFixedThreadPool(2);
            List<Future<?>> fits = new ArrayList<>();
            AtomicInteger refused = new AtomicInteger();
            for (Model fitted : List.of(one, other)) {
                Model used = fitted == one ? other : one;
                boolean[] met = new boolean[1];
                fits.add(pool.submit(() -> {
                    fitted.fit(data, report -> {
                        try {
                            if (!met[0]) bothFit.await();
                            met[0] = true;
                            used.predict(new int[] {1}, null);
                        } catch (IllegalStateException e) {
                            assertTrue(e.getMessage().contains("a thread that waits for"), e.getMessage());
                            refused.incrementAndGet();
                        } catch (Exception e) {
                            throw new AssertionError(e);
                        }
                    });
                    return null;
                }));
            }
            for (Future<?> fit : fits) fit.get(1, TimeUnit.MINUTES);
            assertTrue(refused.get() > 0);
            assertEquals(2000, one.steps());
            assertEquals(2000, other.steps());
            pool.shutdown();
        }
    }

    @Test
    void aPredictorIsOfUseMeanwhile() {
        try (Model model = MATRIX.trained(OPTIONS); Dataset data = MATRIX.dataset()) {
            double[] before = model.predictDataset(data);
            Predictor predictor = model.predictor();
            model.fit(data, report -> Fixtures.assertSameBits(before, predictor.predictDataset(data)));
        }
    }

    @Test
    void aModelTellsWhatFitWouldDo() {
        Matrix matrix = Matrix.random(2000, 20, 300, 5);
        try (Model model = new Model(new Options().set("epochs", 1000)); Dataset data = matrix.dataset();
                Dataset other = Matrix.random(2000, 20, 300, 6).dataset()) {
            assertEquals(Model.FitState.NEW, model.fitState(data));
            assertThrows(IllegalStateException.class, () -> model.fit(data, report -> {
                throw new IllegalStateException("enough");
            }));
            try (Model saved = Model.fromBytes(model.toBytes())) {
                assertEquals(Model.FitState.STOPPED, saved.fitState(data));
                assertEquals(Model.FitState.NEW, saved.fitState(other));
            }
        }
        try (Model model = new Model(); Dataset data = matrix.dataset()) {
            model.fit(data);
            assertEquals(Model.FitState.DONE, model.fitState(data));
        }
    }
}
