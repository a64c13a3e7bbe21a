package org.sparselin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sparselin.Fixtures.Matrix;

class ProgressTest {
    private static final Matrix MATRIX = Matrix.random(500, 20, 300, 1);
    private static final Options OPTIONS = new Options().set("epochs", 4).set("sampling", "shuffle");

    private static final class Stop extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    @Test
    void hearsOfEveryPass() {
        List<Progress.Report> reports = new ArrayList<>();
        Thread caller = Thread.currentThread();
        try (Model model = new Model(OPTIONS); Dataset data = MATRIX.dataset()) {
            model.fit(data, report -> {
                assertSame(caller, Thread.currentThread());
                reports.add(report);
            });
            assertTrue(reports.size() >= 4);
            Progress.Report last = reports.get(reports.size() - 1);
            assertEquals(new Progress.Report(2000, 2000, 2000, model.meanLoss(), 4), last);
        }
    }

    @Test
    void anExceptionComesOutAndTheFitGoesOnLater() {
        Stop stop = new Stop();
        try (Model model = new Model(OPTIONS); Model straight = new Model(OPTIONS); Dataset data = MATRIX.dataset()) {
            Stop thrown = assertThrows(Stop.class, () -> model.fit(data, report -> {
                if (report.epoch() == 2) throw stop;
            }));
            assertSame(stop, thrown);
            assertTrue(model.steps() >= 1000 && model.steps() < 2000);
            model.fit(data);
            straight.fit(data);
            assertArrayEquals(straight.toBytes(), model.toBytes());
            assertThrows(OutOfMemoryError.class, () -> model.fit(data, report -> {
                throw new OutOfMemoryError("as a test");
            }));
        }
    }

    @Test
    void theModelCannotBeUsedMeanwhileButTheDataCan() {
        try (Model model = new Model(OPTIONS); Model other = new Model(); Dataset data = MATRIX.dataset()) {
            model.fit(data, report -> {
                assertThrows(IllegalStateException.class, model::steps);
                assertThrows(IllegalStateException.class, () -> model.feed(new int[] {1}, null, 1));
                assertThrows(IllegalStateException.class, () -> model.fit(data));
                assertThrows(IllegalStateException.class, model::close);
                assertThrows(IllegalStateException.class, data::close);
                assertEquals(500, data.rows());
                other.fit(data, inner -> assertEquals(500, data.rows()));
            });
            assertEquals(2000, model.steps());
        }
    }
}
