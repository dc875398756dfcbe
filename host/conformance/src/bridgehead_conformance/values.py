"""The types of the values of a description, and what is said if a value is of another type."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Any, TypeVar, get_type_hints

PLACEHOLDERS = ("{here}", "{fixtures}")
_Part = TypeVar("_Part")


class DescriptionError(Exception):
    """The file of a description is wrong."""


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _are_texts(values: Any) -> bool:
    return all(isinstance(one, str) for one in values)


def _is_vector(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 3 and all(map(_is_number, value))


# What a value has to be, by the type of its field, or by its key if that says more.
_Rule = tuple[str, Callable[[Any], bool]]
_TEXTS: _Rule = ("a list of texts", lambda value: isinstance(value, tuple) and _are_texts(value))
_TYPES: dict[Any, _Rule] = {
    str: ("a text", lambda value: isinstance(value, str)),
    bool: ("true or false", lambda value: isinstance(value, bool)),
    float: ("a positive number", lambda value: _is_number(value) and value > 0),
    int | None: ("a whole number from 0 to 232", lambda value: type(value) is int and 0 <= value <= 232),
    tuple[str, ...]: _TEXTS,
    tuple[str, ...] | None: _TEXTS,
    dict[str, str]: ("a table of texts", lambda value: isinstance(value, dict) and _are_texts(value.values())),
}
_KEYS: dict[str, _Rule] = {
    "size": ("three positive numbers", lambda value: _is_vector(value) and min(value) > 0),
    "position": ("three numbers", _is_vector),
    "uri": ("a text that is not empty", lambda value: isinstance(value, str) and value != ""),
}


def shown(value: Any) -> str:
    """Returns a value as TOML has it, more or less."""
    if isinstance(value, tuple):
        return "[" + ", ".join(map(shown, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else repr(value)


def wrong(where: str, expected: str, found: Any) -> DescriptionError:
    """Returns the error of a value."""
    return DescriptionError(f"`{where}`: expected {expected}, found {shown(found)}")


def expanded(value: Any, texts: dict[str, str], where: str = "") -> Any:
    """Returns a value with texts in place of placeholders, and tuples in place of lists."""
    if isinstance(value, dict):
        return {key: expanded(one, texts, f"{where}.{key}".lstrip(".")) for key, one in value.items()}
    if isinstance(value, list):
        return tuple(expanded(one, texts, where) for one in value)
    if not isinstance(value, str):
        return value
    for one in re.findall(r"\{\w*\}", value):
        if one not in texts:
            raise wrong(where, f"no other placeholders than {' and '.join(texts)}", one)
        value = value.replace(one, texts[one])
    return value


def table_of(value: Any, where: str) -> dict[str, Any]:
    """Returns a table; anything else is an error."""
    if not isinstance(value, dict):
        raise wrong(where, "a table", value)
    return value


def part(kind: type[_Part], value: Any, where: str) -> _Part:
    """Makes a part of a description of a table, whose keys and values have to be those of the part."""
    table = table_of(value, where)
    hints = get_type_hints(kind)
    name = f"[{where}]" if where else "the description"
    if unknown := sorted(set(table) - set(hints)):
        raise DescriptionError(f"{name} has the unknown keys {unknown}; known are {sorted(hints)}")
    for one in fields(kind):  # type: ignore[arg-type]
        key = f"{where}.{one.name}".lstrip(".")
        rule = _KEYS.get(one.name) or _TYPES.get(hints[one.name])
        if one.name not in table:
            if one.default is MISSING and one.default_factory is MISSING:
                raise DescriptionError(f"{name} lacks `{one.name}`, which is required: {rule[0] if rule else ''}")
        elif rule and not rule[1](table[one.name]):
            raise wrong(key, rule[0], table[one.name])
    return kind(**table)
