"""Labelled rows: data sets, and what makes them of text and of rows that come one by one."""

from __future__ import annotations

import gzip
import io
import os
import tempfile
from collections.abc import Iterator
from typing import Any, NamedTuple, Optional, Protocol

import numpy as np
import numpy.typing as npt

from . import _native
from ._arrays import Floats, Indices, Matrix, convert, is_sparse, labels_of, numbers, rows_of
from ._handle import Handle, OptionValue, Path, make_options, path_of


class Source(Protocol):
    """A file that was opened for reading bytes, or what has its read."""

    def read(self, size: int, /) -> bytes: ...


class Row(NamedTuple):
    """A labelled example, as it is held: indices ascend, none is there twice, no value is 0."""

    indices: Indices
    values: Floats
    label: float
    weight: float


class Dataset(Handle):
    """Labelled sparse rows in the library's memory: 4 bytes a nonzero where all values are 1, 8 where all are floats, else
    12. It never changes, so any number of threads may use it, and any number of models may be fitted to it. Indices of a
    row ascend, repeated ones are added up, zeros left out. What the labels mean is up to the model."""

    __slots__ = ()

    def __init__(self, matrix: Matrix, labels: npt.ArrayLike, weights: Optional[npt.ArrayLike] = None) -> None:
        """Copies the rows of a matrix: of scipy.sparse (CSR and CSC as they are, others by way of CSR), a
        two-dimensional array of numpy, or (pointers, indices, values) in compressed sparse rows. Weights that are not
        given are 1."""
        if is_sparse(matrix) and matrix.format == "csc":
            self._handle = _from_csc(matrix.indptr, matrix.indices, matrix.data, labels, weights)
            return
        rows = rows_of(matrix).checked()
        self._handle = _native.dataset_from_csr(
            rows.pointers, rows.indices, rows.values, labels_of(labels), numbers(weights)
        )

    @classmethod
    def from_csr(
        cls,
        pointers: npt.ArrayLike,
        indices: npt.ArrayLike,
        values: Optional[npt.ArrayLike],
        labels: npt.ArrayLike,
        weights: Optional[npt.ArrayLike] = None,
    ) -> Dataset:
        """Copies the rows of a matrix in compressed sparse rows. Values that are None are all ones."""
        return cls((pointers, indices, values), labels, weights)

    @classmethod
    def from_csc(
        cls,
        pointers: npt.ArrayLike,
        rows: npt.ArrayLike,
        values: Optional[npt.ArrayLike],
        labels: npt.ArrayLike,
        weights: Optional[npt.ArrayLike] = None,
    ) -> Dataset:
        """Turns a matrix in compressed sparse columns into rows, as many as there are labels."""
        return cls._own(_from_csc(pointers, rows, values, labels, weights))

    @classmethod
    def load(cls, path: Path, **options: OptionValue) -> Dataset:
        """Reads a file: svmlight text, plain or gzipped, or what save wrote. Options of text are index_base and
        threads."""
        try:
            with open(path_of(path), "rb") as file:
                zipped = file.read(2) == b"\x1f\x8b"
        except OSError:
            zipped = False  # and the library says why
        if zipped:
            with gzip.open(path_of(path), "rb") as file:
                return cls.read(file, **options)
        return cls._own(_native.dataset_load(path_of(path), make_options(None, options)))

    @classmethod
    def read(cls, source: Source, **options: OptionValue) -> Dataset:
        """Reads a file that is open, or anything that gives bytes, to its end, as load does."""
        return cls._own(_native.dataset_read(source.read, make_options(None, options)))

    def save(self, path: Path) -> None:
        """Writes the rows to a file in a form that loads faster than text. The file is there whole or not at all."""
        _native.dataset_save(self._handle, path_of(path))

    def with_labels(self, labels: Optional[npt.ArrayLike] = None, weights: Optional[npt.ArrayLike] = None) -> Dataset:
        """The same rows, which are not copied, with other labels or weights; None keeps them. Either may be closed
        first."""
        return Dataset._own(_native.dataset_with_labels(self._handle, labels_of(labels), numbers(weights)))

    @property
    def rows(self) -> int:
        return int(_native.dataset_rows(self._handle))

    @property
    def nonzeros(self) -> int:
        return int(_native.dataset_nonzeros(self._handle))

    @property
    def dimension(self) -> int:
        """The largest index + 1."""
        return int(_native.dataset_dimension(self._handle))

    def row(self, row: int) -> Row:
        """Copies one row, from 0."""
        if row < 0:
            raise IndexError(f"there is no row {row}: rows count from 0")
        count = _native.dataset_row(self._handle, row, None, None)
        indices, values = np.empty(count, np.uint32), np.empty(count)
        _native.dataset_row(self._handle, row, indices, values)
        return Row(indices, values, _native.dataset_label(self._handle, row), _native.dataset_weight(self._handle, row))

    def to_csr(self) -> tuple[npt.NDArray[np.int64], Indices, Floats]:
        """Copies all rows: (pointers, indices, values) in compressed sparse rows."""
        nonzeros = self.nonzeros
        arrays = np.empty(self.rows + 1, np.int64), np.empty(nonzeros, np.uint32), np.empty(nonzeros)
        _native.dataset_copy(self._handle, *arrays)
        return arrays

    def _labels_and_weights(self) -> tuple[Floats, Floats]:
        arrays = np.empty(self.rows), np.empty(self.rows)
        _native.dataset_labels(self._handle, *arrays)
        return arrays

    @property
    def labels(self) -> Floats:
        """A copy of the labels of all rows."""
        return self._labels_and_weights()[0]

    @property
    def weights(self) -> Floats:
        """A copy of the weights of all rows."""
        return self._labels_and_weights()[1]

    def __len__(self) -> int:
        return self.rows

    def _about(self) -> str:
        return f"rows {self.rows}, nonzeros {self.nonzeros}, dimension {self.dimension}"

    def __copy__(self) -> Dataset:
        return self.with_labels()

    def __deepcopy__(self, memo: Any) -> Dataset:
        return self.with_labels()

    def __reduce__(self) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "data")
            self.save(path)
            with open(path, "rb") as file:
                return _dataset_from_bytes, (file.read(),)


