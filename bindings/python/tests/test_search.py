"""Choosing a model: the figures are those of the program, and those of models fitted by hand."""

import contextlib
import os
import subprocess

import numpy as np
import pytest
import sparselin
from conftest import DATA

TRAIN, TEST = (DATA.parents[1] / f"examples/data/spam.{part}.svm.gz" for part in ("train", "test"))
GRID = {"l1": [0, 1e-5, 1e-4], "l2": ["1e-06", 0.001]}


@pytest.fixture(scope="module")
def mail():
    return sparselin.Dataset.load(TRAIN)


def test_early_stopping(mail):
    """As the documentation of fit has it, and `train --validate` does it."""
    model = sparselin.Model(epochs=50)
    with sparselin.Dataset.load(TEST) as validation:
        best = None
        for epoch in range(1, 51):
            with contextlib.suppress(sparselin.CancelledError):
                model.fit(mail, lambda at, epoch=epoch: at.epoch == epoch)
            loss = model.evaluate(validation, "log_loss")
            if best is None or loss < best[0]:
                best = loss, epoch, model.copy()
            elif epoch - best[1] == 3:
                break
        assert (epoch, best[1], f"{best[0]:.6g}") == (7, 4, "0.0345658")
    straight = sparselin.Model(epochs=4).fit(mail)
    assert np.array_equal(best[2].predict_dataset(mail), straight.predict_dataset(mail))


@pytest.mark.skipif("SL_PROGRAM" not in os.environ, reason="it compares with the program")
def test_figures_are_the_programs(mail):
    found = sparselin.search(mail, GRID, folds=3)
    axes = [f"--grid={name}={','.join(map(str, values))}" for name, values in GRID.items()]
    command = [os.environ["SL_PROGRAM"], "tune", TRAIN, "--folds=3", "--quiet", *axes]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    assert said[0].split() == ["log_loss", "standard", "error", "nonzeros", "model"]
    assert found.metric == "log_loss" and not found.larger_is_better and len(found.models) == 6
    for model, line in zip(found.models, said[1:]):
        mean, error, nonzeros, *text = line.split()
        assert [mean, error, nonzeros] == [f"{model.mean:.6g}", f"{model.standard_error:.3g}", f"{model.nonzeros:.6g}"]
        assert text[:3] == [f"{name}={value}" for name, value in model.settings.items()]
        assert ("best" in text, "sparsest" in text) == (model is found.best, model is found.sparsest)
    assert found.best is not found.sparsest


def test_best_model_is_made_of_its_options(mail):
    with sparselin.Dataset.load(TEST) as test:
        found = sparselin.search(mail, {"epochs": [1, 2], "loss": "hinge"}, {"l1": 1e-5, "epochs": 3}, test=test)
        assert found.metric == "error_rate" and len(found.splits) == 0
        for given in found.models:
            assert given.options == {"l1": 1e-5, **given.settings}
            model = sparselin.Model(given.options).fit(mail)
            assert given.mean == model.evaluate(test, "error_rate") and list(given.values) == [given.mean]
            assert given.nonzeros == len(model.weights.indices)
        assert found.best.mean == min(given.mean for given in found.models)


def test_rows_held_out_judge(rows, data):
    matrix, labels = rows
    found = sparselin.search(data, {"l2": [1e-4, 1e-2]}, holdout=0.25, metric="auc", threads=2)
    assert found.larger_is_better and sorted(set(found.splits)) == [0, 1] and sum(found.splits == 0) == 75
    held_out = np.where(found.splits == 0, 1.0, 0.0)
    model = sparselin.Model(found.models[0].options).fit(sparselin.Dataset(matrix, labels, 1 - held_out))
    assert found.models[0].mean == model.evaluate(sparselin.Dataset(matrix, labels, held_out), "auc")


def test_five_folds_of_one_model(data):
    found = sparselin.search(data, {})
    assert len(found.models) == 1 and found.best.settings == {} and len(found.best.values) == 5
    assert sorted(set(found.splits)) == [0, 1, 2, 3, 4]
    assert found.best.mean == pytest.approx(np.mean(found.best.values))
    assert found.best.standard_error == pytest.approx(np.std(found.best.values, ddof=1) / np.sqrt(5))


