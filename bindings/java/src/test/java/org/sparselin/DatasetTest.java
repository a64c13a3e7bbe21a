package org.sparselin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparselin.Fixtures.Matrix;

class DatasetTest {
    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void assertSameRows(Dataset expected, Dataset actual) {
        assertEquals(expected.rows(), actual.rows());
        assertEquals(expected.nonzeros(), actual.nonzeros());
        assertEquals(expected.dimension(), actual.dimension());
        for (long r = 0; r < expected.rows(); ++r) {
            Dataset.Row row = expected.row(r);
            assertArrayEquals(row.indices(), actual.row(r).indices());
            assertArrayEquals(row.values(), actual.row(r).values());
            assertEquals(row.label(), actual.row(r).label());
            assertEquals(row.weight(), actual.row(r).weight());
        }
    }

    @Test
    void rowsAndColumnsAreTheSame() {
        int[] rowPointers = {0, 2, 2, 5};
        int[] indices = {3, 1, 0, 3, 4};
        double[] values = {10, 20, 30, 40, 50};
        double[] labels = {1, -1, 1};
        double[] weights = {1, 2, 0.5};
        int[] columnPointers = {0, 1, 2, 2, 4, 5};
        int[] rows = {2, 0, 0, 2, 2};
        double[] byColumn = {30, 20, 10, 40, 50};
        try (Dataset fromRows = Dataset.fromCsr(rowPointers, indices, values, labels, weights);
                Dataset fromColumns = Dataset.fromCsc(columnPointers, rows, byColumn, labels, weights)) {
            assertSameRows(fromRows, fromColumns);
            assertEquals(3, fromRows.rows());
            assertEquals(5, fromRows.nonzeros());
            assertEquals(5, fromRows.dimension());
            assertArrayEquals(new int[] {1, 3}, fromRows.row(0).indices());
            assertArrayEquals(new double[] {20, 10}, fromRows.row(0).values());
            assertEquals(0.5, fromRows.row(2).weight());
            assertEquals(0, fromRows.row(1).indices().length);
        }
    }

