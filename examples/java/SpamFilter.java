import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.zip.GZIPInputStream;
import org.sparselin.Dataset;
import org.sparselin.Model;

/**
 * A spam filter in Java: trains on the project's mail in one pass, and says how good it is, which words tell, and what it thinks of a
 * message.
 *
 *     java -cp sparselin-1.0.0.jar SpamFilter.java ../data
 */
public class SpamFilter {
    private static final int SHOWN = 8;

    private static Dataset readMail(Path file) throws IOException {
        try (InputStream text = new GZIPInputStream(Files.newInputStream(file))) {
            return Dataset.read(text);
        }
    }

    private static String[] readWords(Path file) throws IOException {
        try (InputStream text = new GZIPInputStream(Files.newInputStream(file))) {
            return new String(text.readAllBytes()).split("\n");
        }
    }

    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args.length > 0 ? args[0] : "examples/data");
        String[] words = readWords(folder.resolve("words.txt.gz"));
        try (Dataset train = readMail(folder.resolve("spam.train.svm.gz"));
                Dataset test = readMail(folder.resolve("spam.test.svm.gz"));
                Model model = new Model()) {
            model.fit(train, report -> System.err.printf("%d of %d messages%n", report.rows(), report.rowsTotal()));
            model.finalizeModel();
            System.out.printf("%.2f %% of the %d test messages are judged wrongly; the area under the ROC curve is %.4f%n",
                    100 * model.evaluate(test, "error_rate"), test.rows(), model.evaluate(test, "auc"));

            Model.Weights weights = model.weights();
            Integer[] order = new Integer[weights.indices().length];
            for (int i = 0; i < order.length; ++i) order[i] = i;
            Arrays.sort(order, Comparator.comparingDouble(i -> weights.values()[i]));
            StringBuilder ham = new StringBuilder();
            StringBuilder spam = new StringBuilder();
            for (int i = 0; i < SHOWN; ++i) {
                ham.append(' ').append(words[weights.indices()[order[i]]]);
                spam.append(' ').append(words[weights.indices()[order[order.length - 1 - i]]]);
            }
            System.out.println("Spam says" + spam + "; others say" + ham);

            Dataset.Row message = test.row(0);
            double score = model.predict(message.indices(), message.values());
            System.out.printf("The first message, of %d words, is spam with probability %.4f%n", message.indices().length,
                    model.probability(score));
        }
    }
}
