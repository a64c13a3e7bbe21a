"""What can go wrong: one class a status of the library, each of them also the exception that Python has for such a
thing."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from typing import Any

__all__ = [
    "SparselinError",
    "InvalidArgumentError",
    "InvalidOptionError",
    "InvalidDataError",
    "StateError",
    "OutOfMemoryError",
    "FileError",
    "FormatError",
    "VersionError",
    "DivergedError",
    "CancelledError",
    "InternalError",
]


class SparselinError(Exception):
    """A call that failed, and left everything as it was; one over many rows has done the rows before.

    `message` is the library's, which names the value and the place. `row` is the row at fault, from 0, or None.
    `rows_done` is how many rows of a call that feeds or observes many were done, or None.
    """

    message: str
    row: int | None = None
    rows_done: int | None = None

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> Any:  # classes of files' errors are made as they are needed
        status = next(i for i in reversed(range(len(_CLASSES))) if isinstance(self, _CLASSES[i]))
        return _restore, (status, self.message, getattr(self, "errno", None) or 0, dict(self.__dict__))


class InvalidArgumentError(SparselinError, ValueError):
    """Arrays that do not fit one another, something that is closed, no such row, class or metric."""


class InvalidOptionError(SparselinError, ValueError):
    """An option that does not exist, a value out of its range, options that exclude each other."""


class InvalidDataError(SparselinError, ValueError):
    """A number that is not finite, a negative weight or index, a label that the model cannot take."""


class StateError(SparselinError, RuntimeError):
    """Not now: the message says what has to come first."""


class OutOfMemoryError(SparselinError, MemoryError):
    """Memory is short."""


class FileError(SparselinError, OSError):
    """The system's reason is in the message, its number is `errno`. It is a FileNotFoundError, too, where there is no
    such file, and so on."""


class FormatError(SparselinError, ValueError):
    """No file of this library, a damaged one, or a malformed line of text, whose number the message has."""


class VersionError(SparselinError, ValueError):
    """Written by a newer version of the library."""


class DivergedError(SparselinError, ArithmeticError):
    """A step of training would overflow."""


class CancelledError(SparselinError):
    """The progress function asked to stop. The rows before are learned; fit called again goes on."""


class InternalError(SparselinError, RuntimeError):
    """A bug in the library; please report it with the message."""


# By number, as sl_status has them.
_CLASSES: list[type[SparselinError]] = [
    SparselinError,
    InvalidArgumentError,
    InvalidOptionError,
    InvalidDataError,
    StateError,
    OutOfMemoryError,
    FileError,
    FormatError,
    VersionError,
    DivergedError,
    CancelledError,
    InternalError,
]


@lru_cache(maxsize=None)
def _file_error(kind: Any) -> type[FileError]:
    if kind is OSError:
        return FileError
    return type(FileError.__name__, (FileError, kind), {"__module__": __name__, "__doc__": FileError.__doc__})


# What the library's messages tell to call, by the name that it has here.
_CALLS = {
    "sl_encoder_create": "Encoder",
    "sl_model_create": "Model",
    "sl_model_class_bias": "class_bias",
    "sl_model_class_labels": "labels",
    "sl_model_class_nonzeros": "class_weights",
    "sl_model_class_weight": "class_weight",
    "sl_model_predicted_labels": "predicted_labels",
    "sl_model_probabilities": "probabilities",
    "sl_model_scores": "scores",
    "sl_model_scores_csr": "scores_csr",
    "sl_model_scores_dataset": "scores_dataset",
    "sl_model_scores_rows": "scores_dataset",
    "sl_model_set_encoder": "set_encoder",
    "sl_model_set_labels": "set_labels",
}


def failure(status: int, message: str, row: int, errno: int, rows_done: int) -> SparselinError:
    """The exception for a call that failed; what _native raises."""
    kind = _CLASSES[status]
    message = re.sub(r"\bsl_\w+", lambda call: _CALLS.get(call[0], call[0]), message)
    if kind is FileError:
        system: Any = type(OSError(errno, "")) if errno else OSError
        kind = _file_error(system)
    error = kind(message)
    if isinstance(error, FileError) and errno:
        error.errno, error.strerror = errno, os.strerror(errno)
    error.row = row if row >= 0 else None
    error.rows_done = rows_done if rows_done >= 0 else None
    return error


def _restore(status: int, message: str, errno: int, state: dict[str, Any]) -> SparselinError:
    error = failure(status, message, -1, errno, -1)
    error.__dict__.update(state)
    return error
