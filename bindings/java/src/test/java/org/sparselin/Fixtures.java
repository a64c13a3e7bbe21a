package org.sparselin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.function.Executable;

/** What many tests need. */
final class Fixtures {
    static final Path DATA = Path.of(System.getProperty("sparselin.test.data"));
    static final Path GOLDEN = Path.of(System.getProperty("sparselin.test.golden"));

    private Fixtures() {}

    /** A matrix of random rows with labels. */
    record Matrix(int[] rowPointers, int[] indices, double[] values, double[] labels, double[] weights) {
        static Matrix random(int rows, int width, int dimension, long seed) {
            Random random = new Random(seed);
            int[] rowPointers = new int[rows + 1];
            int[] indices = new int[rows * width];
            double[] values = new double[rows * width];
            double[] labels = new double[rows];
            double[] weights = new double[rows];
            for (int r = 0; r < rows; ++r) {
                rowPointers[r + 1] = rowPointers[r] + width;
                double score = 0;
                for (int k = rowPointers[r]; k < rowPointers[r + 1]; ++k) {
                    indices[k] = random.nextInt(dimension);
                    values[k] = random.nextGaussian();
                    score += indices[k] % 2 == 0 ? values[k] : -values[k];
                }
                labels[r] = score + random.nextGaussian() / 2 > 0 ? 1 : -1;
                weights[r] = 0.5 + random.nextDouble();
            }
            return new Matrix(rowPointers, indices, values, labels, weights);
        }

        int rows() {
            return labels.length;
        }

        int[] rowIndices(int row) {
            return java.util.Arrays.copyOfRange(indices, rowPointers[row], rowPointers[row + 1]);
        }

        double[] rowValues(int row) {
            return java.util.Arrays.copyOfRange(values, rowPointers[row], rowPointers[row + 1]);
        }

        Dataset dataset() {
            return Dataset.fromCsr(rowPointers, indices, values, labels, weights);
        }

        Model trained(Options options) {
            Model model = new Model(options);
            model.feedCsr(rowPointers, indices, values, labels, weights);
            return model;
        }
    }

    static SparselinException assertFails(Status status, String message, Executable call) {
        SparselinException e = assertThrows(SparselinException.class, call);
        assertEquals(status, e.status(), e.getMessage());
        assertTrue(e.getMessage().contains(message), e.getMessage());
        assertFalse(e.getMessage().contains("sl_"), e.getMessage()); // a function of C
        return e;
    }

    static void assertSameBits(double[] expected, double[] actual) {
        assertEquals(expected.length, actual.length);
        for (int i = 0; i < expected.length; ++i) assertSameBits(expected[i], actual[i]);
    }

    static void assertSameBits(double expected, double actual) {
        assertEquals(Double.doubleToRawLongBits(expected), Double.doubleToRawLongBits(actual));
    }

    static void assertSameBits(Model.Weights expected, Model.Weights actual) {
        assertArrayEquals(expected.indices(), actual.indices());
        assertSameBits(expected.values(), actual.values());
        assertSameBits(expected.bias(), actual.bias());
    }
}
