"""Cases about spawning an entity."""

from __future__ import annotations

import math

from bridgehead_conformance import standard as std
from bridgehead_conformance.case import Case, Group, Undescribed
from bridgehead_conformance.simulator import Simulator, check, equal, near, pose, xyz
from bridgehead_conformance.transports import Message

CASES: list[Case] = []
_group = Group(CASES, "spawn_entity", 0)
_MSG, _RESULT, _RESOURCE = "msg/SpawnEntity.msg", "msg/SpawnResult.msg", "msg/Resource.msg"
_UPRIGHT = {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0}
_NO_ROTATION = {"x": 0.0, "y": 0.0, "z": 0.0, "w": 0.0}


def _resource(uri: str, text: str = "") -> Message:
    return {"uri": uri, "resource_string": text}


def _pose_case(start: str) -> None:
    @_group.case(
        f"spawn.pose.{start}",
        _MSG,
        "initial_pose",
        "The entity begins at the requested pose.",
        needs=(10,),
        start=start,
    )
    def _pose(sim: Simulator) -> None:
        name = sim.spawn(at=(1.0, 2.0, 3.0))
        near(sim.position_of(name), (1.0, 2.0, 3.0), "the position before any step")


_pose_case("stopped")
_pose_case("paused")


@_group.case("spawn.orientation", _MSG, "initial_pose", "The pose has a rotation too.", needs=(10,))
def _orientation(sim: Simulator) -> None:
    turned = {"position": xyz(1, 2, 3), "orientation": {"x": 0.0, "y": 0.0, "z": 0.6, "w": 0.8}}
    name = sim.spawn(initial_pose={"pose": turned})
    found = sim.state_of(name)["pose"]["orientation"]
    sign = math.copysign(1.0, found["w"])
    near((found["x"] * sign, found["y"] * sign, found["z"] * sign), (0.0, 0.0, 0.6), "the orientation")


@_group.case("spawn.listed", _RESULT, "entity_name", "The returned name is that of the entity.")
def _listed(sim: Simulator) -> None:
    before = sim.entities()
    name = sim.spawn()
    equal(sim.entities(), sorted([*before, name]), "the entities after a spawn")


@_group.case("spawn.requested-name", _MSG, "name", "The entity gets the name of the request.")
def _requested(sim: Simulator) -> None:
    equal(sim.spawn("c1"), "c1", "the name of the entity")


def _taken_case(of: str) -> None:
    @_group.case(
        f"spawn.taken-name.{of}", _RESULT, "NAME_NOT_UNIQUE", "A taken name is refused if renaming is not allowed."
    )
    def _taken(sim: Simulator) -> None:
        name = sim.spawn("c1") if of == "spawned" else sim.entity("dynamic")
        sim.spawn_refused(std.NAME_NOT_UNIQUE, sim.spawning(name, (3.0, 3.0, 3.0)))


_taken_case("spawned")
_taken_case("world")


@_group.case(
    "spawn.taken-name-keeps-the-first", _RESULT, "NAME_NOT_UNIQUE", "A refused spawn changes nothing.", needs=(10,)
)
def _keeps(sim: Simulator) -> None:
    name = sim.spawn("c1")
    sim.refused("spawn_entity", sim.spawning("c1", (3.0, 3.0, 3.0)))
    near(sim.position_of(name), (1.0, 2.0, 3.0), "the position of the first entity")


@_group.case("spawn.renamed", _MSG, "allow_renaming", "A taken name is replaced by a generated one if that is allowed.")
def _renamed(sim: Simulator) -> None:
    sim.spawn("c1")
    again = sim.spawn("c1", (3.0, 3.0, 3.0), allow_renaming=True)
    check(again not in ("", "c1"), f"the second entity is called `{again}`")


