/**
 * Sparse linear models trained by stochastic gradient descent: {@link org.sparselin.Model} learns from labelled sparse examples and gives
 * scores, {@link org.sparselin.Options} says how it learns, {@link org.sparselin.Dataset} holds rows in native memory,
 * {@link org.sparselin.Predictor} is what a model has learned so far, for threads that only predict.
 *
 * <p>Conventions that hold everywhere:
 * <ul>
 *   <li>Indices count from 0. They are below 2<sup>31</sup> here; a model that was trained on larger ones elsewhere predicts and saves as it
 *       should, and shows them as unsigned integers.
 *   <li>An example is a pair of arrays, {@code indices} and {@code values}, of the same length and in any order; repeated indices add up.
 *       {@code values == null} means that all of them are 1, {@code weights == null} that all examples count the same. Other arrays
 *       must be there.
 *   <li>A matrix in compressed sparse rows is {@code rowPointers}, one more than there are rows, {@code indices} and {@code values}: row r is
 *       at the places from {@code rowPointers[r]} to before {@code rowPointers[r + 1]}.
 *   <li>Arrays are only used during the call, in which no other thread may change them.
 *   <li>A call that fails changes nothing, and says which value was wrong where: {@link org.sparselin.SparselinException} for what the library
 *       found, {@link java.lang.NullPointerException} for an array or object that is missing, {@link java.lang.IllegalStateException} for an
 *       object that is closed. Calls over many rows have learned the rows before the one at fault.
 *   <li>Every object may be used by any number of threads. Calls that only look at a model, such as predictions, run side by side and do not
 *       hold up one another; those that train run one at a time, while none looks. Closing waits for nobody. A predictor has no such rules.
 *   <li>Native memory is freed by {@code close}, or some time after the object was left to the garbage collector, which is asked to look
 *       ({@link java.lang.System#gc}) where the native memory of all objects has doubled since it last did, beyond 64 MB and an eighth of the
 *       largest heap.
 *   <li>Models and predictors are {@link java.io.Serializable}. Whoever writes or copies objects field by field, such as Kryo with its default
 *       serializers, gets an exception from every object that has native memory.
 *   <li>The first use loads the native library. The jar holds it; if it cannot be loaded an {@link java.lang.UnsatisfiedLinkError} names the
 *       platform and the cause, every time. The system property {@code sparselin.library.path} names a folder to load it from instead, for
 *       systems where nothing may be executed from the temporary folder nor from the user's own.
 * </ul>
 */
package org.sparselin;
