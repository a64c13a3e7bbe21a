package org.sparselin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.sparselin.Fixtures.Matrix;

class ThreadsTest {
    private static final int THREADS = 8;
    private static final Matrix MATRIX = Matrix.random(400, 20, 300, 1);

    private static <T> List<T> inThreads(Callable<T> body) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            List<T> results = new ArrayList<>();
            List<Callable<T>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; ++i) all.add(body);
            for (Future<T> future : pool.invokeAll(all)) results.add(future.get());
            return results;
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void eightThreadsPredictFromAFinalizedModel() throws Exception {
        try (Model model = MATRIX.trained(new Options())) {
            model.finalizeModel();
            double[] expected = model.predictCsr(MATRIX.rowPointers(), MATRIX.indices(), MATRIX.values());
            CountDownLatch start = new CountDownLatch(THREADS);
            inThreads(() -> {
                start.countDown();
                start.await();
                for (int pass = 0; pass < 20; ++pass) {
                    Fixtures.assertSameBits(expected, model.predictCsr(MATRIX.rowPointers(), MATRIX.indices(), MATRIX.values()));
                    for (int r = 0; r < MATRIX.rows(); ++r)
                        Fixtures.assertSameBits(expected[r], model.predict(MATRIX.rowIndices(r), MATRIX.rowValues(r)));
                }
                return null;
            });
        }
    }

    @Test
    void scoringInThreadsChangesNoBit() {
        Matrix many = Matrix.random(20000, 20, 300, 2);
        try (Model model = MATRIX.trained(new Options()); Dataset data = many.dataset()) {
            double[] csr = model.predictCsr(many.rowPointers(), many.indices(), many.values()), scores = model.predictDataset(data);
            model.setThreads(3);
            Fixtures.assertSameBits(csr, model.predictCsr(many.rowPointers(), many.indices(), many.values()));
            Fixtures.assertSameBits(scores, model.predictDataset(data));
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "1025", () -> model.setThreads(1025));
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "-1", () -> model.setThreads(-1));
        }
    }

    /** Whoever comes too late gets an exception; whoever is at it gets his numbers. */
    @Test
    void closingWhileOthersPredictTrainAndSave() throws Exception {
        for (int round = 0; round < 40; ++round) {
            Model model = MATRIX.trained(new Options());
            Dataset data = MATRIX.dataset();
            CountDownLatch start = new CountDownLatch(THREADS);
            int kind = round % 4;
            List<Long> done = inThreads(() -> {
                start.countDown();
                start.await();
                boolean closer = start.getCount() == 0 && Thread.currentThread().getName().endsWith("-1");
                long calls = 0;
                try {
                    for (;; ++calls) {
                        if (closer && calls == 50) {
                            model.close();
                            data.close();
                        }
                        if (kind == 0) model.predict(MATRIX.rowIndices(0), MATRIX.rowValues(0));
                        if (kind == 1) model.predictCsr(MATRIX.rowPointers(), MATRIX.indices(), MATRIX.values());
                        if (kind == 2) model.feed(MATRIX.rowIndices(0), MATRIX.rowValues(0), 1);
                        if (kind == 3) model.evaluate(data, "loss");
                    }
                } catch (IllegalStateException e) {
                    assertTrue(e.getMessage().endsWith("is closed"), e.getMessage());
                    return calls;
                }
            });
            assertEquals(THREADS, done.size());
        }
    }

    /** A model is closed in the middle of its own fit by another thread, which waits for nothing. */
    @Test
    void closingDoesNotWaitForAFit() throws Exception {
        Model model = new Model(new Options().set("epochs", 200_000));
        Dataset data = MATRIX.dataset();
        CountDownLatch fitting = new CountDownLatch(1);
        AtomicLong seen = new AtomicLong();
        Thread closer = new Thread(() -> {
            try {
                fitting.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            seen.set(model.steps());
            data.close();
            model.close();
        });
        closer.start();
        String message = assertThrows(IllegalStateException.class, () -> model.fit(data, report -> fitting.countDown())).getMessage();
        assertEquals("the model is closed", message);
        closer.join();
        assertTrue(seen.get() > 0);
    }

    @Test
    void interruptsStopAFitOfAnotherThread() throws Exception {
        Thread fitter = Thread.currentThread();
        CountDownLatch fitting = new CountDownLatch(1);
        Thread interrupter = new Thread(() -> {
            try {
                fitting.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            fitter.interrupt();
        });
        interrupter.start();
        try (Model model = new Model(new Options().set("epochs", 200_000)); Dataset data = MATRIX.dataset()) {
            Fixtures.assertFails(Status.CANCELLED, "cancelled after", () -> model.fit(data, report -> fitting.countDown()));
            assertTrue(Thread.interrupted());
            interrupter.join();
        }
    }

    /** Calls that write wait for one another, so that no step is lost. */
    @Test
    void manyThreadsMayTrain() throws Exception {
        try (Model model = new Model()) {
            inThreads(() -> {
                for (int r = 0; r < MATRIX.rows(); ++r) {
                    model.feed(MATRIX.rowIndices(r), MATRIX.rowValues(r), MATRIX.labels()[r]);
                    model.predict(MATRIX.rowIndices(r), MATRIX.rowValues(r));
                }
                return null;
            });
            assertEquals(THREADS * MATRIX.rows(), model.steps());
        }
    }
}
