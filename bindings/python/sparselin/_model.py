"""Models and what predicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any, NamedTuple, Optional, Union, cast

import numpy.typing as npt

from . import _native
from ._arrays import Matrix, labels_of, numbers, rows_of
from ._dataset import Dataset
from ._encoder import Encoder
from ._handle import OptionValue, Path, handle_of, make_options, path_of
from ._linear_model import LinearModel
from .errors import InvalidArgumentError, StateError

# What is kept of a model: enough to train on to the same bits, or enough to predict.
_EVERYTHING, _PREDICTOR = 0, 1


class Progress(NamedTuple):
    """How far a fit has come."""

    steps: int  # of the model since it was created
    rows: int  # of this fit, all its passes counted, that are done
    rows_total: int
    mean_loss: float
    epoch: int  # passes of this fit that are complete


class FitState(Enum):
    """What fit would do with data."""

    NEW = 0  # all of its passes, from the first row on
    STOPPED = 1  # go on with the fit that was stopped
    DONE = 2  # all passes once more: the last fit learned this data to the end


class Model(LinearModel):
    """A linear model that learns from labelled sparse examples and gives scores w.x + b.

    A step of training costs what the example's nonzeros cost, whatever the number of features. The same examples in the
    same order give the same bits, one at a time or in batches, here and in every other language of the library.

    With a loss that tells labels apart feeding knows the labels -1 and +1, where 0 counts as -1; fitting a data set of
    exactly two distinct labels takes those two, and one of three to 1,000, all whole numbers, makes a model of so many
    classes. With the option classes at K feeding knows 0 .. K-1, and fitting these or any K others; set_labels says
    what labels there are.

    Threads may predict from one model at the same time. A call that changes it has it alone: others on it are a
    StateError meanwhile.
    """

    __slots__ = ()

    def __init__(self, options: Optional[Mapping[str, OptionValue]] = None, /, **named: OptionValue) -> None:
        """An untrained model. Options go by name: Model(loss="hinge", l2=1e-4); sparselin.options() lists them."""
        self._handle = _native.model_create(make_options(options, named))
        self._frozen, self._threads = None, int(self.option("threads"))

    @staticmethod
    def merge(
        models: Iterable[LinearModel], /, *, begin: Optional[LinearModel] = None, parts: Optional[float] = None
    ) -> Model:
        """One model of several that learned parts of the data, or that only observed them: weights, biases and averages
        are the mean of theirs, each counted with its share of all example weights. One round of parts is not a pass
        over the whole: prefer several, each of which begins with what was merged.

        begin   what all were copies of when a round began: what it had learned counts once, and rare features, of which
                each part sees too few rows, go on through the mean (sl_model_merge_round)
        parts   of how many parts the result is made in the end: where they differ in weight, 1 / (the sum of their
                shares' squares); None: as many as there are. With 1 weights are the mean: in a tree of merges below its
                root, say
        """
        handles = [handle_of(model, LinearModel) for model in models]
        if begin is None:
            if parts is not None:
                raise InvalidArgumentError(f"parts is {parts}, which goes with begin, what the models were copies of")
            return cast(Model, Model._own(_native.model_merge_all(tuple(handles), 0)))
        count = max(len(handles), 1) if parts is None else parts
        return cast(Model, Model._own(_native.model_merge_all((handle_of(begin, LinearModel), *handles), count)))

    def start(self, source: LinearModel) -> None:
        """Lets a model that has made no step begin at the weights and biases of another one, whatever that one's
        options."""
        _native.model_start(self._handle, source._handle)

    def copy(self) -> Model:
        """An independent copy: from here on the two give the same bits for the same calls."""
        copied: Model = Model._own(_native.model_clone(self._handle))
        copied._threads = self._threads
        return copied

    def predictor(self) -> Predictor:
        """What predicting needs, as it is now, whatever becomes of the model."""
        predictor: Predictor = Predictor._own(_native.model_predictor(self._handle))
        predictor.set_threads(self._threads)
        return predictor

    def set_encoder(self, encoder: Optional[Encoder]) -> None:
        """Gives the model a copy of the encoder that makes its rows, which its file, and that of its predictor,
        carries. None takes it out."""
        _native.model_set_encoder(self._handle, None if encoder is None else handle_of(encoder, Encoder))
        self._frozen = None

    def set_labels(self, labels: npt.ArrayLike) -> None:
        """Fixes the labels of the classes, 2 to 65,536 distinct numbers in any order: for streams, of which nobody knows
        all labels beforehand but the caller, and for labels that a part of the data lacks."""
        _native.model_set_labels(self._handle, labels_of(labels))

    def observe(self, indices: npt.ArrayLike, values: Optional[npt.ArrayLike] = None, weight: float = 1.0) -> None:
        """Counts an example into the statistics of the options center and scale, without training on it."""
        _native.model_observe(self._handle, indices, values, weight)

    def observe_dataset(self, data: Dataset) -> int:
        """Observes the rows of a data set, and returns how many."""
        return self._by_parts(_native.model_observe_rows, data)

    def feed(self, indices: npt.ArrayLike, values: Optional[npt.ArrayLike], label: float, weight: float = 1.0) -> None:
        """One step of training. Values that are None are all ones. An example without features is fine: it moves the
        bias."""
        _native.model_feed(self._handle, indices, values, label, weight)

    def feed_csr(self, matrix: Matrix, labels: npt.ArrayLike, weights: Optional[npt.ArrayLike] = None) -> int:
        """Feeds the rows of a matrix (see Dataset for what is one) in turn, and returns how many."""
        rows = rows_of(matrix)
        y, w = labels_of(labels), numbers(weights)
        done = 0
        if rows.height == 0:
            done = _native.model_feed_csr(self._handle, rows.pointers, rows.indices, rows.values, y, w, 0, 0)
        for first, count in rows.parts():
            done = _native.model_feed_csr(self._handle, rows.pointers, rows.indices, rows.values, y, w, first, count)
        return done

    def feed_dataset(self, data: Dataset) -> int:
        """Feeds the rows of a data set in turn, once, without making its two labels those of the model; returns how
        many."""
        return self._by_parts(_native.model_feed_rows, data)

    def _by_parts(self, call: Any, data: Dataset) -> int:
        handle = handle_of(data, Dataset)
        rows = data.rows
        step = max(1, rows * (1 << 18) // (data.nonzeros + rows + 1))
        done = 0
        for first in range(0, rows, step):
            done = call(self._handle, handle, first, min(step, rows - first))
        return done

    def fit(self, data: Dataset, progress: Union[bool, None, Callable[[Progress], Optional[bool]]] = None) -> Model:
        """Trains on a data set: as many passes as the option epochs says, in the order that sampling and seed fix.
        Gathers statistics first where options call for them, and makes the data's labels the model's.

        progress   called about fifty times a second, stops the fit (CancelledError) if it returns True; True shows a
                   bar of tqdm, if that is installed

        It can be stopped by Ctrl-C, too, or by an exception of progress. The rows before are learned: called again with
        the same data it goes on where it stopped, also after the model was saved and loaded.

        Early stopping: a fit of Model(epochs=50), say, that is stopped after each pass has the bits of one that ran
        through. Of each pass the model is judged by rows that it does not learn, and the best is kept:

            best = None
            for epoch in range(1, 51):
                with contextlib.suppress(sparselin.CancelledError):
                    model.fit(data, lambda at: at.epoch == epoch)
                loss = model.evaluate(validation, "log_loss")
                if best is None or loss < best[0]:
                    best = loss, epoch, model.copy()
                elif epoch - best[1] == 3:
                    break
        """
        if progress is True:
            return self._fit_with_bar(data)
        report = None if not progress else lambda *numbers: progress(Progress(*numbers))
        _native.model_fit(self._handle, handle_of(data, Dataset), report)
        return self

    def _fit_with_bar(self, data: Dataset) -> Model:
        from tqdm.auto import tqdm

        with tqdm(unit="row", unit_scale=True) as bar:

            def show(at: Progress) -> None:
                bar.total = at.rows_total
                bar.set_postfix(loss=f"{at.mean_loss:.4g}", refresh=False)
                bar.update(at.rows - bar.n)

            return self.fit(data, show)

    def fit_state(self, data: Dataset) -> FitState:
        """Says what fit would do with data, so that a model that was saved when its fit was stopped can be told from
        one that is finished."""
        return FitState(_native.model_fit_state(self._handle, handle_of(data, Dataset)))

    def finalize(self) -> None:
        """Lays the model out for fast prediction, once. Changes no prediction and no later training; the next step
        drops it."""
        _native.model_finalize(self._handle)

    def _knows(self, metric: str) -> bool:
        """Whether the loss knows the metric: error_rate where it tells classes apart, log_loss where it gives
        probabilities."""
        return bool(_native.model_knows(self._handle, metric))

    def set_threads(self, threads: int) -> None:
        """In how many threads many rows are scored, 0: as many as there are cores; for a model that was loaded, since
        that is not saved. Changes no number."""
        _native.model_set_threads(self._handle, threads)
        self._threads = threads

    def save(self, path: Path, predictor: bool = False) -> None:
        """Writes the model to a file, the same on every machine and from every language: all of it, to be trained on to
        the same bits, or what predicting needs. The file is there whole or not at all."""
        _native.model_save(self._handle, _PREDICTOR if predictor else _EVERYTHING, path_of(path))

    @classmethod
    def load(cls, path: Path) -> Model:
        """Reads a model, whichever language wrote it."""
        model: Model = cls._own(_native.model_load(path_of(path)))
        return model

    def to_bytes(self, predictor: bool = False) -> bytes:
        """What save writes."""
        return self._bytes(_PREDICTOR if predictor else _EVERYTHING)

    @classmethod
    def from_bytes(cls, data: Union[bytes, bytearray, memoryview]) -> Model:
        model: Model = cls._own(_native.model_from_bytes(data))
        return model

    def __copy__(self) -> Model:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Model:
        return self.copy()

    def __reduce__(self) -> Any:
        try:
            return Model.from_bytes, (self.to_bytes(),)
        except StateError:  # it can only predict
            return Model.from_bytes, (self.to_bytes(predictor=True),)


class Predictor(LinearModel):
    """What predicting needs of a model. It never changes, so that any number of threads may share it."""

    __slots__ = ()

    def save(self, path: Path) -> None:
        """Writes the predictor to a file, which Model.load reads as well, in every language."""
        _native.model_save(self._handle, _PREDICTOR, path_of(path))

    @classmethod
    def load(cls, path: Path) -> Predictor:
        """Reads a predictor from a file that it or a model was saved to."""
        with Model.load(path) as model:
            return model.predictor()

    def to_bytes(self) -> bytes:
        return self._bytes(_PREDICTOR)

    @classmethod
    def from_bytes(cls, data: Union[bytes, bytearray, memoryview]) -> Predictor:
        with Model.from_bytes(data) as model:
            return model.predictor()

    def __copy__(self) -> Predictor:
        copied: Predictor = Predictor._own(_native.model_clone(self._handle))
        copied._threads = self._threads
        return copied

    def __deepcopy__(self, memo: Any) -> Predictor:
        return self.__copy__()

    def __reduce__(self) -> Any:
        return Predictor.from_bytes, (self.to_bytes(),)
