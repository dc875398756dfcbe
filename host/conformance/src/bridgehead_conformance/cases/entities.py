"""Cases about lists and states of entities."""

from __future__ import annotations

import math

from bridgehead_conformance import standard as std
from bridgehead_conformance.case import Case, Group
from bridgehead_conformance.simulator import Simulator, check, close_to, equal, near, point, pose, xyz
from bridgehead_conformance.transports import Message

CASES: list[Case] = []
_list = Group(CASES, "get_entities")
_get = Group(CASES, "get_entity_state", 10)
_all = Group(CASES, "get_entities_states", 10)
_set = Group(CASES, "set_entity_state", 11, 10)
_RESULT, _STATE, _SRV = "msg/Result.msg", "msg/EntityState.msg", "srv/SetEntityState.srv"


@_list.case("entities.of-the-world", "srv/GetEntities.srv", "entities", "All objects of the scene are listed.")
def _of_world(sim: Simulator) -> None:
    expected = sim.world("main").entities
    if expected:
        equal(sim.entities(), sorted(expected), "the entities of the main world")


@_list.case("entities.unique", "srv/GetEntities.srv", "entities", "The names are unique.")
def _unique(sim: Simulator) -> None:
    names = sim.ok("get_entities")["entities"]
    equal(len(names), len(set(names)), "the number of different names")


@_list.case(
    "entities.no-world",
    _RESULT,
    "RESULT_INCORRECT_STATE",
    "Without a world there is nothing to list (A7).",
    start="no world",
)
def _none(sim: Simulator) -> None:
    response = sim.call("get_entities")
    equal(list(response["entities"]), [], "the entities without a world")
    sim.record("A7 get_entities", std.result_name("get_entities", response["result"]["result"]))


@_get.case("state-of.unknown", _RESULT, "RESULT_NOT_FOUND", "No entity has this name.")
def _unknown(sim: Simulator) -> None:
    sim.expect(std.NOT_FOUND, "get_entity_state", {"entity": "nope"})


@_get.case("state-of.empty-name", _RESULT, "RESULT_NOT_FOUND", "No entity has an empty name.")
def _empty(sim: Simulator) -> None:
    sim.expect(std.NOT_FOUND, "get_entity_state", {"entity": ""})


@_get.case("state-of.other-case", _RESULT, "RESULT_NOT_FOUND", "Names that differ in case are different names.")
def _other_case(sim: Simulator) -> None:
    sim.expect(std.NOT_FOUND, "get_entity_state", {"entity": sim.entity("dynamic").swapcase()})


@_get.case("state-of.frame", _STATE, "header", "The frame is the world, which an empty frame means too.")
def _frame(sim: Simulator) -> None:
    frame = sim.state_of(sim.entity("dynamic"))["header"]["frame_id"]
    check(frame in ("", "world"), f"the frame is `{frame}`; all poses of this case are those in the world")


@_get.case(
    "state-of.stamp-advances", _STATE, "header", "The stamp is the time of the pose.", needs=(31,), start="paused"
)
def _stamp(sim: Simulator) -> None:
    check(sim.step_ns() > 0, "the stamp did not advance with a step")


@_get.case(
    "state-of.static-rests",
    _STATE,
    "twist",
    "Velocities are ground truth, so that of a static entity is zero.",
    start="playing",
)
def _static(sim: Simulator) -> None:
    near(sim.velocity_of(sim.entity("static")), (0.0, 0.0, 0.0), "the velocity", 1e-9)


@_get.case("state-of.quaternion", _STATE, "pose", "The orientation is a rotation.")
def _quaternion(sim: Simulator) -> None:
    turn = sim.state_of(sim.entity("dynamic"))["pose"]["orientation"]
    close_to(math.sqrt(sum(part * part for part in turn.values())), 1.0, 1e-6, "the length of the quaternion")


@_get.case(
    "state-of.falling",
    _STATE,
    "twist",
    "Velocities are ground truth: a free body falls.",
    needs=(0, 32),
    start="paused",
)
def _falling(sim: Simulator) -> None:
    name = sim.spawn(at=(0.0, 4.0, 20.0))
    begin = sim.time_ns()
    sim.step(10)
    expected = -9.81 * (sim.time_ns() - begin) / 1e9
    close_to(sim.velocity_of(name)[2], expected, 0.15, "the velocity after ten steps")


