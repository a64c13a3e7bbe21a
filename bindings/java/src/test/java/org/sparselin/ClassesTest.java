package org.sparselin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Models of several classes. */
class ClassesTest {
    private static final int[] POINTERS = {0, 1, 2, 3, 5, 5};
    private static final int[] INDICES = {0, 1, 2, 2, 0};
    private static final double[] LABELS = {7, -2, 30, 30, 7};

    private static Dataset data(double... labels) {
        return Dataset.fromCsr(POINTERS, INDICES, null, labels, new double[] {1, 2, 0.5, 1, 1});
    }

    private static Model fitted() {
        Model model = new Model();
        try (Dataset data = data(LABELS)) {
            for (int pass = 0; pass < 30; ++pass) model.fit(data);
        }
        return model;
    }

    @Test
    void whatIsFittedToldApartAndCounted() {
        try (Model model = fitted(); Dataset data = data(LABELS)) {
            for (LinearModel one : List.of(model, model.predictor())) {
                assertEquals(3, one.classes());
                assertArrayEquals(new double[] {-2, 7, 30}, one.labels());
                double[] scores = one.scoresCsr(POINTERS, INDICES, null);
                assertEquals(15, scores.length);
                Fixtures.assertSameBits(scores, one.scoresDataset(data));
                Fixtures.assertSameBits(java.util.Arrays.copyOfRange(scores, 9, 12), one.scores(new int[] {2, 0}, null));
                double[] probabilities = one.probabilities(scores);
                for (int r = 0; r < 5; ++r) {
                    double sum = 0;
                    for (int k = 0; k < 3; ++k) sum += Math.exp(scores[3 * r + k]);
                    for (int k = 0; k < 3; ++k) assertEquals(Math.exp(scores[3 * r + k]) / sum, probabilities[3 * r + k], 1e-12);
                }
                double[] labels = one.predictedLabels(scores);
                assertArrayEquals(LABELS, labels);
                assertEquals(-2, one.predictedLabel(one.scores(new int[] {1}, null)));
                assertEquals(-2, one.predictedLabel(new double[] {1, 1, 0}));
                assertArrayEquals(new double[][] {{2, 0, 0}, {0, 2, 0}, {0, 0, 1.5}}, one.confusion(data));
                LinearModel.Weights weights = one.classWeights(1);
                assertEquals(one.scores(new int[0], null)[1], weights.bias());
                assertEquals(weights.bias(), one.classBias(1));
                for (int i = 0; i < weights.indices().length; ++i)
                    assertEquals(weights.values()[i], one.classWeight(1, weights.indices()[i]));
                assertEquals(0, one.classWeight(1, 12345));
            }
            try (Dataset wrong = data(-2, 7, 7, 7, 7)) {
                assertArrayEquals(new double[][] {{0, 1, 0}, {2, 1, 1.5}, {0, 0, 0}}, model.confusion(wrong));
            }
        }
    }

    @Test
    void manyRowsInPartsHaveTheScoresOfEach() {
        Fixtures.Matrix matrix = Fixtures.Matrix.random(5000, 20, 300, 1);
        double[] labels = new double[matrix.rows()];
        for (int r = 0; r < labels.length; ++r) labels[r] = r % 4;
        try (Model model = new Model(new Options().set("classes", "4"))) {
            model.feedCsr(matrix.rowPointers(), matrix.indices(), matrix.values(), labels);
            double[] scores = model.scoresCsr(matrix.rowPointers(), matrix.indices(), matrix.values());
            for (int r = 0; r < labels.length; ++r)
                Fixtures.assertSameBits(model.scores(matrix.rowIndices(r), matrix.rowValues(r)), java.util.Arrays.copyOfRange(scores, 4 * r, 4 * r + 4));
            double[] values = matrix.values().clone();
            values[4500 * 20] = Double.NaN;
            SparselinException e = Fixtures.assertFails(Status.INVALID_DATA, "row 4500",
                    () -> model.scoresCsr(matrix.rowPointers(), matrix.indices(), values));
            assertEquals(4500, e.row());
        }
    }

    @Test
    void aModelOfOneScoreServesTheSameCalls() {
        try (Model model = new Model(); Dataset data = data(1, -1, 1, 1, -1)) {
            Fixtures.assertFails(Status.STATE, "", model::labels);
            model.feedDataset(data);
            assertEquals(1, model.classes());
            assertArrayEquals(new double[] {-1, 1}, model.labels());
            double[] scores = model.predictDataset(data);
            Fixtures.assertSameBits(scores, model.scoresDataset(data));
            Fixtures.assertSameBits(scores, model.scoresCsr(POINTERS, INDICES, null));
            assertEquals(model.probability(scores[1]), model.probabilities(scores)[1]);
            assertEquals(model.label(scores[1]), model.predictedLabels(scores)[1]);
            Fixtures.assertSameBits(model.weights(), model.classWeights(0));
            assertEquals(2, model.confusion(data).length);
            assertEquals(0, model.predictedLabels(new double[0]).length);
        }
    }

