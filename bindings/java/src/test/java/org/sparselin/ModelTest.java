package org.sparselin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.sparselin.Fixtures.Matrix;

/** What a model does, call by call. */
class ModelTest {
    private static final Matrix MATRIX = Matrix.random(2000, 20, 300, 1);

    @Test
    void versionIsThatOfTheJar() {
        assertEquals(System.getProperty("sparselin.test.version"), Model.libraryVersion());
    }

    @Test
    void learnsAndPredicts() {
        try (Model model = new Model()) {
            model.feed(new int[] {3, 17}, null, +1);
            model.feed(new int[] {5, 17}, null, -1);
            double score = model.predict(new int[] {3}, null);
            assertTrue(score > 0);
            assertEquals(-1 * Math.signum(score), Math.signum(model.predict(new int[] {5}, null)));
            assertEquals(1 / (1 + Math.exp(-score)), model.probability(score), 1e-15);
            assertEquals(1, model.label(score));
            assertEquals(-1, model.label(-score));
            assertEquals(-1, model.smallerLabel());
            assertEquals(1, model.largerLabel());
            assertEquals(2, model.steps());
            assertEquals(18, model.dimension());
            assertTrue(model.memory() > 0);
            assertTrue(model.meanLoss() > 0);
            assertEquals("log", model.option("loss"));
        }
    }

    @Test
    void oneByOneInBatchesAndInManyPartsGiveTheSameBits() {
        Options options = new Options().set("l1", 1e-4).set("average", "uniform");
        try (Model single = new Model(options); Model atOnce = MATRIX.trained(options); Model rows = new Model(options)) {
            for (int r = 0; r < MATRIX.rows(); ++r)
                single.feed(MATRIX.rowIndices(r), MATRIX.rowValues(r), MATRIX.labels()[r], MATRIX.weights()[r]);
            try (Dataset data = MATRIX.dataset()) {
                rows.feedDataset(data);
                Fixtures.assertSameBits(single.predictCsr(MATRIX.rowPointers(), MATRIX.indices(), MATRIX.values()),
                        single.predictDataset(data));
            }
            // 40,000 nonzeros: more than one part.
            assertArrayEquals(single.toBytes(), atOnce.toBytes());
            assertArrayEquals(single.toBytes(), rows.toBytes());
            double[] scores = atOnce.predictCsr(MATRIX.rowPointers(), MATRIX.indices(), MATRIX.values());
            single.finalizeModel();
            for (int r = 0; r < MATRIX.rows(); ++r)
                Fixtures.assertSameBits(scores[r], single.predict(MATRIX.rowIndices(r), MATRIX.rowValues(r)));
        }
    }

    @Test
    void missingValuesAndWeightsAreOnes() {
        double[] ones = new double[MATRIX.indices().length];
        java.util.Arrays.fill(ones, 1);
        try (Model without = new Model(); Model with = new Model()) {
            without.feedCsr(MATRIX.rowPointers(), MATRIX.indices(), null, MATRIX.labels());
            with.feedCsr(MATRIX.rowPointers(), MATRIX.indices(), ones, MATRIX.labels(), java.util.Arrays.copyOf(ones, MATRIX.rows()));
            assertArrayEquals(with.toBytes(), without.toBytes());
            Fixtures.assertSameBits(with.predictCsr(MATRIX.rowPointers(), MATRIX.indices(), ones),
                    without.predictCsr(MATRIX.rowPointers(), MATRIX.indices(), null));
        }
    }

    @Test
    void longRowsAreTheSameAsShortOnes() {
        // More than 256 entries are pinned, not copied.
        Matrix wide = Matrix.random(20, 1000, 5000, 2);
        try (Model single = new Model(); Model atOnce = wide.trained(new Options())) {
            for (int r = 0; r < wide.rows(); ++r) single.feed(wide.rowIndices(r), wide.rowValues(r), wide.labels()[r], wide.weights()[r]);
            assertArrayEquals(atOnce.toBytes(), single.toBytes());
        }
    }

