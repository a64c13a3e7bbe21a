"""Features by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _native
from ._arrays import Floats, Indices, labels_of, numbers
from ._dataset import Builder, Dataset
from ._handle import Handle, OptionValue, Path, make_options, path_of
from .errors import InvalidArgumentError


class Text(str):
    """A value of a record that is split into tokens, where a str is a category."""

    __slots__ = ()


# A record: numbers are numbers, bools and strings categories, Text is text, None is as if it were not there, and a list
# is several of one name.
Fields = Mapping[str, Union[float, str, bool, None, Sequence[Any]]]


class Encoder(Handle):
    """Turns records of named numbers, categories and texts into rows, which models are fed. A number is a feature of
    its name, a category c one called name=c, and a text one for each of its tokens, with the number of times it is
    there. The option features says whether indices are computed from names (hash, the default) or given in the order in
    which names are first seen (dictionary), until freeze."""

    __slots__ = ()

    def __init__(self, options: Optional[Mapping[str, OptionValue]] = None, /, **named: OptionValue) -> None:
        """Options are features, hash_bits, hash_sign, hash_like, keep_names, min_count, tokens, ngram_min, ngram_max,
        lowercase, threads."""
        self._handle = _native.encoder_create(make_options(options, named))

    def cross(self, first: str, second: str) -> None:
        """Gives the records after this the crosses of two fields, too. Only before the first record."""
        _native.encoder_cross(self._handle, first, second)

    def row(self, fields: Optional[Fields] = None) -> tuple[Indices, Floats]:
        """(indices, values) of a record by itself; or, without one, of the record that number, category and text have
        put together."""
        if fields is None:
            indices, values = _native.encoder_take_row(self._handle)
        else:
            indices, values = _native.encoder_record(self._handle, _plain(fields))
        return np.frombuffer(indices, np.uint32), np.frombuffer(values)

    def clear(self) -> Encoder:
        """Begins a new record."""
        _native.encoder_clear(self._handle)
        return self

    def number(self, name: Union[str, bytes], value: float) -> Encoder:
        _native.encoder_number(self._handle, name, value)
        return self

    def category(self, name: Union[str, bytes], value: Union[str, bytes]) -> Encoder:
        """Adds a category to the record. Several of one name are several features."""
        _native.encoder_category(self._handle, name, value)
        return self

    def text(self, name: Union[str, bytes], text: Union[str, bytes]) -> Encoder:
        """Adds a text to the record. Where name is empty its tokens are features by themselves."""
        _native.encoder_text(
            self._handle, name, text.encode(errors="surrogateescape") if isinstance(text, str) else text
        )
        return self

    def records(
        self, records: Iterable[Fields], labels: Optional[npt.ArrayLike] = None, weights: Optional[npt.ArrayLike] = None
    ) -> Dataset:
        """A data set of records, whose labels are 0 where there are none."""
        y, w = labels_of(labels), numbers(weights)
        count = 0
        with Builder() as builder:
            for count, fields in enumerate(records, 1):
                label = 0.0 if y is None else float(y[count - 1]) if count <= len(y) else 0.0
                weight = 1.0 if w is None else float(w[count - 1]) if count <= len(w) else 0.0
                _native.encoder_add_record(self._handle, _plain(fields), builder._handle, label, weight)
            for name, array in (("labels", y), ("weights", w)):
                if array is not None and len(array) != count:
                    raise InvalidArgumentError(f"{name} has {len(array)} entries, but records {count}")
            return builder.build()

    def table(
        self,
        columns: Any,
        labels: Optional[npt.ArrayLike] = None,
        weights: Optional[npt.ArrayLike] = None,
        text: Sequence[str] = (),
    ) -> Dataset:
        """A data set of the rows of a table: a data frame of pandas or polars, or a dictionary of columns. A column of
        numbers is a number, others are categories, those that `text` names are texts. What is missing is left out."""
        keys = list(columns.keys() if isinstance(columns, Mapping) else columns.columns)
        names = [str(key) for key in keys]
        missing = [name for name in text if name not in names]
        if missing:
            raise InvalidArgumentError(f"there is no column {missing[0]!r}")
        lists = [_column(columns[key], name in text) for key, name in zip(keys, names)]
        if len({len(values) for values in lists}) > 1:
            raise InvalidArgumentError("the columns differ in length")
        return self.records((dict(zip(names, row)) for row in zip(*lists)), labels, weights)

    def texts(
        self,
        texts: Iterable[Union[str, bytes]],
        labels: Optional[npt.ArrayLike] = None,
        weights: Optional[npt.ArrayLike] = None,
        name: Union[str, bytes] = "",
    ) -> Dataset:
        """A data set in which each text is a record of its own, with one field. In as many threads as the option
        says."""
        parts = [text.encode(errors="surrogateescape") if isinstance(text, str) else text for text in texts]
        pointers = np.zeros(len(parts) + 1, np.int64)
        np.cumsum([len(part) for part in parts], out=pointers[1:])
        return Dataset._own(
            _native.encoder_texts(self._handle, name, b"".join(parts), pointers, labels_of(labels), numbers(weights))
        )

    def freeze(self) -> None:
        """Ends the learning of names: from here on names that are not known are left out."""
        _native.encoder_freeze(self._handle)

    @property
    def dimension(self) -> int:
        """What all indices are below."""
        return int(_native.encoder_dimension(self._handle))

    def name(self, index: int) -> str:
        """The name of a feature: of a dictionary, or where the option keep_names is true."""
        out = bytearray(_native.encoder_name(self._handle, index, None))
        _native.encoder_name(self._handle, index, out)
        return out[:-1].decode(errors="surrogateescape")

    def option(self, name: str) -> str:
        """An option that the encoder was made with, as text."""
        return str(_native.encoder_option(self._handle, name))

    def set_threads(self, threads: int) -> None:
        """In how many threads texts runs, 0: as many as there are cores; for an encoder that was loaded, since that is
        not saved."""
        _native.encoder_set_threads(self._handle, threads)

    def copy(self) -> Encoder:
        return Encoder.from_bytes(self.to_bytes())

    def save(self, path: Path) -> None:
        """Writes all but the record to a file, whole or not at all."""
        _native.encoder_save(self._handle, path_of(path))

    @classmethod
    def load(cls, path: Path) -> Encoder:
        return cls._own(_native.encoder_load(path_of(path)))

    def to_bytes(self) -> bytes:
        """What save writes."""
        out = bytearray(_native.encoder_to_bytes(self._handle, None))
        _native.encoder_to_bytes(self._handle, out)
        return bytes(out)

    @classmethod
    def from_bytes(cls, data: Union[bytes, bytearray, memoryview]) -> Encoder:
        return cls._own(_native.encoder_from_bytes(data))

    def _about(self) -> str:
        return f"features {self.option('features')}, dimension {self.dimension}"

    def __copy__(self) -> Encoder:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Encoder:
        return self.copy()

    def __reduce__(self) -> Any:
        return Encoder.from_bytes, (self.to_bytes(),)


def _plain(fields: Fields) -> dict[str, Any]:
    """Numbers of numpy as those of Python."""
    return {
        name: value.item()
        if isinstance(value, np.generic)
        else value.tolist()
        if isinstance(value, np.ndarray)
        else value
        for name, value in fields.items()
    }


def _column(column: Any, is_text: bool) -> list[Any]:
    if hasattr(column, "notna"):  # pandas, whose missing values are of several kinds
        dtype = str(column.dtype)
        values = column.astype(object).where(column.notna(), None).tolist()
        named = dtype == "category"
    else:
        dtype = str(getattr(column, "dtype", ""))
        values = column.to_list() if hasattr(column, "to_list") else list(column)
        named = dtype.startswith(("Categorical", "Enum"))
    kind: Any = Text if is_text else str if named else None
    return [None if value is None or value != value else value if kind is None else kind(value) for value in values]