    @Test
    void labelsCanBeFixedBeforehand() {
        try (Model model = new Model()) {
            model.setLabels(5, 3, 4);
            assertArrayEquals(new double[] {3, 4, 5}, model.labels());
            model.feed(new int[] {1}, null, 4);
            assertEquals(4, model.predictedLabel(model.scores(new int[] {1}, null)));
            Fixtures.assertFails(Status.INVALID_DATA, "6", () -> model.feed(new int[] {1}, null, 6));
            Fixtures.assertFails(Status.STATE, "", () -> model.setLabels(3, 4, 5));
        }
        try (Model model = new Model()) {
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "1", () -> model.setLabels(1));
            Fixtures.assertFails(Status.INVALID_DATA, "2", () -> model.setLabels(1, 2, 2));
            Fixtures.assertFails(Status.INVALID_DATA, "nan", () -> model.setLabels(1, Double.NaN, 2));
            Fixtures.assertFails(Status.STATE, "", model::labels);
        }
    }

    @Test
    void whatDoesNotFitIsRefused() {
        try (Model model = fitted(); Dataset strange = data(7, -2, 8, 7, 7)) {
            byte[] before = model.toBytes();
            int[] feature = {1};
            Fixtures.assertFails(Status.STATE, "use scores", () -> model.predict(feature, null));
            Fixtures.assertFails(Status.STATE, "use scoresCsr", () -> model.predictCsr(POINTERS, INDICES, null));
            Fixtures.assertFails(Status.STATE, "use scoresDataset", () -> model.predictDataset(strange));
            Fixtures.assertFails(Status.STATE, "use predictedLabels", () -> model.label(1));
            Fixtures.assertFails(Status.STATE, "use probabilities", () -> model.probability(1));
            Fixtures.assertFails(Status.STATE, "use classWeights", model::weights);
            Fixtures.assertFails(Status.STATE, "use classBias", model::bias);
            Fixtures.assertFails(Status.STATE, "use classWeight", () -> model.weight(1));
            Fixtures.assertFails(Status.STATE, "use labels", model::largerLabel);
            Fixtures.assertFails(Status.INVALID_DATA, "(setLabels)", () -> model.feed(feature, null, 5));
            Fixtures.assertFails(Status.STATE, "setEncoder gives it one", model::encoder);
            Fixtures.assertFails(Status.INVALID_OPTION, "give it to Encoder", () -> new Model(new Options().set("hash_bits", 9)));
            Fixtures.assertFails(Status.INVALID_OPTION, "give it to Model", () -> new Encoder(new Options().set("classes", 3)));
            try (Model carrier = model.copy(); Encoder encoder = new Encoder(new Options())) {
                carrier.setEncoder(encoder);
                Fixtures.assertFails(Status.STATE, "use scores", () -> carrier.predictRecord(Map.of("a", 1)));
            }
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "3", () -> model.classBias(3));
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "no class -1", () -> model.classBias(-1));
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "no class -1", () -> model.classWeights(-1));
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "3", () -> model.classWeight(3, 1));
            Fixtures.assertFails(Status.INVALID_DATA, "-5", () -> model.classWeight(0, -5));
            Fixtures.assertFails(Status.INVALID_DATA, "-5", () -> model.scores(new int[] {-5}, null));
            Fixtures.assertFails(Status.INVALID_DATA, "-5", () -> model.scoresCsr(new int[] {0, 1}, new int[] {-5}, null));
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "values has 2", () -> model.scores(feature, new double[2]));
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "pointer 1", () -> model.scoresCsr(new int[] {0, 2}, feature, null));
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "", () -> model.scoresCsr(new int[0], feature, null));
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "4 scores", () -> model.probabilities(new double[4]));
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "4 scores", () -> model.predictedLabels(new double[4]));
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "labels has 1", () -> model.predictedLabel(new double[6]));
            Fixtures.assertFails(Status.INVALID_DATA, "row 1", () -> model.probabilities(new double[] {1, 2, 3, 1, Double.NaN, 2}));
            Fixtures.assertFails(Status.INVALID_DATA, "row 2", () -> model.confusion(strange));
            assertArrayEquals(before, model.toBytes());
        }
    }
}
