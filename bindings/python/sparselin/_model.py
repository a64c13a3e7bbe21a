"""Models and what predicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any, NamedTuple, Optional, Union, cast

import numpy as np
import numpy.typing as npt

from . import _native
from ._arrays import Floats, Indices, Matrix, numbers, rows_of, to_fill
from ._dataset import Dataset
from ._encoder import Encoder, Fields
from ._handle import Handle, OptionValue, Path, handle_of, make_options, path_of
from .errors import InvalidArgumentError, StateError

# What is kept of a model: enough to train on to the same bits, or enough to predict.
_EVERYTHING, _PREDICTOR = 0, 1


class Weights(NamedTuple):
    """All weights that are not 0, by ascending index, and the bias, as predictions use them for raw values."""

    indices: Indices
    values: Floats
    bias: float


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


class LinearModel(Handle):
    """What models and predictors have in common: they look, and change nothing. Any number of threads may do so at
    once.

    A model of 3 classes and more has a score, a bias and weights for each of them, numbered from 0 by ascending label.
    It refuses the calls of one score (predict and its like, weights, bias) with a StateError that names the one to use;
    scores and its like serve every model.
    """

    __slots__ = ("_frozen", "_threads")
    _frozen: Optional[Encoder]  # of the model's, for records
    _threads: int

    @classmethod
    def _own(cls, handle: Any) -> Any:
        self = super()._own(handle)
        self._frozen, self._threads = None, 1
        return self

    def predict(self, indices: npt.ArrayLike, values: Optional[npt.ArrayLike] = None) -> float:
        """The score w.x + b of an example. Values that are None are all ones; features that were never seen count
        nothing."""
        return _native.model_predict(self._handle, indices, values)  # type: ignore[no-any-return]

    def predict_csr(self, matrix: Matrix, out: Optional[Floats] = None) -> Floats:
        """The scores of the rows of a matrix (see Dataset for what is one), in `out` if that is given."""
        rows = rows_of(matrix)
        out = to_fill(out, rows.height)
        for first, count in rows.parts_for(self._threads):
            _native.model_predict_csr(self._handle, rows.pointers, rows.indices, rows.values, first, count, out)
        return out

    def predict_dataset(self, data: Dataset, out: Optional[Floats] = None) -> Floats:
        """The scores of the rows of a data set."""
        handle = handle_of(data, Dataset)
        out = to_fill(out, data.rows)
        _native.model_predict_dataset(self._handle, handle, out)
        return out

    def predict_record(self, fields: Fields) -> float:
        """The score of a record, of which the encoder that the model carries makes a row. Names that it does not know
        are left out."""
        return self.predict(*self._row(fields))

    def probability(self, score: float) -> float:
        """The probability of the larger label, given a score. The loss must be log."""
        return float(_native.model_probability(self._handle, score))

    def label(self, score: float) -> float:
        """The label that a score stands for: the larger if it is above 0, else the smaller."""
        return float(_native.model_label(self._handle, score))

    @property
    def classes(self) -> int:
        """Scores a row: one for each of three classes and more, 1 of any other model."""
        return int(_native.model_classes(self._handle))

    @property
    def labels(self) -> Floats:
        """The labels of the classes, ascending; of a model of two labels that pair."""
        out = np.empty(_native.model_class_labels(self._handle, None))
        _native.model_class_labels(self._handle, out)
        return out

    def scores(self, indices: npt.ArrayLike, values: Optional[npt.ArrayLike] = None) -> Floats:
        """The scores of an example, one for each class."""
        out = np.empty(self.classes)
        _native.model_scores(self._handle, indices, values, out)
        return out

    def scores_csr(self, matrix: Matrix) -> Floats:
        """The scores of the rows of a matrix, in an array of rows times classes."""
        rows = rows_of(matrix)
        out = np.empty((rows.height, self.classes))
        flat = out.reshape(-1)
        for first, count in rows.parts_for(self._threads):
            _native.model_scores_csr(self._handle, rows.pointers, rows.indices, rows.values, first, count, flat)
        return out

    def scores_dataset(self, data: Dataset) -> Floats:
        """The scores of the rows of a data set, in an array of rows times classes."""
        handle = handle_of(data, Dataset)
        out = np.empty((data.rows, self.classes))
        _native.model_scores_dataset(self._handle, handle, out.reshape(-1))
        return out

    def scores_record(self, fields: Fields) -> Floats:
        """The scores of a record, one for each class."""
        return self.scores(*self._row(fields))

    def probabilities(self, scores: npt.ArrayLike) -> Floats:
        """Scores of rows turned into probabilities: of each class, or of the larger of two labels. Any shape of whole
        rows."""
        given = np.asarray(scores, np.float64)
        out = np.empty(given.shape)
        _native.model_probabilities(self._handle, np.ascontiguousarray(given).reshape(-1), out.reshape(-1))
        return out

    def predicted_labels(self, scores: npt.ArrayLike) -> Floats:
        """The labels that scores of rows stand for, one a row: that of the largest score."""
        given = np.ascontiguousarray(scores, np.float64).reshape(-1)
        out = np.empty(given.size // self.classes)
        _native.model_predicted_labels(self._handle, given, out)
        return out

    def evaluate(self, data: Dataset, metric: str) -> float:
        """A figure of merit on data, every row counted with its weight: loss, objective, error_rate, f1, macro_f1, mcc,
        auc, average_precision, log_loss, brier, calibration_error, rmse, mae or r2."""
        return float(_native.model_evaluate(self._handle, handle_of(data, Dataset), metric))

    def confusion(self, data: Dataset) -> Floats:
        """What is taken for what: [i, j] is the weight of rows of class i that were taken for class j."""
        count = len(self.labels)
        out = np.empty((count, count))
        _native.model_confusion(self._handle, handle_of(data, Dataset), out.reshape(-1))
        return out

    @property
    def weights(self) -> Weights:
        """All weights that are not 0, and the bias."""
        count = _native.model_nonzeros(self._handle, None, None)
        indices, values = np.empty(count, np.uint32), np.empty(count)
        _native.model_nonzeros(self._handle, indices, values)
        return Weights(indices, values, self.bias)

    def weight(self, index: int) -> float:
        """The weight of one feature, 0 if it was never seen."""
        return float(_native.model_weight(self._handle, index))

    @property
    def bias(self) -> float:
        return float(_native.model_bias(self._handle))

    def class_weights(self, k: int) -> Weights:
        """All weights of class number k that are not 0, and its bias; of a model of one score k is 0."""
        count = _native.model_class_nonzeros(self._handle, k, None, None)
        indices, values = np.empty(count, np.uint32), np.empty(count)
        _native.model_class_nonzeros(self._handle, k, indices, values)
        return Weights(indices, values, self.class_bias(k))

    def class_weight(self, k: int, index: int) -> float:
        return float(_native.model_class_weight(self._handle, k, index))

    def class_bias(self, k: int) -> float:
        return float(_native.model_class_bias(self._handle, k))

    @property
    def dimension(self) -> int:
        """The largest index that was fed or observed, + 1."""
        return int(_native.model_dimension(self._handle))

    @property
    def steps(self) -> int:
        """Steps made since the model was created; examples of weight 0 are none."""
        return int(_native.model_steps(self._handle))

    @property
    def mean_loss(self) -> float:
        """The mean loss of each example just before it was learned: after one pass an estimate of the loss on new
        data."""
        return float(_native.model_mean_loss(self._handle))

    @property
    def memory(self) -> int:
        """Bytes that the model holds."""
        return int(_native.model_memory(self._handle))

    def option(self, name: str) -> str:
        """An option that the model was made with, as text."""
        return str(_native.model_option(self._handle, name))

    def set_threads(self, threads: int) -> None:
        """In how many threads many rows are scored and judged, to the same bits; 0: as many as there are cores. What
        the option threads says, for a model that was loaded, since that is not saved."""
        _native.model_set_threads(self._handle, threads)
        self._threads = threads

    @property
    def encoder(self) -> Encoder:
        """A copy of the encoder that the model carries."""
        return Encoder._own(_native.model_encoder(self._handle))

    def _row(self, fields: Fields) -> tuple[Indices, Floats]:
        # A copy that is frozen, so that asking teaches it nothing.
        if self._frozen is None:
            frozen = self.encoder
            frozen.freeze()
            self._frozen = frozen
        return self._frozen.row(fields)

    def _bytes(self, keep: int) -> bytes:
        out = bytearray(_native.model_to_bytes(self._handle, keep, None))
        _native.model_to_bytes(self._handle, keep, out)
        return bytes(out)

    def __repr__(self) -> str:
        name = f"sparselin.{type(self).__name__}"
        if self.closed:
            return f"{name}(closed)"
        return f"{name}(loss {self.option('loss')}, steps {self.steps}, dimension {self.dimension})"


class Model(LinearModel):
    """A linear model that learns from labelled sparse examples and gives scores w.x + b.

    A step of training costs what the example's nonzeros cost, whatever the number of features. The same examples in the
    same order give the same bits, one at a time or in batches, here and in every other language of the library.

    With a loss of two labels (log, hinge, squared_hinge) feeding knows the labels -1 and +1, where 0 counts as -1;
    fitting a data set of exactly two distinct labels takes those two.

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
        """Fixes the labels of the classes, for streams, of which nobody knows all labels beforehand but the caller."""
        _native.model_set_labels(self._handle, labels)

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
        y, w = numbers(labels), numbers(weights)
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