@_get.case("state-of.falling-moves", _STATE, "pose", "The pose follows the motion.", needs=(0, 32), start="paused")
def _moves(sim: Simulator) -> None:
    name = sim.spawn(at=(0.0, 4.0, 20.0))
    sim.step(10)
    check(sim.position_of(name)[2] < 20.0, "the height did not change in ten steps")


@_get.case(
    "state-of.no-world", _RESULT, "RESULT_INCORRECT_STATE", "Without a world there is no entity (A7).", start="no world"
)
def _no_world(sim: Simulator) -> None:
    code = sim.refused("get_entity_state", {"entity": "nope"})["result"]["result"]
    sim.record("A7 get_entity_state", std.result_name("get_entity_state", code))


@_all.case("states-of.as-many-as-names", "srv/GetEntitiesStates.srv", "states", "There is one state for each name.")
def _as_many(sim: Simulator) -> None:
    response = sim.ok("get_entities_states")
    equal(len(response["states"]), len(response["entities"]), "the number of states")


@_all.case("states-of.same-names", "srv/GetEntitiesStates.srv", "entities", "Both services list the same entities.")
def _same_names(sim: Simulator) -> None:
    equal(sorted(sim.ok("get_entities_states")["entities"]), sim.entities(), "the names")


@_all.case("states-of.in-order", "srv/GetEntitiesStates.srv", "states", "The states are in the order of the names.")
def _in_order(sim: Simulator) -> None:
    response = sim.ok("get_entities_states")
    for name, state in zip(response["entities"], response["states"], strict=True):
        near(point(state["pose"]["position"]), sim.position_of(name), f"the position of `{name}`")


@_all.case("states-of.filtered", "srv/GetEntitiesStates.srv", "filters", "The filters are those of GetEntities.")
def _filtered(sim: Simulator) -> None:
    name = sim.entity("dynamic")
    response = sim.ok("get_entities_states", {"filters": {"filter": f"^{name}$"}})
    equal((response["entities"], len(response["states"])), ([name], 1), "names and number of states")


def _moving(x: float, y: float, z: float) -> Message:
    return {"twist": {"linear": xyz(x, y, z)}}


def _pose_case(start: str) -> None:
    @_set.case(f"set-state.pose.{start}", _SRV, "state", "The pose changes instantly.", start=start)
    def _pose(sim: Simulator) -> None:
        entity = sim.entity("dynamic")
        sim.place(entity, -2.0, 1.0, 0.5)
        near(sim.position_of(entity), (-2.0, 1.0, 0.5), "the position")


_pose_case("stopped")
_pose_case("paused")


@_set.case("set-state.orientation", _SRV, "state", "The pose has a rotation too.", start="paused")
def _orientation(sim: Simulator) -> None:
    entity = sim.entity("dynamic")
    turned = {"position": xyz(-2, 1, 3), "orientation": {"x": 0.0, "y": 0.0, "z": 0.6, "w": 0.8}}
    sim.set_entity(entity, {"pose": turned}, "pose")
    found = sim.state_of(entity)["pose"]["orientation"]
    close_to(abs(found["z"] * 0.6 + found["w"] * 0.8), 1.0, 1e-6, "the agreement of the rotations")


@_set.case("set-state.stamp-ignored", _SRV, "state", "The stamp is ignored.", start="paused")
def _stamp_ignored(sim: Simulator) -> None:
    entity = sim.entity("dynamic")
    header = {"stamp": {"sec": 99999, "nanosec": 1}, "frame_id": ""}
    sim.set_entity(entity, {"header": header, "pose": pose(-2, 1, 0.5)}, "pose")
    near(sim.position_of(entity), (-2.0, 1.0, 0.5), "the position")


@_set.case("set-state.written-back", _STATE, "twist", "What was read can be set.", needs=(0, 32), start="paused")
def _written_back(sim: Simulator) -> None:
    name = sim.spawn(at=(0.0, 4.0, 10.0))
    sim.step(10)
    read = sim.state_of(name)
    sim.set_entity(name, read, "pose", "twist")
    near(sim.position_of(name), point(read["pose"]["position"]), "the position", 1e-6)
    near(sim.velocity_of(name), point(read["twist"]["linear"]), "the velocity", 1e-4)


