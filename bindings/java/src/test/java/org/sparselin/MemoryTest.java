package org.sparselin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    void tenMillionFeedsLeakNothing() throws IOException {
        int[] indices = {1, 5, 9, 13};
        double[] values = {1, -1, 0.5, 2};
        try (Model model = new Model()) {
            int[] turn = {0};
            long grown = growth(10_000_000, () -> model.feed(indices, values, (turn[0] ^= 1) == 0 ? 1 : -1));
            assertEquals(11_000_000, model.steps());
            // One byte a call would be ten megabytes.
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

    /** Models and data sets that nobody closes are freed once they are garbage: 20,000 of them would be some gigabytes. */
    @Test
    void whatIsDroppedIsFreed() throws IOException {
        Matrix matrix = Matrix.random(100, 20, 5000, 1);
        int[] dropped = {0};
        long grown = growth(20_000, () -> {
            matrix.trained(new Options());
            matrix.dataset();
            if (++dropped[0] % 500 == 0) System.gc();
        });
        assertTrue(grown < 300 * MEGABYTE, grown + " bytes");
    }
}
