"""The golden vectors of the library, and the same cases as C trained and saved them."""

import os
from pathlib import Path

import numpy as np
import pytest
import sparselin
from conftest import vectors

DEFAULTS = {
    "l1": "0", "l2": "0", "update": "sgd", "average": "none", "average_start": "0", "center": "false", "bias": "true",
    "bias_regularized": "false", "normalize": "none", "scale": "none", "noise": "0",
}  # fmt: skip
MODELS = os.environ.get("SL_GOLDEN_MODELS")


def pairs(words):
    parts = [word.split(":") for word in words]
    return np.array([int(i) for i, _ in parts], np.uint32), np.array([float(v) for _, v in parts])


class Case:
    def __init__(self, name):
        self.name, self.options, self.passes = name, dict(DEFAULTS), 1
        self.examples, self.predicted = [], []  # (label or score, weight, indices, values)
        self.weights, self.biases, self.mean_loss = {}, {}, None  # by class

    def observes(self):
        return self.options["center"] == "true" or self.options["scale"] != "none"

    def untrained(self):
        model = sparselin.Model(self.options)
        for _, weight, indices, values in self.examples if self.observes() else []:
            model.observe(indices, values, weight)
        return model

    def fed_singly(self):
        model = self.untrained()
        for _ in range(self.passes):
            for label, weight, indices, values in self.examples:
                model.feed(indices, values, label, weight)
        return model

    def fed_in_batches(self):
        """Of 7, kept in bytes after each of the first pass and trained on from there."""
        model = self.untrained()
        for k in range(self.passes):
            for first in range(0, len(self.examples), 7):
                matrix, labels, weights = batch(self.examples[first : first + 7])
                assert model.feed_csr(matrix, labels, weights) == len(labels)
                if k == 0:
                    model = sparselin.Model.from_bytes(model.to_bytes())
        return model


def batch(examples):
    pointers = np.cumsum([0] + [len(x[2]) for x in examples])
    matrix = (pointers, np.concatenate([x[2] for x in examples]), np.concatenate([x[3] for x in examples]))
    return matrix, [x[0] for x in examples], [x[1] for x in examples]


def cases(file):
    found = []
    for line in vectors(file):
        word, *words = line.split()
        case = found[-1] if found else None
        if word == "case":
            found.append(Case(words[0]))
        elif word == "option":
            case.options[words[0]] = words[1]
        elif word == "passes":
            case.passes = int(words[0])
        elif word == "example":
            case.examples.append((float(words[0]), float(words[1]), *pairs(words[2:])))
        elif word == "predict":
            case.predicted.append(([float(words[0])], 1, *pairs(words[1:])))
        elif word == "scores":
            k = 1 + int(case.options["classes"])
            case.predicted.append(([float(score) for score in words[1:k]], 1, *pairs(words[k:])))
        elif word == "weight":
            case.weights.setdefault(0, {})[int(words[0])] = float(words[1])
        elif word == "bias":
            case.biases[0] = float(words[0])
        elif word == "class_weights":
            case.weights[int(words[0])] = dict(zip(*pairs(words[1:])))
        elif word == "class_bias":
            case.biases[int(words[0])] = float(words[1])
        elif word == "mean_loss":
            case.mean_loss = float(words[0])
    return found


def near(got, wanted):
    return abs(got - wanted) <= 1e-9 * max(1, abs(wanted))


def check(case, below):
    model = case.fed_singly()
    for k in case.biases:
        assert near(model.class_bias(k), case.biases[k])
        for index, wanted in case.weights.get(k, {}).items():
            got = model.class_weight(k, int(index))
            assert near(got, wanted) and (wanted != 0 or got == 0)
    if case.mean_loss is not None:
        assert near(model.mean_loss, case.mean_loss)
    matrix, wanted, _ = batch(case.predicted)
    scores = model.scores_csr(matrix)
    assert scores.shape == np.shape(wanted)
    assert all(near(a, b) for a, b in zip(scores.ravel(), np.ravel(wanted)))
    with model.predictor() as predictor:
        for r, (_, _, indices, values) in enumerate(case.predicted):
            assert (model.scores(indices, values) == scores[r]).all()
            assert (predictor.scores(indices, values) == scores[r]).all()
    kept = model.to_bytes()
    assert case.fed_in_batches().to_bytes() == kept
    if MODELS:
        assert (Path(MODELS) / below / f"{case.name}.slm").read_bytes() == kept


def named(file):
    return [pytest.param(case, id=case.name) for case in cases(file)]


@pytest.mark.parametrize("case", named("golden.txt"))
def test_golden(case):
    check(case, "")
    model = case.fed_singly()
    matrix, wanted, _ = batch(case.predicted)
    scores = model.predict_csr(matrix)
    model.finalize()
    assert all(near(a, b[0]) for a, b in zip(scores, wanted))
    assert [model.predict(x[2], x[3]) for x in case.predicted] == list(scores)


@pytest.mark.parametrize("case", named("golden_multi.txt"))
def test_golden_of_several_classes(case):
    check(case, "multi")


def test_all_cases_are_there():
    assert len(cases("golden.txt")) == 280
    assert len(cases("golden_multi.txt")) == 106
