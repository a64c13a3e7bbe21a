package org.sparselin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.sparselin.Fixtures.Matrix;

/** Whatever is done wrong is an exception, and leaves the model as it was. */
class MisuseTest {
    private final Model model = new Model();
    private byte[] before;

    @BeforeEach
    void learnSomething() {
        model.feed(new int[] {1, 2}, new double[] {1, 2}, 1);
        before = model.toBytes();
    }

    @AfterEach
    void nothingChanged() {
        assertArrayEquals(before, model.toBytes());
        model.close();
    }

    @Test
    void everyCallOfAClosedModelFails() {
        Model closed = new Model();
        Dataset data = Matrix.random(4, 2, 10, 1).dataset();
        closed.close();
        closed.close();
        List<Executable> calls = new ArrayList<>(List.of(
                closed::bias, closed::copy, closed::predictor, closed::dimension, closed::finalizeModel, () -> closed.setThreads(1), closed::meanLoss, closed::memory, closed::steps,
                closed::smallerLabel, closed::largerLabel, closed::toBytes, closed::weights, closed::classes, closed::labels));
        calls.add(() -> closed.setLabels(1, 2, 3));
        calls.add(() -> closed.scores(new int[] {1}, null));
        calls.add(() -> closed.scoresCsr(new int[] {0, 1}, new int[] {1}, null));
        calls.add(() -> closed.scoresDataset(data));
        calls.add(() -> closed.probabilities(new double[] {1}));
        calls.add(() -> closed.predictedLabel(new double[] {1}));
        calls.add(() -> closed.predictedLabels(new double[] {1}));
        calls.add(() -> closed.classWeights(0));
        calls.add(() -> closed.classWeight(0, 1));
        calls.add(() -> closed.classBias(0));
        calls.add(() -> closed.confusion(data));
        calls.add(() -> closed.observe(new int[] {1}, null, 1));
        calls.add(() -> closed.feed(new int[] {1}, null, 1));
        calls.add(() -> closed.feedFloats(new int[] {1}, new float[1], 1, 1));
        calls.add(() -> closed.predictFloats(new int[] {1}, new float[1]));
        calls.add(() -> closed.scoresFloats(new int[] {1}, new float[1]));
        calls.add(() -> closed.feedCsr(new int[] {0, 1}, new int[] {1}, null, new double[] {1}));
        calls.add(() -> closed.feedDataset(data));
        calls.add(() -> closed.fit(data));
        calls.add(() -> closed.predict(new int[] {1}, null));
        calls.add(() -> closed.predictCsr(new int[] {0, 1}, new int[] {1}, null));
        calls.add(() -> closed.predict(new int[] {1}, null, 0, 1));
        calls.add(() -> closed.predictDataset(data));
        calls.add(() -> closed.probability(1));
        calls.add(() -> closed.label(1));
        calls.add(() -> closed.evaluate(data, "loss"));
        calls.add(() -> closed.weight(1));
        calls.add(() -> closed.option("loss"));
        calls.add(() -> closed.save(Path.of("never")));
        for (Executable call : calls) assertEquals("the model is closed", assertThrows(IllegalStateException.class, call).getMessage());
        data.close();
        data.close();
        for (Executable call : List.<Executable>of(data::rows, data::nonzeros, data::dimension, () -> data.row(0), () -> model.fit(data),
                () -> model.feedDataset(data), () -> model.evaluate(data, "loss"), () -> model.predictDataset(data),
                () -> model.scoresDataset(data), () -> model.confusion(data),
                () -> data.save(Path.of("never"))))
            assertEquals("the data set is closed", assertThrows(IllegalStateException.class, call).getMessage());
    }