@_set.case("set-state.velocity", _SRV, "set_twist", "The twist changes instantly.", needs=(0,), start="paused")
def _velocity(sim: Simulator) -> None:
    name = sim.spawn(at=(0.0, 4.0, 10.0))
    sim.set_entity(name, {"pose": pose(0, 4, 10)} | _moving(1.0, 0.0, 0.0), "pose", "twist")
    near(sim.velocity_of(name), (1.0, 0.0, 0.0), "the velocity")


@_set.case(
    "set-state.velocity-moves", _SRV, "set_twist", "A body with a velocity moves.", needs=(0, 32), start="paused"
)
def _velocity_moves(sim: Simulator) -> None:
    name = sim.spawn(at=(0.0, 4.0, 10.0))
    sim.set_entity(name, {"pose": pose(0, 4, 10)} | _moving(1.0, 0.0, 0.0), "pose", "twist")
    begin = sim.time_ns()
    sim.step(10)
    close_to(sim.position_of(name)[0], (sim.time_ns() - begin) / 1e9, 0.15, "the distance")


@_set.case(
    "set-state.velocity-in-the-world",
    _STATE,
    "twist",
    "Velocities are those in the frame of the header, not in the axes of the entity (A16).",
    needs=(0, 32),
    start="paused",
)
def _in_the_world(sim: Simulator) -> None:
    quarter = {"position": xyz(0, 4, 10), "orientation": {"x": 0.0, "y": 0.0, "z": math.sqrt(0.5), "w": math.sqrt(0.5)}}
    name = sim.spawn(initial_pose={"pose": quarter})
    sim.set_entity(name, {"pose": quarter} | _moving(1.0, 0.0, 0.0), "pose", "twist")
    begin = sim.time_ns()
    sim.step(10)
    seconds = (sim.time_ns() - begin) / 1e9
    x, y, _ = sim.position_of(name)
    close_to(x, seconds, 0.15, "the distance along x")
    check(abs(y - 4.0) < 0.15 * seconds, f"it moved by {y - 4.0} along y, expected none")


def _flags(sim: Simulator) -> bool:
    if sim.description.standard == "1":
        sim.record("A17", "this version has no flags")
        return False
    return True


@_set.case(
    "set-state.only-velocity", _SRV, "set_twist", "Without set_pose the pose is ignored.", needs=(0,), start="paused"
)
def _only_velocity(sim: Simulator) -> None:
    name = sim.spawn(at=(0.0, 4.0, 10.0))
    if _flags(sim):
        sim.set_entity(name, {"pose": pose(9, 9, 9)} | _moving(1.0, 0.0, 0.0), "twist")
        near(sim.position_of(name), (0.0, 4.0, 10.0), "the position")
        near(sim.velocity_of(name), (1.0, 0.0, 0.0), "the velocity")


@_set.case(
    "set-state.only-pose", _SRV, "set_pose", "Without set_twist the twist is ignored.", needs=(0,), start="paused"
)
def _only_pose(sim: Simulator) -> None:
    name = sim.spawn(at=(0.0, 4.0, 10.0))
    if _flags(sim):
        sim.set_entity(name, {"pose": pose(0, 5, 9)} | _moving(1.0, 0.0, 0.0), "pose")
        near(sim.position_of(name), (0.0, 5.0, 9.0), "the position")
        near(sim.velocity_of(name), (0.0, 0.0, 0.0), "the velocity")


@_set.case(
    "set-state.nothing", _SRV, "set_pose", "Without any flag nothing is set; the result is open (A17).", start="paused"
)
def _nothing(sim: Simulator) -> None:
    entity = sim.entity("dynamic")
    before = sim.position_of(entity)
    if _flags(sim):
        flags = {"set_pose": False, "set_twist": False, "set_acceleration": False}
        request = {"entity": entity, "state": {"pose": pose(9, 9, 9)}} | flags
        sim.record_code("A17", "set_entity_state", request)
        near(sim.position_of(entity), before, "the position")


def _invalid_case(title: str, wrong: Message) -> None:
    @_set.case(f"set-state.pose.{title}", _SRV, "INVALID_POSE", "An invalid pose is refused.", start="paused")
    def _invalid(sim: Simulator) -> None:
        entity = sim.entity("dynamic")
        before = sim.position_of(entity)
        sim.set_entity(entity, {"pose": wrong}, "pose", code=std.STATE_INVALID_POSE)
        near(sim.position_of(entity), before, "the position")


