"""What models and predictors have in common."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import numpy as np
import numpy.typing as npt

from . import _native
from ._arrays import Floats, Indices, Matrix, rows_of, to_fill
from ._dataset import Dataset
from ._encoder import Encoder, Fields
from ._handle import Handle, handle_of
from .errors import InvalidArgumentError, StateError


class Weights(NamedTuple):
    """All weights that are not 0, by ascending index, and the bias, as predictions use them for raw values."""

    indices: Indices
    values: Floats
    bias: float


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
        """The probability of the larger label, given a score. The loss must give it, as log does."""
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
        """Scores of rows turned into probabilities, of the same shape: of each class, or of the larger of two
        labels."""
        given = self._of_rows(scores)
        out = np.empty(given.shape)
        _native.model_probabilities(self._handle, np.ascontiguousarray(given).reshape(-1), out.reshape(-1))
        return out

    def predicted_labels(self, scores: npt.ArrayLike) -> Floats:
        """The labels that scores of rows stand for, one a row: that of the largest score."""
        given = self._of_rows(scores)
        out = np.empty(given.size // self.classes)
        _native.model_predicted_labels(self._handle, np.ascontiguousarray(given).reshape(-1), out)
        return out

    def _of_rows(self, scores: npt.ArrayLike) -> Floats:
        """Scores of rows one after the other, or in an array whose last dimension is a row."""
        given = np.asarray(scores, np.float64)
        if given.ndim > 1 and given.shape[-1] != self.classes > 1:
            raise InvalidArgumentError(f"scores have the shape {given.shape}, but rows have {self.classes} each")
        return given

    def evaluate(self, data: Dataset, metric: str) -> float:
        """A figure of merit on data, every row counted with its weight: loss, objective, error_rate, f1, macro_f1, mcc,
        auc, average_precision, log_loss, brier, calibration_error, rmse, mae or r2. Models of several classes have loss,
        objective, error_rate, macro_f1, mcc and log_loss."""
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

    def _knows(self, metric: str) -> bool:
        """Whether the loss knows the metric: error_rate where it tells classes apart, log_loss where it gives
        probabilities."""
        return bool(_native.model_knows(self._handle, metric))

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

    def _about(self) -> str:
        return f"loss {self.option('loss')}, steps {self.steps}, dimension {self.dimension}"
