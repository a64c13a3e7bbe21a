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
        final List<ClassWeights> classes = new ArrayList<>();
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
                case "mean_loss" -> meanLoss = Double.parseDouble(words[1]);
                case "scores" -> {
                    int k = Integer.parseInt(words[1]);
                    scores.add(Arrays.stream(words, 2, 2 + k).mapToDouble(Double::parseDouble).toArray());
                    predictions.add(Row.parse(0, 1, words, 2 + k));
                }
                case "last_weight", "last_bias", "last_class_weights", "last_class_bias" -> { }
                default -> throw new IllegalArgumentException(line);
            }
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

        Model fedSingly() throws IOException {
            Model model = untrained();
            for (int pass = 0; pass < passes; ++pass)
                for (Row x : examples) {
                    if (isHuge()) model.feedDataset(data(List.of(x)));
                    else model.feed(x.indices, x.values, x.number, x.weight);
                }
            return model;
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
        for (Case c : all) {
            try (Model model = c.fedSingly(); Model batch = c.fedAtOnce(); Model loaded = Model.fromBytes(model.toBytes());
                    Dataset rows = Case.data(c.predictions)) {
                assertEquals(c.classes.size(), model.classes(), c.name);
                for (int k = 0; k < c.classes.size(); ++k) {
                    Row expected = c.classes.get(k).weights;
                    Map<Integer, Double> weights = nonzeros(model.classWeights(k));
                    int nonzeros = 0;
                    for (int i = 0; i < expected.indices.length; ++i) {
                        double weight = weights.getOrDefault(expected.indices[i], 0.0);
                        assertTrue(expected.indices[i] < 0 || model.classWeight(k, expected.indices[i]) == weight, c.name);
                        assertNear(expected.values[i], weight);
                        assertTrue(expected.values[i] != 0 || weight == 0, c.name);
                        if (weight != 0) ++nonzeros;
                    }
                    assertTrue(expected.indices.length > 0, c.name);
                    assertEquals(nonzeros, weights.size(), c.name);
                    assertNear(c.classes.get(k).bias[0], model.classBias(k));
                    Fixtures.assertSameBits(model.classWeights(k), loaded.classWeights(k));
                }
                if (!Double.isNaN(c.meanLoss)) assertNear(c.meanLoss, model.meanLoss());
                double[] inOneArray = model.scoresDataset(rows);
                assertEquals(c.scores.size() * model.classes(), inOneArray.length);
                assertTrue(c.scores.size() > 0, c.name);
                for (int r = 0; r < c.scores.size(); ++r) {
                    double[] scores = c.scores(model, c.predictions.get(r));
                    for (int k = 0; k < scores.length; ++k) assertNear(c.scores.get(r)[k], scores[k]);
                    Fixtures.assertSameBits(scores, Arrays.copyOfRange(inOneArray, r * scores.length, (r + 1) * scores.length));
                }
                assertArrayEquals(model.toBytes(), batch.toBytes(), c.name);
                assertArrayEquals(model.toBytes(), loaded.toBytes(), c.name);
            }
        }
    }
}