@_group.case(
    "spawn.renamed-is-listed",
    _RESULT,
    "entity_name",
    "The generated name is unique and refers to the entity.",
    needs=(10,),
)
def _renamed_listed(sim: Simulator) -> None:
    before = sim.entities()
    first = sim.spawn("c1")
    again = sim.spawn("c1", (3.0, 3.0, 5.0), allow_renaming=True)
    equal(sim.entities(), sorted([*before, first, again]), "the entities")
    near(sim.position_of(again), (3.0, 3.0, 5.0), "the position of the renamed entity")


@_group.case("spawn.renaming-keeps-a-free-name", _MSG, "allow_renaming", "A name that is free is used as it is.")
def _free(sim: Simulator) -> None:
    equal(sim.spawn("c1", allow_renaming=True), "c1", "the name of the entity")


@_group.case("spawn.name-of-the-resource", _MSG, "name", "Without a name, that of the resource is used if supported.")
def _own_name(sim: Simulator) -> None:
    name = sim.spawn("", allow_renaming=True)
    check(name, "the name is empty")
    sim.record("spawn.name-of-the-resource", "used" if name == sim.model().name else f"not used, generated `{name}`")


@_group.case("spawn.unnamed-are-unique", _MSG, "allow_renaming", "Generated names are unique.")
def _unnamed(sim: Simulator) -> None:
    before = sim.entities()
    names = [sim.spawn("", (1.0, 2.0, height), allow_renaming=True) for height in (2.0, 4.0, 6.0)]
    equal(sim.entities(), sorted([*before, *names]), "the entities")
    equal(len(set(names)), 3, "the number of different names")


@_group.case("spawn.unnamed-twice", _RESULT, "NAME_NOT_UNIQUE", "The name of a resource can be taken too.")
def _unnamed_twice(sim: Simulator) -> None:
    if not sim.model().name:
        raise Undescribed("name of the main model")
    sim.spawn(sim.model().name)
    request = sim.spawning("", (3.0, 3.0, 3.0))
    sim.spawn_refused((std.NAME_NOT_UNIQUE, std.NAME_INVALID), request)


@_group.case(
    "spawn.nameless-text", _MSG, "name", "A resource without a name gets a generated one if allowed.", needs=(9,)
)
def _nameless(sim: Simulator) -> None:
    request = sim.from_text("nameless", "") | {"allow_renaming": True}
    name = sim.ok("spawn_entity", request)["entity_name"]
    check(name in sim.entities(), f"the name `{name}` is not listed")


@_group.case(
    "spawn.nameless-text-without-renaming",
    _RESULT,
    "NAME_INVALID",
    "An empty name is refused if renaming is not allowed.",
    needs=(9,),
)
def _nameless_refused(sim: Simulator) -> None:
    sim.spawn_refused(std.NAME_INVALID, sim.from_text("nameless", ""))


@_group.case("spawn.nameless-text-with-a-name", _MSG, "name", "The name of the request is enough.", needs=(9,))
def _nameless_named(sim: Simulator) -> None:
    equal(sim.ok("spawn_entity", sim.from_text("nameless", "n1"))["entity_name"], "n1", "the name")


def _name_case(title: str, name: str) -> None:
    @_group.case(
        f"spawn.name.{title}",
        _RESULT,
        "NAME_INVALID",
        "Which names are valid depends on the simulator; a code says so.",
    )
    def _name(sim: Simulator) -> None:
        code = sim.record_code(f"spawn.name.{title}", "spawn_entity", sim.spawning(name))
        check(code in (std.OK, std.NAME_INVALID), f"the name {name!r}: found {std.result_name('spawn_entity', code)}")


for _title, _name_text in (("blank", "bad name"), ("slash", "a/b"), ("digit", "1st"), ("umlaut", "ä")):
    _name_case(_title, _name_text)


@_group.case("spawn.namespace", _MSG, "entity_namespace", "An entity can have a namespace.")
def _namespace(sim: Simulator) -> None:
    name = sim.spawn("c1", entity_namespace="robot1")
    check(name in sim.entities(), f"`{name}` is not listed")


