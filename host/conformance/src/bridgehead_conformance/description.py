"""The description of a simulator: a TOML file with its worlds, entities, names and times.

`{fixtures}` in a text is the folder of the files of this package, and `{here}` that of the description.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from bridgehead_conformance.definitions import SERVICES, VERSIONS
from bridgehead_conformance.standard import NUMBERS

FIXTURES = Path(__file__).parent / "fixtures"
EXAMPLES = Path(__file__).parent / "examples"


class DescriptionError(Exception):
    """The file of a description is wrong."""


@dataclass(frozen=True)
class World:
    """A world that can be loaded, with the names of its entities."""

    uri: str
    name: str = ""
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()


@dataclass(frozen=True)
class Entities:
    """Entities of the main world: two that can move and rest, apart from each other, and one that is static."""

    dynamic: str = ""
    other: str = ""
    static: str = ""
    # The box around `dynamic` in its own frame.
    size: tuple[float, ...] = ()


@dataclass(frozen=True)
class Model:
    """A model to spawn, with its name in the file and the box around it."""

    uri: str
    name: str = ""
    size: tuple[float, ...] = ()


@dataclass(frozen=True)
class NamedPose:
    """A named pose of the main world."""

    name: str
    tags: tuple[str, ...] = ()
    has_bounds: bool = False
    position: tuple[float, ...] = ()
    # The box of the bounds.
    size: tuple[float, ...] = ()


@dataclass(frozen=True)
class Texts:
    """Texts to spawn and load; the default ones are SDF."""

    model: str = "model.sdf"
    nameless: str = "nameless.sdf"
    mesh: str = "missing_mesh.sdf"
    broken: str = "broken.sdf"
    world: str = "text_world.sdf"
    element: str = "unknown_element.sdf"
    mesh_world: str = "missing_mesh_world.sdf"
    broken_world: str = "broken_world.sdf"


@dataclass(frozen=True)
class Timeouts:
    """Seconds: for an answer, and how long a case watches that nothing happens."""

    answer: float = 20.0
    observe: float = 0.3


@dataclass(frozen=True)
class Addresses:
    """Where the simulator is reached."""

    http: str = "127.0.0.1:8090"
    rosbridge: str = "127.0.0.1:9090"
    token: str = ""
    domain: int = 0
    # `lo` for this machine only; otherwise the configuration of Cyclone DDS applies.
    interface: str = ""


@dataclass(frozen=True)
class Description:
    """A simulator."""

    name: str
    standard: str = "2.1.0"
    features: tuple[str, ...] = ()
    prefix: str = ""
    names: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    clock: str = ""
    missing_uri: str = "/no/such/file.sdf"
    # A file that exists.
    foreign_uri: str = f"file://{FIXTURES}/texts/file.unknown_format"
    may_quit: bool = False
    timeouts: Timeouts = field(default_factory=Timeouts)
    addresses: Addresses = field(default_factory=Addresses)
    worlds: dict[str, World] = field(default_factory=dict)
    entities: Entities = field(default_factory=Entities)
    models: dict[str, Model] = field(default_factory=dict)
    named_poses: tuple[NamedPose, ...] = ()
    texts: Texts = field(default_factory=Texts)
    folder: Path = FIXTURES

    def service(self, name: str) -> str:
        """Returns the full name of a service or of the action in the simulator, with its slash."""
        return self.full(self.names.get(name, name))

    def full(self, name: str) -> str:
        """Returns a name with its prefix; an absolute one stays as it is."""
        return name if name.startswith("/") else f"{self.prefix.rstrip('/')}/{name}"

    def text(self, name: str) -> str:
        """Returns a text to spawn or load."""
        value = str(getattr(self.texts, name))
        path = self.folder / value
        return (path if path.is_file() else FIXTURES / "texts" / value).read_text(encoding="utf-8")


_Part = TypeVar("_Part")


def _expand(value: Any, folder: Path) -> Any:
    if isinstance(value, dict):
        return {key: _expand(one, folder) for key, one in value.items()}
    if isinstance(value, list):
        return tuple(_expand(one, folder) for one in value)
    if isinstance(value, str):
        return value.replace("{fixtures}", str(FIXTURES)).replace("{here}", str(folder))
    return value


def _part(kind: type[_Part], table: dict[str, Any], where: str) -> _Part:
    known = {one.name for one in fields(kind)}  # type: ignore[arg-type]
    if unknown := sorted(set(table) - known):
        raise DescriptionError(f"{where} has the unknown keys {unknown}; known are {sorted(known)}")
    try:
        return kind(**table)
    except TypeError as error:
        raise DescriptionError(f"{where}: {error}") from None


def _check(description: Description) -> None:
    if description.standard not in VERSIONS:
        raise DescriptionError(f"`standard` is {description.standard!r}; known versions are {list(VERSIONS)}")
    if unknown := sorted(set(description.features) - set(NUMBERS)):
        raise DescriptionError(f"`features` has the unknown names {unknown}")
    if unknown := sorted({*description.names, *description.aliases} - {*SERVICES, "simulate_steps"}):
        raise DescriptionError(f"`names` and `aliases` have the unknown services {unknown}")


def read(text: str, folder: Path) -> Description:
    """Reads a description."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DescriptionError(f"the description is not TOML: {error}") from None
    table = _expand(table, folder)
    singles = {"timeouts": Timeouts, "addresses": Addresses, "entities": Entities, "texts": Texts}
    for key, kind in singles.items():
        if key in table:
            table[key] = _part(kind, table[key], f"[{key}]")
    for key, kind in {"worlds": World, "models": Model}.items():
        if key in table:
            table[key] = {name: _part(kind, one, f"[{key}.{name}]") for name, one in table[key].items()}
    if "named_poses" in table:
        table["named_poses"] = tuple(_part(NamedPose, one, "[[named_poses]]") for one in table["named_poses"])
    if "folder" in table:
        raise DescriptionError("`folder` is not a key of a description")
    description = _part(Description, table | {"folder": folder}, "the description")
    _check(description)
    return description


def load(path: Path) -> Description:
    """Reads the file of a description; the name of an example stands for it."""
    if not path.exists() and (example := EXAMPLES / f"{path}.toml").is_file():
        path = example
    try:
        return read(path.read_text(encoding="utf-8"), path.resolve().parent)
    except OSError as error:
        raise DescriptionError(f"`{path}` cannot be read: {error.strerror}") from None
    except DescriptionError as error:
        raise DescriptionError(f"{path}: {error}") from None
