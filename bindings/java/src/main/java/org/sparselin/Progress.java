package org.sparselin;

/**
 * Hears how far {@link Model#fit(Dataset, Progress)} has come, on the thread that called it, about every 0.02 seconds and after each pass. An
 * exception that it throws stops the fit and comes out of it; called again with the same data, fit goes on where it stopped.
 */
@FunctionalInterface
public interface Progress {
    /**
     * Called now and then. The model that is being fitted cannot be used meanwhile: trying to is an {@link IllegalStateException}.
     *
     * @param report how far the fit has come
     */
    void update(Report report);

    /**
     * How far a fit has come.
     *
     * @param steps steps of the model since it was created
     * @param rows rows of this fit that are done, all its passes counted
     * @param rowsTotal rows of this fit in all: epochs times rows of the data set
     * @param meanLoss mean of the loss of every example just before it was learned, NaN before the first
     * @param epoch passes of this fit that are complete
     */
    record Report(long steps, long rows, long rowsTotal, double meanLoss, long epoch) {}
}
