"""Type hashes of the texts of some folders, computed by the package rosbags: a JSON object of names and hashes.

Types of the package `older` are hashed as the types of `simulation_interfaces` whose older form they are.
"""

import json
import pathlib
import sys

from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from texts import full_name


def definition(path, standing_in):
    """Full name and text of a file, with full names in the text."""
    package, short, _ = path.name.split(".")
    text = path.read_text(encoding="utf-8")
    words = {word for word in text.replace("[", " ").split() if "/" in word and "=" not in word}
    for word in words:
        text = text.replace(f"{word} ", f"{full_name(word)} ").replace(f"{word}[", f"{full_name(word)}[")
    name = full_name(f"{package}/{short}")
    if standing_in:
        text, name = (old.replace("older/", "simulation_interfaces/") for old in (text, name))
    return name, text.replace("char ", "uint8 ")


def hashes(definitions):
    store = get_typestore(Stores.EMPTY)
    for name, text in definitions.items():
        package, _, short = name.split("/")
        types = get_types_from_msg(text, f"{package}/msg/{short}")
        store.register({name: types[f"{package}/msg/{short}"]})
    return {name: store.hash_rihs01(name) for name in definitions}


def main():
    paths = [path for folder in sys.argv[1:] for path in sorted(pathlib.Path(folder).glob("*.msg"))]
    newer = dict(definition(path, False) for path in paths if not path.name.startswith("older."))
    older = dict(definition(path, True) for path in paths if path.name.startswith("older."))
    found = hashes(newer)
    old = hashes(newer | older)
    found |= {name.replace("simulation_interfaces/", "older/"): old[name] for name in older}
    json.dump(found, sys.stdout)


main()
