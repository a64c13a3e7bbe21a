package org.sparselin;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Chooses a model: fits the models of a grid of options, and judges each by rows that it did not learn.
 *
 * <pre>{@code
 * Search.Result found = new Search().over("l1", 0, 1e-6, 1e-5).over("l2", 0, 1e-6).run(data);
 * Model model = new Model(found.sparsest().options());
 * model.fit(data);
 * }</pre>
 *
 * <p>Models are judged by cross-validation in 5 folds, unless {@link #folds}, {@link #holdout} or {@link #test} says otherwise, the last of
 * them that was called. Which rows are held out is fixed by the option {@code seed}, and every fold has its share of every label.
 *
 * <p>A search may be run again, also by several threads at a time, but not changed meanwhile. There is nothing to close.
 */
public final class Search {
    private final Options options;
    private final Map<String, String> grid = new LinkedHashMap<>();
    private int folds = 5;
    private double holdout;
    private Dataset test;
    private String metric = "";
    private int threads = 1;

    /** Makes a search among models that have nothing set in common. */
    public Search() {
        this(new Options());
    }

    /**
     * Makes a search.
     *
     * @param options what all models have in common; they are copied. Where neither they nor the grid name {@code preset}, {@code average},
     *     {@code sparse_average} or {@code center}, and there is a grid, it has {@code sparse_average=true} besides: else averages keep weights
     *     from becoming 0
     */
    public Search(Options options) {
        this.options = options.copy();
    }

    /**
     * Adds an option to the grid: every combination of values is a model, of which those of the option that was added last change fastest.
     *
     * @param name the option; another call with the same one replaces its values
     * @param values numbers, text or truth values, at least one
     * @return this
     * @throws IllegalArgumentException there are no values
     * @throws SparselinException as of {@link Options#set(String, String)}
     */
    public Search over(String name, Object... values) {
        if (values.length == 0) throw new IllegalArgumentException("the grid has no values of the option " + name);
        Objects.requireNonNull(name, "name");
        // One by one, as the library has each: no value of an option holds a comma or a blank.
        grid.put(name, Stream.of(values).map(value -> new Options().set(name, String.valueOf(value)).get(name)).collect(Collectors.joining(",")));
        return this;
    }

    /**
     * Judges by cross-validation.
     *
     * @param count how many folds, at least 2
     * @return this
     */
    public Search folds(int count) {
        return judgedBy(count, 0, null);
    }

    /**
     * Judges by a part of the rows, which is not learned.
     *
     * @param share about this share of the rows, above 0 and below 1
     * @return this
     */
    public Search holdout(double share) {
        return judgedBy(0, share, null);
    }

    /**
     * Judges by rows of their own.
     *
     * @param rows they may not be closed before the search has run
     * @return this
     */
    public Search test(Dataset rows) {
        return judgedBy(0, 0, Objects.requireNonNull(rows, "rows"));
    }

    private Search judgedBy(int folds, double holdout, Dataset test) {
        this.folds = folds;
        this.holdout = holdout;
        this.test = test;
        return this;
    }

    /**
     * Says what is judged.
     *
     * @param name a metric of {@link LinearModel#evaluate}. If none is named it is that of the models' loss: {@code log_loss} where it
     *     gives probabilities, {@code error_rate} where it only tells labels apart, and else {@code loss}
     * @return this
     */
    public Search metric(String name) {
        metric = Objects.requireNonNull(name, "name");
        return this;
    }

    /**
     * Says in how many threads models are fitted, one in each at a time.
     *
     * @param count so many, 1 if nobody says so; 0: as many as there are cores. Any number gives the same bits
     * @return this
     */
    public Search threads(int count) {
        threads = count;
        return this;
    }

    /**
     * Fits all models and judges them.
     *
     * @param data the rows
     * @return what was found
     * @throws SparselinException INVALID_ARGUMENT: a number out of range, no such metric, or none named where models differ in loss.
     *     INVALID_OPTION: an option or a value that is none. STATE: a metric that the models' loss does not know. INVALID_DATA: labels that the
     *     loss cannot take, or too few rows. DIVERGED: a model did. CANCELLED: the thread was interrupted; it stays so
     */
    public Result run(Dataset data) {
        return run(data, null);
    }

    /**
     * Fits all models and judges them as {@link #run(Dataset)} does, and says how far it has come. If the listener throws an exception, the search
     * stops, and the exception comes out of this call.
     *
     * @param data the rows
     * @param progress may be null; rows are those of all fits together, {@code epoch} counts the fits that are complete, and steps and mean loss
     *     are 0
     * @return what was found
     * @throws SparselinException as for {@link #run(Dataset)}
     */
    public Result run(Dataset data, Progress progress) {
        String text = grid.entrySet().stream().map(axis -> axis.getKey() + "=" + axis.getValue()).collect(Collectors.joining(" "));
        Progress listener = progress != null ? progress : report -> { };
        List<Result> found = new ArrayList<>(1);
        data.handle.use(rows -> {
            if (test == null) found.add(run(text, rows, 0, listener));
            else test.handle.use(judging -> found.add(run(text, rows, judging, listener)));
        });
        return found.get(0);
    }

    private Result run(String text, long rows, long judging, Progress listener) {
        return options.withNative(common -> {
            long search = Native.searchRun(common, text, rows, judging, folds, holdout, metric, threads, listener);
            try {
                return found(search);
            } finally {
                Native.searchFree(search);
            }
        });
    }

    private Result found(long search) {
        int[] splits = new int[(int) Native.searchSplits(search, new int[0])];
        Native.searchSplits(search, splits);
        List<Candidate> models = new ArrayList<>();
        long count = Native.searchShape(search, 0);
        int each = (int) Native.searchShape(search, 1);
        for (int i = 0; i < count; ++i) {
            double[] figures = new double[3];
            double[] values = new double[each];
            Native.searchModel(search, i, figures);
            Native.searchValues(search, i, values);
            String settings = Native.searchSettings(search, i);
            Options all = options.copy();
            for (String setting : settings.split(" "))
                if (!setting.isEmpty()) all.set(setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
            models.add(new Candidate(settings, all, figures[0], figures[1], figures[2], values));
        }
        return new Result(Native.searchMetric(search), Native.searchShape(search, 4) != 0, List.copyOf(models),
                models.get((int) Native.searchShape(search, 2)), models.get((int) Native.searchShape(search, 3)), splits);
    }

    /**
     * A model of a search, and how it did.
     *
     * @param settings what the grid has for it, such as {@code l1=0 l2=1e-06 sparse_average=true}
     * @param options all that were set: a model of these, fitted to all of the data, is this model
     * @param mean the mean of the metric over the folds
     * @param standardError of that mean; 0 where there is one value only
     * @param nonzeros weights that are not 0, the mean over the folds
     * @param values the metric in each fold
     */
    public record Candidate(String settings, Options options, double mean, double standardError, double nonzeros, double[] values) {}

    /**
     * What a search found.
     *
     * @param metric the name of the metric
     * @param largerIsBetter whether more of it is better
     * @param models all of them, in the grid's order
     * @param best the best of the models
     * @param sparsest the sparsest of those whose mean is within one standard error of the best's
     * @param splits the fold of each row, 0 if it is held out; none where there was a test set
     */
    public record Result(String metric, boolean largerIsBetter, List<Candidate> models, Candidate best, Candidate sparsest, int[] splits) {}
}
