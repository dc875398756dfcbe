"""Cases about lists of worlds and of models."""

from __future__ import annotations

from bridgehead_conformance import standard as std
from bridgehead_conformance.case import Case, Group, Undescribed
from bridgehead_conformance.simulator import Simulator, check, equal
from bridgehead_conformance.transports import Message

CASES: list[Case] = []
_worlds = Group(CASES, "get_available_worlds", 45)
_tagged = Group(CASES, "get_available_worlds", 45, 42)
_models = Group(CASES, "get_spawnables", 14)
_SRV, _TAGS, _SPAWNABLES = "srv/GetAvailableWorlds.srv", "msg/TagsFilter.msg", "srv/GetSpawnables.srv"
_NOWHERE = "/no/such/folder"


def _uris(response: Message) -> set[str]:
    return {one["world_resource"]["uri"] for one in response["worlds"]}


def _expected(sim: Simulator) -> set[str]:
    return {world.uri for world in sim.description.worlds.values()}


@_worlds.case("worlds.listed", _SRV, "worlds", "The worlds that can be loaded are listed.")
def _listed(sim: Simulator) -> None:
    missing = sorted(_expected(sim) - _uris(sim.ok("get_available_worlds")))
    equal(missing, [], "the worlds of the description that are not listed")


@_worlds.case("worlds.can-be-loaded", _SRV, "worlds", "The listed resources can be used with LoadWorld.", needs=(40,))
def _loadable(sim: Simulator) -> None:
    for uri in sorted(_uris(sim.ok("get_available_worlds")) & _expected(sim)):
        sim.ok("load_world", {"world_resource": {"uri": uri}})


@_worlds.case("worlds.names", "msg/WorldResource.msg", "name", "The worlds have names.")
def _names(sim: Simulator) -> None:
    found = {one["world_resource"]["uri"]: one["name"] for one in sim.ok("get_available_worlds")["worlds"]}
    for world in sim.description.worlds.values():
        if world.name and world.uri in found:
            equal(found[world.uri], world.name, f"the name of {world.uri}")


@_worlds.case("worlds.offline", _SRV, "offline_only", "Local worlds are found without online sources.")
def _offline(sim: Simulator) -> None:
    missing = sorted(_expected(sim) - _uris(sim.ok("get_available_worlds", {"offline_only": True})))
    equal(missing, [], "the worlds of the description that are not listed")


@_worlds.case("worlds.online", _SRV, "offline_only", "What a simulator without online sources answers is open (A18).")
def _online(sim: Simulator) -> None:
    sim.record_code("A18", "get_available_worlds", {"offline_only": False})


@_worlds.case(
    "worlds.missing-source", _SRV, "additional_sources", "What a source that does not exist leads to is open."
)
def _missing(sim: Simulator) -> None:
    sim.record_code("worlds.missing-source", "get_available_worlds", {"additional_sources": [_NOWHERE]})


@_worlds.case("worlds.continue-on-error", _SRV, "continue_on_error", "The request succeeds if any source has worlds.")
def _continue(sim: Simulator) -> None:
    request = {"additional_sources": [_NOWHERE], "continue_on_error": True}
    missing = sorted(_expected(sim) - _uris(sim.ok("get_available_worlds", request)))
    equal(missing, [], "the worlds of the description that are not listed")


@_worlds.case("worlds.no-world", _SRV, "worlds", "Worlds are listed although none is loaded.", start="no world")
def _no_world(sim: Simulator) -> None:
    check(sim.ok("get_available_worlds")["worlds"] or not _expected(sim), "no world is listed")


@_worlds.case("worlds.keeps-the-world", _SRV, "worlds", "A list changes nothing.", needs=(24,))
def _keeps(sim: Simulator) -> None:
    before = sim.entities()
    sim.call("get_available_worlds")
    sim.expect_state(std.STOPPED)
    equal(sim.entities(), before, "the entities")


def _with_tags(sim: Simulator, mode: int, *tags: str) -> set[str]:
    request = {"filter": {"tags": list(tags), "filter_mode": mode}}
    return _uris(sim.ok("get_available_worlds", request)) & _expected(sim)


def _two_tags(sim: Simulator) -> tuple[str, str]:
    first, second = sim.world("main").tags, sim.world("other").tags
    if not first or not second:
        raise Undescribed("`tags` of the main and the other world")
    return first[0], second[0]


