"""The world of the fake: models of SDF files as boxes that fall onto the ground."""

from __future__ import annotations

import math
import re
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from fake.messages import Message

STEP_NS = 1_000_000
GRAVITY = 9.81
Vector = tuple[float, float, float]
OWN = "{urn:bridgehead:sdf}"
KNOWN_ELEMENTS = {"physics", "gravity", "model", f"{OWN}world", f"{OWN}pose"}


class ParseError(Exception):
    """A text is no SDF."""


class MissingAsset(Exception):  # noqa: N818
    """A mesh does not exist."""


@dataclass
class Entity:
    """A model of the world."""

    name: str
    size: Vector
    is_static: bool
    position: Vector = (0.0, 0.0, 0.0)
    turn: Message = field(default_factory=lambda: {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0})
    velocity: Vector = (0.0, 0.0, 0.0)
    is_spawned: bool = False
    info: Message = field(default_factory=lambda: {"category": {"category": 0}, "description": "", "tags": []})
    first: tuple[Vector, Message] | None = None

    def remember(self) -> Entity:
        """Keeps the pose for resets."""
        self.first = (self.position, deepcopy(self.turn))
        return self

    def restore(self) -> None:
        """Goes back to the first pose."""
        assert self.first is not None
        self.position, self.turn = self.first[0], deepcopy(self.first[1])
        self.velocity = (0.0, 0.0, 0.0)

    def step(self) -> None:
        """Falls for one step."""
        if self.is_static:
            return
        seconds = STEP_NS / 1e9
        x, y, z = self.velocity
        z = 0.0 if self.position[2] <= self.size[2] / 2 and z <= 0.0 else z - GRAVITY * seconds
        self.velocity = (x, y, z)
        self.position = tuple(at + by * seconds for at, by in zip(self.position, self.velocity, strict=True))  # type: ignore[assignment]

    def distance(self, point: Vector) -> float:
        """The distance of a point from the box."""
        beyond = [
            max(abs(one - at) - size / 2, 0.0) for one, at, size in zip(point, self.position, self.size, strict=True)
        ]
        return math.hypot(*beyond)


@dataclass
class World:
    """A loaded world."""

    name: str
    uri: str
    description: str
    tags: list[str]
    poses: list[Message]
    entities: dict[str, Entity]
    has_unknown: bool


def numbers(text: str | None) -> list[float]:
    return [float(one) for one in (text or "0 0 0 0 0 0").split()]


def model(element: ElementTree.Element, name: str | None = None) -> Entity:
    """Reads a model."""
    if element.find(".//mesh") is not None:
        raise MissingAsset("no_such_mesh.stl")
    size = (0.0, 0.0, 0.0)
    if (box := element.find(".//box/size")) is not None:
        size = tuple(numbers(box.text))  # type: ignore[assignment]
    elif (radius := element.find(".//radius")) is not None:
        across = 2 * numbers(radius.text)[0]
        length = element.find(".//length")
        size = (across, across, across if length is None else numbers(length.text)[0])
    at = numbers(element.findtext("pose"))
    is_static = element.findtext("static") == "true"
    entity = Entity(name or element.get("name") or "", size, is_static, (at[0], at[1], at[2]))
    if element.find(".//plane") is not None:
        entity.size, entity.position = (1e6, 1e6, 0.0), (0.0, 0.0, 0.0)
    return entity.remember()


def parse(text: str) -> ElementTree.Element:
    """Reads a text."""
    try:
        return ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise ParseError(str(error)) from None


def read_world(uri: str, text: str, may_lack: bool) -> World:
    """Reads a world."""
    root = parse(text).find("world")
    if root is None:
        raise ParseError("no world")
    entities = {}
    for element in root.findall("model"):
        try:
            entity = model(element)
        except MissingAsset:
            if not may_lack:
                raise
            continue
        entities[entity.name] = entity
    about = root.find(f"{OWN}world")
    tags = [] if about is None else [tag.text or "" for tag in about.findall("tag")]
    text_of = "" if about is None else about.findtext("description", "")
    poses = [named_pose(element) for element in root.findall(f"{OWN}pose")]
    has_unknown = any(element.tag not in KNOWN_ELEMENTS for element in root)
    return World(root.get("name", ""), uri, text_of, tags, poses, entities, has_unknown)


def named_pose(element: ElementTree.Element) -> Message:
    """Reads a named pose; `box` is its size, if it has one."""
    at = numbers(element.findtext("pose"))
    box = element.findtext("box/size")
    return {
        "name": element.get("name", ""),
        "description": element.findtext("description", ""),
        "tags": [tag.text or "" for tag in element.findall("tag")],
        "pose": {
            "position": dict(zip("xyz", at[:3], strict=True)),
            "orientation": {"x": 0.0, "y": 0.0, "z": math.sin(at[5] / 2), "w": math.cos(at[5] / 2)},
        },
        "box": numbers(box) if box else None,
    }


def file_of(uri: str) -> Path:
    """The file of a URI: a model is a folder."""
    path = Path(re.sub("^file://", "", uri))
    return path / "model.sdf" if path.is_dir() else path


def expression(text: str) -> re.Pattern[str]:
    """A regular expression of POSIX."""
    return re.compile(text.replace("[[:digit:]]", "[0-9]"))
