package org.sparselin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.sparselin.Fixtures.Matrix;

/** Native memory is given back: the resident memory of the process stays where it is. */
class MemoryTest {
    private static final Path STATM = Path.of("/proc/self/statm");
    private static final long MEGABYTE = 1 << 20;

    private static long resident() throws IOException {
        return Long.parseLong(Files.readString(STATM).split(" ")[1]) * 4096;
    }

    /** Runs {@code body} {@code times} times, after a tenth as many to warm up, and returns by how much the process has grown. */
    private static long growth(long times, Runnable body) throws IOException {
        assumeTrue(Files.exists(STATM));
        for (long i = 0; i < times / 10; ++i) body.run();
        System.gc();
        long before = resident();
        for (long i = 0; i < times; ++i) body.run();
        System.gc();
        return resident() - before;
    }

    @Test
    void feedsLeakNothing() throws IOException {
        int[] indices = {1, 5, 9, 13};
        double[] values = {1, -1, 0.5, 2};
        try (Model model = new Model()) {
            int[] turn = {0};
            long grown = growth(2_000_000, () -> model.feed(indices, values, (turn[0] ^= 1) == 0 ? 1 : -1));
            assertEquals(2_200_000, model.steps());
            // The smallest piece of memory takes 32 bytes: one a call would be 64 megabytes.
            assertTrue(grown < 8 * MEGABYTE, grown + " bytes");
        }
    }

    @Test
    void failingCallsLeakNothing() throws IOException {
        int[] pinned = new int[1000];
        String option = "no such option".repeat(100);
        Options options = new Options();
        try (Model model = new Model()) {
            long grown = growth(20_000, () -> {
                assertThrows(SparselinException.class, () -> model.feed(pinned, new double[999], 1));
                assertThrows(SparselinException.class, () -> options.set(option, option));
            });
            assertTrue(grown < 20 * MEGABYTE, grown + " bytes");
        }
    }

    /** The heap has room for millions of these objects, so that only what they hold outside of it tells the collector to look. */
    @Test
    void whatNobodyClosesDoesNotFillMemory() throws IOException {
        assumeTrue(Files.exists(STATM));
        Matrix matrix = Matrix.random(100, 20, 5000, 1);
        try (Model kept = matrix.trained(new Options())) {
            Map<String, LongSupplier> makers = new LinkedHashMap<>(); // of the bytes that they made
            makers.put("models", () -> matrix.trained(new Options()).memory());
            makers.put("models fed once", () -> {
                Model model = new Model();
                model.feed(matrix.indices(), matrix.values(), 1);
                return model.memory();
            });
            makers.put("predictors", () -> kept.predictor().memory());
            makers.put("data sets", () -> {
                Dataset data = matrix.dataset();
                return 12 * data.nonzeros() + 24 * data.rows();
            });
            for (Map.Entry<String, LongSupplier> maker : makers.entrySet()) {
                long before = resident();
                long bytes = 0;
                for (int i = 1; bytes < 400 * MEGABYTE; ++i) {
                    bytes += maker.getValue().getAsLong();
                    if (i % 100 == 0) assertTrue(resident() - before < 200 * MEGABYTE, bytes + " bytes of " + maker.getKey());
                }
            }
        }
    }
}
