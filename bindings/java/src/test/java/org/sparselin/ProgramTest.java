package org.sparselin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparselin.Fixtures.Matrix;

/** Files go from Java to the command line program, which is C++ over the C interface, and back. */
class ProgramTest {
    private static final Matrix MATRIX = Matrix.random(300, 20, 300, 1);

    @TempDir
    Path folder;
    private Path rows;

    @BeforeEach
    void writeRows() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int r = 0; r < MATRIX.rows(); ++r) {
            text.append(MATRIX.labels()[r]);
            for (int k = MATRIX.rowPointers()[r]; k < MATRIX.rowPointers()[r + 1]; ++k)
                text.append(' ').append(MATRIX.indices()[k] + 1).append(':').append(MATRIX.values()[k]);
            text.append('\n');
        }
        rows = Files.writeString(folder.resolve("rows.svm"), text);
    }

    @Test
    void whatJavaSavesTheProgramOpens() throws Exception {
        Path file = folder.resolve("model.slm");
        for (Model.Keep keep : Model.Keep.values())
            try (Dataset data = Dataset.load(rows); Model model = new Model(new Options().set("l1", 1e-4).set("average", "uniform"))) {
                model.fit(data);
                model.save(file, keep);
                assertSameScores(model.predictDataset(data), run("predict", file, rows));
            }
    }

    @Test
    void whatTheProgramSavesJavaOpens() throws Exception {
        Path fromProgram = folder.resolve("program.slm");
        Path fromJava = folder.resolve("java.slm");
        run("train", rows, "--quiet", "--l1", "1e-4", "--average", "uniform", "--model", fromProgram);
        try (Dataset data = Dataset.load(rows); Model model = Model.load(fromProgram);
                Model fitted = new Model(new Options().set("l1", 1e-4).set("average", "uniform"))) {
            assertSameScores(model.predictDataset(data), run("predict", fromProgram, rows));
            fitted.fit(data);
            fitted.save(fromJava);
            assertArrayEquals(Files.readAllBytes(fromProgram), Files.readAllBytes(fromJava));
        }
    }

    private static void assertSameScores(double[] expected, List<String> lines) {
        Fixtures.assertSameBits(expected, lines.stream().mapToDouble(Double::parseDouble).toArray());
    }

    /** Runs the program and gives the lines of its output. */
    private static List<String> run(Object... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(System.getProperty("sparselin.test.program")));
        for (Object argument : arguments) command.add(argument.toString());
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        process.getOutputStream().close();
        List<String> lines = new String(process.getInputStream().readAllBytes()).lines().toList();
        assertEquals(0, process.waitFor());
        return lines;
    }
}
