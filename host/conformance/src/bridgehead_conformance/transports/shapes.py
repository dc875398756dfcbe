"""Classes of Cyclone DDS for the types of the standard, and messages from and to dictionaries."""

from __future__ import annotations

from typing import Any

from cyclonedds.idl import make_idl_struct
from cyclonedds.idl import types as idl

from bridgehead_conformance.definitions import Field, fields

# A message without fields has this one on the wire.
HIDDEN = "structure_needs_at_least_one_member"
PRIMITIVES: dict[str, tuple[Any, Any]] = {
    "bool": (bool, False),
    "string": (str, ""),
    "float64": (idl.float64, 0.0),
    "int8": (idl.int8, 0),
    "uint8": (idl.uint8, 0),
    "uint16": (idl.uint16, 0),
    "int32": (idl.int32, 0),
    "uint32": (idl.uint32, 0),
    "int64": (idl.int64, 0),
    "uint64": (idl.uint64, 0),
}


def dds_name(ros_type: str) -> str:
    """Returns the name of a type in DDS: `package::srv::dds_::Name_`."""
    package, kind, name = ros_type.split("/")
    return f"{package}::{kind}::dds_::{name}_"


class Shapes:
    """The classes of a version of the standard, each made on first use."""

    def __init__(self, version: str) -> None:
        self._fields = fields(version)
        self._made: dict[str, Any] = {}

    def struct(self, name: str) -> Any:
        """Returns the class of a message."""
        if name not in self._made:
            annotations = {field.name: self._annotation(field) for field in self._fields[name]}
            # Half of a service holds its message, and must not have the same name.
            inner = dds_name(name) + ("Body" if name.endswith(("_Request", "_Response")) else "")
            self._made[name] = make_idl_struct(name.split("/")[2], inner, annotations or {HIDDEN: idl.uint8})
        return self._made[name]

    def half(self, name: str) -> Any:
        """Returns the class of a request or response as rmw_cyclonedds sends it, after client and number."""
        key = f"{name} with its header"
        if key not in self._made:
            members = {"guid": idl.uint64, "number": idl.int64, "body": self.struct(name)}
            self._made[key] = make_idl_struct("Half", dds_name(name), members)
        return self._made[key]

    def _annotation(self, field: Field) -> Any:
        element = PRIMITIVES[field.kind][0] if field.kind in PRIMITIVES else self.struct(field.kind)
        if field.length is not None:
            return idl.array[element, field.length]  # type: ignore[misc]
        return idl.sequence[element] if field.is_list else element  # type: ignore[misc]

    def message(self, name: str, given: dict[str, Any]) -> Any:
        """Returns a message; absent fields have their default values."""
        known = self._fields[name]
        if unknown := set(given) - {field.name for field in known}:
            raise ValueError(f"{name} has no {sorted(unknown)}")
        values = {field.name: self._value(field, given) for field in known}
        return self.struct(name)(**(values or {HIDDEN: 0}))

    def _value(self, field: Field, given: dict[str, Any]) -> Any:
        if field.name not in given:
            default = field.default if field.default is not None else self._default(field.kind)
            return [default] * (field.length or 0) if field.is_list else default
        value = given[field.name]
        if field.is_list:
            return [self._one(field.kind, one) for one in value]
        return self._one(field.kind, value)

    def _default(self, kind: str) -> Any:
        return PRIMITIVES[kind][1] if kind in PRIMITIVES else self.message(kind, {})

    def _one(self, kind: str, value: Any) -> Any:
        if kind not in PRIMITIVES:
            return self.message(kind, value)
        return float(value) if kind == "float64" else value

    def plain(self, name: str, message: Any) -> dict[str, Any]:
        """Returns a message as a dictionary."""
        return {field.name: self._shown(field, getattr(message, field.name)) for field in self._fields[name]}

    def _shown(self, field: Field, value: Any) -> Any:
        if field.kind in PRIMITIVES:
            return list(value) if field.is_list else value
        return [self.plain(field.kind, one) for one in value] if field.is_list else self.plain(field.kind, value)
