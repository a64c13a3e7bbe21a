// Package sparselin trains linear predictors on sparse data by stochastic gradient descent, and predicts with them.
//
// A Model is fed labelled sparse examples, or fits a Dataset, and gives scores w.x + b. A step costs what the example's nonzeros cost,
// whatever the number of features, and yet l1, l2, elastic net, truncated gradient and iterate averaging are exactly those of the recursion
// that touches every weight at every step. The same examples in the same order give the same bits as in C and every other language.
//
// A Predictor is for servers: what a model was at one moment, without locks.
//
// Options go by name, the same in every language; OptionTable describes them. Failures are *Error, to be told apart with errors.Is and
// the Status constants. Slices are used in place, without a copy, for the duration of the call.
package sparselin
