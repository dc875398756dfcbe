"""Reads and writes messages with rosbags: those of a question given as a JSON file, and random ones of its own.

Where rosbags has a definition of a type, that one is used and not the text of the question.
"""

import json
import math
import random
import struct
import sys

import numpy
from rosbags.interfaces import Nodetype
from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from rosbags.typesys.base import normalize_fieldname

HIDDEN = "structure_needs_at_least_one_member"
# numpy type, and for integers the smallest and largest value. rosbags takes a byte as signed.
NUMBERS = {
    "bool": (numpy.bool_, 0, 1),
    "byte": (numpy.int8, -(2**7), 2**7 - 1),
    "char": (numpy.uint8, 0, 2**8 - 1),
    "float32": (numpy.float32, None, None),
    "float64": (numpy.float64, None, None),
} | {
    f"{sign}int{bits}": (
        getattr(numpy, f"{sign}int{bits}"),
        0 if sign else -(2 ** (bits - 1)),
        2 ** (bits if sign else bits - 1) - 1,
    )
    for sign in ("", "u")
    for bits in (8, 16, 32, 64)
}
STRINGS = ["", "x", 'Ü"\\\n', "map", "frame/🚗", "0123456789"]


def register(store, definitions):
    """Adds what the store does not know; gives the names of what it does."""
    known = []
    for definition in definitions:
        name = definition["name"]
        if name in store.fielddefs:
            known.append(name)
            continue
        # The reader of texts knows nothing of halves of services.
        package, _, short = name.split("/")
        types = get_types_from_msg(definition["text"], f"{package}/msg/{short}")
        store.register({name: types[f"{package}/msg/{short}"]})
    return known


def fields(store, name):
    return [field for field in store.fielddefs[name][1] if field[0] != HIDDEN]


class Maker:
    """Makes random messages."""

    def __init__(self, store, seed):
        self.store = store
        self.random = random.Random(seed)

    def message(self, name):
        values = {
            normalize_fieldname(field): self.value(description) for field, description in fields(self.store, name)
        }
        if not values:
            values = {HIDDEN: 0}
        return self.store.types[name](**values)

    def value(self, description):
        kind, detail = description
        if kind == Nodetype.BASE:
            return self.base(*detail)
        if kind == Nodetype.NAME:
            return self.message(detail)
        element, limit = detail
        count = limit if kind == Nodetype.ARRAY else self.random.randint(0, min(limit or 4, 6))
        values = [self.value(element) for _ in range(count)]
        if element[0] == Nodetype.BASE and element[1][0] != "string":
            return numpy.array(values, dtype=NUMBERS[element[1][0]][0])
        return values

    def base(self, name, limit):
        if name == "string":
            return self.random.choice([text for text in STRINGS if not limit or len(text.encode()) <= limit])
        kind, low, high = NUMBERS[name]
        if low is None:
            width = "<f" if name == "float32" else "<d"
            bits = self.random.randbytes(struct.calcsize(width))
            choices = [0.0, -0.0, 1.5, -math.inf, math.nan, *struct.unpack(width, bits)]
            return float(self.random.choice(choices))
        value = self.random.choice([low, high, self.random.randint(low, high)])
        return bool(value) if name == "bool" else value


def plain(store, description, value):
    """A value as JSON has it here: arrays as lists, floats that are not finite as strings."""
    kind, detail = description
    if kind == Nodetype.NAME:
        return {
            field: plain(store, inner, getattr(value, normalize_fieldname(field)))
            for field, inner in fields(store, detail)
        }
    if kind in (Nodetype.ARRAY, Nodetype.SEQUENCE):
        return [plain(store, detail[0], element) for element in value]
    if detail[0] == "string":
        return value
    if detail[0] == "bool":
        return bool(value)
    if detail[0] in ("float32", "float64"):
        value = float(value)
        if math.isnan(value):
            return "NaN"
        return value if math.isfinite(value) else "Infinity" if value > 0 else "-Infinity"
    return int(value) % 2**8 if detail[0] == "byte" else int(value)


def sample(store, name, message):
    cdr = store.serialize_cdr(message, name, little_endian=True)
    return {"name": name, "cdr": list(cdr), "json": json.dumps(plain(store, (Nodetype.NAME, name), message))}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        question = json.load(file)
    store = get_typestore(Stores.ROS2_JAZZY)
    known = register(store, question["types"])
    names = [definition["name"] for definition in question["types"]]
    read = [
        sample(store, given["name"], store.deserialize_cdr(bytes(given["cdr"]), given["name"]))
        for given in question["samples"]
    ]
    maker = Maker(store, question["seed"])
    made = [sample(store, name, maker.message(name)) for name in names for _ in range(question["count"])]
    hashes = {name: store.hash_rihs01(name) for name in names}
    json.dump({"known": known, "hashes": hashes, "samples": read, "random": made}, sys.stdout)


main()