    @Test
    void whatIsMissingIsNamed() {
        int[] some = {0, 1};
        double[] one = {1};
        List<Executable> calls = List.of(
                () -> model.setLabels((double[]) null),
                () -> model.scores(null, one),
                () -> model.scoresCsr(null, some, null),
                () -> model.scoresCsr(some, null, null),
                () -> model.scoresDataset(null),
                () -> model.probabilities(null),
                () -> model.predictedLabel(null),
                () -> model.predictedLabels(null),
                () -> model.confusion(null),
                () -> model.observe(null, one, 1),
                () -> model.feed(null, one, 1),
                () -> model.feed(null, null, 1),
                () -> model.feedCsr(null, some, null, one),
                () -> model.feedCsr(some, null, null, one),
                () -> model.feedCsr(some, some, null, null),
                () -> model.feedDataset(null),
                () -> model.fit(null),
                () -> model.predict(null, one),
                () -> model.predictCsr(null, some, null),
                () -> model.predictCsr(some, null, null),
                () -> model.predictDataset(null),
                () -> model.evaluate(null, "loss"),
                () -> model.save(null),
                () -> model.save(Path.of("never"), null),
                () -> model.option(null),
                () -> Model.load(null),
                () -> Model.fromBytes(null),
                () -> Dataset.load(null),
                () -> Dataset.read(null),
                () -> Dataset.fromCsr(null, some, null, one, null),
                () -> Dataset.fromCsr(some, null, null, one, null),
                () -> Dataset.fromCsr(some, some, null, null, null),
                () -> Dataset.fromCsc(some, null, null, one, null));
        for (Executable call : calls) assertThrows(NullPointerException.class, call);
        try (Dataset data = Matrix.random(4, 2, 10, 1).dataset()) {
            assertThrows(NullPointerException.class, () -> model.evaluate(data, null));
        }
    }

    @Test
    void arraysOfDifferentLength() {
        double[] three = new double[3];
        Fixtures.assertFails(Status.INVALID_ARGUMENT, "values has 3 entries, but indices 2", () -> model.feed(new int[] {1, 2}, three, 1));
        Fixtures.assertFails(Status.INVALID_ARGUMENT, "values has 0 entries, but indices 2",
                () -> model.feed(new int[] {1, 2}, new double[0], 1));
        Fixtures.assertFails(Status.INVALID_ARGUMENT, "values has 3 entries", () -> model.observe(new int[] {1, 2}, three, 1));
        Fixtures.assertFails(Status.INVALID_ARGUMENT, "values has 3 entries", () -> model.predict(new int[] {1, 2}, three));
        int[] pointers = {0, 1, 2};
        int[] indices = {1, 2};
        double[] two = {1, -1};
        Fixtures.assertFails(Status.INVALID_ARGUMENT, "values has 3", () -> model.feedCsr(pointers, indices, three, two));
        Fixtures.assertFails(Status.INVALID_ARGUMENT, "labels has 3", () -> model.feedCsr(pointers, indices, two, three));
        Fixtures.assertFails(Status.INVALID_ARGUMENT, "weights has 3", () -> model.feedCsr(pointers, indices, two, two, three));
        Fixtures.assertFails(Status.INVALID_ARGUMENT, "values has 3", () -> model.predictCsr(pointers, indices, three));
        Fixtures.assertFails(Status.INVALID_ARGUMENT, "labels has 3", () -> Dataset.fromCsr(pointers, indices, two, three, null));
        Fixtures.assertFails(Status.INVALID_ARGUMENT, "weights has 3", () -> Dataset.fromCsc(pointers, indices, two, two, three));
        // The same where arrays are long enough to be pinned.
        Fixtures.assertFails(Status.INVALID_ARGUMENT, "values has 9999", () -> model.feed(new int[1000], new double[9999], 1));
    }

    @Test
    void negativeIndices() {
        SparselinException e = Fixtures.assertFails(Status.INVALID_DATA, "an index is -5", () -> model.feed(new int[] {1, -5}, null, 1));
        assertEquals(-1, e.row());
        Fixtures.assertFails(Status.INVALID_DATA, "an index is -5", () -> model.observe(new int[] {1, -5}, null, 1));
        Fixtures.assertFails(Status.INVALID_DATA, "an index is -2147483648", () -> model.predict(new int[] {Integer.MIN_VALUE}, null));
        Fixtures.assertFails(Status.INVALID_DATA, "an index is -1", () -> model.weight(-1));
        int[] indices = {1, 2, -3, 4};
        double[] labels = {1, -1, 1, -1};
        Fixtures.assertFails(Status.INVALID_DATA, "row 2: an index is -3", () -> model.predictCsr(new int[] {0, 1, 2, 3, 4}, indices, null));
        Fixtures.assertFails(Status.INVALID_DATA, "an index is -3",
                () -> Dataset.fromCsr(new int[] {0, 1, 2, 3, 4}, indices, null, labels, null));
        Fixtures.assertFails(Status.INVALID_DATA, "an index is -3",
                () -> Dataset.fromCsc(new int[] {0, 1, 2, 3, 4}, indices, null, labels, null));
    }

