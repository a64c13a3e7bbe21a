"""peer_models.py TRAIN TEST: scikit-learn from svmlight text to a model. A line each: name, seconds, percent wrong, log loss."""
import sys
import time

import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.metrics import log_loss

train, test = sys.argv[1:]


def read(path, features=None):
    x, y = load_svmlight_file(path, n_features=features)
    x.indices, x.indptr = x.indices.astype(np.int32), x.indptr.astype(np.int32)  # the only ones that SGDClassifier takes
    return x, y


begin = time.monotonic()
x, y = read(train)
reading = time.monotonic() - begin
test_x, test_y = read(test, x.shape[1])
for name, model in [
    ("SGDClassifier", SGDClassifier(loss="log_loss")),
    ("SGDClassifier, average", SGDClassifier(loss="log_loss", average=True)),
    ("LogisticRegression", LogisticRegression()),
]:
    begin = time.monotonic()
    model.fit(x, y)
    seconds = reading + time.monotonic() - begin
    wrong, loss = 100 * np.mean(model.predict(test_x) != test_y), log_loss(test_y, model.predict_proba(test_x))
    print("scikit-learn " + name, seconds, wrong, loss, sep="\t", flush=True)