def test_values_of_any_type(data):
    grid = {"center": [True, np.False_], "l2": np.array([0.001, 1e-5]), "epochs": np.arange(1, 3)}
    found = sparselin.search(data, grid, folds=2)
    wanted = {"center": "false", "l2": "1e-05", "epochs": "2"}
    assert found.models[-1].settings == wanted and len(found.models) == 8


def test_progress_and_cancelling(data):
    seen = []
    sparselin.search(data, {"l2": [1e-4, 1e-3]}, folds=3, progress=seen.append)
    assert seen[-1].epoch == 6 and seen[-1].rows == seen[-1].rows_total
    with pytest.raises(sparselin.CancelledError):
        sparselin.search(data, {"l2": [1e-4, 1e-3]}, folds=3, progress=lambda at: True)
    with pytest.raises(ZeroDivisionError):
        sparselin.search(data, {}, progress=lambda at: 1 / 0)


def test_refusals(data):
    for grid, options, kind, what in [
        ({"l1": []}, {}, sparselin.InvalidArgumentError, "no values of the option l1"),
        ({"l1": [-1]}, {}, sparselin.InvalidOptionError, "l1"),
        ({"leaf": [1]}, {}, sparselin.InvalidOptionError, "leaf"),
        ({"loss": ["hinge,log"]}, {}, sparselin.InvalidOptionError, "hinge,log"),
        ({"l1=0 l2": [1]}, {}, sparselin.InvalidOptionError, "l1=0 l2"),
        ({}, {"folds": 5, "holdout": 0.1}, sparselin.InvalidArgumentError, "give one of them"),
        ({"preset": "xu-asgd"}, {"preset": "dekel-sgd"}, sparselin.InvalidArgumentError, "preset"),
        ({}, {"folds": 1}, sparselin.InvalidArgumentError, "folds"),
        ({}, {"metric": "accuracy"}, sparselin.InvalidArgumentError, "accuracy"),
        ({"loss": ["squared"]}, {"metric": "auc"}, sparselin.StateError, "auc"),
        ({}, {"threads": 4711}, sparselin.InvalidArgumentError, "4711"),
    ]:
        with pytest.raises(kind, match=what):
            sparselin.search(data, grid, **options)
    with pytest.raises(TypeError):
        sparselin.search([[1]], {})
    closed = sparselin.Dataset([[1.0], [2.0]], [1, -1])
    closed.close()
    with pytest.raises(sparselin.InvalidArgumentError, match="closed"):
        sparselin.search(closed, {})


def test_scores_are_judged(mail):
    with sparselin.Dataset.load(TEST) as test:
        model = sparselin.Model().fit(mail)
        labels = test.labels
        for metric in ("error_rate", "auc", "log_loss", "mcc"):
            assert sparselin.evaluate_scores(metric, model.predict_dataset(test), labels) == model.evaluate(test, metric)
    assert sparselin.evaluate_scores("error_rate", [[1, 2, 3], [3, 2, 1]], [2, 1], [3, 1]) == 0.25
    for scores in ([1, 2, 3, 4, 5, 6], [[1, 2], [3, 4], [5, 6]], 1):
        with pytest.raises(sparselin.InvalidArgumentError, match=r"scores have the shape .*, but there are 2 labels"):
            sparselin.evaluate_scores("auc", scores, [1, -1])
    with pytest.raises(sparselin.InvalidArgumentError, match="weights"):
        sparselin.evaluate_scores("auc", [1, 2], [1, -1], [1])
    with pytest.raises(sparselin.InvalidDataError):
        sparselin.evaluate_scores("auc", [], [])


def test_calibration():
    low, high = sparselin.calibration([0.25, 0.5, 0.5, 1], [0, 1, 0, 1], bins=2)
    assert low == (0.375, 0.25, 0.4375**0.5 / 2) and high == (0.75, 0.75, 0.25**0.5 / 2)
    assert sparselin.calibration([0.5], [1], [3], bins=1)[0].chance == 0.5
    assert len(sparselin.calibration([0.5], [1], bins=1 << 20)) == 1 << 20
    for bins in (-3, 0, (1 << 20) + 1, 10**30):  # the last of which no array can have
        with pytest.raises(sparselin.InvalidArgumentError, match=f"bins is {bins}, but must be from 1 to 1048576"):
            sparselin.calibration([0.5], [1], bins=bins)
    with pytest.raises(sparselin.InvalidDataError, match="row 1: the probability is 2"):
        sparselin.calibration([0.5, 2], [1, 1])
