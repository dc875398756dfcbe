"""Cases about spawning several entities."""

from __future__ import annotations

from bridgehead_conformance import standard as std
from bridgehead_conformance.case import Case, Group
from bridgehead_conformance.simulator import Simulator, equal, near
from bridgehead_conformance.transports import Message

CASES: list[Case] = []
_several = Group(CASES, "spawn_entities", 50)
_MSG, _SRV = "msg/SpawnEntity.msg", "srv/SpawnEntities.srv"


@_several.case("spawn.several", _SRV, "results", "There is one result for each request, in their order.")
def _both(sim: Simulator) -> None:
    requests = [sim.spawning("c2", (0.0, 4.0, 3.0)), sim.spawning("c1", (0.0, 6.0, 3.0))]
    results = sim.ok("spawn_entities", {"spawn_requests": requests})["results"]
    found = [(one["entity_name"], one["result"]["result"]) for one in results]
    equal(found, [("c2", std.OK), ("c1", std.OK)], "names and results")


@_several.case("spawn.several-are-listed", _SRV, "spawn_requests", "Every request is carried out.", needs=(10,))
def _several_listed(sim: Simulator) -> None:
    requests = [sim.spawning("c1", (0.0, 4.0, 3.0)), sim.spawning("c2", (0.0, 6.0, 3.0))]
    sim.ok("spawn_entities", {"spawn_requests": requests})
    near(sim.position_of("c2"), (0.0, 6.0, 3.0), "the position of the second entity")


def _partly(sim: Simulator) -> Message:
    wrong = sim.spawning("c2", entity_resource={"uri": "", "resource_string": ""})
    requests = [sim.spawning("c1", (0.0, 4.0, 3.0)), wrong, sim.spawning("c3", (0.0, 6.0, 3.0))]
    return sim.call("spawn_entities", {"spawn_requests": requests})


@_several.case(
    "spawn.several-one-wrong", _SRV, "ENTITIES_SPAWN_FAILED", "One failed request makes the result a failure."
)
def _one_wrong(sim: Simulator) -> None:
    sim.check_result("spawn_entities", None, _partly(sim)["result"], (std.ENTITIES_SPAWN_FAILED,))


@_several.case("spawn.several-single-results", _SRV, "results", "The single results say which request failed.")
def _single(sim: Simulator) -> None:
    codes = [one["result"]["result"] for one in _partly(sim)["results"]]
    equal(codes, [std.OK, std.NO_RESOURCE, std.OK], "the single results")


@_several.case("spawn.several-others-exist", _SRV, "results", "Requests whose result is OK were carried out.")
def _others(sim: Simulator) -> None:
    before = sim.entities()
    results = _partly(sim)["results"]
    good = [one["entity_name"] for one in results if one["result"]["result"] == std.OK]
    equal(sim.entities(), sorted([*before, *good]), "the entities")


@_several.case("spawn.several-none", _SRV, "spawn_requests", "Nothing fails if nothing is requested.")
def _none(sim: Simulator) -> None:
    equal(sim.ok("spawn_entities", {"spawn_requests": []})["results"], [], "the results")


@_several.case(
    "spawn.several-same-name", _MSG, "allow_renaming", "A name that an earlier request of the list took is taken."
)
def _same(sim: Simulator) -> None:
    requests = [sim.spawning("c1", (0.0, 4.0, 3.0)), sim.spawning("c1", (0.0, 6.0, 3.0))]
    response = sim.expect(std.ENTITIES_SPAWN_FAILED, "spawn_entities", {"spawn_requests": requests})
    codes = sorted(one["result"]["result"] for one in response["results"])
    equal(codes, [std.OK, std.NAME_NOT_UNIQUE], "the single results")
