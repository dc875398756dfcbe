"""Messages with all their fields."""

from __future__ import annotations

from typing import Any

from bridgehead_conformance.definitions import Field, fields

Message = dict[str, Any]
FIELDS = fields("2.2.0")
_INITIAL = {"string": "", "bool": False, "float64": 0.0}


def _initial(field: Field) -> Any:
    if field.is_list:
        return []
    if field.kind in FIELDS:
        return complete(field.kind, {})
    return field.default if field.default is not None else _INITIAL.get(field.kind, 0)


def complete(kind: str, given: Message) -> Message:
    """Returns a message whose absent fields have their defaults."""
    known = {field.name: field for field in FIELDS[kind]}
    assert set(given) <= set(known), f"{kind} has no {set(given) - set(known)}"
    found = {}
    for name, field in known.items():
        if name not in given:
            found[name] = _initial(field)
        elif field.kind not in FIELDS:
            found[name] = given[name]
        elif field.is_list:
            found[name] = [complete(field.kind, one) for one in given[name]]
        else:
            found[name] = complete(field.kind, given[name])
    return found


def result(code: int, text: str = "") -> Message:
    """A response with a result only."""
    return {"result": {"result": code, "error_message": text if code != 1 else ""}}
