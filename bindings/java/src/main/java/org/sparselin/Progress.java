package org.sparselin;

/**
 * Hears how far {@link Model#fit(Dataset, Progress)} has come, on the thread that called it, about every 0.02 seconds and after each pass. An
 * exception that it throws stops the fit and comes out of it; called again with the same data, fit goes on where it stopped.
 */
@FunctionalInterface
public interface Progress {
    /**
     * Called now and then. Of the model that is being fitted {@link Model#steps} and {@link Model#meanLoss} may be asked, and it may be closed,
     * which stops the fit; any other use is an {@link IllegalStateException}. A {@link Model#predictor} taken before, other models and data
     * sets may be used. A call that would have to wait for a fit whose own listener waits for this one is an {@link IllegalStateException}.
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
     * @param meanLoss mean of the loss of every example just before it was learned, 0 before the first
     * @param epoch passes of this fit that are complete
     */
    record Report(long steps, long rows, long rowsTotal, double meanLoss, long epoch) {}
}
