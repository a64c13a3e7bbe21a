import java.util.Arrays;
import org.sparselin.Model;

/** What a row costs in Java: the rows, the model and the output of java_cost.c. */
public class JavaCost {
    private static final int ROWS = 2000;
    private static final int NONZEROS = 80;
    private static final int ROUNDS = 150;
    private static final int WARM_UP = 300;

    private final int[] pointers = new int[ROWS + 1];
    private final int[] indices = new int[ROWS * NONZEROS];
    private final double[] values = new double[ROWS * NONZEROS];
    private final double[] labels = new double[ROWS];
    private final int[][] rowIndices = new int[ROWS][];
    private final double[][] rowValues = new double[ROWS][];

    private JavaCost(int dimension) {
        long state = 1;
        for (int r = 0; r < ROWS; ++r) {
            pointers[r + 1] = pointers[r] + NONZEROS;
            for (int k = 0; k < NONZEROS; ++k) {
                int step = dimension / NONZEROS;
                state = state * 6364136223846793005L + 1442695040888963407L;
                indices[r * NONZEROS + k] = k * step + (int) ((state >>> 33) % step);
                values[r * NONZEROS + k] = ((state >>> 40 & 1023) + 0.5) / 512 - 1;
            }
            labels[r] = values[r * NONZEROS] > 0 ? 1 : -1;
            rowIndices[r] = Arrays.copyOfRange(indices, pointers[r], pointers[r + 1]);
            rowValues[r] = Arrays.copyOfRange(values, pointers[r], pointers[r + 1]);
        }
    }

    private static double bestOf(Runnable body) {
        long best = Long.MAX_VALUE;
        for (int round = 0; round < WARM_UP + ROUNDS; ++round) {
            long begin = System.nanoTime();
            body.run();
            long took = System.nanoTime() - begin;
            if (round >= WARM_UP) best = Math.min(best, took);
        }
        return (double) best / ROWS;
    }

    public static void main(String[] args) {
        JavaCost data = new JavaCost(Integer.parseInt(args.length > 0 ? args[0] : "16384"));
        try (Model model = new Model()) {
            System.out.printf("feed %.1f%n", bestOf(() -> {
                for (int r = 0; r < ROWS; ++r) model.feed(data.rowIndices[r], data.rowValues[r], data.labels[r]);
            }));
            System.out.printf("feedCsr %.1f%n", bestOf(() -> model.feedCsr(data.pointers, data.indices, data.values, data.labels)));
            model.finalizeModel();
            System.out.printf("predict %.1f%n", bestOf(() -> {
                for (int r = 0; r < ROWS; ++r) model.predict(data.rowIndices[r], data.rowValues[r]);
            }));
            System.out.printf("predictCsr %.1f%n", bestOf(() -> model.predictCsr(data.pointers, data.indices, data.values)));
        }
    }
}
