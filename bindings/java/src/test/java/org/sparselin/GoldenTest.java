package org.sparselin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The golden vectors, and the same cases as C trained and saved them: equal numbers, equal bits, equal files. */
class GoldenTest {
    private static final Map<String, String> DEFAULTS = new LinkedHashMap<>();

    static {
        DEFAULTS.put("l1", "0");
        DEFAULTS.put("l2", "0");
        DEFAULTS.put("update", "sgd");
        DEFAULTS.put("average", "none");
        DEFAULTS.put("average_start", "0");
        DEFAULTS.put("center", "false");
        DEFAULTS.put("bias", "true");
        DEFAULTS.put("bias_regularized", "false");
        DEFAULTS.put("normalize", "none");
        DEFAULTS.put("scale", "none");
        DEFAULTS.put("noise", "0");
    }

    /** An example, or a prediction expected; indices as unsigned integers. */
    private record Row(double number, double weight, int[] indices, double[] values) {
        static Row parse(double number, double weight, String[] words, int from) {
            int[] indices = new int[words.length - from];
            double[] values = new double[indices.length];
            for (int k = 0; k < indices.length; ++k) {
                String[] pair = words[from + k].split(":");
                indices[k] = Integer.parseUnsignedInt(pair[0]);
                values[k] = Double.parseDouble(pair[1]);
            }
            return new Row(number, weight, indices, values);
        }
    }

    /** What a class of several is expected to have. */
    private record ClassWeights(Row weights, double[] bias) {}

    private static final class Case {
        final String name;
        final Map<String, String> options = new LinkedHashMap<>();
        final List<Row> examples = new ArrayList<>();
        final List<Row> predictions = new ArrayList<>();
        final Map<Integer, Double> weights = new LinkedHashMap<>();
        final List<ClassWeights> classes = new ArrayList<>(), last = new ArrayList<>();
        final List<double[]> scores = new ArrayList<>();
        double bias;
        double meanLoss = Double.NaN;
        int passes = 1;

        Case(String name) {
            this.name = name;
        }

        void add(String line) {
            String[] words = line.trim().split(" +");
            switch (words[0]) {
                case "option" -> options.put(words[1], words[2]);
                case "passes" -> passes = Integer.parseInt(words[1]);
                case "example" -> examples.add(Row.parse(Double.parseDouble(words[1]), Double.parseDouble(words[2]), words, 3));
                case "predict" -> predictions.add(Row.parse(Double.parseDouble(words[1]), 1, words, 2));
                case "weight" -> weights.put(Integer.parseUnsignedInt(words[1]), Double.valueOf(words[2]));
                case "bias" -> bias = Double.parseDouble(words[1]);
                case "class_weights" -> classes.add(new ClassWeights(Row.parse(0, 1, words, 2), new double[1]));
                case "class_bias" -> classes.get(Integer.parseInt(words[1])).bias[0] = Double.parseDouble(words[2]);
                case "last_class_weights" -> last.add(new ClassWeights(Row.parse(0, 1, words, 2), new double[1]));
                case "last_class_bias" -> last.get(Integer.parseInt(words[1])).bias[0] = Double.parseDouble(words[2]);
                case "mean_loss" -> meanLoss = Double.parseDouble(words[1]);
                case "scores" -> {
                    int k = Integer.parseInt(words[1]);
                    scores.add(Arrays.stream(words, 2, 2 + k).mapToDouble(Double::parseDouble).toArray());
                    predictions.add(Row.parse(0, 1, words, 2 + k));
                }
                case "last_weight", "last_bias" -> { }
                default -> throw new IllegalArgumentException(line);
            }
        }

        /** The case without averaging, which ends where its last iterate was, or with a storage of its own; null: as it is. */
        Case variant(boolean isLast, String storage) {
            DEFAULTS.forEach((name, value) -> options.putIfAbsent(name, value));
            Case other = new Case(name);
            options.forEach((name, value) -> {
                if (!isLast || !name.startsWith("average")) other.options.put(name, value);
            });
            if (isLast) other.options.put("average", "none");
            other.options.putIfAbsent("storage", storage);
            other.examples.addAll(examples);
            other.predictions.addAll(predictions);
            other.passes = passes;
            other.classes.addAll(isLast ? last : classes);
            if (!isLast) {
                other.scores.addAll(scores);
                other.meanLoss = meanLoss;
            }
            return other;
        }