@_tagged.case("worlds.tag", _SRV, "filter", "Worlds with the tag are listed.")
def _tag(sim: Simulator) -> None:
    first, _ = _two_tags(sim)
    equal(_with_tags(sim, std.ANY, first), {sim.world("main").uri}, "the worlds")


@_tagged.case("worlds.tags-any", _TAGS, "FILTER_MODE_ANY", "Any of the tags is enough.")
def _any(sim: Simulator) -> None:
    expected = {sim.world("main").uri, sim.world("other").uri}
    equal(_with_tags(sim, std.ANY, *_two_tags(sim)), expected, "the worlds")


@_tagged.case("worlds.tags-all", _TAGS, "FILTER_MODE_ALL", "All tags have to match.")
def _all(sim: Simulator) -> None:
    equal(_with_tags(sim, std.ALL_TAGS, *_two_tags(sim)), set(), "the worlds")


@_tagged.case("worlds.tags-of-one", _TAGS, "FILTER_MODE_ALL", "A world that has all tags is listed.")
def _of_one(sim: Simulator) -> None:
    world = sim.world("main")
    if not world.tags:
        raise Undescribed("`tags` in [worlds.main]")
    equal(_with_tags(sim, std.ALL_TAGS, *world.tags), {world.uri}, "the worlds")


@_tagged.case("worlds.tags-mode", _TAGS, "filter_mode", "What another mode leads to is open (A19).")
def _mode(sim: Simulator) -> None:
    request = {"filter": {"tags": ["indoor"], "filter_mode": 9}}
    sim.record_code("A19 get_available_worlds", "get_available_worlds", request)


def _spawnables(sim: Simulator, *sources: str) -> Message:
    return sim.ok("get_spawnables", {"sources": list(sources)})


@_models.case("spawnables.listed", _SPAWNABLES, "spawnables", "The models that can be spawned are listed.")
def _models_listed(sim: Simulator) -> None:
    found = {one["entity_resource"]["uri"] for one in _spawnables(sim)["spawnables"]}
    missing = sorted({model.uri for model in sim.description.models.values()} - found)
    equal(missing, [], "the models of the description that are not listed")


@_models.case(
    "spawnables.can-be-spawned",
    _SPAWNABLES,
    "spawnables",
    "The listed resources can be used with SpawnEntity.",
    needs=(0,),
)
def _spawnable(sim: Simulator) -> None:
    found = {one["entity_resource"]["uri"] for one in _spawnables(sim)["spawnables"]}
    for index, model in enumerate(sim.description.models.values()):
        if model.uri in found:
            sim.spawn(f"m{index}", (4.0 * index, 20.0, 3.0), entity_resource={"uri": model.uri})


@_models.case("spawnables.unknown-source", _SPAWNABLES, "sources", "An unknown source does not prevent success.")
def _unknown(sim: Simulator) -> None:
    equal(len(_spawnables(sim, "bogus")["spawnables"]), len(_spawnables(sim)["spawnables"]), "the number of models")


@_models.case(
    "spawnables.unknown-source-is-named", _SPAWNABLES, "sources", "An unknown source is named in the message."
)
def _named(sim: Simulator) -> None:
    text = _spawnables(sim, "bogus")["result"]["error_message"]
    check("bogus" in text, f"the message {text!r} does not name `bogus`")


@_models.case("spawnables.bounds", "msg/Spawnable.msg", "spawn_bounds", "Bounds, if there are any, enclose the model.")
def _bounds(sim: Simulator) -> None:
    model = sim.model()
    found = {one["entity_resource"]["uri"]: one["spawn_bounds"] for one in _spawnables(sim)["spawnables"]}
    bounds = found.get(model.uri, {"type": std.EMPTY})
    if bounds["type"] != std.BOX or not model.size:
        sim.record("spawnables.bounds", {0: "none", 1: "a box", 2: "a hull", 3: "a sphere"}[bounds["type"]])
        return
    high, low = bounds["points"]
    for axis, size in zip("xyz", model.size, strict=True):
        check(high[axis] - low[axis] >= size - 0.02, f"{axis}: from {low[axis]} to {high[axis]}, the model has {size}")
