import java.util.function.IntFunction;
import org.sparselin.LinearModel;
import org.sparselin.Model;
import org.sparselin.Predictor;

/** How many predictions of 10 nonzeros one thread, and two threads together, make: in millions a second, the best of many rounds. */
public class JavaThreads {
    private static final int CALLS = 20_000;
    private static final int ROUNDS = 2000;
    private static final int[] INDICES = {3, 17, 40, 99, 500, 700, 800, 1000, 1200, 4000};
    private static final double[] VALUES = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    private static volatile double sum;

    private static void measure(String what, int threads, IntFunction<LinearModel> modelOf) throws InterruptedException {
        double best = 0;
        for (int round = 0; round < ROUNDS; ++round) {
            Thread[] all = new Thread[threads];
            long begin = System.nanoTime();
            for (int t = 0; t < threads; ++t) {
                LinearModel model = modelOf.apply(t);
                all[t] = new Thread(() -> {
                    double scores = 0;
                    for (int c = 0; c < CALLS; ++c) scores += model.predict(INDICES, VALUES);
                    sum = scores;
                });
                all[t].start();
            }
            for (Thread thread : all) thread.join();
            best = Math.max(best, 1e3 * threads * CALLS / (System.nanoTime() - begin));
        }
        System.out.printf("  %-40s %5.1f%n", what, best);
    }

    public static void main(String[] args) throws InterruptedException {
        try (Model model = new Model()) {
            for (int k = 0; k < 100; ++k) model.feed(INDICES, VALUES, k % 2 == 0 ? 1 : -1);
            model.finalizeModel();
            System.out.println("millions of predictions a second");
            try (Model copy = model.copy()) {
                Predictor predictor = model.predictor();
                measure("one thread", 1, t -> model);
                measure("one thread, a predictor", 1, t -> predictor);
                measure("two threads on one model", 2, t -> model);
                measure("two threads on one predictor", 2, t -> predictor);
                measure("two threads, a copy each", 2, t -> t == 0 ? model : copy);
            }
        }
    }
}