_invalid_case("zero-quaternion", {"position": xyz(3, 3, 3), "orientation": {"x": 0.0, "y": 0.0, "z": 0.0, "w": 0.0}})
_invalid_case("nan", {"position": xyz(math.nan, 0, 1), "orientation": {"w": 1.0}})


@_set.case("set-state.unknown", _RESULT, "RESULT_NOT_FOUND", "No entity has this name.", start="paused")
def _unknown_set(sim: Simulator) -> None:
    sim.set_entity("nope", {"pose": pose(0, 0, 0)}, "pose", "twist", code=std.NOT_FOUND)


@_set.case("set-state.static-velocity", _SRV, "state", "A twist of a static object fails.", start="paused")
def _static_velocity(sim: Simulator) -> None:
    state = {"pose": pose(0, 5, 1)} | _moving(1.0, 0.0, 0.0)
    sim.set_entity(sim.entity("static"), state, "pose", "twist", code=std.OPERATION_FAILED)


@_set.case("set-state.static-acceleration", _SRV, "state", "An acceleration of a static object fails.", start="paused")
def _static_acceleration(sim: Simulator) -> None:
    entity = sim.entity("static")
    state = {"pose": sim.state_of(entity)["pose"], "acceleration": {"linear": xyz(1, 0, 0)}}
    if sim.description.standard == "1":
        # Without flags, a simulator may ignore accelerations as a whole.
        sim.record_code("set-state.static-acceleration", "set_entity_state", {"entity": entity, "state": state})
        return
    sim.set_entity(entity, state, "pose", "acceleration", code=std.OPERATION_FAILED)


@_set.case("set-state.static-unchanged", _SRV, "state", "A failed request changes nothing.", start="paused")
def _static_unchanged(sim: Simulator) -> None:
    entity = sim.entity("static")
    before = sim.position_of(entity)
    state = {"pose": pose(0, 5, 1)} | _moving(1.0, 0.0, 0.0)
    flags = {"set_pose": True, "set_twist": True, "set_acceleration": False}
    sim.refused("set_entity_state", {"entity": entity, "state": state} | flags)
    near(sim.position_of(entity), before, "the position")


@_set.case("set-state.static-pose", _SRV, "state", "A static object can be placed.", start="paused")
def _static_pose(sim: Simulator) -> None:
    entity = sim.entity("static")
    sim.set_entity(entity, {"pose": pose(0, 5, 1), "twist": {}}, "pose", "twist")
    near(sim.position_of(entity), (0.0, 5.0, 1.0), "the position")


def _keeps_case(start: str) -> None:
    @_set.case(f"set-state.keeps-state.{start}", _SRV, "state", "Only the entity changes.", start=start)
    def _keeps(sim: Simulator) -> None:
        before = sim.state()
        sim.place(sim.entity("dynamic"), -2.0, 1.0, 0.5)
        sim.expect_state(before)


_keeps_case("playing")
_keeps_case("paused")


@_set.case("set-state.others-stay", _SRV, "entity", "Other entities stay where they are.", start="paused")
def _others(sim: Simulator) -> None:
    before = sim.position_of(sim.entity("other"))
    sim.place(sim.entity("dynamic"), -2.0, 1.0, 0.5)
    near(sim.position_of(sim.entity("other")), before, "the position of the other entity")


@_set.case("set-state.no-time", _SRV, "state", "Setting a state is no step.", start="paused")
def _no_time(sim: Simulator) -> None:
    at = sim.time_ns()
    sim.place(sim.entity("dynamic"), -2.0, 1.0, 0.5)
    equal(sim.time_ns(), at, "the time")


@_set.case(
    "set-state.no-world",
    _RESULT,
    "RESULT_INCORRECT_STATE",
    "Without a world there is no entity (A7).",
    start="no world",
)
def _set_no_world(sim: Simulator) -> None:
    request = {"entity": "nope", "state": {"pose": pose(0, 0, 0)}, "set_pose": True}
    code = sim.refused("set_entity_state", request)["result"]["result"]
    sim.record("A7 set_entity_state", std.result_name("set_entity_state", code))
