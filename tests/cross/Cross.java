import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.sparselin.Dataset;
import org.sparselin.Model;
import org.sparselin.Options;

/** The part of Java in cross.sh. */
public class Cross {
    public static void main(String[] args) throws Exception {
        if (args[0].equals("train")) {
            try (Model model = new Model(new Options().set("l1", "1e-4").set("epochs", "2")); Dataset data = Dataset.load(Path.of(args[1]))) {
                model.fit(data);
                model.save(Path.of(args[2]));
            }
        } else {
            try (Model model = Model.load(Path.of(args[1])); Dataset data = Dataset.load(Path.of(args[2]))) {
                double[] scores = model.predictDataset(data);
                ByteBuffer bytes = ByteBuffer.allocate(8 * scores.length).order(ByteOrder.LITTLE_ENDIAN);
                for (double score : scores) bytes.putDouble(score);
                Files.write(Path.of(args[3]), bytes.array());
            }
        }
    }
}