        /** Whether some indices are beyond 2^31, and can only come in as text. */
        boolean isHuge() {
            return examples.stream().flatMapToInt(x -> Arrays.stream(x.indices)).anyMatch(index -> index < 0);
        }

        Model untrained() {
            Options set = new Options();
            DEFAULTS.forEach((name, value) -> options.putIfAbsent(name, value));
            options.forEach(set::set);
            Model model = new Model(set);
            if (options.get("center").equals("true") || !options.get("scale").equals("none"))
                for (Row x : examples) model.observe(x.indices, x.values, x.weight);
            return model;
        }

        /** Steps {@code from} to {@code to} of the case, whose passes follow one another. */
        private void feed(Model model, int from, int to) throws IOException {
            for (int i = from; i < to; ++i) {
                Row x = examples.get(i % examples.size());
                if (isHuge()) model.feedDataset(data(List.of(x)));
                else model.feed(x.indices, x.values, x.number, x.weight);
            }
        }

        Model fedSingly() throws IOException {
            Model model = untrained();
            feed(model, 0, passes * examples.size());
            return model;
        }

        /** Kept in bytes half-way, and trained on from there. */
        Model fedWithABreak() throws IOException {
            int steps = passes * examples.size();
            try (Model first = untrained()) {
                feed(first, 0, steps / 2);
                Model second = Model.fromBytes(first.toBytes());
                feed(second, steps / 2, steps);
                return second;
            }
        }

        Model fedAtOnce() throws IOException {
            Model model = untrained();
            int[] rowPointers = new int[examples.size() + 1];
            for (int r = 0; r < examples.size(); ++r) rowPointers[r + 1] = rowPointers[r] + examples.get(r).indices.length;
            int[] indices = examples.stream().flatMapToInt(x -> Arrays.stream(x.indices)).toArray();
            double[] values = examples.stream().flatMapToDouble(x -> Arrays.stream(x.values)).toArray();
            double[] labels = examples.stream().mapToDouble(Row::number).toArray();
            double[] importance = examples.stream().mapToDouble(Row::weight).toArray();
            for (int pass = 0; pass < passes; ++pass) {
                if (isHuge()) model.feedDataset(data(examples));
                else model.feedCsr(rowPointers, indices, values, labels, importance);
            }
            return model;
        }

        double predict(Model model, Row x) throws IOException {
            return isHuge() ? model.predictDataset(data(List.of(x)))[0] : model.predict(x.indices, x.values);
        }

        double[] scores(Model model, Row x) throws IOException {
            return isHuge() ? model.scoresDataset(data(List.of(x))) : model.scores(x.indices, x.values);
        }

        void check(Model model) throws IOException {
            assertEquals(classes.size(), model.classes(), name);
            for (int k = 0; k < classes.size(); ++k) {
                Row expected = classes.get(k).weights;
                Map<Integer, Double> weights = nonzeros(model.classWeights(k));
                int nonzeros = 0;
                for (int i = 0; i < expected.indices.length; ++i) {
                    double weight = weights.getOrDefault(expected.indices[i], 0.0);
                    assertTrue(expected.indices[i] < 0 || model.classWeight(k, expected.indices[i]) == weight, name);
                    assertNear(expected.values[i], weight);
                    assertTrue(expected.values[i] != 0 || weight == 0, name);
                    if (weight != 0) ++nonzeros;
                }
                assertTrue(expected.indices.length > 0, name);
                assertEquals(nonzeros, weights.size(), name);
                assertNear(classes.get(k).bias[0], model.classBias(k));
            }
            if (!Double.isNaN(meanLoss)) assertNear(meanLoss, model.meanLoss());
            if (scores.isEmpty()) return; // of the last iterate the vectors tell no scores
            try (Dataset rows = data(predictions)) {
                double[] inOneArray = model.scoresDataset(rows);
                assertEquals(scores.size() * model.classes(), inOneArray.length);
                for (int r = 0; r < scores.size(); ++r) {
                    double[] ofRow = scores(model, predictions.get(r));
                    for (int k = 0; k < ofRow.length; ++k) assertNear(scores.get(r)[k], ofRow[k]);
                    Fixtures.assertSameBits(ofRow, Arrays.copyOfRange(inOneArray, r * ofRow.length, (r + 1) * ofRow.length));
                }
            }
        }

