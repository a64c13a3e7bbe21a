package org.sparselin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Models of parts that become one, and models that begin at another. */
class MergeTest {
    private static final Options OPTIONS = new Options().set("average", "none").set("scale", "none");

    private static Model part(long seed, int rows) {
        return Fixtures.Matrix.random(rows, 5, 40, seed).trained(OPTIONS);
    }

    private static double sum(double[] weights) {
        return Arrays.stream(weights).sum();
    }

    @Test
    void weightsAreTheMeanByShares() {
        int[] rows = {30, 100, 7};
        List<Model> parts = new ArrayList<>();
        double[] shares = new double[rows.length];
        double total = 0;
        for (int p = 0; p < rows.length; ++p) {
            parts.add(part(p, rows[p]));
            shares[p] = sum(Fixtures.Matrix.random(rows[p], 5, 40, p).weights());
            total += shares[p];
        }
        byte[] before = parts.get(1).toBytes();
        try (Model merged = Model.merge(parts)) {
            assertEquals(137, merged.steps());
            for (int i = 0; i < 40; ++i) {
                double mean = 0;
                for (int p = 0; p < rows.length; ++p) mean += shares[p] / total * parts.get(p).weight(i);
                assertEquals(mean, merged.weight(i), 1e-12);
            }
            Fixtures.Matrix more = Fixtures.Matrix.random(20, 5, 40, 9);
            merged.feedCsr(more.rowPointers(), more.indices(), more.values(), more.labels(), more.weights());
            assertEquals(157, merged.steps());
        }
        assertArrayEquals(before, parts.get(1).toBytes());
        try (Model same = Model.merge(parts.subList(1, 2))) {
            assertArrayEquals(before, same.toBytes());
        }
        try (Model twice = Model.merge(List.of(parts.get(1), parts.get(1)))) {
            assertEquals(200, twice.steps());
            assertEquals(parts.get(1).weight(3), twice.weight(3), 1e-15);
        }
    }

    @Test
    void whatCannotBeMergedIsNamed() {
        Model trained = part(1, 20), other = new Model();
        assertEquals(Status.INVALID_ARGUMENT, assertThrows(SparselinException.class, () -> Model.merge(List.of())).status());
        SparselinException e = assertThrows(SparselinException.class, () -> Model.merge(List.of(trained, trained, other)));
        assertEquals(Status.INVALID_ARGUMENT, e.status());
        assertTrue(e.getMessage().contains("2") && e.getMessage().contains("average"), e::getMessage);
        e = assertThrows(SparselinException.class, () -> Model.merge(List.of(new Model(OPTIONS), trained)));
        assertEquals(Status.STATE, e.status());
        assertThrows(NullPointerException.class, () -> Model.merge(Arrays.asList(trained, null)));
        Model closed = trained.copy();
        closed.close();
        assertThrows(IllegalStateException.class, () -> Model.merge(List.of(trained, closed)));
        trained.feed(new int[] {1}, null, 1); // whose readers have ended
    }

    @Test
    void aRoundCountsItsBeginningOnce() {
        Options scaled = new Options().set("average", "none");
        Fixtures.Matrix rows = Fixtures.Matrix.random(60, 5, 40, 3), more = Fixtures.Matrix.random(60, 5, 40, 4);
        Model begin = new Model(scaled);
        for (int i = 0; i < 40; ++i) begin.observe(new int[] {i}, new double[] {1}, 1);
        begin.feedCsr(rows.rowPointers(), rows.indices(), rows.values(), rows.labels(), rows.weights());
        Model one = begin.copy(), other = begin.copy();
        one.feedCsr(rows.rowPointers(), rows.indices(), rows.values(), rows.labels(), rows.weights());
        other.feedCsr(more.rowPointers(), more.indices(), more.values(), more.labels(), more.weights());
        double share = sum(rows.weights()) / (sum(rows.weights()) + sum(more.weights()));
        Model mean = Model.mergeRound(begin, List.of(one, other), 1), farther = Model.mergeRound(begin, List.of(one, other), 1000);
        assertEquals(180, mean.steps());
        double distance = 0, farthest = 0;
        for (int i = 0; i < 40; ++i) {
            assertEquals(share * one.weight(i) + (1 - share) * other.weight(i), mean.weight(i), 1e-12);
            distance += Math.abs(mean.weight(i) - begin.weight(i));
            farthest += Math.abs(farther.weight(i) - begin.weight(i));
        }
        assertTrue(farthest > 1.5 * distance);
        SparselinException e = assertThrows(SparselinException.class, () -> Model.mergeRound(begin, List.of(one, begin), 2));
        assertEquals(Status.INVALID_ARGUMENT, e.status());
        assertTrue(e.getMessage().contains("that has learned something since"), e::getMessage);
        assertThrows(NullPointerException.class, () -> Model.mergeRound(null, List.of(one), 1));
        begin.feed(new int[] {1}, null, 1); // whose readers have ended
    }

    @Test
    void startsWhereAnotherModelIs() {
        Model source = part(1, 50);
        for (LinearModel from : List.of(source, source.predictor())) {
            Model model = new Model(new Options().set("loss", "hinge"));
            model.start(from);
            assertEquals(0, model.steps());
            assertArrayEquals(source.labels(), model.labels());
            for (int i = 0; i < 40; ++i) assertEquals(source.weight(i), model.weight(i));
            assertEquals(source.bias(), model.bias());
            model.feed(new int[] {1}, null, 1);
            assertThrows(SparselinException.class, () -> model.start(from));
        }
        assertThrows(SparselinException.class, () -> new Model().start(new Model()));
        assertEquals(Status.STATE, assertThrows(SparselinException.class, () -> source.start(source)).status());
        assertThrows(NullPointerException.class, () -> new Model().start(null));
    }
}
