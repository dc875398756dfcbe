"""Classes of Cyclone DDS for ROS types, made from their texts, and their values from and to JSON."""

import math

from cyclonedds.idl import make_idl_struct
from cyclonedds.idl import types as idl

from texts import OF_SERVICES
from values import NOT_FINITE, checked, primitive

HIDDEN = "structure_needs_at_least_one_member"
NUMBERS = {
    f"{sign}int{bits}": (getattr(idl, f"{sign}int{bits}"), 0 if sign else -(2 ** (bits - 1)), 2 ** (bits - (not sign)) - 1)
    for sign in ("", "u")
    for bits in (8, 16, 32, 64)
}
NUMBERS |= {"byte": NUMBERS["uint8"], "char": NUMBERS["uint8"]}
FLOATS = {"float32": idl.float32, "float64": idl.float64}


def dds_name(ros_type):
    """`package::srv::dds_::Name_` of `package/srv/Name`."""
    package, kind, name = ros_type.split("/")
    return f"{package}::{kind}::dds_::{name}_"


class Shapes:
    """The classes for a set of texts; each is made once."""

    def __init__(self, texts):
        self.texts = texts
        self.made = {}

    def struct(self, name):
        """The class of a message."""
        if name not in self.made:
            fields = {field.name: self.annotation(field) for field in self.texts.fields(name)}
            # A half of a service has the name of its message, and a type must not contain a type of its own name.
            inner = f"{dds_name(name)}{'Body' if OF_SERVICES.search(name) else ''}"
            self.made[name] = make_idl_struct(name.split("/")[2], inner, fields or {HIDDEN: idl.uint8})
        return self.made[name]

    def half(self, ros_type, layout=None):
        """The class of half a service as rmw_cyclonedds sends it: the client, the number of the call, and the message.

        It is announced as `ros_type`, even if its fields are those of another type, the `layout`.
        """
        key = (ros_type, layout or ros_type)
        if key not in self.made:
            fields = {"guid": idl.uint64, "number": idl.int64, "body": self.struct(key[1])}
            self.made[key] = make_idl_struct("Half", dds_name(ros_type), fields)
        return self.made[key]

    def half_of_bytes(self, ros_type, body):
        """The same with this many bytes as the message; for None, half of the header."""
        key = (ros_type, "no header" if body is None else len(body))
        if key not in self.made:
            fields = {"guid": idl.uint64} | ({} if body is None else {"number": idl.int64})
            fields |= {"body": idl.array[idl.uint8, len(body)]} if body else {}
            self.made[key] = make_idl_struct("Half", dds_name(ros_type), fields)
        return self.made[key]

    def annotation(self, field):
        element = self.element(field)
        if field.array == "array":
            return idl.array[element, field.count]
        if field.array == "sequence":
            return idl.sequence[element, field.count] if field.count else idl.sequence[element]
        return element

    def element(self, field):
        if field.element in NUMBERS:
            return NUMBERS[field.element][0]
        if field.element in FLOATS:
            return FLOATS[field.element]
        if field.element == "string":
            return idl.bounded_str[field.length] if field.length else str
        return bool if field.element == "bool" else self.struct(field.element)

    def message(self, name, given, path=""):
        """A message from JSON; absent members have their default values."""
        fields = self.texts.fields(name)
        if not isinstance(given, dict):
            raise ValueError(f"`{path}` is {given!r}, not a {name}")
        unknown = set(given) - {field.name for field in fields}
        if unknown:
            raise ValueError(f"{name} has no {sorted(unknown)}")
        values = {field.name: self.value(field, given, path) for field in fields}
        return self.struct(name)(**(values or {HIDDEN: 0}))

    def value(self, field, given, path):
        path = f"{path}.{field.name}"
        if field.array is None:
            default = primitive(field.default) if field.default else initial(field.element)
            return self.one(field.element, given.get(field.name, default), path)
        zeros = [initial(field.element)] * (field.count if field.array == "array" else 0)
        return [self.one(field.element, element, path) for element in given.get(field.name, zeros)]

    def one(self, element, given, path):
        if element in FLOATS:
            given = NOT_FINITE.get(given, given) if isinstance(given, str) else given
            checked(path, given, isinstance(given, (int, float)) and not isinstance(given, bool))
            return float(given)
        if element in NUMBERS:
            _, low, high = NUMBERS[element]
            is_right = isinstance(given, int) and not isinstance(given, bool) and low <= given <= high
            return checked(path, given, is_right)
        if element in ("bool", "string"):
            return checked(path, given, isinstance(given, {"bool": bool, "string": str}[element]))
        return self.message(element, given, path)

    def plain(self, name, message):
        """A message as a JSON value."""
        return {field.name: self.shown(field, getattr(message, field.name)) for field in self.texts.fields(name)}

    def shown(self, field, value):
        if field.array:
            return [self.shown_one(field.element, element) for element in value]
        return self.shown_one(field.element, value)

    def shown_one(self, element, value):
        if "/" in element:
            return self.plain(element, value)
        if element in FLOATS and not math.isfinite(value):
            return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
        return value


def initial(element):
    if element in FLOATS:
        return 0.0
    return {"bool": False, "string": ""}.get(element, 0 if element in NUMBERS else {})