        private static Dataset data(List<Row> rows) throws IOException {
            StringBuilder text = new StringBuilder();
            for (Row x : rows) {
                text.append(x.number);
                for (int k = 0; k < x.indices.length; ++k)
                    text.append(' ').append(Integer.toUnsignedString(x.indices[k])).append(':').append(x.values[k]);
                text.append('\n');
            }
            Dataset read = Dataset.read(new ByteArrayInputStream(text.toString().getBytes()), new Options().set("index_base", "zero"));
            return read.withLabels(null, rows.stream().mapToDouble(Row::weight).toArray());
        }
    }

    private static List<Case> cases(String file) throws IOException {
        List<Case> all = new ArrayList<>();
        for (String line : Files.readAllLines(Fixtures.DATA.resolve(file))) {
            if (line.startsWith("case ")) all.add(new Case(line.substring(5).trim()));
            else if (!line.isBlank() && !line.startsWith("#") && !line.equals("end")) all.get(all.size() - 1).add(line);
        }
        return all;
    }

    private static Map<Integer, Double> nonzeros(Model.Weights weights) {
        Map<Integer, Double> map = new LinkedHashMap<>();
        for (int i = 0; i < weights.indices().length; ++i) map.put(weights.indices()[i], weights.values()[i]);
        return map;
    }

    private static void assertNear(double expected, double actual) {
        assertEquals(expected, actual, 1e-9 * Math.max(1, Math.abs(expected)));
    }

    @Test
    void everyCaseGivesItsNumbersAndTheBitsOfC(@TempDir Path folder) throws IOException {
        List<Case> all = cases("golden.txt");
        assertEquals(280, all.size());
        for (Case c : all) {
            Path fromC = Fixtures.GOLDEN.resolve(c.name + ".slm");
            Path fromJava = folder.resolve(c.name + ".slm");
            try (Model model = c.fedSingly(); Model batch = c.fedAtOnce(); Model trainedInC = Model.load(fromC)) {
                Map<Integer, Double> weights = nonzeros(model.weights());
                c.weights.forEach((index, expected) -> {
                    double weight = weights.getOrDefault(index, 0.0);
                    assertNear(expected, weight);
                    assertTrue(expected != 0 || weight == 0, c.name);
                    assertTrue(index < 0 || model.weight(index) == weight, c.name);
                });
                assertNear(c.bias, model.bias());
                for (Row x : c.predictions) {
                    double score = c.predict(model, x);
                    assertNear(x.number, score);
                    Fixtures.assertSameBits(c.predict(trainedInC, x), score);
                }
                Fixtures.assertSameBits(trainedInC.weights(), model.weights());
                model.save(fromJava);
                byte[] expected = Files.readAllBytes(fromC);
                assertArrayEquals(expected, Files.readAllBytes(fromJava), c.name);
                assertArrayEquals(expected, trainedInC.toBytes(), c.name);
                assertArrayEquals(expected, batch.toBytes(), c.name);
            }
        }
    }

    @Test
    void everyCaseOfSeveralClassesGivesItsNumbersAndTheSameBitsEitherWay() throws IOException {
        List<Case> all = cases("golden_multi.txt");
        assertEquals(106, all.size());
        for (Case c : all)
            for (boolean isLast : new boolean[] {false, true}) {
                Case auto = c.variant(isLast, "auto");
                try (Model model = auto.fedSingly(); Model batch = auto.fedAtOnce(); Model resumed = auto.fedWithABreak();
                        Model loaded = Model.fromBytes(model.toBytes())) {
                    assertEquals(isLast, auto.scores.isEmpty(), c.name);
                    auto.check(model);
                    assertArrayEquals(model.toBytes(), batch.toBytes(), c.name);
                    assertArrayEquals(model.toBytes(), resumed.toBytes(), c.name);
                    assertArrayEquals(model.toBytes(), loaded.toBytes(), c.name);
                    for (String storage : List.of("dense", "hash")) {
                        if (storage.equals("dense") && c.isHuge()) continue;
                        Case stored = c.variant(isLast, storage);
                        try (Model other = stored.fedSingly(); Model broken = stored.fedWithABreak()) {
                            for (int k = 0; k < model.classes(); ++k) {
                                Fixtures.assertSameBits(model.classWeights(k), other.classWeights(k));
                                Fixtures.assertSameBits(model.classWeights(k), broken.classWeights(k));
                            }
                            for (Row x : c.predictions) Fixtures.assertSameBits(stored.scores(model, x), stored.scores(other, x));
                            assertArrayEquals(other.toBytes(), broken.toBytes(), c.name);
                        }
                    }
                }
            }
    }
}
