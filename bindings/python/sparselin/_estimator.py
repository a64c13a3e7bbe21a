"""What the estimators for scikit-learn have in common."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, Callable, Optional, TypeVar, cast

import numpy as np
import numpy.typing as npt
import scipy.sparse as sparse
import sklearn
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from ._dataset import Dataset
from ._model import Model

if tuple(int(part) for part in sklearn.__version__.split(".")[:2]) >= (1, 6):
    from sklearn.utils.validation import validate_data
else:

    def validate_data(estimator: Any, *arrays: Any, **checks: Any) -> Any:
        return estimator._validate_data(*arrays, **checks)


Weights = Optional[npt.ArrayLike]
Fit = TypeVar("Fit", bound=Callable[..., Any])

# What check_estimator expects and no estimator that goes through the rows one by one has.
EXPECTED_FAILED_CHECKS = {
    name: "a row of weight 2 is one step of twice the slope, and not two steps; the rows' order depends on their number"
    for name in (
        "check_sample_weights_invariance",
        "check_sample_weight_equivalence_on_dense_data",
        "check_sample_weight_equivalence_on_sparse_data",
    )
}


def given(estimator: Any, names: Any) -> dict[str, Any]:
    """The options that are not left to the library."""
    return {name: value for name, value in ((name, getattr(estimator, name)) for name in names) if value is not None}


def keep(estimator: Any, parameters: Mapping[str, Any]) -> None:
    """Keeps the parameters of __init__, which scikit-learn asks to be attributes as they are, from its locals()."""
    for name, value in parameters.items():
        if name != "self":
            setattr(estimator, name, value)


def or_as_before(fit: Fit) -> Fit:
    """A fit that fails leaves the estimator's attributes as they were."""

    @functools.wraps(fit)
    def whole(self: Any, *arrays: Any, **named: Any) -> Any:
        before = dict(self.__dict__)
        try:
            return fit(self, *arrays, **named)
        except BaseException:
            self.__dict__ = before
            raise

    return cast(Fit, whole)


def matrix_of(values: Any, indices: Any, pointers: Any, columns: int) -> Any:
    """Sparse rows, whose indices have 64 bits only where 32 are too few."""
    kind = np.int32 if max(columns, len(indices)) <= np.iinfo(np.int32).max else np.int64
    return sparse.csr_matrix((values, indices.astype(kind), pointers.astype(kind)), (len(pointers) - 1, columns))


class LinearEstimator(BaseEstimator):
    """What classifiers and regressors have in common."""

    model_: Model
    n_features_in_: int

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _more_tags(self) -> dict[str, Any]:  # before scikit-learn 1.6
        return {"_xfail_checks": EXPECTED_FAILED_CHECKS}

    def __setstate__(self, state: Any) -> None:
        super().__setstate__(state)
        if hasattr(self, "model_") and self.threads is not None:  # which a model does not keep
            self.model_.set_threads(self.threads)

    def _options(self) -> dict[str, Any]:
        return given(self, (name for name in self._get_param_names() if name != "class_weight"))

    def _check(self, X: Any, y: Any, sample_weight: Weights, reset: bool) -> tuple[Any, Any, Any]:
        X, y = validate_data(
            self,
            X,
            y,
            accept_sparse=("csr", "csc"),
            dtype=[np.float64, np.float32],
            reset=reset,
            y_numeric=isinstance(self, RegressorMixin),
        )
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64)
        return X, y, sample_weight

    def _looked_at(self, X: Any) -> Any:
        check_is_fitted(self)
        return validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False)

    def _feed(self, data: Dataset) -> None:
        if self.model_.steps == 0 and (
            self.model_.option("center") == "true" or self.model_.option("scale") in ("rms", "max_abs")
        ):
            self.model_.observe_dataset(data)
        self.model_.feed_dataset(data)

    @property
    def coef_(self) -> Any:
        """The weights, those of a class in a row: a sparse matrix, made when it is asked for."""
        self._fitted("coef_")
        rows = [self.model_.class_weights(k) for k in range(self.model_.classes)]
        pointers = np.cumsum([0] + [len(row.indices) for row in rows])
        indices = np.concatenate([row.indices for row in rows])
        return matrix_of(np.concatenate([row.values for row in rows]), indices, pointers, self.n_features_in_)

    @property
    def intercept_(self) -> npt.NDArray[np.float64]:
        self._fitted("intercept_")
        return np.array([self.model_.class_bias(k) for k in range(self.model_.classes)])

    def _fitted(self, name: str) -> None:
        if not hasattr(self, "model_"):
            raise AttributeError(f"{type(self).__name__} has no {name} before fit")
