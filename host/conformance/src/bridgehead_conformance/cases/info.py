"""Cases about the info of entities."""

from __future__ import annotations

from bridgehead_conformance import standard as std
from bridgehead_conformance.case import Case, Group
from bridgehead_conformance.simulator import Simulator, equal
from bridgehead_conformance.transports import Message

CASES: list[Case] = []
_get = Group(CASES, "get_entity_info", 12)
_set = Group(CASES, "set_entity_info", 12, 13)
_RESULT, _INFO, _SRV = "msg/Result.msg", "msg/EntityInfo.msg", "srv/SetEntityInfo.srv"


def _of(sim: Simulator, entity: str) -> Message:
    return dict(sim.ok("get_entity_info", {"entity": entity})["info"])


@_get.case("info.category", "msg/EntityCategory.msg", "category", "The category is one that the message defines.")
def _category(sim: Simulator) -> None:
    category = _of(sim, sim.entity("dynamic"))["category"]["category"]
    equal(
        category in (std.OBJECT, std.ROBOT, std.HUMAN, std.DYNAMIC_OBJECT, std.STATIC_OBJECT),
        True,
        f"{category} is known",
    )


@_get.case(
    "info.never-described", _INFO, "category", "What an entity has that nobody described is open (A20).", needs=(0,)
)
def _never(sim: Simulator) -> None:
    response = sim.call("get_entity_info", {"entity": sim.spawn()})
    text = std.result_name("get_entity_info", response["result"]["result"])
    sim.record("A20", f"{text}, category {response['info']['category']['category']}")


@_get.case("info.unknown", _RESULT, "RESULT_NOT_FOUND", "No entity has this name (A5).")
def _unknown(sim: Simulator) -> None:
    sim.expect(std.NOT_FOUND, "get_entity_info", {"entity": "nope"})


@_get.case(
    "info.no-world", _RESULT, "RESULT_INCORRECT_STATE", "Without a world there is no entity (A7).", start="no world"
)
def _no_world(sim: Simulator) -> None:
    code = sim.refused("get_entity_info", {"entity": "nope"})["result"]["result"]
    sim.record("A7 get_entity_info", std.result_name("get_entity_info", code))


def _read_back_case(field: str) -> None:
    @_set.case(f"info.read-back.{field}", _SRV, "info", "What was set is read.", needs=(4,) if field == "tags" else ())
    def _read_back(sim: Simulator) -> None:
        entity = sim.entity("dynamic")
        info = {"category": {"category": std.ROBOT}, "description": "x", "tags": ["t1", "t2"]}
        sim.ok("set_entity_info", {"entity": entity, "info": info})
        equal(_of(sim, entity)[field], info[field], field)


for _field in ("category", "description", "tags"):
    _read_back_case(_field)


@_set.case("info.replaced", _SRV, "info", "The info overrides the values that were there.")
def _replaced(sim: Simulator) -> None:
    entity = sim.entity("dynamic")
    sim.describe(entity, std.ROBOT, ("t1",))
    sim.ok("set_entity_info", {"entity": entity, "info": {"category": {"category": std.HUMAN}}})
    found = _of(sim, entity)
    equal((found["category"]["category"], list(found["tags"]), found["description"]), (std.HUMAN, [], ""), "the info")


@_set.case("info.set-unknown", _RESULT, "RESULT_NOT_FOUND", "No entity has this name (A5).")
def _set_unknown(sim: Simulator) -> None:
    sim.expect(std.NOT_FOUND, "set_entity_info", {"entity": "nope", "info": {}})


@_set.case("info.of-a-spawned", _SRV, "entity", "Spawned entities have an info too.", needs=(0,))
def _spawned(sim: Simulator) -> None:
    name = sim.spawn()
    sim.describe(name, std.DYNAMIC_OBJECT)
    equal(_of(sim, name)["category"]["category"], std.DYNAMIC_OBJECT, "the category")


@_set.case("info.others-stay", _SRV, "entity", "Only the named entity changes.")
def _others(sim: Simulator) -> None:
    before = _of(sim, sim.entity("other"))
    sim.describe(sim.entity("dynamic"), std.HUMAN, ("t9",))
    equal(_of(sim, sim.entity("other")), before, "the info of the other entity")
