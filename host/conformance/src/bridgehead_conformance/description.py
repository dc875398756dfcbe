"""The description of a simulator: a TOML file with its worlds, entities, names and times.

`{fixtures}` in a text is the folder of the files of this package, and `{here}` that of the description.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bridgehead_conformance.definitions import SERVICES, VERSIONS
from bridgehead_conformance.standard import NUMBERS
from bridgehead_conformance.values import PLACEHOLDERS, DescriptionError, expanded, part, table_of, wrong

FIXTURES = Path(__file__).parent / "fixtures"
EXAMPLES = Path(__file__).parent / "examples"
# The entities that a description names by what they are.
ROLES = ("dynamic", "other", "static")


@dataclass(frozen=True)
class World:
    """A world that can be loaded, with the names of its entities. What is absent is not checked."""

    uri: str
    name: str = ""
    tags: tuple[str, ...] | None = None
    entities: tuple[str, ...] | None = None


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
    tags: tuple[str, ...] | None = None
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
    """Where the simulator is reached. Nothing is assumed, as the cases change what they reach."""

    http: str = ""
    rosbridge: str = ""
    token: str = ""
    domain: int | None = None
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


def _check_names(description: Description) -> None:
    if description.standard not in VERSIONS:
        raise DescriptionError(f"`standard` is {description.standard!r}; known versions are {list(VERSIONS)}")
    if unknown := sorted(set(description.features) - set(NUMBERS)):
        raise DescriptionError(f"`features` has the unknown names {unknown}")
    if unknown := sorted({*description.names, *description.aliases} - {*SERVICES, "simulate_steps"}):
        raise DescriptionError(f"`names` and `aliases` have the unknown services {unknown}")


def _check_entities(description: Description) -> None:
    """Checks that the entities are those of the main world, if both are given."""
    main = description.worlds.get("main")
    for role in ROLES:
        name = getattr(description.entities, role)
        if name and main and main.entities is not None and name not in main.entities:
            raise wrong(f"entities.{role}", f"one of `worlds.main.entities`, {list(main.entities)}", name)


def read(text: str, folder: Path) -> Description:
    """Reads a description."""
    try:
        table: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DescriptionError(f"the description is not TOML: {error}") from None
    if "folder" in table:
        raise DescriptionError("`folder` is not a key of a description")
    table = expanded(table, dict(zip(PLACEHOLDERS, (str(folder), str(FIXTURES)), strict=True)))
    singles = {"timeouts": Timeouts, "addresses": Addresses, "entities": Entities, "texts": Texts}
    for key in singles.keys() & table.keys():
        table[key] = part(singles[key], table[key], key)
    several: dict[str, type] = {"worlds": World, "models": Model}
    for key in several.keys() & table.keys():
        items = table_of(table[key], key).items()
        table[key] = {name: part(several[key], one, f"{key}.{name}") for name, one in items}
    if "named_poses" in table:
        if not isinstance(table["named_poses"], tuple):
            raise wrong("named_poses", "a list of tables", table["named_poses"])
        table["named_poses"] = tuple(part(NamedPose, one, "named_poses") for one in table["named_poses"])
    description = part(Description, table | {"folder": folder}, "")
    _check_names(description)
    _check_entities(description)
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
