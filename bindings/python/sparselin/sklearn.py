"""Estimators for scikit-learn 1.4 and later: SparselinClassifier, SparselinRegressor and SparselinVectorizer.

Their parameters are sparselin's options by sparselin's names. One that is None has the library's default, which
sparselin.options() lists with what it means. The model is in `model_`, and the encoder in `encoder_`:
`classifier.model_.save(path)` writes the file that every other language reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt
from scipy.special import log_softmax
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, TransformerMixin
from sklearn.utils import column_or_1d, compute_class_weight, compute_sample_weight
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from ._dataset import Dataset
from ._encoder import Encoder
from ._estimator import EXPECTED_FAILED_CHECKS as EXPECTED_FAILED_CHECKS
from ._estimator import LinearEstimator, Weights, given, keep, matrix_of, or_as_before
from ._model import Model

__all__ = ["SparselinClassifier", "SparselinRegressor", "SparselinVectorizer"]

Number = Union[float, str, None]  # or "auto"


def _has_probabilities(estimator: Any) -> bool:
    with Model(**given(estimator, ["loss"])) as model:
        return model._knows("log_loss")


class SparselinClassifier(ClassifierMixin, LinearEstimator):
    """A linear classifier of two classes or more, trained by stochastic gradient descent on rows that may be sparse.

    class_weight   what rows of each class count: a dictionary by class, or "balanced"
    All other parameters are options of sparselin. Labels that are numbers are those of the model; others, and whole
    numbers beyond 2^53, are 0, 1, ... in the order of `classes_`.
    """

    classes_: npt.NDArray[Any]

    def __init__(
        self,
        *,
        class_weight: Union[Mapping[Any, float], str, None] = None,
        preset: Optional[str] = None,
        loss: Optional[str] = None,
        multiclass: Optional[str] = None,
        update: Optional[str] = None,
        l1: Optional[float] = None,
        l2: Number = None,
        gravity: Optional[float] = None,
        theta: Optional[float] = None,
        period: Optional[int] = None,
        nonnegative: Optional[bool] = None,
        schedule: Optional[str] = None,
        eta0: Number = None,
        power: Number = None,
        decay: Number = None,
        noise: Number = None,
        average: Optional[str] = None,
        average_start: Number = None,
        average_power: Optional[float] = None,
        sparse_average: Optional[bool] = None,
        bias: Optional[bool] = None,
        bias_regularized: Optional[bool] = None,
        normalize: Optional[str] = None,
        scale: Optional[str] = None,
        center: Optional[bool] = None,
        clip_min: Optional[float] = None,
        clip_max: Optional[float] = None,
        storage: Optional[str] = None,
        epochs: Optional[int] = None,
        sampling: Optional[str] = None,
        seed: Optional[int] = None,
        threads: Optional[int] = None,
    ) -> None:
        keep(self, locals())

    def _begin(self, classes: npt.NDArray[Any]) -> None:
        if len(classes) < 2:
            raise ValueError(
                f"there have to be at least 2 classes, but the data have {len(classes)} class: {classes.tolist()}"
            )
        model = Model(self._options(), **({"classes": len(classes)} if len(classes) > 2 else {}))
        kind = classes.dtype.kind
        numbers = kind in "bf" or (kind in "iu" and (np.abs(classes.astype(np.float64)) < 2**53).all())
        model.set_labels(classes.astype(np.float64) if numbers else np.arange(len(classes)))
        self.classes_, self.model_ = classes, model

    def _data(self, X: Any, y: Any, sample_weight: Any) -> Dataset:
        """Rows whose labels are the model's."""
        labels = self.model_.labels[np.searchsorted(self.classes_, y)]
        return Dataset(X, labels, sample_weight)

    @or_as_before
    def fit(self, X: Any, y: Any, sample_weight: Weights = None) -> SparselinClassifier:
        """Learns from the beginning, in as many passes as `epochs` says."""
        X, y, sample_weight = self._check(X, y, sample_weight, reset=True)
        check_classification_targets(y)
        y = column_or_1d(y)
        counted = y if sample_weight is None else y[np.not_equal(sample_weight, 0)]
        if len(np.unique(counted)) < 2 <= len(np.unique(y)):
            raise ValueError("the rows whose weight is not 0 are all of one class")
        self._begin(np.unique(y))
        if self.class_weight is not None:
            weights = compute_sample_weight(self.class_weight, y)
            sample_weight = weights if sample_weight is None else weights * sample_weight
        with self._data(X, y, sample_weight) as data:
            self.model_.fit(data)
        return self

    @or_as_before
    def partial_fit(
        self, X: Any, y: Any, classes: Optional[npt.ArrayLike] = None, sample_weight: Weights = None
    ) -> SparselinClassifier:
        """Learns these rows on top of what is known, once and in their order. The first call says all `classes` there
        will be."""
        first = not hasattr(self, "classes_")
        X, y, sample_weight = self._check(X, y, sample_weight, reset=first)
        check_classification_targets(y)
        y = column_or_1d(y)
        if self.class_weight == "balanced":
            raise ValueError(
                'class_weight="balanced" needs all rows at once; give partial_fit a dictionary, or sample_weight'
            )
        if first and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        known = self.classes_ if classes is None else np.unique(np.asarray(classes))
        if not first and not np.array_equal(known, self.classes_):
            raise ValueError(
                f"`classes={classes!r}` is not the same as on last call to partial_fit, was: {self.classes_!r}"
            )
        unknown = np.setdiff1d(y, known)
        if len(unknown):
            raise ValueError(f"a label is {unknown.tolist()[0]!r}, which is none of the classes: {known.tolist()}")
        if first:
            self._begin(known)
        if self.class_weight is not None:
            of_class = compute_class_weight(self.class_weight, classes=known, y=known)
            weights = of_class[np.searchsorted(self.classes_, y)]
            sample_weight = weights if sample_weight is None else weights * sample_weight
        with self._data(X, y, sample_weight) as data:
            self._feed(data)
        return self

    def decision_function(self, X: Any) -> npt.NDArray[np.float64]:
        """The scores of the rows: one a row of two classes, which is above 0 for the second of them; else one a
        class."""
        X = self._looked_at(X)
        scores = self.model_.scores_csr(X)
        return scores if len(self.classes_) > 2 else scores[:, 0]

    def predict(self, X: Any) -> npt.NDArray[Any]:
        scores = self.decision_function(X)
        return self.classes_[scores.argmax(axis=1) if scores.ndim == 2 else (scores > 0).astype(int)]  # type: ignore[no-any-return]

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """The probability of each class, of a loss that gives it, such as log."""
        scores = self.decision_function(X)
        probabilities = self.model_.probabilities(scores)
        return probabilities if scores.ndim == 2 else np.column_stack((1 - probabilities, probabilities))

    @available_if(_has_probabilities)
    def predict_log_proba(self, X: Any) -> npt.NDArray[np.float64]:
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack((-np.logaddexp(0, scores), -np.logaddexp(0, -scores)))
        if self.model_.option("multiclass") == "one_vs_rest":
            none = (scores < -np.log(np.finfo(np.float64).max)).all(axis=1)  # of whose classes all have 1 / K
            scores = -np.logaddexp(0, -scores)
            scores[none] = 0
        return log_softmax(scores, axis=1)  # type: ignore[no-any-return]


