package org.sparselin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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

    @Test
    void textsAreThoseOfScikitLearn() throws IOException {
        Options options = new Options();
        String text = null;
        int cases = 0;
        for (String line : Files.readAllLines(Fixtures.DATA.resolve("hashing.txt"))) {
            String[] words = line.split("\t", -1);
            if (words[0].equals("option")) options.set(words[1], words[2]);
            if (words[0].equals("text")) text = plain(words[2]);
            if (!words[0].equals("row")) continue;
            if (text != null) {
                try (Encoder encoder = new Encoder(options); Dataset data = encoder.texts("", List.of("a text", text), null)) {
                    Encoder.Row row = encoder.row(Map.of("", new Encoder.Words(text)));
                    int count = words.length - 1 - (words.length > 1 && words[1].isEmpty() ? 1 : 0);
                    assertEquals(count, row.indices().length, line);
                    for (int i = 0; i < count; ++i) {
                        String[] pair = words[i + 1].split(":");
                        assertEquals(Integer.parseInt(pair[0]), row.indices()[i], line);
                        assertEquals(Double.parseDouble(pair[1]), row.values()[i], line);
                    }
                    assertArrayEquals(row.indices(), data.row(1).indices());
                    Fixtures.assertSameBits(row.values(), data.row(1).values());
                    ++cases;
                }
            }
            options = new Options();
            text = null;
        }
        assertEquals(120, cases);
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
                () -> closed.cross("a", "b"), () -> closed.texts("", List.of(), null), () -> closed.save(Path.of("never"))))
            assertEquals("the encoder is closed", assertThrows(IllegalStateException.class, call).getMessage());
    }
}
