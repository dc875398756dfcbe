"""Conversion between messages and JSON, in the form of the HTTP interface.

Members that a message does not declare are ignored, because a newer host may have added them. Absent members have
their defaults.
"""

from __future__ import annotations

import base64
import dataclasses
import math
import types
import typing
from collections.abc import Callable, Mapping
from enum import IntEnum
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")
Decoder = Callable[[Any], Any]


class NotThisTypeError(ValueError):
    """A value of JSON does not have the declared type."""


def to_json(value: object) -> Any:
    """Returns a message as values that the module `json` writes."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else _text_of(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return base64.b64encode(value).decode()
    if dataclasses.is_dataclass(value):
        return {field.name: to_json(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(name): to_json(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(item) for item in value]
    raise TypeError(f"a message cannot contain {type(value).__name__}: {value!r}")


def _text_of(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"


def from_json(kind: type[T], value: object) -> T:
    """Returns a message of this class from values that the module `json` read."""
    form: Any = kind
    return typing.cast("T", _decoder(form)(value))


@cache
def _decoder(kind: Any) -> Decoder:
    if kind is Any:
        return _identity
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return _message(kind)
    if isinstance(kind, type) and issubclass(kind, IntEnum):
        return _constant(kind)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in {typing.Union, types.UnionType}:
        return _union(arguments)
    if origin is tuple:
        return _tuple(_decoder(arguments[0]))
    if origin in {dict, Mapping}:
        return _checked(dict)
    return _SCALARS.get(kind) or _checked(kind)


def _identity(value: Any) -> Any:
    return value


def _float(value: Any) -> float:
    # Also the texts of numbers that are not finite.
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise NotThisTypeError(f"expected a number, found {value!r}")
    return float(value)


def _int(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise NotThisTypeError(f"expected an integer, found {value!r}")
    return value


def _bytes(value: Any) -> bytes:
    return base64.b64decode(value, validate=True) if isinstance(value, str) else bytes(value)


_SCALARS: dict[Any, Decoder] = {float: _float, int: _int, bytes: _bytes}


def _checked(kind: type) -> Decoder:
    def decode(value: Any) -> Any:
        if not isinstance(value, kind):
            raise NotThisTypeError(f"expected {kind.__name__}, found {value!r}")
        return kind(value)

    return decode


def _constant(kind: type[IntEnum]) -> Decoder:
    known = {member.value: member for member in kind}

    def decode(value: Any) -> int:
        number = _int(value)
        return known.get(number, number)

    return decode


def _tuple(item: Decoder) -> Decoder:
    def decode(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise NotThisTypeError(f"expected a list, found {value!r}")
        return tuple([item(one) for one in value])

    return decode


def _union(arguments: tuple[Any, ...]) -> Decoder:
    # `T | None`, or an enum and the numbers that it does not name.
    is_optional = type(None) in arguments
    decode = _decoder(next(one for one in arguments if one is not type(None)))
    return (lambda value: None if value is None else decode(value)) if is_optional else decode


def _message(kind: type) -> Decoder:
    # Resolved at the first message, not here: a type may contain itself.
    hints: dict[str, Decoder] = {}

    def decode(value: Any) -> Any:
        if not isinstance(value, dict):
            raise NotThisTypeError(f"expected the members of {kind.__name__}, found {value!r}")
        if not hints:
            of = typing.get_type_hints(kind)
            hints.update({field.name: _decoder(of[field.name]) for field in dataclasses.fields(kind)})
        members: dict[str, Any] = {}
        for name, member in hints.items():
            if name not in value:
                continue
            try:
                members[name] = member(value[name])
            except (NotThisTypeError, TypeError, ValueError) as error:
                raise NotThisTypeError(f"`{name}`: {error}") from error
        return kind(**members)

    return decode
