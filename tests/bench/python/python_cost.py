"""python_cost.py LIBSPARSELIN: what calls from Python cost beside the same calls of C, which ctypes makes in the same
process, in turns. The least of several, of 100,000 made documents of 47,236 features."""

import ctypes
import sys
import time

import numpy as np
import scipy.sparse as sparse
import sparselin


def documents(rows, features=47_236, tokens=100, seed=1):
    """Counts of tokens that are drawn by Zipf's law, as l2-normed logarithms, and labels that a tenth of noise is
    in."""
    random = np.random.default_rng(seed)
    chances = 1 / (np.arange(features) + 10)
    drawn = np.searchsorted(np.cumsum(chances / chances.sum()), random.random(rows * tokens)).clip(max=features - 1)
    counts = sparse.coo_matrix(
        (np.ones(rows * tokens), (np.repeat(np.arange(rows), tokens), drawn)), (rows, features)
    ).tocsr()
    counts.data = 1 + np.log(counts.data)
    x = sparse.diags(1 / np.sqrt(counts.multiply(counts).sum(axis=1).A1)) @ counts
    score = x @ np.random.default_rng(0).normal(size=features)
    return x.tocsr(), np.where((score > np.median(score)) ^ (random.random(rows) < 0.1), 1.0, -1.0)


def least(first, second, times=9):
    """The least seconds of either, in turns."""
    found = [[], []]
    for _ in range(times):
        for k, work in enumerate((first, second)):
            begin = time.perf_counter()
            work()
            found[k].append(time.perf_counter() - begin)
    return min(found[0]), min(found[1])


class C:
    """The calls of the library that are timed."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)

    def call(self, name, *arguments):
        taken = [a.ctypes.data_as(ctypes.c_void_p) if isinstance(a, np.ndarray) else a for a in arguments]
        status = getattr(self.library, name)(*taken, None)
        assert status == 0, (name, status)

    def made(self, name, *arguments):
        handle = ctypes.c_void_p()
        self.call(name, *arguments, ctypes.byref(handle))
        return handle

    def free(self, name, handle):
        function = getattr(self.library, name)
        function.restype = None
        function(handle)


if __name__ == "__main__":
    c = C(sys.argv[1])
    x, y = documents(100_000)
    pointers, indices, scores = x.indptr.astype(np.int64), x.indices.astype(np.uint32), np.empty(x.shape[0])
    rows = ctypes.c_size_t(x.shape[0])

    def fit_in_c():
        data = c.made("sl_dataset_from_csr", rows, pointers, indices, x.data, y, None)
        model = c.made("sl_model_create", None)
        c.call("sl_model_fit", model, data, None, None)
        c.free("sl_model_free", model)
        c.free("sl_dataset_free", data)

    def fit():
        with sparselin.Dataset(x, y) as data, sparselin.Model() as model:
            model.fit(data)

    def tell(what, of_c, of_python, unit, scale):
        print(f"{what:<34}{scale * of_c:10.2f}{scale * of_python:10.2f} {unit:<4}{of_python / of_c:8.3f}")

    print(
        f"{x.shape[0]:,} x {x.shape[1]:,}, {x.nnz / x.shape[0]:.1f} nonzeros a row\n{'':<34}{'C':>10}{'Python':>10}{'ratio':>13}"
    )
    tell("fit of a CSR of int32 and float64", *least(fit_in_c, fit), "ms", 1e3)
    trained = sparselin.Model().fit(sparselin.Dataset(x, y))
    trained.finalize()
    data = trained.to_bytes()
    of_c = c.made("sl_model_from_bytes", data, ctypes.c_size_t(len(data)))
    c.call("sl_model_finalize", of_c)
    predict_in_c = lambda: c.call("sl_model_predict_csr", of_c, rows, pointers, indices, x.data, scores)  # noqa: E731
    tell("predict of the matrix", *least(predict_in_c, lambda: trained.predict_csr(x, scores), 30), "ms", 1e3)
    # One row at a time; what a call of C takes is what the matrix takes a row.
    parts = [(indices[a:b], x.data[a:b]) for a, b in zip(pointers[:2000], pointers[1:2001])]
    by_row = least(predict_in_c, lambda: [trained.predict(i, v) for i, v in parts], 30)
    tell("predict of a row", by_row[0] / len(y), by_row[1] / 2000, "us", 1e6)
    signed = [(i.astype(np.int32), v) for i, v in parts]
    by_row = least(predict_in_c, lambda: [trained.predict(i, v) for i, v in signed], 30)
    tell("predict of a row, int32", by_row[0] / len(y), by_row[1] / 2000, "us", 1e6)
    feeding = sparselin.Model()
    by_row = least(lambda: feeding.feed_csr(x[:2000], y[:2000]), lambda: [feeding.feed(i, v, 1) for i, v in parts], 30)
    tell("feed of a row", by_row[0] / 2000, by_row[1] / 2000, "us", 1e6)
