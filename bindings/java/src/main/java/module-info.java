/** Sparse linear models trained by stochastic gradient descent. */
module org.sparselin {
    exports org.sparselin;
}
