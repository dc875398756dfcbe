"""Cases that follow from a table: each service in each state with a world."""

from __future__ import annotations

from collections.abc import Callable

from bridgehead_conformance import standard as std
from bridgehead_conformance.case import Case, Group
from bridgehead_conformance.simulator import Simulator, pose
from bridgehead_conformance.transports import Message

CASES: list[Case] = []
_SAYS = "The text restricts no state with a world, and names no change of the state."
# The service, the features that it needs, and a valid request.
_ROWS: list[tuple[str, tuple[int, ...], Callable[[Simulator], Message]]] = [
    ("get_entities", (), lambda _: {}),
    ("get_entities_states", (10,), lambda _: {}),
    ("get_entity_state", (10,), lambda sim: {"entity": sim.entity("dynamic")}),
    ("get_entity_info", (12,), lambda sim: {"entity": sim.entity("dynamic")}),
    ("get_entity_bounds", (5,), lambda sim: {"entity": sim.entity("dynamic")}),
    ("get_named_poses", (2,), lambda _: {}),
    ("get_named_pose_bounds", (3,), lambda sim: {"name": sim.named_pose().name}),
    ("get_simulation_state", (24,), lambda _: {}),
    ("get_current_world", (44,), lambda _: {}),
    ("get_available_worlds", (45,), lambda _: {"offline_only": True, "continue_on_error": True}),
    ("get_spawnables", (14,), lambda _: {}),
    ("spawn_entity", (0,), lambda sim: sim.spawning("c1", (0.0, 4.0, 3.0))),
    ("spawn_entities", (50,), lambda sim: {"spawn_requests": [sim.spawning("c1", (0.0, 4.0, 3.0))]}),
    ("set_entity_info", (13,), lambda sim: {"entity": sim.entity("dynamic"), "info": {"description": "x"}}),
    (
        "set_entity_state",
        (11,),
        lambda sim: {"entity": sim.entity("dynamic"), "state": {"pose": pose(-2, 1, 0.5)}, "set_pose": True},
    ),
]
# Requests that no state makes right, with their results.
_WRONG: list[tuple[str, str, tuple[int, ...], int, Callable[[Simulator], Message]]] = [
    ("get_entity_state", "unknown", (10,), std.NOT_FOUND, lambda _: {"entity": "nope"}),
    ("get_entity_info", "unknown", (12,), std.NOT_FOUND, lambda _: {"entity": "nope"}),
    ("get_entity_bounds", "unknown", (5,), std.NOT_FOUND, lambda _: {"entity": "nope"}),
    ("get_named_pose_bounds", "unknown", (3,), std.NOT_FOUND, lambda _: {"name": "nope"}),
    ("delete_entity", "unknown", (1,), std.NOT_FOUND, lambda _: {"entity": "nope"}),
    ("set_entity_info", "unknown", (13,), std.NOT_FOUND, lambda _: {"entity": "nope"}),
    (
        "spawn_entity",
        "without-resource",
        (0,),
        std.NO_RESOURCE,
        lambda sim: sim.spawning(entity_resource={"uri": "", "resource_string": ""}),
    ),
    ("spawn_entity", "taken-name", (0,), std.NAME_NOT_UNIQUE, lambda sim: sim.spawning(sim.entity("dynamic"))),
]


def _right(service: str, needs: tuple[int, ...], request: Callable[[Simulator], Message], start: str) -> None:
    group = Group(CASES, service, *needs)

    @group.case(f"{start}.{service}", f"srv/{_file(service)}.srv", "result", _SAYS, needs=(24,), start=start)
    def _answered(sim: Simulator) -> None:
        before = sim.state()
        sim.ok(service, request(sim))
        sim.expect_state(before)


def _refused(
    service: str, title: str, needs: tuple[int, ...], code: int, request: Callable[[Simulator], Message], start: str
) -> None:
    group = Group(CASES, service, *needs)
    says = "A request that is wrong in every state is refused with the same code in each."

    @group.case(f"{start}.{service}.{title}", f"srv/{_file(service)}.srv", "result", says, needs=(24,), start=start)
    def _answered(sim: Simulator) -> None:
        before = sim.state()
        sim.expect(code, service, request(sim))
        sim.expect_state(before)


def _file(service: str) -> str:
    return "".join(word.capitalize() for word in service.split("_"))


for _start in ("stopped", "playing", "paused"):
    for _row in _ROWS:
        _right(*_row, _start)
    # Other modules have these requests in the state stopped.
    for _wrong in _WRONG if _start != "stopped" else ():
        _refused(*_wrong, _start)
