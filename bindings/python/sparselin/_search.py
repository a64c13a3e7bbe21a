"""Choosing a model, and judging scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _native
from ._arrays import Floats, Indices, numbers
from ._dataset import Dataset
from ._handle import OptionValue, handle_of, make_options
from ._model import Progress
from .errors import InvalidArgumentError


class SearchModel(NamedTuple):
    """A model of a search, and how it did."""

    settings: dict[str, str]  # what the grid has for it
    mean: float  # of the metric over the folds
    standard_error: float  # of that mean; 0 where there is one value only
    nonzeros: float  # weights that are not 0, the mean over the folds
    values: Floats  # the metric in each fold
    options: dict[str, OptionValue]  # all that were given: Model(found.options).fit(data) is this model on everything


class SearchResult(NamedTuple):
    """What a search found."""

    metric: str
    larger_is_better: bool
    models: list[SearchModel]  # in the grid's order, of which the last option's values change fastest
    best: SearchModel
    sparsest: SearchModel  # whose mean is within one standard error of the best's
    splits: Indices  # the fold of each row, 0 if it is held out; none where there was a test set


def search(
    data: Dataset,
    grid: Mapping[str, Union[OptionValue, Iterable[OptionValue]]],
    options: Optional[Mapping[str, OptionValue]] = None,
    /,
    *,
    folds: Optional[int] = None,
    holdout: Optional[float] = None,
    test: Optional[Dataset] = None,
    metric: Optional[str] = None,
    threads: int = 1,
    progress: Optional[Callable[[Progress], Optional[bool]]] = None,
    **named: OptionValue,
) -> SearchResult:
    """Fits the models of a grid of options, and judges each by rows that it did not learn.

        found = sparselin.search(data, {"l1": [0, 1e-6, 1e-5], "l2": [0, 1e-6]}, epochs=3)
        model = sparselin.Model(found.best.options).fit(data)

    grid       values by option: every combination is a model. Those outside of it are what all models have in common.
               Where nothing names preset, average, sparse_average or center, a grid has sparse_average=true besides:
               else averages keep weights from becoming 0
    folds, holdout, test
               one of them: cross-validation in so many folds (5 if none of the three is given); about this share of
               the rows held out; or rows that judge models of all of the data. Which rows are held out is fixed by the
               option seed, and every fold has its share of every label
    metric     as evaluate takes it; None: that of the loss
    threads    that fit, a model each; 0: as many as there are cores. Any number gives the same bits
    progress   as in Model.fit; rows are those of all fits together, and epoch counts the fits that are complete
    """
    if sum(x is not None for x in (folds, holdout, test)) > 1:
        raise InvalidArgumentError("folds, holdout and test are given together; give one of them")
    if folds is None and holdout is None and test is None:
        folds = 5
    common = {**(options or {}), **named}
    axes = {name: [v] if isinstance(v, str) or not isinstance(v, Iterable) else list(v) for name, v in grid.items()}
    if "preset" in common and "preset" in axes:
        raise InvalidArgumentError("preset is in the grid and outside of it; one would be laid over the other")
    for name, values in axes.items():
        if not values:
            raise InvalidArgumentError(f"the grid has no values of the option {name}")
    text = " ".join(f"{name}={','.join(_text_of(name, v) for v in values)}" for name, values in axes.items())
    report = None if progress is None else lambda *numbers: progress(Progress(*numbers))
    handle = _native.search_run(
        make_options(common, {}),
        text,
        handle_of(data, Dataset),
        None if test is None else handle_of(test, Dataset),
        folds or 0,
        holdout or 0.0,
        metric or "",
        threads,
        report,
    )
    try:
        return _found(handle, common)
    finally:
        _native.close(handle)


def _text_of(name: str, value: OptionValue) -> str:
    """As the library has it: no value of an option holds a comma or a blank."""
    made = make_options({name: value}, {})
    try:
        return str(_native.options_get(made, name))
    finally:
        _native.close(made)


def _found(handle: object, common: Mapping[str, OptionValue]) -> SearchResult:
    count, splits, best, sparsest, larger = (_native.search_shape(handle, what) for what in range(5))
    models = []
    for i in range(count):
        text = _native.search_settings(handle, i)
        settings = dict(part.split("=", 1) for part in text.split())
        figures, values = np.empty(3), np.empty(splits)
        _native.search_model(handle, i, figures)
        _native.search_values(handle, i, values)
        mean, error, nonzeros = figures.tolist()
        others = {name: value for name, value in common.items() if name not in settings}
        models.append(SearchModel(settings, mean, error, nonzeros, values, {**others, **settings}))
    rows = np.empty(_native.search_splits(handle, None), np.uint32)
    _native.search_splits(handle, rows)
    return SearchResult(_native.search_metric(handle), bool(larger), models, models[best], models[sparsest], rows)


class CalibrationBin(NamedTuple):
    """Rows of a share of the weight, whose probabilities are next to each other."""

    predicted: float  # mean probability
    observed: float  # share of the larger label
    chance: float  # standard deviation that this share has where the probabilities are right


def calibration(
    probabilities: npt.ArrayLike, labels: npt.ArrayLike, weights: Optional[npt.ArrayLike] = None, bins: int = 10
) -> list[CalibrationBin]:
    """How far probabilities are from frequencies: rows in ascending order of the probability of the larger label fill
    bins of equal weight. Labels are -1 (or 0) and 1."""
    if not 1 <= bins <= 1 << 20:  # as the library has it, which needs the outputs first
        raise InvalidArgumentError(f"bins is {bins}, but must be from 1 to 1048576")
    found = np.empty(bins), np.empty(bins), np.empty(bins)
    _native.calibration(numbers(probabilities), numbers(labels), numbers(weights), *found)
    return [CalibrationBin(*map(float, row)) for row in zip(*found)]


def evaluate_scores(
    metric: str, scores: npt.ArrayLike, labels: npt.ArrayLike, weights: Optional[npt.ArrayLike] = None
) -> float:
    """A figure of merit of scores from anywhere, without a model: those of Model.evaluate but loss and objective.

    scores   one a row: the larger label is predicted above 0, and its probability is 1 / (1 + exp(-score)), so that the
             score of a probability p is log(p / (1 - p)). Or an array of rows times classes, from 3 on, whose largest
             score is predicted; the score of a probability p is log(p)
    labels   -1 (or 0) and 1; of several classes 0, 1, ...; of rmse, mae and r2 any numbers
    """
    array, count = np.asarray(scores, np.float64), np.size(np.asarray(labels))
    if array.ndim not in (1, 2) or array.shape[0] != count:
        raise InvalidArgumentError(f"scores have the shape {array.shape}, but there are {count} labels; a row needs one")
    flat = np.ascontiguousarray(array).reshape(-1)
    return float(_native.evaluate_scores(metric, flat, labels, weights))
