"""What everything that holds the library's memory has in common, and options."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple, Optional, TypeVar, Union

from . import _native
from .errors import InvalidOptionError, StateError

OptionValue = Union[str, float, int, bool]
Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
T = TypeVar("T", bound="Handle")


class Option(NamedTuple):
    """A row of the library's option table."""

    name: str
    kind: str  # "number", "integer", "boolean", or the choices as "a|b|c"
    default: str
    help: str


def options() -> list[Option]:
    """All options, of models, encoders and readers, with their kinds, defaults and help."""
    return [Option(*(_native.option_describe(i, what) for what in range(4))) for i in range(_native.option_count())]


def version() -> str:
    """The version of the library."""
    return str(_native.version())


def make_options(given: Optional[Mapping[str, OptionValue]], named: Mapping[str, OptionValue]) -> Any:
    settings = {**(given or {}), **named}
    if not settings:
        return None
    made = _native.options_create()
    for name, value in settings.items():
        if isinstance(value, (bool, str)) or not hasattr(value, "__float__"):
            text = str(value).lower() if isinstance(value, bool) else value
            if not isinstance(text, str):
                raise InvalidOptionError(f"option {name} is {value!r}: text, a number or a bool was expected")
            _native.options_set(made, name, text)
        elif hasattr(value, "__index__"):
            _native.options_set(made, name, str(int(value)))
        else:
            _native.options_set_number(made, name, float(value))
    return made


class Handle:
    """Memory of the library, which close frees at once: or when the last call that uses it returns. What was never
    closed is freed with its object. Closing twice is fine, using it afterwards an InvalidArgumentError."""

    __slots__ = ("_handle", "__weakref__")
    _handle: Any

    def close(self) -> None:
        _native.close(self._handle)

    @property
    def closed(self) -> bool:
        return not hasattr(self, "_handle") or bool(_native.is_closed(self._handle))

    def __enter__(self: T) -> T:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _about(self) -> str:
        return "open"

    def __repr__(self) -> str:
        name = f"sparselin.{type(self).__name__}"
        if self.closed:
            return f"{name}(closed)"
        try:
            return f"{name}({self._about()})"
        except StateError:
            return f"{name}(in use)"

    @classmethod
    def _own(cls: type[T], handle: Any) -> T:
        self = cls.__new__(cls)
        self._handle = handle
        return self


def handle_of(thing: Handle, kind: type[Handle]) -> Any:
    if not isinstance(thing, kind):
        raise TypeError(f"expected {kind.__name__}, not {type(thing).__name__}")
    return thing._handle


def path_of(path: Path) -> bytes:
    return os.fsencode(path)