@_group.case("spawn.namespace-with-a-blank", _RESULT, "NAMESPACE_INVALID", "A namespace follows the naming standards.")
def _bad_namespace(sim: Simulator) -> None:
    sim.spawn_refused(std.NAMESPACE_INVALID, sim.spawning(entity_namespace="bad ns"))


def _namespace_case(title: str, namespace: str) -> None:
    @_group.case(
        f"spawn.namespace.{title}", _RESULT, "NAMESPACE_INVALID", "The text does not name the naming standards (A21)."
    )
    def _standards(sim: Simulator) -> None:
        sim.record_code(f"A21 {namespace}", "spawn_entity", sim.spawning(entity_namespace=namespace))


for _title, _namespace_text in (
    ("absolute", "/robots/r1"),
    ("relative", "robots/r1"),
    ("end", "a/"),
    ("gap", "a//b"),
    ("digit", "1a"),
    ("root", "/"),
):
    _namespace_case(_title, _namespace_text)


@_group.case("spawn.no-resource", _RESULT, "NO_RESOURCE", "One of URI and text is needed.")
def _no_resource(sim: Simulator) -> None:
    sim.spawn_refused(std.NO_RESOURCE, sim.spawning(entity_resource=_resource("")))


@_group.case("spawn.text", _RESOURCE, "resource_string", "A text is used if the URI is empty.", needs=(9,))
def _text(sim: Simulator) -> None:
    equal(sim.ok("spawn_entity", sim.from_text("model"))["entity_name"], "c1", "the name")


@_group.case("spawn.uri-before-text", _RESOURCE, "resource_string", "The text is ignored if there is a URI (A13).")
def _uri_first(sim: Simulator) -> None:
    broken = sim.description.text("broken")
    sim.ok("spawn_entity", sim.spawning(entity_resource=_resource(sim.model().uri, broken)))


@_group.case(
    "spawn.broken-text", _RESULT, "RESOURCE_PARSE_ERROR", "A text that cannot be parsed is refused.", needs=(9,)
)
def _broken(sim: Simulator) -> None:
    sim.spawn_refused(std.RESOURCE_PARSE_ERROR, sim.from_text("broken"))


@_group.case("spawn.missing-file", _RESULT, "MISSING_ASSETS", "A file that does not exist is not spawned.")
def _missing(sim: Simulator) -> None:
    request = sim.spawning(entity_resource=_resource(sim.description.missing_uri))
    before = sim.entities()
    code = sim.refused("spawn_entity", request)["result"]["result"]
    equal(sim.entities(), before, "the entities after a refused spawn")
    sim.record("spawn.missing-file", std.result_name("spawn_entity", code))


@_group.case("spawn.foreign-format", _RESULT, "UNSUPPORTED_FORMAT", "A format that is not supported is refused.")
def _format(sim: Simulator) -> None:
    request = sim.spawning(entity_resource=_resource(sim.description.foreign_uri))
    sim.spawn_refused(std.UNSUPPORTED_FORMAT, request)


@_group.case("spawn.missing-mesh", _RESULT, "MISSING_ASSETS", "A missing mesh is a missing asset.", needs=(9,))
def _mesh(sim: Simulator) -> None:
    sim.spawn_refused(std.MISSING_ASSETS, sim.from_text("mesh"))


def _invalid_pose_case(title: str, wrong: Message) -> None:
    @_group.case(f"spawn.pose.{title}", _RESULT, "INVALID_POSE", "An invalid pose is refused.")
    def _invalid(sim: Simulator) -> None:
        sim.spawn_refused(std.INVALID_POSE, sim.spawning(initial_pose={"pose": wrong}))


_invalid_pose_case("zero-quaternion", {"position": xyz(1, 0, 3), "orientation": _NO_ROTATION})
_invalid_pose_case("nan", {"position": xyz(math.nan, 0, 1), "orientation": _UPRIGHT})


