package org.sparselin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class EncoderTest {
    private static Options hashed() {
        return new Options().set("hash_bits", "20");
    }

    private static String plain(String field) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] from = field.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < from.length; ++i) {
            if (from[i] != '\\') bytes.write(from[i]);
            else if (from[++i] == '\\') bytes.write('\\');
            else {
                bytes.write(Integer.parseInt(field.substring(i + 1, i + 3), 16));
                i += 2;
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** Replays the cases of a file and returns how many of them are a text, and how many are records. */
    private static int[] replay(String file) throws IOException {
        int[] cases = new int[2];
        Options options = new Options();
        List<String[]> fields = new ArrayList<>();
        for (String line : Files.readAllLines(Fixtures.DATA.resolve(file))) {
            String[] words = line.split("\t", -1);
            switch (words[0]) {
                case "option" -> options.set(words[1], words[2]);
                case "text", "number", "category" -> fields.add(new String[] {words[0], plain(words[1]), plain(words[2])});
                case "row" -> {
                    boolean isText = fields.size() == 1 && fields.get(0)[0].equals("text");
                    try (Encoder encoder = new Encoder(options)) {
                        checkCase(encoder, fields, isText, words);
                    }
                    ++cases[isText ? 0 : 1];
                    options = new Options();
                    fields.clear();
                }
                default -> assertTrue(line.isEmpty() || line.startsWith("#"), line);
            }
        }
        return cases;
    }

    private static void checkCase(Encoder encoder, List<String[]> fields, boolean isText, String[] expected) {
        Map<String, Object> record = new LinkedHashMap<>();
        encoder.clear();
        for (String[] field : fields) {
            String name = field[1];
            Object value = switch (field[0]) {
                case "text" -> {
                    encoder.text(name, field[2]);
                    yield new Encoder.Words(field[2]);
                }
                case "number" -> {
                    encoder.number(name, Double.parseDouble(field[2]));
                    yield Double.valueOf(field[2]);
                }
                default -> {
                    encoder.category(name, field[2]);
                    yield field[2];
                }
            };
            assertNull(record.put(name, value), "a field twice");
        }
        Encoder.Row row = encoder.row();
        int count = expected.length - 1 - (expected.length > 1 && expected[1].isEmpty() ? 1 : 0);
        assertEquals(count, row.indices().length, String.join(" ", expected));
        for (int i = 0; i < count; ++i) {
            String[] pair = expected[i + 1].split(":");
            assertEquals(Integer.parseInt(pair[0]), row.indices()[i], pair[0]);
            assertEquals(Double.parseDouble(pair[1]), row.values()[i], pair[0]);
        }
        Encoder.Row mapped = encoder.row(record);
        assertArrayEquals(row.indices(), mapped.indices());
        Fixtures.assertSameBits(row.values(), mapped.values());
        try (Dataset data = isText ? encoder.texts("", List.of("a text", fields.get(0)[2]), null)
                : encoder.records(List.of(Map.of(), record), null)) {
            assertArrayEquals(row.indices(), data.row(1).indices());
            Fixtures.assertSameBits(row.values(), data.row(1).values());
        }
    }

    @Test
    void rowsAreThoseOfScikitLearnAndSpark() throws IOException {
        assertArrayEquals(new int[] {120, 80}, replay("hashing.txt"));
        assertArrayEquals(new int[] {0, 50}, replay("hashing-spark.txt"));
    }

    @Test
    void namesOptionsAndNotes() {
        try (Encoder encoder = new Encoder(new Options().set("features", "dictionary").set("min_count", 2))) {
            encoder.clear().number("größe", 1.5).category("ort", "Köln").category("ort", "Bonn").text("", "zwei wörter");
            assertEquals(5, encoder.row().indices().length);
            List<String> names = new ArrayList<>();
            for (int i = 0; i < 5; ++i) names.add(encoder.name(i));
            assertEquals(List.of("größe", "ort=Köln", "ort=Bonn", "zwei", "wörter"), names);
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "", () -> encoder.name(5));
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "", () -> encoder.name(-1));
            assertEquals("2", encoder.option("min_count"));
            Fixtures.assertFails(Status.INVALID_OPTION, "", () -> encoder.option("min"));
            assertEquals("", encoder.note());
            encoder.setNote("a note: 注");
            encoder.clear().category("ort", "Köln").row();
            try (Encoder copy = Encoder.fromBytes(encoder.toBytes())) {
                copy.freeze();
                assertEquals("a note: 注", copy.note());
                assertEquals("ort=Köln", copy.name(1));
                Fixtures.assertFails(Status.INVALID_ARGUMENT, "", () -> copy.name(2));
            }
            Fixtures.assertFails(Status.INVALID_DATA, "age", () -> encoder.number("age", Double.POSITIVE_INFINITY));
        }
        try (Encoder encoder = new Encoder(new Options().set("keep_names", true)); Encoder bare = new Encoder(hashed())) {
            for (String value : List.of("a", "b", "c", "d", "e", "f")) {
                try (Dataset data = encoder.records(List.of(Map.of("x", value)), null)) {
                    assertEquals("x=" + value, encoder.name(data.row(0).indices()[0])); // beyond 2^31 too
                }
            }
            Fixtures.assertFails(Status.STATE, "", () -> bare.name(0));
        }
    }

    @Test
    void threadsChangeNoRow() {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 5000; ++i) texts.add("text number " + i + " of some words " + i % 7);
        try (Encoder encoder = new Encoder(hashed()); Dataset one = encoder.texts("t", texts, null)) {
            encoder.setThreads(2);
            try (Dataset two = encoder.texts("t", texts, null)) {
                assertEquals(one.nonzeros(), two.nonzeros());
                for (int i = 0; i < texts.size(); i += 7) assertArrayEquals(one.row(i).indices(), two.row(i).indices());
            }
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "1025", () -> encoder.setThreads(1025));
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "-1", () -> encoder.setThreads(-1));
        }
    }

    @Test
    void recordsBecomeADataSetOrNothingIsLearned() {
        try (Encoder encoder = new Encoder(new Options().set("features", "dictionary"))) {
            Map<String, Object> good = Map.of("a", 1), nameless = new LinkedHashMap<>();
            nameless.put(null, 1);
            for (Map<String, ?> bad : List.<Map<String, ?>>of(Map.of("b", Float.NaN), Map.of("b", List.of()), Map.of("b", "\0"), Map.of("\0", 1)))
                assertTrue(assertThrows(IllegalArgumentException.class, () -> encoder.records(List.of(good, bad), null)).getMessage()
                        .startsWith("record 1: "));
            assertThrows(NullPointerException.class, () -> encoder.records(List.of(good, nameless), null));
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "labels has 2", () -> encoder.records(List.of(good), new double[2]));
            Fixtures.assertFails(Status.INVALID_DATA, "row 1", () -> encoder.records(List.of(good, good), new double[] {1, Double.NaN}));
            assertEquals(0, encoder.dimension());
            try (Dataset data = encoder.records(List.of(good, Map.of(), Map.of("a", 2, "c", "x")), new double[] {3, 4, 5})) {
                assertEquals(3, data.rows());
                assertEquals(0, data.row(1).indices().length);
                assertArrayEquals(new double[] {2, 1}, data.row(2).values());
                assertEquals(5, data.row(2).label());
            }
            try (Dataset none = encoder.records(List.of(), null)) {
                assertEquals(0, none.rows());
            }
        }
    }

    private static Map<String, Object> person(int i) {
        return Map.of("age", 20 + i % 50, "city", "city " + i % 40, "body", new Encoder.Words("word" + i % 11 + " word" + i % 3));
    }

    @Test
    void modelsAndPredictorsTakeRecords() throws Exception {
        List<Map<String, Object>> people = IntStream.range(0, 600).mapToObj(EncoderTest::person).toList();
        for (int classes : new int[] {2, 3})
            for (Options options : List.of(new Options(), new Options().set("features", "dictionary"))) {
                double[] labels = IntStream.range(0, 600).mapToDouble(i -> i % 40 % classes).toArray();
                try (Encoder encoder = new Encoder(options);
                        Model model = new Model(new Options().set("classes", classes == 2 ? "2" : "auto"))) {
                    Fixtures.assertFails(Status.STATE, "", () -> model.predictRecord(people.get(0)));
                    try (Dataset data = encoder.records(people, labels)) {
                        model.fit(data);
                        model.setEncoder(encoder);
                        double[] expected = model.scoresDataset(data);
                        Predictor predictor = Predictor.fromBytes(model.predictor().toBytes());
                        ExecutorService threads = Executors.newFixedThreadPool(4);
                        List<Future<?>> done = new ArrayList<>();
                        for (LinearModel one : List.of(model, predictor, model, predictor))
                            done.add(threads.submit(() -> {
                                for (int i = 0; i < 600; ++i) {
                                    double[] scores = one.scoresRecord(people.get(i));
                                    int width = scores.length;
                                    Fixtures.assertSameBits(Arrays.copyOfRange(expected, i * width, (i + 1) * width), scores);
                                    if (classes == 2) Fixtures.assertSameBits(scores[0], one.predictRecord(people.get(i)));
                                }
                            }));
                        threads.shutdown();
                        for (Future<?> one : done) one.get();
                        if (classes == 3) Fixtures.assertFails(Status.STATE, "", () -> model.predictRecord(people.get(0)));
                        assertEquals(classes == 2 ? 1 : 3, model.scoresRecord(Map.of("never", "seen")).length);
                        try (Encoder carried = predictor.encoder()) {
                            assertArrayEquals(encoder.toBytes(), carried.toBytes());
                        }
                        // Another encoder is used from then on, and none after it was taken out.
                        try (Encoder other = new Encoder(hashed().set("hash_bits", 3))) {
                            double before = model.scoresRecord(people.get(1))[0];
                            model.setEncoder(other);
                            assertNotEquals(before, model.scoresRecord(people.get(1))[0]);
                        }
                        model.setEncoder(null);
                        Fixtures.assertFails(Status.STATE, "", () -> model.scoresRecord(people.get(0)));
                        assertThrows(IllegalArgumentException.class, () -> predictor.scoresRecord(Map.of("x", new Object())));
                        model.close();
                        assertThrows(IllegalStateException.class, () -> model.scoresRecord(people.get(0)));
                    }
                }
            }
    }

    @Test
    void memoryIsThatOfTheNames() {
        try (Encoder encoder = new Encoder(new Options().set("features", "dictionary"))) {
            long before = encoder.memory();
            for (int i = 0; i < 10_000; ++i) encoder.row(Map.of("x", "a value of some length " + i));
            assertTrue(encoder.memory() > before + 10_000 * 25, encoder.memory() + " bytes");
        }
    }

    @Test
    void fieldsBecomeFeaturesAndModelsCarryTheirEncoder(@TempDir Path folder) {
        Path file = folder.resolve("encoder");
        try (Encoder encoder = new Encoder(new Options().set("features", "dictionary")); Model model = new Model()) {
            encoder.cross("city", "vip");
            Map<String, Object> record = Map.of("age", 34, "city", "Delft", "vip", true, "body", new Encoder.Words("two words two"));
            Encoder.Row row = encoder.row(record);
            assertEquals(6, row.indices().length);
            assertEquals(6, encoder.dimension());
            double sum = 0;
            for (double value : row.values()) sum += value;
            assertEquals(34 + 1 + 1 + 1 + 3, sum);
            encoder.freeze();
            assertEquals(0, encoder.row(Map.of("city", "Ghent")).indices().length);
            encoder.save(file);
            Fixtures.assertFails(Status.STATE, "", model::encoder);
            model.setEncoder(encoder);
            try (Encoder loaded = Encoder.load(file); Encoder parsed = Encoder.fromBytes(encoder.toBytes()); Encoder carried = model.encoder()) {
                for (Encoder one : List.of(loaded, parsed, carried)) {
                    assertArrayEquals(row.indices(), one.row(record).indices());
                    Fixtures.assertSameBits(row.values(), one.row(record).values());
                }
            }
            model.setEncoder(null);
            Fixtures.assertFails(Status.STATE, "", model::encoder);
        }
    }

    @Test
    void whatDoesNotFitIsRefused() {
        try (Encoder encoder = new Encoder(hashed()); Encoder wide = new Encoder(new Options())) {
            assertThrows(IllegalArgumentException.class, () -> encoder.row(Map.of("x", new Object())));
            assertThrows(IllegalArgumentException.class, () -> encoder.row(Map.of("x", Double.NaN)));
            Fixtures.assertFails(Status.INVALID_ARGUMENT, "labels has 2", () -> encoder.texts("", List.of("a text"), new double[2]));
            Fixtures.assertFails(Status.INVALID_DATA, "set hash_bits to 31 or less", () -> {
                for (int i = 0; i < 64; ++i) wide.row(Map.of("x", "value " + i));
            });
            assertEquals(1L << 32, wide.dimension());
        }
        Fixtures.assertFails(Status.FORMAT, "", () -> Encoder.fromBytes(new byte[10]));
        Encoder closed = new Encoder(hashed());
        closed.close();
        closed.close();
        for (Executable call : List.<Executable>of(closed::freeze, closed::dimension, closed::toBytes, () -> closed.row(Map.of()),
                () -> closed.cross("a", "b"), () -> closed.texts("", List.of(), null), () -> closed.save(Path.of("never")),
                closed::clear, closed::row, closed::note, closed::memory, () -> closed.name(0), () -> closed.option("tokens"),
                () -> closed.number("a", 1), () -> closed.category("a", "b"), () -> closed.text("a", "b"), () -> closed.setNote(""),
                () -> closed.setThreads(1), () -> closed.records(List.of(), null)))
            assertEquals("the encoder is closed", assertThrows(IllegalStateException.class, call).getMessage());
    }
}
