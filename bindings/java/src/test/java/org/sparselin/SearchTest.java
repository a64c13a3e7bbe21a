package org.sparselin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sparselin.Fixtures.assertFails;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.sparselin.Fixtures.Matrix;

/** The figures of a search are those of the program, and those of models fitted by hand. */
class SearchTest {
    private static final Matrix MATRIX = Matrix.random(300, 20, 300, 1);

    private static Dataset mail(String part) throws IOException {
        try (InputStream file = Files.newInputStream(Fixtures.DATA.resolve("../../examples/data/spam." + part + ".svm.gz"));
                InputStream text = new GZIPInputStream(file)) {
            return Dataset.read(text);
        }
    }

    /** The lines are what {@code sparselin tune spam.train.svm.gz --folds 3 --grid l1=0,1e-5,1e-4 --grid l2=1e-6,1e-3} prints. */
    @Test
    void figuresAreTheProgramsOnes() throws IOException {
        try (Dataset data = mail("train")) {
            Search.Result found = new Search().over("l1", 0, 1e-5, "1e-4").over("l2", 1e-6, 1e-3f).folds(3).threads(2).run(data);
            String[] lines = {
                "0.0602588 0.00258 13788.3 l1=0 l2=1e-06 best", "0.0618974 0.00226 13788.3 l1=0 l2=0.001",
                "0.0605301 0.00253 12491.7 l1=1e-05 l2=1e-06 sparsest", "0.0621961 0.00222 12575.3 l1=1e-05 l2=0.001",
                "0.0630352 0.00215 7840.67 l1=1e-04 l2=1e-06", "0.065005 0.00193 7901.67 l1=1e-04 l2=0.001"};
            assertEquals("log_loss", found.metric());
            assertFalse(found.largerIsBetter());
            assertEquals(4821, found.splits().length);
            assertEquals(lines.length, found.models().size());
            for (int i = 0; i < lines.length; ++i) {
                Search.Candidate model = found.models().get(i);
                String[] printed = lines[i].split(" ");
                assertEquals(Double.parseDouble(printed[0]), model.mean(), 1e-6 * model.mean());
                assertEquals(Double.parseDouble(printed[1]), model.standardError(), 5e-6);
                assertEquals(Double.parseDouble(printed[2]), model.nonzeros(), 0.05);
                assertEquals(printed[3] + " " + printed[4] + " sparse_average=true", model.settings());
                assertEquals(lines[i].endsWith("best"), model == found.best());
                assertEquals(lines[i].endsWith("sparsest"), model == found.sparsest());
            }
        }
    }

    @Test
    void modelsOfFoundOptionsAreThoseThatWereJudged() throws IOException {
        try (Dataset data = mail("train"); Dataset test = mail("test")) {
            Options common = new Options().set("loss", "hinge").set("l1", 1e-5);
            Search search = new Search(common).over("epochs", 1, 2).over("l1", 0, 1e-4).test(test).metric("auc");
            common.set("loss", "squared"); // which is another one by now
            Search.Result found = search.run(data);
            assertTrue(found.largerIsBetter());
            assertEquals(4, found.models().size());
            assertEquals(0, found.splits().length);
            for (Search.Candidate given : found.models())
                try (Model model = new Model(given.options())) {
                    model.fit(data);
                    double auc = model.evaluate(test, "auc");
                    assertEquals(auc, given.mean());
                    assertArrayEquals(new double[] {auc}, given.values());
                    assertEquals(model.weights().indices().length, given.nonzeros());
                    assertTrue(auc <= found.best().mean());
                }
        }
    }

    private static final class PassOver extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** As the comment of fit has it, and {@code sparselin train --validate} does it. */
    @Test
    void earlyStopping() throws IOException {
        try (Dataset data = mail("train"); Dataset validation = mail("test"); Model model = new Model(new Options().set("epochs", 50));
                Model straight = new Model(new Options().set("epochs", 4))) {
            Model best = null;
            long bestPass = 0;
            double bestLoss = 0;
            for (long pass = 1; pass <= 50 && pass - bestPass <= 3; ++pass) {
                long end = pass;
                try {
                    model.fit(data, report -> {
                        if (report.epoch() == end) throw new PassOver();
                    });
                } catch (PassOver over) {
                    assertEquals(4821 * end, model.steps());
                }
                double loss = model.evaluate(validation, "log_loss");
                if (best == null || loss < bestLoss) {
                    best = model.copy();
                    bestPass = pass;
                    bestLoss = loss;
                }
            }
            assertEquals(4, bestPass);
            assertEquals(0.0345658, bestLoss, 5e-8);
            straight.fit(data);
            Fixtures.assertSameBits(straight.weights(), best.weights());
            best.close();
        }
    }