    @Test
    void rowPointersThatLeadAstray() {
        int[] indices = {1, 2, 3};
        double[] two = {1, -1};
        int[][] bad = {{0, 1, 4}, {0, -1, 3}, {-1, 1, 3}, {0, Integer.MAX_VALUE, 3}, {Integer.MIN_VALUE, 0, 3}, {0, 3, 2}, {3, 1, 2}};
        for (int[] pointers : bad) {
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "pointer", () -> model.predictCsr(pointers, indices, null));
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "pointer", () -> Dataset.fromCsr(pointers, indices, null, two, null));
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "pointer", () -> Dataset.fromCsc(pointers, new int[] {0, 1, 0}, null, two, null));
            try (Model other = new Model()) {
                SparselinException e = Fixtures.assertFails(Status.INVALID_ARGUMENT, "pointer",
                        () -> other.feedCsr(pointers, indices, null, two));
                assertEquals(other.steps(), e.rowsDone());
            }
        }
        Fixtures.assertFails(Status.INVALID_ARGUMENT, "0 pointers", () -> model.feedCsr(new int[0], indices, null, new double[0]));
        Fixtures.assertFails(Status.INVALID_ARGUMENT, "0 pointers", () -> model.predictCsr(new int[0], indices, null));
        Fixtures.assertFails(Status.INVALID_ARGUMENT, "0 pointers", () -> Dataset.fromCsr(new int[0], indices, null, new double[0], null));
        Fixtures.assertFails(Status.INVALID_DATA, "row", () -> Dataset.fromCsc(new int[] {0, 3}, new int[] {0, 1, 2}, null, two, null));
    }

    /** The rows before one at fault are learned, whichever part of the work it is in, and it is told by its number in the whole. */
    @Test
    void aBadRowIsNamed() {
        for (int bad : new int[] {0, 3, 500, 1999}) {
            Matrix matrix = Matrix.random(2000, 20, 300, bad);
            double[] values = matrix.values().clone();
            int[] indices = matrix.indices().clone();
            values[20 * bad + 7] = Double.NaN;
            indices[20 * bad + 8] = -8;
            for (int kind = 0; kind < 2; ++kind) {
                int[] i = kind == 0 ? matrix.indices() : indices;
                double[] v = kind == 0 ? values : matrix.values();
                try (Model some = new Model(); Model expected = new Model()) {
                    SparselinException e = Fixtures.assertFails(Status.INVALID_DATA, "row " + bad + ": ",
                            () -> some.feedCsr(matrix.rowPointers(), i, v, matrix.labels()));
                    assertEquals(bad, e.rowsDone());
                    assertEquals(bad, e.row());
                    for (int r = 0; r < bad; ++r) expected.feed(matrix.rowIndices(r), matrix.rowValues(r), matrix.labels()[r]);
                    assertArrayEquals(expected.toBytes(), some.toBytes());
                    e = Fixtures.assertFails(Status.INVALID_DATA, "row " + bad + ": ",
                            () -> expected.predictCsr(matrix.rowPointers(), i, v));
                    assertEquals(bad, e.row());
                }
            }
        }
    }

    @Test
    void dataThatTheLibraryRefuses() {
        Fixtures.assertFails(Status.INVALID_DATA, "", () -> model.feed(new int[] {1}, new double[] {Double.NaN}, 1));
        Fixtures.assertFails(Status.INVALID_DATA, "", () -> model.feed(new int[] {1}, null, 7));
        Fixtures.assertFails(Status.INVALID_DATA, "", () -> model.feed(new int[] {1}, null, 1, -1));
        Fixtures.assertFails(Status.INVALID_DATA, "", () -> model.predict(new int[] {1}, new double[] {Double.POSITIVE_INFINITY}));
        try (Dataset data = Matrix.random(4, 2, 10, 1).dataset()) {
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "nonsense", () -> model.evaluate(data, "nonsense"));
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "4", () -> data.row(4));
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "there is no row -1", () -> data.row(-1));
        }
        Fixtures.assertFails(Status.FORMAT, "", () -> Model.fromBytes(new byte[0]));
        Fixtures.assertFails(Status.FORMAT, "", () -> Model.fromBytes(new byte[1000]));
        byte[] damaged = before.clone();
        damaged[damaged.length / 2] ^= 1;
        Fixtures.assertFails(Status.FORMAT, "", () -> Model.fromBytes(damaged));
        SparselinException e = Fixtures.assertFails(Status.IO, "", () -> Model.load(Path.of("/no/such/f\u00fc\uD83D\uDE00le")));
        assertTrue(e.getMessage().contains("f\u00fc\uD83D\uDE00le"), e.getMessage());
    }
}