class SparselinRegressor(RegressorMixin, LinearEstimator):
    """A linear regression, trained by stochastic gradient descent on rows that may be sparse.

    loss   one of labels of any number, such as squared; sparselin.options() lists them
    All parameters are options of sparselin.
    """

    def __init__(
        self,
        *,
        preset: Optional[str] = None,
        loss: str = "squared",
        huber_delta: Optional[float] = None,
        epsilon: Optional[float] = None,
        quantile: Optional[float] = None,
        update: Optional[str] = None,
        l1: Optional[float] = None,
        l2: Number = None,
        gravity: Optional[float] = None,
        theta: Optional[float] = None,
        period: Optional[int] = None,
        nonnegative: Optional[bool] = None,
        schedule: Optional[str] = None,
        eta0: Number = None,
        power: Number = None,
        decay: Number = None,
        noise: Number = None,
        average: Optional[str] = None,
        average_start: Number = None,
        average_power: Optional[float] = None,
        sparse_average: Optional[bool] = None,
        bias: Optional[bool] = None,
        bias_regularized: Optional[bool] = None,
        normalize: Optional[str] = None,
        scale: Optional[str] = None,
        center: Optional[bool] = None,
        clip_min: Optional[float] = None,
        clip_max: Optional[float] = None,
        storage: Optional[str] = None,
        epochs: Optional[int] = None,
        sampling: Optional[str] = None,
        seed: Optional[int] = None,
        threads: Optional[int] = None,
    ) -> None:
        keep(self, locals())

    def _begin(self) -> None:
        model = Model(self._options())
        if model._knows("error_rate"):
            raise ValueError(f"loss {self.loss} is one of classes: use SparselinClassifier")
        self.model_ = model

    @or_as_before
    def fit(self, X: Any, y: Any, sample_weight: Weights = None) -> SparselinRegressor:
        """Learns from the beginning, in as many passes as `epochs` says."""
        X, y, sample_weight = self._check(X, y, sample_weight, reset=True)
        self._begin()
        with Dataset(X, y, sample_weight) as data:
            self.model_.fit(data)
        return self

    @or_as_before
    def partial_fit(self, X: Any, y: Any, sample_weight: Weights = None) -> SparselinRegressor:
        """Learns these rows on top of what is known, once and in their order."""
        first = not hasattr(self, "model_")
        X, y, sample_weight = self._check(X, y, sample_weight, reset=first)
        if first:
            self._begin()
        with Dataset(X, y, sample_weight) as data:
            self._feed(data)
        return self

    def predict(self, X: Any) -> npt.NDArray[np.float64]:
        X = self._looked_at(X)
        return self.model_.predict_csr(X)


