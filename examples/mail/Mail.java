import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.sparselin.Dataset;
import org.sparselin.Encoder;
import org.sparselin.Model;
import org.sparselin.Options;

/** Spam from raw text: the lines of the first file, after its heading, are learned, those of the second told apart. */
public class Mail {
    private static Dataset read(Encoder encoder, Path file) throws Exception {
        List<String> lines = Files.readAllLines(file);
        List<String[]> columns = lines.subList(1, lines.size()).stream().map(line -> line.split("\t", 2)).toList();
        double[] labels = columns.stream().mapToDouble(column -> Double.parseDouble(column[0])).toArray();
        return encoder.texts("", columns.stream().map(column -> column[1]).toList(), labels);
    }

    public static void main(String[] args) throws Exception {
        try (Encoder encoder = new Encoder(new Options().set("hash_bits", 20)); Model model = new Model();
                Dataset train = read(encoder, Path.of(args[0])); Dataset test = read(encoder, Path.of(args[1]))) {
            model.fit(train);
            System.out.printf("%.2f %% wrong%n", 100 * model.evaluate(test, "error_rate"));
        }
    }
}