    @Test
    void oneModelInFiveFolds() {
        try (Dataset data = MATRIX.dataset()) {
            Search.Result found = new Search().run(data);
            assertEquals(1, found.models().size());
            assertSame(found.best(), found.sparsest());
            assertEquals("", found.best().settings());
            assertEquals(5, found.best().values().length);
            assertEquals(Arrays.stream(found.best().values()).average().getAsDouble(), found.best().mean(), 1e-12);
            assertEquals(60, Arrays.stream(found.splits()).filter(fold -> fold == 4).count());
            found = new Search().folds(3).holdout(0.25).run(data);
            assertEquals(75, Arrays.stream(found.splits()).filter(fold -> fold == 0).count());
            assertEquals(1, found.best().values().length);
        }
    }

    @Test
    void progressIsToldAndMayStop() {
        try (Dataset data = MATRIX.dataset()) {
            Search search = new Search().over("l2", 0, 1e-3).folds(3);
            List<Progress.Report> reports = new ArrayList<>();
            search.run(data, reports::add);
            Progress.Report last = reports.get(reports.size() - 1);
            assertEquals(6, last.epoch());
            assertEquals(last.rowsTotal(), last.rows());
            assertThrows(ArithmeticException.class, () -> search.run(data, report -> {
                throw new ArithmeticException();
            }));
            Thread.currentThread().interrupt();
            assertFails(Status.CANCELLED, "", () -> search.run(data));
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    void refusals() {
        try (Dataset data = MATRIX.dataset(); Dataset closed = MATRIX.dataset()) {
            closed.close();
            assertThrows(IllegalArgumentException.class, () -> new Search().over("l1"));
            assertFails(Status.INVALID_OPTION, "hinge,log", () -> new Search().over("loss", "hinge,log"));
            assertFails(Status.INVALID_OPTION, "l1=0 l2", () -> new Search().over("l1=0 l2", 1));
            assertFails(Status.INVALID_OPTION, "leaf", () -> new Search().over("leaf", 1).run(data));
            assertFails(Status.INVALID_OPTION, "l1", () -> new Search().over("l1", -1).run(data));
            assertFails(Status.INVALID_ARGUMENT, "folds", () -> new Search().folds(1).run(data));
            assertFails(Status.INVALID_ARGUMENT, "-1 folds", () -> new Search().folds(-1).run(data));
            assertFails(Status.INVALID_ARGUMENT, "-1 threads", () -> new Search().threads(-1).run(data));
            assertFails(Status.INVALID_ARGUMENT, "accuracy", () -> new Search().metric("accuracy").run(data));
            assertFails(Status.STATE, "auc", () -> new Search(new Options().set("loss", "squared")).metric("auc").run(data));
            assertThrows(IllegalStateException.class, () -> new Search().run(closed));
            assertThrows(IllegalStateException.class, () -> new Search().test(closed).run(data));
        }
    }

    @Test
    void scoresFromAnywhere() {
        try (Dataset data = MATRIX.dataset(); Model model = new Model()) {
            model.fit(data);
            double[] scores = model.predictDataset(data);
            for (String metric : List.of("error_rate", "auc", "log_loss", "mcc"))
                assertEquals(model.evaluate(data, metric), Scores.evaluate(metric, scores, MATRIX.labels(), MATRIX.weights()));
        }
        assertEquals(0.25, Scores.evaluate("error_rate", new double[] {1, 2, 3, 3, 2, 1}, new double[] {2, 1}, new double[] {3, 1}));
        assertFails(Status.INVALID_ARGUMENT, "5 scores", () -> Scores.evaluate("auc", new double[5], new double[2]));
        assertFails(Status.INVALID_ARGUMENT, "weights", () -> Scores.evaluate("auc", new double[2], new double[2], new double[1]));
        assertFails(Status.INVALID_DATA, "", () -> Scores.evaluate("auc", new double[0], new double[0]));
        assertThrows(NullPointerException.class, () -> Scores.evaluate("auc", null, new double[0]));
        double[] p = {0.25, 0.5, 0.5, 1}, labels = {0, 1, 0, 1};
        assertArrayEquals(new Scores.Bin[] {new Scores.Bin(0.375, 0.25, Math.sqrt(0.4375) / 2), new Scores.Bin(0.75, 0.75, Math.sqrt(0.25) / 2)},
                Scores.calibration(p, labels, null, 2));
        assertFails(Status.INVALID_ARGUMENT, "weights", () -> Scores.calibration(p, labels, new double[1], 2));
        assertFails(Status.INVALID_DATA, "row 0: the probability is 2", () -> Scores.calibration(new double[] {2}, new double[1], null, 2));
        for (int bins : new int[] {-3, 0, (1 << 20) + 1, Integer.MAX_VALUE}) {
            String said = assertThrows(IllegalArgumentException.class, () -> Scores.calibration(p, labels, null, bins)).getMessage();
            assertEquals("bins is " + bins + ", but must be from 1 to 1048576", said);
        }
    }
}
