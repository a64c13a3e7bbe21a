"""The part of Python in cross.sh."""

import sys

import sparselin

if sys.argv[1] == "train":
    sparselin.Model(l1=1e-4, epochs=2).fit(sparselin.Dataset.load(sys.argv[2])).save(sys.argv[3])
else:
    model, rows, scores = sys.argv[2:]
    sparselin.Model.load(model).predict_dataset(sparselin.Dataset.load(rows)).astype("<f8").tofile(scores)