    @Test
    void readsStreamsOfAnySize(@TempDir Path folder) throws IOException {
        Matrix matrix = Matrix.random(3000, 20, 300, 1);
        StringBuilder text = new StringBuilder();
        for (int r = 0; r < matrix.rows(); ++r) {
            text.append(matrix.labels()[r]);
            for (int k = matrix.rowPointers()[r]; k < matrix.rowPointers()[r + 1]; ++k)
                text.append(' ').append(matrix.indices()[k] + 1).append(':').append(matrix.values()[k]);
            text.append('\n');
        }
        Path file = Files.writeString(folder.resolve("text.svm"), text);
        // A stream that gives some bytes at a time, as those of networks do.
        InputStream slow = new java.io.FilterInputStream(stream(text.toString())) {
            private final Random random = new Random(1);

            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                return super.read(buffer, offset, Math.min(length, 1 + random.nextInt(3000)));
            }
        };
        try (Dataset direct = Dataset.fromCsr(matrix.rowPointers(), matrix.indices(), matrix.values(), matrix.labels(), null);
                Dataset loaded = Dataset.load(file);
                Dataset read = Dataset.read(slow)) {
            assertSameRows(direct, loaded);
            assertSameRows(direct, read);
        }
    }

    /** While arrays are held in place most collectors do nothing when they are asked to. */
    @Test
    void longCallsDoNotHoldUpTheCollector() throws InterruptedException {
        int rows = 40;
        int width = 200_000;
        int[] rowPointers = new int[rows + 1];
        int[] indices = new int[rows * width];
        double[] values = new double[rows * width];
        for (int r = 0; r < rows; ++r) rowPointers[r + 1] = rowPointers[r] + width;
        for (int k = 0; k < indices.length; ++k) {
            indices[k] = k % width;
            values[k] = k;
        }
        Thread maker = new Thread(() -> Dataset.fromCsr(rowPointers, indices, values, new double[rows], null).close());
        maker.start();
        int asked = 0;
        int done = 0;
        while (maker.isAlive()) {
            WeakReference<Object> garbage = new WeakReference<>(new Object());
            System.gc();
            ++asked;
            if (garbage.get() == null) ++done;
        }
        assertTrue(asked > 0);
        assertEquals(asked, done);
    }

    @Test
    void savesRows(@TempDir Path folder) {
        Path file = folder.resolve("rows.bin");
        try (Dataset data = Matrix.random(100, 20, 300, 1).dataset()) {
            data.save(file);
            try (Dataset again = Dataset.load(file)) {
                assertSameRows(data, again);
            }
        }
    }

    @Test
    void indexBaseIsAnOption() throws IOException {
        Options zero = new Options().set("index_base", "zero");
        try (Dataset fromOne = Dataset.read(stream("1 3:1")); Dataset fromZero = Dataset.read(stream("1 3:1"), zero)) {
            assertEquals(2, fromOne.row(0).indices()[0]);
            assertEquals(3, fromZero.row(0).indices()[0]);
        }
        assertEquals(0, Dataset.read(stream("")).rows());
    }

    @Test
    void errorsOfTextAndStreams() {
        Fixtures.assertFails(Status.FORMAT, "line 2", () -> Dataset.read(stream("1 1:1\n1 1:x\n")));
        Fixtures.assertFails(Status.FORMAT, "", () -> Dataset.read(stream("1 0:1\n")));
        Fixtures.assertFails(Status.IO, "", () -> Dataset.load(Path.of("/no/such/file")));
        IOException broken = new IOException("broken");
        SparselinException e = Fixtures.assertFails(Status.IO, "broken", () -> Dataset.read(new InputStream() {
            private int given;

            @Override
            public int read() throws IOException {
                if (given < 200_000) return "1 1:1\n".charAt(given++ % 6);
                throw broken;
            }

            // Unlike its parent's this one does not keep the exception for later.
            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                for (int i = 0; i < length; ++i) buffer[offset + i] = (byte) read();
                return length;
            }
        }));
        assertSame(broken, e.getCause());
        IllegalArgumentException own = new IllegalArgumentException();
        assertSame(own, assertThrows(IllegalArgumentException.class, () -> Dataset.read(new InputStream() {
            @Override
            public int read() {
                throw own;
            }

            @Override
            public int read(byte[] buffer, int offset, int length) {
                throw own;
            }
        })));
        Fixtures.assertFails(Status.IO, "", () -> Dataset.read(new InputStream() {
            @Override
            public int read() {
                return -1;
            }

            @Override
            public int read(byte[] buffer, int offset, int length) {
                return length + 1;
            }
        }));
    }

    @Test
    void aBuilderMakesWhatAMatrixMakes() {
        Matrix matrix = Matrix.random(200, 300, 300, 3);
        try (Dataset.Builder builder = new Dataset.Builder(); Dataset expected = matrix.dataset()) {
            for (int round = 0; round < 2; ++round) {
                for (int r = 0; r < matrix.rows(); ++r) {
                    int bad = r;
                    SparselinException e = Fixtures.assertFails(Status.INVALID_DATA, "row " + r + ": ",
                            () -> builder.add(new int[] {1}, new double[] {Double.NaN}, bad));
                    assertEquals(r, e.row());
                    builder.add(matrix.indices(), matrix.values(), matrix.rowPointers()[r], matrix.rowPointers()[r + 1], matrix.labels()[r],
                            matrix.weights()[r]);
                }
                try (Dataset built = builder.build()) {
                    assertSameRows(expected, built);
                }
            }
            builder.add(new int[] {7, 3}, null, -1);
            try (Dataset built = builder.build()) {
                assertEquals(1, built.rows());
                assertArrayEquals(new int[] {3, 7}, built.row(0).indices());
                assertArrayEquals(new double[] {1, 1}, built.row(0).values());
            }
            Fixtures.assertFails(Status.INVALID_DATA, "an index is -7", () -> builder.add(new int[] {1, -7}, null, 1));
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "values has 3", () -> builder.add(new int[2], new double[3], 1));
            assertThrows(IndexOutOfBoundsException.class, () -> builder.add(new int[2], null, 1, 3, 1, 1));
        }
        Dataset.Builder closed = new Dataset.Builder(10, 20);
        closed.close();
        closed.close();
        assertThrows(IllegalStateException.class, () -> closed.add(new int[1], null, 1));
        assertThrows(IllegalArgumentException.class, () -> new Dataset.Builder(-1, 0));
    }

    /** In whatever chunks, a stream is learned as a whole. */
    @Test
    void aReaderReadsAllRowsInTurn() {
        StringBuilder text = new StringBuilder();
        for (int r = 0; r < 1000; ++r) text.append(r % 3 == 0 ? "1 " : "-1 ").append(r % 7 + 1).append(":0.5 ").append(r % 50 + 8).append(":2\n");
        try (Dataset whole = Dataset.read(stream(text.toString())); Model all = new Model(new Options().set("scale", "none"))) {
            all.feedDataset(whole);
            for (int rows : new int[] {1, 300, 100_000}) {
                try (Model some = new Model(new Options().set("scale", "none")); DatasetReader reader = new DatasetReader(stream(text.toString()))) {
                    int chunks = 0;
                    for (Dataset next; (next = reader.next(rows)) != null; next.close(), ++chunks) some.feedDataset(next);
                    assertEquals(rows == 1 ? 1000 : rows == 300 ? 4 : 1, chunks);
                    assertArrayEquals(all.toBytes(), some.toBytes());
                    assertSame(null, reader.next(1));
                }
            }
        }
    }

    @Test
    void aReaderTellsWhatIsWrong() {
        try (DatasetReader reader = new DatasetReader(stream("1 1:1\n1 1:1\n1 x\n"))) {
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "rows is 0", () -> reader.next(0));
            Fixtures.assertFails(Status.FORMAT, "line 3", () -> reader.next(10));
            Fixtures.assertFails(Status.FORMAT, "line 3", () -> reader.next(10));
            reader.close();
            assertThrows(IllegalStateException.class, () -> reader.next(1));
        }
        IOException own = new IOException("unplugged");
        try (DatasetReader reader = new DatasetReader(new InputStream() {
            @Override
            public int read() throws IOException {
                throw own;
            }
        })) {
            assertSame(own, Fixtures.assertFails(Status.IO, "unplugged", () -> reader.next(10)).getCause());
        }
        try (DatasetReader zero = new DatasetReader(stream("1 0:1"), new Options().set("index_base", "zero")); Dataset rows = zero.next(1)) {
            assertArrayEquals(new int[] {0}, rows.row(0).indices());
        }
    }

    @Test
    void rowsAreSharedByDataSetsOfOtherLabels() {
        Matrix matrix = Matrix.random(100, 20, 300, 8);
        double[] labels = new double[100];
        double[] ones = new double[100];
        java.util.Arrays.fill(ones, 1);
        for (int r = 0; r < 100; ++r) labels[r] = r;
        Dataset data = matrix.dataset();
        try (Dataset other = data.withLabels(labels, null); Dataset plain = other.withLabels(null, ones)) {
            Dataset.Row before = data.row(7);
            data.close();
            assertArrayEquals(before.indices(), other.row(7).indices());
            assertArrayEquals(before.values(), plain.row(7).values());
            assertEquals(7, other.row(7).label());
            assertEquals(before.weight(), other.row(7).weight());
            assertEquals(7, plain.row(7).label());
            assertEquals(1, plain.row(7).weight());
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "labels has 99", () -> plain.withLabels(new double[99], null));
            labels[50] = Double.NaN;
            assertEquals(50, Fixtures.assertFails(Status.INVALID_DATA, "row 50: ", () -> plain.withLabels(labels, null)).row());
            assertThrows(IllegalStateException.class, () -> data.withLabels(labels, null));
        }
    }
}
