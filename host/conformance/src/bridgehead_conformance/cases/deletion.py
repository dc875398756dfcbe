"""Cases about deleting entities."""

from __future__ import annotations

from bridgehead_conformance import standard as std
from bridgehead_conformance.case import Case, Group
from bridgehead_conformance.simulator import Simulator, equal

CASES: list[Case] = []
_group = Group(CASES, "delete_entity", 1)
_SRV, _RESULT = "srv/DeleteEntity.srv", "msg/Result.msg"


def _spawned_case(start: str) -> None:
    @_group.case(f"delete.spawned.{start}", _SRV, "entity", "The entity is removed.", needs=(0,), start=start)
    def _spawned(sim: Simulator) -> None:
        before = sim.entities()
        sim.ok("delete_entity", {"entity": sim.spawn()})
        equal(sim.entities(), before, "the entities after the deletion")


for _start in ("stopped", "playing", "paused"):
    _spawned_case(_start)


@_group.case("delete.twice", _RESULT, "RESULT_NOT_FOUND", "A deleted entity does not exist.", needs=(0,))
def _twice(sim: Simulator) -> None:
    name = sim.spawn()
    sim.ok("delete_entity", {"entity": name})
    sim.expect(std.NOT_FOUND, "delete_entity", {"entity": name})


@_group.case("delete.unknown", _RESULT, "RESULT_NOT_FOUND", "No entity has this name.")
def _unknown(sim: Simulator) -> None:
    sim.expect(std.NOT_FOUND, "delete_entity", {"entity": "nope"})


@_group.case("delete.empty-name", _RESULT, "RESULT_NOT_FOUND", "No entity has an empty name.")
def _empty(sim: Simulator) -> None:
    before = sim.entities()
    sim.expect(std.NOT_FOUND, "delete_entity", {"entity": ""})
    equal(sim.entities(), before, "the entities")


@_group.case("delete.name-is-free-again", _SRV, "entity", "Names are unique among existing entities.", needs=(0,))
def _free(sim: Simulator) -> None:
    sim.ok("delete_entity", {"entity": sim.spawn("c1")})
    equal(sim.spawn("c1"), "c1", "the name of the second entity")


@_group.case("delete.state-is-gone", _RESULT, "RESULT_NOT_FOUND", "A deleted entity has no state.", needs=(0, 10))
def _gone(sim: Simulator) -> None:
    name = sim.spawn()
    sim.ok("delete_entity", {"entity": name})
    sim.expect(std.NOT_FOUND, "get_entity_state", {"entity": name})


@_group.case("delete.of-the-world", _SRV, "entity", "Every entity that GetEntities lists can be named.")
def _of_world(sim: Simulator) -> None:
    entity = sim.entity("other")
    before = sim.entities()
    code = sim.record_code("delete.of-the-world", "delete_entity", {"entity": entity})
    after = [name for name in before if name != entity] if code == std.OK else before
    equal(sim.entities(), after, "the entities")


@_group.case("delete.only-the-named", _SRV, "entity", "Other entities stay.", needs=(0,))
def _only(sim: Simulator) -> None:
    before = sim.entities()
    first, second = sim.spawn("c1"), sim.spawn("c2", (3.0, 3.0, 3.0))
    sim.ok("delete_entity", {"entity": first})
    equal(sim.entities(), sorted([*before, second]), "the entities")


@_group.case(
    "delete.no-world", _RESULT, "RESULT_INCORRECT_STATE", "Without a world there is no entity (A7).", start="no world"
)
def _no_world(sim: Simulator) -> None:
    code = sim.refused("delete_entity", {"entity": "nope"})["result"]["result"]
    sim.record("A7 delete_entity", std.result_name("delete_entity", code))
