package org.sparselin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.sparselin.Fixtures.Matrix;

/** Values that are floats give what the doubles give that they are equal to. */
class FloatsTest {
    private static float[] narrow(double[] values) {
        float[] floats = new float[values.length];
        for (int i = 0; i < floats.length; ++i) floats[i] = (float) values[i];
        return floats;
    }

    private static double[] widen(float[] values) {
        double[] doubles = new double[values.length];
        for (int i = 0; i < doubles.length; ++i) doubles[i] = values[i];
        return doubles;
    }

    @Test
    void rowsOfEveryLength() {
        // A few entries are copied to the stack in one piece, more to the heap in several.
        for (int width : new int[] {0, 1, 255, 256, 257, 513, 1000}) {
            Matrix matrix = Matrix.random(30, width, 5000, width + 1);
            float[] floats = narrow(matrix.values());
            Matrix same = new Matrix(matrix.rowPointers(), matrix.indices(), widen(floats), matrix.labels(), matrix.weights());
            try (Model expected = new Model(); Model model = new Model(); Dataset.Builder builder = new Dataset.Builder();
                    Dataset data = same.dataset();
                    Dataset whole = Dataset.fromCsrFloats(matrix.rowPointers(), matrix.indices(), floats, matrix.labels(), matrix.weights())) {
                for (int r = 0; r < matrix.rows(); ++r) {
                    float[] values = narrow(matrix.rowValues(r));
                    expected.feed(same.rowIndices(r), same.rowValues(r), same.labels()[r], same.weights()[r]);
                    model.feedFloats(matrix.rowIndices(r), values, matrix.labels()[r], matrix.weights()[r]);
                    builder.addFloats(matrix.rowIndices(r), values, matrix.labels()[r], matrix.weights()[r]);
                }
                assertArrayEquals(expected.toBytes(), model.toBytes());
                try (Dataset built = builder.build()) {
                    for (Dataset other : new Dataset[] {built, whole})
                        for (int r = 0; r < matrix.rows(); ++r) {
                            assertArrayEquals(data.row(r).indices(), other.row(r).indices());
                            Fixtures.assertSameBits(data.row(r).values(), other.row(r).values());
                            Fixtures.assertSameBits(data.row(r).label(), other.row(r).label());
                            Fixtures.assertSameBits(data.row(r).weight(), other.row(r).weight());
                        }
                }
                for (LinearModel one : new LinearModel[] {model, model.predictor()}) {
                    double score = expected.predict(same.rowIndices(7), same.rowValues(7));
                    Fixtures.assertSameBits(score, one.predictFloats(matrix.rowIndices(7), narrow(matrix.rowValues(7))));
                    Fixtures.assertSameBits(new double[] {score}, one.scoresFloats(matrix.rowIndices(7), narrow(matrix.rowValues(7))));
                }
            }
        }
    }

    @Test
    void mistakesAreThoseOfDoubles() {
        int[] two = {1, 2};
        float[] one = {1};
        float[] bad = {1, Float.NaN};
        try (Model model = new Model(); Dataset.Builder builder = new Dataset.Builder()) {
            byte[] before = model.toBytes();
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "values has 1", () -> model.feedFloats(two, one, 1, 1));
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "values has 1", () -> model.predictFloats(two, one));
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "values has 1", () -> model.scoresFloats(two, one));
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "values has 1", () -> builder.addFloats(two, one, 1, 1));
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "values has 1",
                    () -> Dataset.fromCsrFloats(new int[] {0, 2}, two, one, new double[] {1}, null));
            Fixtures.assertFails(Status.INVALID_DATA, "", () -> model.feedFloats(two, bad, 1, 1));
            Fixtures.assertFails(Status.INVALID_DATA, "", () -> builder.addFloats(two, bad, 1, 1));
            Fixtures.assertFails(Status.INVALID_DATA, "an index is -5", () -> model.feedFloats(new int[] {-5}, one, 1, 1));
            Fixtures.assertFails(Status.INVALID_DATA, "an index is -5", () -> builder.addFloats(new int[] {-5}, one, 1, 1));
            assertThrows(NullPointerException.class, () -> model.feedFloats(two, null, 1, 1));
            assertThrows(NullPointerException.class, () -> model.predictFloats(null, one));
            assertThrows(NullPointerException.class, () -> model.scoresFloats(two, null));
            assertThrows(NullPointerException.class, () -> builder.addFloats(two, null, 1, 1));
            assertThrows(NullPointerException.class, () -> Dataset.fromCsrFloats(two, two, null, new double[1], null));
            assertArrayEquals(before, model.toBytes());
        }
    }
}
