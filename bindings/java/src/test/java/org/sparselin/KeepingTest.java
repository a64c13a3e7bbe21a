package org.sparselin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparselin.Fixtures.Matrix;

class KeepingTest {
    private static final Matrix MATRIX = Matrix.random(300, 20, 300, 1);

    @TempDir
    Path folder;

    @Test
    void filesAndBytesGoOnToTheSameBits() throws IOException {
        Options options = new Options().set("l1", 1e-4).set("average", "polynomial");
        Path file = folder.resolve("mod\u00e8le \uD83D\uDE00.slm");
        try (Model model = MATRIX.trained(options)) {
            model.save(file);
            assertArrayEquals(Files.readAllBytes(file), model.toBytes());
            try (Model loaded = Model.load(file); Model fromBytes = Model.fromBytes(model.toBytes())) {
                for (Model m : List.of(model, loaded, fromBytes))
                    m.feedCsr(MATRIX.rowPointers(), MATRIX.indices(), MATRIX.values(), MATRIX.labels());
                assertArrayEquals(model.toBytes(), loaded.toBytes());
                assertArrayEquals(model.toBytes(), fromBytes.toBytes());
            }
        }
        try (var left = Files.list(folder)) {
            assertEquals(1, left.count());
        }
    }

    @Test
    void aPredictorPredicts() {
        Path file = folder.resolve("predictor.slm");
        try (Model model = MATRIX.trained(new Options())) {
            model.save(file, Model.Keep.PREDICTOR);
            assertTrue(model.toBytes(Model.Keep.PREDICTOR).length < model.toBytes().length);
            try (Model predictor = Model.load(file)) {
                Fixtures.assertSameBits(model.predictCsr(MATRIX.rowPointers(), MATRIX.indices(), MATRIX.values()),
                        predictor.predictCsr(MATRIX.rowPointers(), MATRIX.indices(), MATRIX.values()));
                Fixtures.assertFails(Status.STATE, "", () -> predictor.feed(new int[] {1}, null, 1));
            }
        }
    }

    @Test
    void filesOfTheFirstRelease() throws IOException {
        for (String name : List.of("model-1.0.slm", "model-1.0-later.slm", "model-1.0-predictor.slm")) {
            Path file = Fixtures.DATA.resolve(name);
            try (Model model = Model.load(file)) {
                boolean predictor = name.contains("predictor");
                assertArrayEquals(Files.readAllBytes(file), model.toBytes(predictor ? Model.Keep.PREDICTOR : Model.Keep.EVERYTHING));
            }
        }
        try (Model model = Model.load(Fixtures.DATA.resolve("model-1.0.slm"))) {
            List<String> scores = Files.readAllLines(Fixtures.DATA.resolve("model-1.0.scores"));
            for (int r = 0; r < scores.size(); ++r) {
                Map<Long, Double> row = releaseRow(r);
                // Half of the rows have indices beyond 2^31, which only text can say here.
                StringBuilder text = new StringBuilder("1");
                row.forEach((index, value) -> text.append(' ').append(index).append(':').append(value));
                try (Dataset data = Dataset.read(new ByteArrayInputStream(text.toString().getBytes()), new Options().set("index_base", "zero"))) {
                    Fixtures.assertSameBits(Double.parseDouble(scores.get(r)), model.predictDataset(data)[0]);
                }
            }
            assertTrue(model.dimension() > Integer.MAX_VALUE);
        }
    }

    /** Row r of the model's data, as tests/golden_model.h makes it. */
    private static Map<Long, Double> releaseRow(int r) {
        Map<Long, Double> row = new TreeMap<>();
        for (int k = 0; k < r % 5; ++k) {
            int draw = (int) (((r * 4L + k) * 2654435761L & 0xffffffffL) >> 8);
            row.merge(k * 1000000000L + draw % 23 * 1000003L, ((draw >> 5 & 1023) - 400) / 256.0, Double::sum);
        }
        return row;
    }

    @Test
    void isSerializable() throws IOException, ClassNotFoundException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (Model model = MATRIX.trained(new Options().set("average", "uniform"))) {
            try (ObjectOutputStream stream = new ObjectOutputStream(out)) {
                stream.writeObject(model);
            }
            try (ObjectInputStream stream = new ObjectInputStream(new ByteArrayInputStream(out.toByteArray()));
                    Model read = (Model) stream.readObject()) {
                assertArrayEquals(model.toBytes(), read.toBytes());
                read.feed(new int[] {1}, null, 1);
            }
            model.close();
            assertThrows(IllegalStateException.class, () -> new ObjectOutputStream(out).writeObject(model));
        }
        byte[] bytes = out.toByteArray();
        bytes[bytes.length / 2] ^= 1;
        try (ObjectInputStream stream = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            Fixtures.assertFails(Status.FORMAT, "", stream::readObject);
        }
    }

    @Test
    void whatCannotBeWrittenIsSaid() throws IOException {
        try (Model model = MATRIX.trained(new Options())) {
            Fixtures.assertFails(Status.IO, "", () -> model.save(folder.resolve("no/such/folder/model.slm")));
            Fixtures.assertFails(Status.FORMAT, "", () -> Model.load(Files.writeString(folder.resolve("text"), "not a model")));
            try (var archive = java.nio.file.FileSystems.newFileSystem(emptyArchive())) {
                assertThrows(UnsupportedOperationException.class, () -> model.save(archive.getPath("model.slm")));
            }
        }
    }

    private Path emptyArchive() throws IOException {
        Path archive = folder.resolve("archive.zip");
        try (var out = new java.util.zip.ZipOutputStream(Files.newOutputStream(archive))) {
            out.putNextEntry(new java.util.zip.ZipEntry("entry"));
        }
        return archive;
    }
}
