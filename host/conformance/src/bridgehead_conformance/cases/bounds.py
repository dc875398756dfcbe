"""Cases about the bounds of entities."""

from __future__ import annotations

from bridgehead_conformance import standard as std
from bridgehead_conformance.case import Case, Group, Missing, Undescribed
from bridgehead_conformance.simulator import Point, Simulator, check, equal, near, point, xyz
from bridgehead_conformance.transports import Message

CASES: list[Case] = []
_group = Group(CASES, "get_entity_bounds", 5)
_SRV, _BOUNDS = "srv/GetEntityBounds.srv", "msg/Bounds.msg"


def _of(sim: Simulator, entity: str, **other: int) -> Message:
    return dict(sim.ok("get_entity_bounds", {"entity": entity} | other)["bounds"])


def _box(sim: Simulator, entity: str) -> tuple[Point, Point]:
    found = _of(sim, entity)
    equal(found["type"], std.BOX, "the type of the bounds")
    equal(len(found["points"]), 2, "the number of points")
    return point(found["points"][0]), point(found["points"][1])


def _extents(corners: tuple[Point, Point]) -> Point:
    x, y, z = (abs(one - other) for one, other in zip(*corners, strict=True))
    return x, y, z


def _size(sim: Simulator, size: tuple[float, ...]) -> Point:
    if not size:
        raise Undescribed("`size` of the entity")
    return size[0], size[1], size[2]


@_group.case("bounds.box", _SRV, "bounds", "A box is returned unless the simulator is configured otherwise.")
def _is_box(sim: Simulator) -> None:
    _box(sim, sim.entity("dynamic"))


@_group.case("bounds.corners", _BOUNDS, "TYPE_BOX", "Two opposite corners; which comes first is open (A9).")
def _corners(sim: Simulator) -> None:
    first, second = _box(sim, sim.entity("dynamic"))
    check(all(one != other for one, other in zip(first, second, strict=True)), f"the corners are {first} and {second}")
    rises = [one < other for one, other in zip(first, second, strict=True)]
    order = {(False, False, False): "the highest first", (True, True, True): "the lowest first"}
    sim.record("A9", order.get((rises[0], rises[1], rises[2]), f"{first}, then {second}"))


@_group.case("bounds.size", _BOUNDS, "points", "The points define the volume of the entity.")
def _volume(sim: Simulator) -> None:
    size = _size(sim, sim.description.entities.size)
    near(_extents(_box(sim, sim.entity("dynamic"))), size, "the size", 0.02)


@_group.case("bounds.relative", _BOUNDS, "points", "The bounds are relative to the canonical link (A10).")
def _relative(sim: Simulator) -> None:
    one, other = _box(sim, sim.entity("other"))
    middle = tuple((first + second) / 2 for first, second in zip(one, other, strict=True))
    near((middle[0], middle[1], middle[2]), (0.0, 0.0, 0.0), "the middle of the box", 0.02)


@_group.case(
    "bounds.turned",
    _BOUNDS,
    "points",
    "The volume of a turned entity; whether its axes are those of the entity is open (A10).",
    needs=(11,),
    start="paused",
)
def _turned(sim: Simulator) -> None:
    entity = sim.entity("dynamic")
    size = _size(sim, sim.description.entities.size)
    turn = {"position": xyz(3, 3, 4), "orientation": {"x": 0.0, "y": 0.0, "z": 0.6, "w": 0.8}}
    sim.set_entity(entity, {"pose": turn}, "pose")
    extents = _extents(_box(sim, entity))
    if all(abs(one - other) <= 0.02 for one, other in zip(extents, size, strict=True)):
        return sim.record("A10 axes", "of the entity")
    # The turn is 73.74 degrees about z: its cosine is 0.28, its sine 0.96.
    x, y, z = size
    upright = (0.28 * x + 0.96 * y, 0.96 * x + 0.28 * y, z)
    near(extents, upright, "the size of a turned entity along the axes of the world", 0.02)
    return sim.record("A10 axes", "of the world")


@_group.case("bounds.spawned", _SRV, "entity", "Spawned entities have bounds, before any step.", needs=(0,))
def _spawned(sim: Simulator) -> None:
    size = _size(sim, sim.model().size)
    near(_extents(_box(sim, sim.spawn(at=(0.0, 4.0, 9.0)))), size, "the size", 0.02)


@_group.case("bounds.unknown", "msg/Result.msg", "RESULT_NOT_FOUND", "No entity has this name (A5).")
def _unknown(sim: Simulator) -> None:
    sim.expect(std.NOT_FOUND, "get_entity_bounds", {"entity": "nope"})


@_group.case(
    "bounds.no-world",
    "msg/Result.msg",
    "RESULT_INCORRECT_STATE",
    "Without a world there is no entity (A7).",
    start="no world",
)
def _no_world(sim: Simulator) -> None:
    code = sim.refused("get_entity_bounds", {"entity": "nope"})["result"]["result"]
    sim.record("A7 get_entity_bounds", std.result_name("get_entity_bounds", code))


def _draft(sim: Simulator) -> None:
    if sim.description.standard != "2.2.0":
        raise Missing("the request has no `type` in this version of the standard")


@_group.case(
    "bounds.type-unspecified", _SRV, "type", "In the draft 2.2.0, TYPE_UNSPECIFIED leaves the type to the simulator."
)
def _unspecified(sim: Simulator) -> None:
    _draft(sim)
    entity = sim.entity("dynamic")
    equal(_of(sim, entity, type=std.UNSPECIFIED), _of(sim, entity), "the bounds without a preference")


def _type_case(kind: int, title: str, count: int) -> None:
    @_group.case(f"bounds.type-{title}", _SRV, "type", "In the draft 2.2.0, the request names the type of the bounds.")
    def _type(sim: Simulator) -> None:
        _draft(sim)
        response = sim.expect(
            (std.OK, std.UNSUPPORTED), "get_entity_bounds", {"entity": sim.entity("dynamic"), "type": kind}
        )
        if response["result"]["result"] == std.OK:
            equal(response["bounds"]["type"], kind, "the type of the bounds")
            check(len(response["bounds"]["points"]) >= count, f"{len(response['bounds']['points'])} points")
        else:
            sim.record(f"bounds.type-{title}", "not supported")


_type_case(std.BOX, "box", 2)
_type_case(std.CONVEX_HULL, "hull", 3)
_type_case(std.SPHERE, "sphere", 2)