@_group.case(
    "spawn.far-away",
    _RESULT,
    "INVALID_POSE",
    "A position beyond the bounds of the world is invalid; which they are is open.",
)
def _far(sim: Simulator) -> None:
    request = sim.spawning(initial_pose={"pose": pose(1e300, 0.0, 0.0)})
    code = sim.record_code("spawn.far-away", "spawn_entity", request)
    check(code in (std.OK, std.INVALID_POSE), f"found {std.result_name('spawn_entity', code)}")


@_group.case("spawn.frame-world", _MSG, "initial_pose", "An empty frame is the world.", needs=(10,))
def _frame(sim: Simulator) -> None:
    for name, frame in (("c1", "world"), ("c2", "")):
        sim.spawn(name, initial_pose={"header": {"frame_id": frame}, "pose": pose(1, 2, 3)})
    near(sim.position_of("c1"), sim.position_of("c2"), "the two positions")


@_group.case(
    "spawn.frame-of-an-entity", _MSG, "initial_pose", "The frame can be that of an entity spawned before.", needs=(10,)
)
def _of_entity(sim: Simulator) -> None:
    sim.spawn("c1", (1.0, 2.0, 3.0))
    sim.spawn("c2", initial_pose={"header": {"frame_id": "c1"}, "pose": pose(1, 1, 4)})
    near(sim.position_of("c2"), (2.0, 3.0, 7.0), "the position of the second entity")


@_group.case("spawn.unknown-frame", _MSG, "initial_pose", "The frame must be known to the simulator.")
def _unknown_frame(sim: Simulator) -> None:
    request = sim.spawning(initial_pose={"header": {"frame_id": "nowhere"}, "pose": pose(1, 2, 3)})
    before = sim.entities()
    code = sim.refused("spawn_entity", request)["result"]["result"]
    equal(sim.entities(), before, "the entities after a refused spawn")
    sim.record("spawn.unknown-frame", std.result_name("spawn_entity", code))


@_group.case("spawn.stamp-ignored", _MSG, "initial_pose", "The stamp of the pose is ignored.", needs=(10,))
def _stamp(sim: Simulator) -> None:
    header = {"stamp": {"sec": 12345, "nanosec": 6}, "frame_id": ""}
    sim.spawn(initial_pose={"header": header, "pose": pose(1, 2, 3)})
    near(sim.position_of("c1"), (1.0, 2.0, 3.0), "the position")


@_group.case(
    "spawn.no-time-in-a-pause",
    "msg/SimulationState.msg",
    "STATE_PAUSED",
    "A pause is without steps.",
    needs=(10,),
    start="paused",
)
def _no_time(sim: Simulator) -> None:
    at = sim.time_ns()
    sim.spawn()
    equal((sim.state(), sim.time_ns()), (std.PAUSED, at), "state and time after a spawn")


@_group.case("spawn.while-playing", _MSG, "name", "Entities are spawned while the simulation runs.", start="playing")
def _playing(sim: Simulator) -> None:
    check(sim.spawn() in sim.entities(), "the entity is not listed")
    sim.expect_state(std.PLAYING)


@_group.case(
    "spawn.no-world",
    "msg/Result.msg",
    "RESULT_INCORRECT_STATE",
    "Without a world nothing can be spawned (A7).",
    start="no world",
)
def _no_world(sim: Simulator) -> None:
    code = sim.refused("spawn_entity", sim.spawning())["result"]["result"]
    sim.record("A7 spawn_entity", std.result_name("spawn_entity", code))


@_group.case("spawn.first-error", _RESULT, "result", "The order in which errors are found is open (A22).")
def _order(sim: Simulator) -> None:
    wrong = {"header": {"frame_id": "nowhere"}, "pose": {"position": xyz(math.nan, 0, 0), "orientation": _UPRIGHT}}
    request = sim.spawning("bad name", entity_resource=_resource(""), entity_namespace="bad ns", initial_pose=wrong)
    code = sim.refused("spawn_entity", request)["result"]["result"]
    sim.record("A22", std.result_name("spawn_entity", code))