def _dataset_from_bytes(data: bytes) -> Dataset:
    return Dataset.read(io.BytesIO(data))


def _from_csc(pointers: Any, rows: Any, values: Any, labels: Any, weights: Any) -> Any:
    return _native.dataset_from_csc(
        convert(pointers, "int64"), rows, numbers(values), labels_of(labels), numbers(weights)
    )


class Reader(Handle):
    """Reads svmlight text some rows at a time, so that a stream of any length is learned in constant memory:

    with Reader(file) as reader:
        for rows in reader.chunks(10_000):
            model.feed_dataset(rows)
    """

    __slots__ = ("_read",)

    def __init__(self, source: Source, **options: OptionValue) -> None:
        """Of a file that was opened for reading bytes. Options are index_base and threads."""
        self._handle = _native.reader_create(make_options(None, options))
        self._read = source.read

    def next(self, rows: int) -> Optional[Dataset]:
        """The next rows, at least one and about so many at most, and None at the end."""
        data = Dataset._own(_native.reader_next(self._handle, self._read, rows))
        if data.rows > 0:
            return data
        data.close()
        return None

    def chunks(self, rows: int) -> Iterator[Dataset]:
        """All that is left, about so many rows at a time; each data set is closed when the next one is asked for."""
        while (data := self.next(rows)) is not None:
            with data:
                yield data


class Builder(Handle):
    """Collects rows that come one by one, until they are a data set."""

    __slots__ = ()

    def __init__(self, rows: int = 0, nonzeros: int = 0) -> None:
        """With room for so many, or, where that is not known, up to twice the room that is needed."""
        self._handle = _native.builder_create(rows, nonzeros)

    def add(
        self, indices: npt.ArrayLike, values: Optional[npt.ArrayLike], label: float, weight: float = 1.0
    ) -> Builder:
        """Adds a row. Values that are None are all ones."""
        first = convert(indices, "uint32")
        _native.builder_add(self._handle, first, values, 0, len(first), label, weight)
        return self

    def build(self) -> Dataset:
        """Makes the rows a data set, which takes them over. Those that are added later belong to the next one."""
        return Dataset._own(_native.builder_finish(self._handle))