class SparselinVectorizer(TransformerMixin, BaseEstimator):
    """Makes sparse rows of texts, of records (dictionaries: see sparselin.Encoder), or of the rows of a data frame.

    text            of a data frame, the columns that are texts; its other columns are numbers and categories
    crosses         pairs of fields whose products are features, too
    sparse_output   False: an array of numpy
    hash_bits       20 where it is not said, since most of scikit-learn takes indices of 31 bits at most
    All other parameters are options of sparselin's encoders. With features="dictionary", fit learns the names and
    transform leaves out those that are new; with features="hash", the default, there is nothing to learn.
    """

    encoder_: Encoder

    def __init__(
        self,
        *,
        text: Optional[list[str]] = None,
        crosses: Optional[list[tuple[str, str]]] = None,
        sparse_output: bool = True,
        features: Optional[str] = None,
        hash_bits: Optional[int] = None,
        hash_sign: Optional[bool] = None,
        hash_like: Optional[str] = None,
        keep_names: Optional[bool] = None,
        min_count: Optional[int] = None,
        tokens: Optional[str] = None,
        ngram_min: Optional[int] = None,
        ngram_max: Optional[int] = None,
        lowercase: Optional[bool] = None,
        threads: Optional[int] = None,
    ) -> None:
        keep(self, locals())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string, tags.input_tags.two_d_array = True, False
        tags.requires_fit = True
        tags.no_validation = True
        return tags

    def _more_tags(self) -> dict[str, Any]:  # before scikit-learn 1.6
        return {"X_types": ["string"], "no_validation": True}

    def _rows(self, X: Any, encoder: Encoder) -> Dataset:
        if hasattr(X, "columns"):
            return encoder.table(X, text=self.text or ())
        if isinstance(X, (str, bytes)):
            raise ValueError("an iterable over texts or records was expected, not a single text")
        X = list(X)
        if all(isinstance(item, Mapping) for item in X):
            return encoder.records(X)
        if all(isinstance(item, (str, bytes)) for item in X):
            return encoder.texts(X)
        raise ValueError("texts, records (dictionaries) or a data frame were expected")

    def fit(self, X: Any, y: Any = None) -> SparselinVectorizer:
        """Learns the names of the features, where they are learned."""
        self.fit_transform(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        options = given(
            self, (name for name in self._get_param_names() if name not in ("text", "crosses", "sparse_output"))
        )
        if self.features in (None, "hash"):
            options.setdefault("hash_bits", 20)
        encoder = Encoder(options)
        for first, second in self.crosses or ():
            encoder.cross(first, second)
        with self._rows(X, encoder) as data:
            encoder.freeze()
            self.encoder_ = encoder
            return self._matrix(data)

    def transform(self, X: Any) -> Any:
        check_is_fitted(self)
        with self._rows(X, self.encoder_) as data:
            return self._matrix(data)

    def _matrix(self, data: Dataset) -> Any:
        pointers, indices, values = data.to_csr()
        matrix = matrix_of(values, indices, pointers, self.encoder_.dimension)
        return matrix if self.sparse_output else matrix.toarray()

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[np.object_]:
        """The names: with features="dictionary", or keep_names, where features that were not seen are x0, x1, ..."""
        check_is_fitted(self)
        names = [f"x{index}" for index in range(self.encoder_.dimension)]
        for index in range(len(names)):
            try:
                names[index] = self.encoder_.name(index)
            except ValueError:  # not seen, or dropped
                pass
        return np.array(names, dtype=object)
