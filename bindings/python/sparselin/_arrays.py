"""What people have for arrays and matrices, as the library takes them: without a copy where the types allow it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _native
from .errors import InvalidArgumentError, InvalidDataError

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.uint32]

# Anything with rows: a scipy.sparse matrix or array, a two-dimensional numpy array (or what becomes one), or (pointers,
# indices, values) in compressed sparse rows, where values may be None for all ones.
Matrix = Any


def convert(values: Any, kind: str) -> npt.NDArray[Any]:
    """A contiguous array of this kind, of what is none. Numbers that it cannot hold are refused."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise InvalidArgumentError(f"one row of numbers was expected, but there are {array.ndim} dimensions")
    wanted = np.dtype(kind)
    if array.dtype == wanted or array.size == 0:
        return np.ascontiguousarray(array, wanted)
    if wanted.kind == "f":
        if array.dtype.kind not in "fiub":
            raise TypeError(f"numbers were expected, not {array.dtype}")
        return np.ascontiguousarray(array, wanted)
    if array.dtype.kind not in "iu":
        raise TypeError(f"whole numbers were expected, not {array.dtype}")
    if array.min() < 0:
        place = int(np.argmax(array < 0))
        if wanted.kind == "u":
            raise InvalidDataError(f"an index is {array[place]}, below 0")
    elif array.max() > np.iinfo(wanted).max:
        raise InvalidDataError(f"an index is {array.max()}, beyond {np.iinfo(wanted).max}")
    return np.ascontiguousarray(array, wanted)


class Rows(NamedTuple):
    """A matrix in compressed sparse rows. Signed: its indices come from signed numbers, and none has been looked at."""

    pointers: npt.NDArray[np.int64]
    indices: Indices
    values: Optional[Floats]
    signed: bool

    @property
    def height(self) -> int:
        return len(self.pointers) - 1

    def checked(self) -> Rows:
        """The same, none of whose indices is negative."""
        if self.signed:
            for _ in self.parts():
                pass
        return self

    def parts_for(self, threads: int) -> Iterable[tuple[int, int]]:
        """The parts for so many threads, which make parts of their own of the whole."""
        return self.parts() if threads == 1 else [(0, self.checked().height)]

    def parts(self) -> Iterator[tuple[int, int]]:
        """(first, count) of parts that take about a millisecond each, so that signals are seen to between them, whose
        indices are not negative and still in the cache."""
        step = max(1, self.height * (1 << 16) // (self.height + len(self.indices) + 1))
        for first in range(0, self.height, step):
            count = min(step, self.height - first)
            if self.signed:
                _native.check_signed(self.pointers, self.indices, first, count)
            yield first, count


def _unsigned(indices: npt.NDArray[Any]) -> tuple[Indices, bool]:
    if indices.dtype == np.int32 and indices.flags.c_contiguous:
        return indices.view(np.uint32), True
    return convert(indices, "uint32"), False


def is_sparse(matrix: Any) -> bool:
    return hasattr(matrix, "tocsr") and hasattr(matrix, "format")


def rows_of(matrix: Matrix) -> Rows:
    """A matrix by rows."""
    if is_sparse(matrix):
        matrix = matrix if matrix.format == "csr" else matrix.tocsr()
        if len(matrix.shape) != 2:
            raise InvalidArgumentError(f"a matrix of two dimensions was expected, not of {len(matrix.shape)}")
        matrix = (matrix.indptr, matrix.indices, matrix.data)
    if isinstance(matrix, tuple):
        if len(matrix) != 3:
            raise InvalidArgumentError(f"(pointers, indices, values) were expected, not {len(matrix)} of them")
        pointers, indices, values = matrix
        if np.size(pointers) == 0:
            raise InvalidArgumentError("there are no pointers, of which there has to be one more than rows")
        unsigned, signed = _unsigned(np.asarray(indices))
        return Rows(
            convert(pointers, "int64"), unsigned, None if values is None else convert(values, "float64"), signed
        )
    dense = np.asarray(matrix)
    if dense.ndim != 2:
        raise InvalidArgumentError(
            f"a matrix of two dimensions was expected, not of {dense.ndim}: a single row is row.reshape(1, -1)"
        )
    rows, columns = dense.shape
    return Rows(
        np.arange(rows + 1, dtype=np.int64) * columns,
        np.tile(np.arange(columns, dtype=np.uint32), rows),
        convert(dense.reshape(-1), "float64"),
        False,
    )


def numbers(values: Union[npt.ArrayLike, None]) -> Union[Floats, None]:
    return None if values is None else convert(values, "float64")


def labels_of(values: Union[npt.ArrayLike, None]) -> Union[Floats, None]:
    array = np.asarray(values)
    if array.dtype.kind in "US" or (array.dtype.kind == "O" and any(isinstance(value, str) for value in array.flat)):
        raise TypeError(
            "labels are numbers: numpy.unique(labels, return_inverse=True) gives words some, "
            "and SparselinClassifier of sparselin.sklearn takes words as they are"
        )
    return numbers(values)


def to_fill(out: Optional[Floats], size: int) -> Floats:
    return np.empty(size) if out is None else out
