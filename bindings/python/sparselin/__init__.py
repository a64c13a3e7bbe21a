"""Linear predictors on sparse data, trained by stochastic gradient descent.

    import sparselin

    data = sparselin.Dataset([[1, 0, 1], [0, 1, 0]], labels=[1, -1])
    model = sparselin.Model(l2=1e-4).fit(data)
    model.predict_csr([[1, 0, 0]])

The estimators for scikit-learn are in sparselin.sklearn.
"""

from . import _native
from ._arrays import convert
from ._dataset import Builder, Dataset, Reader, Row
from ._encoder import Encoder, Text
from ._handle import Option, options, version
from ._linear_model import LinearModel, Weights
from ._model import FitState, Model, Predictor, Progress
from ._search import CalibrationBin, SearchModel, SearchResult, calibration, evaluate_scores, search
from .errors import (
    CancelledError,
    DivergedError,
    FileError,
    FormatError,
    InternalError,
    InvalidArgumentError,
    InvalidDataError,
    InvalidOptionError,
    OutOfMemoryError,
    SparselinError,
    StateError,
    VersionError,
    failure,
)

_native.set_up(failure, convert, Text)
__version__ = version()

__all__ = [
    "Builder",
    "CalibrationBin",
    "CancelledError",
    "Dataset",
    "DivergedError",
    "Encoder",
    "FileError",
    "FitState",
    "FormatError",
    "InternalError",
    "InvalidArgumentError",
    "InvalidDataError",
    "InvalidOptionError",
    "LinearModel",
    "Model",
    "Option",
    "OutOfMemoryError",
    "Predictor",
    "Progress",
    "Reader",
    "Row",
    "SearchModel",
    "SearchResult",
    "SparselinError",
    "StateError",
    "Text",
    "VersionError",
    "Weights",
    "calibration",
    "evaluate_scores",
    "options",
    "search",
    "version",
]
