"""estimators.py [TRAIN,TEST...]: the estimators of sparselin beside those of scikit-learn, with their defaults, on made
documents and on files of svmlight text: percent wrong, log loss, and the seconds of fit, the least of three."""

import os
import sys
import time
import warnings

import numpy as np
from python_cost import documents
from sklearn.datasets import load_svmlight_files
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.metrics import log_loss
from sparselin.sklearn import SparselinClassifier

warnings.simplefilter("ignore")  # of scikit-learn, that more passes would help

LEARNERS = {
    "SparselinClassifier()": SparselinClassifier(),
    "SparselinClassifier(epochs=5)": SparselinClassifier(epochs=5),
    "SGDClassifier(loss='log_loss')": SGDClassifier(loss="log_loss", random_state=1),
    "SGDClassifier(..., average=True)": SGDClassifier(loss="log_loss", average=True, random_state=1),
    "LogisticRegression()": LogisticRegression(),
    "LogisticRegression(solver='liblinear')": LogisticRegression(solver="liblinear"),
}


def of_files(argument):
    files = argument.split(",")
    x, y, test_x, test_y = load_svmlight_files(files)
    for matrix in (x, test_x):  # scikit-learn reads 64 bits and learns from 32
        matrix.indptr, matrix.indices = matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32)
    return os.path.basename(files[0]), x, y, test_x, test_y


def made():
    x, y = documents(120_000)
    return "documents", x[:100_000], y[:100_000], x[100_000:], y[100_000:]


for name, x, y, test_x, test_y in [made(), *map(of_files, sys.argv[1:])]:
    print(
        f"\n{name}: {x.shape[0]:,} x {x.shape[1]:,}, {x.nnz / x.shape[0]:.1f} nonzeros a row, {test_x.shape[0]:,} to test on"
    )
    for label, learner in LEARNERS.items():
        seconds = []
        for _ in range(3):
            begin = time.perf_counter()
            learner.fit(x, y)
            seconds.append(time.perf_counter() - begin)
        probabilities = learner.predict_proba(test_x)
        wrong = 100 * np.mean(learner.predict(test_x) != test_y)
        print(f"{label:<40}{wrong:8.2f} %{log_loss(test_y, probabilities):9.4f}{min(seconds):9.3f} s")
