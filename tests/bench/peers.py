"""peers.py TRAIN TEST L2: scikit-learn's SGDClassifier on rows that peers.cpp wrote. A line each: name, ns a nonzero and pass, percent wrong."""
import sys
import time

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import SGDClassifier


def rows(path):
    with open(path, "rb") as file:
        count, features, nonzeros = (int(n) for n in np.fromfile(file, np.uint64, 3))
        pointers = np.fromfile(file, np.int64, count + 1)
        labels = np.fromfile(file, np.float64, count)
        indices = np.fromfile(file, np.uint32, nonzeros).astype(np.int32)
        values = np.fromfile(file, np.float32, nonzeros).astype(np.float64)
    return csr_matrix((values, indices, pointers.astype(np.int32)), (count, features)), labels


def seconds(work):
    begin = time.process_time()
    work()
    return time.process_time() - begin


def learner(passes):
    return SGDClassifier(loss="log_loss", alpha=l2, average=True, shuffle=False, max_iter=passes, tol=None)


def tell(name, time_of_a_pass, model):
    print(name, 1e9 * time_of_a_pass / x.nnz, 100 * np.mean(model.predict(test_x) != test_y), sep="\t")


(x, y), (test_x, test_y), l2 = rows(sys.argv[1]), rows(sys.argv[2]), float(sys.argv[3])
once = learner(1)
one = seconds(lambda: once.fit(x, y))
tell("scikit-learn SGDClassifier, 1 pass", (seconds(lambda: learner(4).fit(x, y)) - one) / 3, once)
fed = learner(1)
fed.partial_fit(x, y, classes=[-1, 1])
tell("scikit-learn partial_fit, 2 calls", seconds(lambda: fed.partial_fit(x, y)), fed)
