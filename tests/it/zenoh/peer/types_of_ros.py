"""Messages of ROS types as CDR from and to JSON values, and the type hashes, both by rosbags."""

import math
import pathlib
import sys

import numpy
from rosbags.interfaces import Nodetype
from rosbags.serde import SerdeError
from rosbags.typesys import Stores, get_typestore

sys.path.append(str(pathlib.Path(__file__).parents[2] / "ros2/peer"))

from texts import Texts
from values import NOT_FINITE, checked, primitive

HIDDEN = "structure_needs_at_least_one_member"
BITS = (8, 16, 32, 64)
RANGES = {f"int{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in BITS}
RANGES |= {f"uint{bits}": (0, 2**bits - 1) for bits in BITS}
RANGES |= {"byte": RANGES["uint8"], "char": RANGES["uint8"]}
FLOATS = ("float32", "float64")
# In the definitions of ROS 2, a `char` is a number without sign.
IN_ROSBAGS = {"char": "uint8"}
IN_NUMPY = {"byte": "uint8", "char": "uint8", "bool": "bool_"}
# What the type of a service refers to, whether it is among the texts or not.
EVENT = "service_msgs/msg/ServiceEventInfo"
OF_EVENTS = {
    "builtin_interfaces/msg/Time": "int32 sec\nuint32 nanosec",
    EVENT: "uint8 event_type\nbuiltin_interfaces/Time stamp\nchar[16] client_gid\nint64 sequence_number",
}


class Types:
    """The types of the texts of some folders."""

    def __init__(self, folders):
        self.texts = Texts(folders)
        for name, text in OF_EVENTS.items():
            if name not in self.texts.paths:
                self.texts.add(name, text)
        self.store = get_typestore(Stores.EMPTY)

    def add(self, name, text):
        """Adds a definition, or replaces one; nothing that was made from earlier definitions is kept."""
        self.texts.add(name, text)
        self.store = get_typestore(Stores.EMPTY)

    def type_hash(self, name):
        """The hash of a message or a service."""
        half = f"{name}_Request"
        is_service = half in self.texts.known or half in self.texts.paths
        return self.service_hash(name) if is_service else self.message_hash(name)

    def message_hash(self, name):
        self.require(name)
        return self.store.hash_rihs01(name)

    def service_hash(self, name):
        """The hash of a service: a type whose members are the request, the response and the event, see REP 2016."""
        for part in (f"{name}_Request", f"{name}_Response", EVENT):
            self.require(part)
        if name not in self.store.fielddefs:
            self.store.register(of_service(name))
        return self.store.hash_rihs01(name)

    def require(self, name):
        """Registers a type and all types that it contains."""
        found = {}
        self.collect(name, found)
        if found:
            self.store.register(found)

    def collect(self, name, found):
        if name in found or name in self.store.fielddefs:
            return
        fields = self.texts.fields(name)
        found[name] = ([], [(field.name, descriptor(field)) for field in fields] or [(HIDDEN, base("uint8"))])
        for field in fields:
            if "/" in field.element:
                self.collect(field.element, found)

    def encode(self, name, given):
        """A message as CDR with its header, from JSON; absent members have their default values."""
        self.require(name)
        return bytes(self.store.serialize_cdr(self.message(name, given), name, little_endian=True))

    def decode(self, name, content):
        """A message as a JSON value, from CDR with its header; raises a ValueError for other bytes."""
        self.require(name)
        try:
            message = self.store.deserialize_cdr(content, name)
        except SerdeError as error:
            raise ValueError(f"{name} is not `{content[:100].hex()}`: {error}") from error
        return self.plain(name, message)

    def message(self, name, given, path=""):
        fields = self.texts.fields(name)
        if not isinstance(given, dict):
            raise TypeError(f"`{path}` is {given!r}, not a {name}")
        unknown = set(given) - {field.name for field in fields}
        if unknown:
            raise ValueError(f"{name} has no {sorted(unknown)}")
        return self.store.types[name](*[self.value(field, given, f"{path}.{field.name}") for field in fields])

    def value(self, field, given, path):
        if field.array is None:
            default = primitive(field.default) if field.default else initial(field.element)
            value = self.one(field.element, given.get(field.name, default), path)
            # A single `byte` has a sign in rosbags.
            return value - 256 if field.element == "byte" and value > 127 else value
        elements = given.get(field.name, [initial(field.element)] * (field.count if field.array == "array" else 0))
        if not isinstance(elements, list):
            raise TypeError(f"`{path}` is {elements!r}, not a list")
        elements = [self.one(field.element, element, path) for element in elements]
        return elements if is_object(field.element) else numpy.array(elements, dtype=number_type(field.element))

    def one(self, element, given, path):
        if "/" in element:
            return self.message(element, given, path)
        if element in FLOATS:
            given = NOT_FINITE.get(given, given) if isinstance(given, str) else given
            return float(checked(path, given, type(given) in (int, float)))
        if element in RANGES:
            low, high = RANGES[element]
            return checked(path, given, type(given) is int and low <= given <= high)
        return checked(path, given, type(given) is {"bool": bool, "string": str}[element])

    def plain(self, name, message):
        fields = self.texts.fields(name)
        return {
            field.name: self.shown(field, value) for field, value in zip(fields, vars(message).values(), strict=False)
        }

    def shown(self, field, value):
        if field.array is None:
            return self.shown_one(field.element, value % 256 if field.element == "byte" else value)
        if is_object(field.element):
            return [self.shown_one(field.element, element) for element in value]
        elements = value.view(number_type(field.element))
        is_finite = field.element not in FLOATS or numpy.isfinite(elements).all()
        return elements.tolist() if is_finite else [finite(number) for number in elements.tolist()]

    def shown_one(self, element, value):
        if "/" in element:
            return self.plain(element, value)
        return finite(value) if element in FLOATS else value


def base(name, length=0):
    """A primitive type as rosbags describes it."""
    if name not in (*RANGES, *FLOATS, "bool", "string"):
        raise ValueError(f"the primitive type `{name}` is unsupported")
    return (Nodetype.BASE, (IN_ROSBAGS.get(name, name), length))


def descriptor(field):
    """The type of a field as rosbags describes it."""
    inner = (Nodetype.NAME, field.element) if "/" in field.element else base(field.element, field.length or 0)
    if field.array is None:
        return inner
    return (Nodetype.ARRAY if field.array == "array" else Nodetype.SEQUENCE, (inner, field.count or 0))


def of_service(name):
    """Definitions of a service and of its event, which contains at most one request and at most one response."""
    halves = {"request": (Nodetype.NAME, f"{name}_Request"), "response": (Nodetype.NAME, f"{name}_Response")}
    event = {"info": (Nodetype.NAME, EVENT)} | {part: (Nodetype.SEQUENCE, (half, 1)) for part, half in halves.items()}
    parts = [(f"{part}_message", half) for part, half in halves.items()]
    parts.append(("event_message", (Nodetype.NAME, f"{name}_Event")))
    return {f"{name}_Event": ([], list(event.items())), name: ([], parts)}


def is_object(element):
    return "/" in element or element == "string"


def number_type(element):
    return numpy.dtype(IN_NUMPY.get(element, element))


def initial(element):
    if element in FLOATS:
        return 0.0
    return {"bool": False, "string": ""}.get(element, 0 if element in RANGES else {})


def finite(number):
    """A number, or its name in JSON if it is not finite."""
    if math.isfinite(number):
        return number
    return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"