    @Test
    void emptyExamplesAndMatricesAreFine() {
        try (Model model = new Model()) {
            model.feed(new int[0], null, 1);
            model.feed(new int[0], new double[0], -1);
            model.feedCsr(new int[] {0}, new int[0], null, new double[0]);
            model.feedCsr(new int[] {0, 0, 0}, new int[0], new double[0], new double[] {1, -1});
            assertEquals(4, model.steps());
            assertEquals(0, model.predictCsr(new int[] {0}, new int[0], null).length);
            assertEquals(3, model.predictCsr(new int[4], new int[0], null).length);
            assertEquals(0, model.weights().indices().length);
        }
    }

    @Test
    void weightsAreThoseOfTheFeatures() {
        try (Model model = MATRIX.trained(new Options().set("l1", 0.01).set("average", "none"))) {
            Model.Weights weights = model.weights();
            assertTrue(weights.indices().length > 0 && weights.indices().length < 300);
            double[] all = new double[300];
            for (int i = 0; i < weights.indices().length; ++i) all[weights.indices()[i]] = weights.values()[i];
            for (int index = 0; index < all.length; ++index) assertTrue(all[index] == model.weight(index));
            Fixtures.assertSameBits(model.bias(), weights.bias());
        }
    }

    /** The same labels end in another pair, which label() speaks in: the comment on the class says so. */
    @Test
    void zeroAndOneAreFedAsMinusAndPlusOneAndFittedAsTheyAre() {
        try (Model fed = new Model(); Model fedRows = new Model(); Model fitted = new Model();
                Dataset data = Dataset.fromCsr(new int[] {0, 1, 2}, new int[] {1, 2}, null, new double[] {0, 1}, null)) {
            fed.feedCsr(new int[] {0, 1, 2}, new int[] {1, 2}, null, new double[] {0, 1});
            fedRows.feedDataset(data);
            fitted.fit(data);
            for (Model model : new Model[] {fed, fedRows, fitted}) {
                assertEquals(model == fitted ? 0 : -1, model.smallerLabel());
                assertEquals(1, model.largerLabel());
                assertEquals(model.smallerLabel(), model.label(model.predict(new int[] {1}, null)));
                assertEquals(1, model.label(model.predict(new int[] {2}, null)));
                assertEquals(0, model.evaluate(data, "error_rate"));
            }
        }
    }

    @Test
    void fitsAndEvaluates() {
        Matrix other = Matrix.random(500, 20, 300, 3);
        try (Model model = new Model(new Options().set("epochs", 5)); Dataset data = MATRIX.dataset(); Dataset test = other.dataset()) {
            model.fit(data);
            assertEquals(5 * 2000, model.steps());
            assertTrue(model.evaluate(test, "error_rate") < 0.15);
            assertTrue(model.evaluate(test, "auc") > 0.93);
            assertTrue(model.evaluate(test, "log_loss") < 0.4);
        }
    }

    @Test
    void aCopyGoesItsOwnWay() {
        try (Model model = MATRIX.trained(new Options()); Model copy = model.copy()) {
            byte[] before = copy.toBytes();
            model.feed(new int[] {1}, null, 1);
            assertArrayEquals(before, copy.toBytes());
            copy.feed(new int[] {1}, null, 1);
            assertArrayEquals(model.toBytes(), copy.toBytes());
        }
    }

    @Test
    void observesWhatCenteringNeeds() {
        try (Model model = new Model(new Options().set("center", true).set("scale", "rms"))) {
            Fixtures.assertFails(Status.STATE, "observe", () -> model.feed(new int[] {1}, null, 1));
            model.observe(new int[] {1, 2}, new double[] {1, 2}, 1);
            model.feed(new int[] {1}, null, 1);
            Fixtures.assertFails(Status.STATE, "", () -> model.observe(new int[] {1}, null, 1));
        }
    }
}
