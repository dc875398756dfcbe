"""Cases about loading and unloading worlds."""

from __future__ import annotations

from bridgehead_conformance import standard as std
from bridgehead_conformance.case import Case, Group, Undescribed
from bridgehead_conformance.simulator import Simulator, equal
from bridgehead_conformance.transports import Message

CASES: list[Case] = []
_load = Group(CASES, "load_world", 40, 24)
_unload = Group(CASES, "unload_world", 43, 40, 24)
_current = Group(CASES, "get_current_world", 44)
_LOAD, _UNLOAD, _CURRENT = "srv/LoadWorld.srv", "srv/UnloadWorld.srv", "srv/GetCurrentWorld.srv"


def _resource(uri: str, text: str = "", **flags: bool) -> Message:
    return {"world_resource": {"uri": uri, "resource_string": text}} | flags


def _stopped_case(start: str) -> None:
    needs = () if start != "playing" else (25,)

    @_load.case(
        f"world.loaded-is-stopped.{start.replace(' ', '-')}",
        _LOAD,
        "world_resource",
        "After loading, the simulation is stopped.",
        needs=needs,
        start=start,
    )
    def _stopped(sim: Simulator) -> None:
        sim.load("other")
        sim.expect_state(std.STOPPED)


_stopped_case("stopped")
_stopped_case("paused")
_stopped_case("no world")


@_load.case(
    "world.loaded-while-playing",
    _LOAD,
    "world_resource",
    "The text names no state in which loading is refused (A15).",
    needs=(25,),
    start="playing",
)
def _while_playing(sim: Simulator) -> None:
    code = sim.record_code("A15", "load_world", _resource(sim.world("other").uri))
    sim.expect_state(std.STOPPED if code == std.OK else std.PLAYING)


@_load.case("world.loaded-entities", _LOAD, "world_resource", "The entities of the old world are removed.")
def _entities(sim: Simulator) -> None:
    expected = sim.world("other").entities
    sim.load("other")
    if expected:
        equal(sim.entities(), sorted(expected), "the entities")


@_load.case("world.loaded-removes-spawned", _LOAD, "world_resource", "Spawned entities are removed.", needs=(0,))
def _removes(sim: Simulator) -> None:
    before = sim.entities()
    sim.spawn()
    sim.load("main")
    equal(sim.entities(), before, "the entities")


@_load.case(
    "world.loaded-time",
    _LOAD,
    "world_resource",
    "Stopped means that the time begins again.",
    needs=(10, 25),
    start="playing",
)
def _time(sim: Simulator) -> None:
    sim.wait_for_steps()
    sim.set_state(std.STOPPED)
    sim.load("main")
    equal(sim.time_ns(), sim.begin_ns, "the time")


@_load.case("world.loaded-resource", _LOAD, "world", "The answer describes the loaded world.")
def _described(sim: Simulator) -> None:
    found = sim.load("other")["world"]
    equal(found["world_resource"]["uri"], sim.world("other").uri, "the URI of the loaded world")


@_load.case("world.loaded-name", "msg/WorldResource.msg", "name", "The world has a name.")
def _name(sim: Simulator) -> None:
    expected = sim.world("other").name
    found = sim.load("other")["world"]["name"]
    if expected:
        equal(found, expected, "the name of the loaded world")


@_load.case("world.loaded-again", _LOAD, "world_resource", "Worlds can be loaded one after another.")
def _again(sim: Simulator) -> None:
    for world in ("other", "main", "other"):
        sim.load(world)
        sim.expect_state(std.STOPPED)


@_load.case(
    "world.loaded-can-play",
    "msg/SimulationState.msg",
    "STATE_STOPPED",
    "A stopped simulation can be played.",
    needs=(25,),
)
def _can_play(sim: Simulator) -> None:
    sim.load("other")
    sim.set_state(std.PLAYING)
    sim.expect_state(std.PLAYING)


@_load.case("world.no-resource", _LOAD, "NO_RESOURCE", "One of URI and text is needed.")
def _no_resource(sim: Simulator) -> None:
    sim.expect(std.WORLD_NO_RESOURCE, "load_world", _resource(""))


@_load.case("world.foreign-format", _LOAD, "UNSUPPORTED_FORMAT", "A format that is not supported is refused.")
def _format(sim: Simulator) -> None:
    sim.expect(std.WORLD_UNSUPPORTED_FORMAT, "load_world", _resource(sim.description.foreign_uri))


@_load.case(
    "world.missing-file",
    _LOAD,
    "RESOURCE_PARSE_ERROR",
    "A file that does not exist is not loaded; which code says so is open.",
)
def _missing(sim: Simulator) -> None:
    code = sim.refused("load_world", _resource(sim.description.missing_uri))["result"]["result"]
    sim.record("world.missing-file", std.result_name("load_world", code))


def _failed_case(title: str, says: str, text: str, needs: tuple[int, ...]) -> None:
    @_load.case(f"world.failed.{title}", _LOAD, "world_resource", says, needs=needs)
    def _failed(sim: Simulator) -> None:
        before = sim.entities()
        broken = sim.description.text(text) if text else ""
        sim.refused("load_world", _resource("" if text else sim.description.missing_uri, broken))
        if sim.state() == std.NO_WORLD:
            sim.record(f"A14 {title}", "no world")
        else:
            same = sim.entities() == before
            sim.record(f"A14 {title}", "the old world stays" if same else "another world is loaded")


_failed_case("missing-file", "Whether the old world stays after a failure is open (A14).", "", ())
_failed_case("broken-text", "Whether the old world stays after a failure is open (A14).", "broken_world", (41,))


@_load.case("world.after-a-failure", _LOAD, "world_resource", "A failure does not prevent the next load.", needs=(41,))
def _after_failure(sim: Simulator) -> None:
    sim.refused("load_world", _resource("", sim.description.text("broken_world")))
    sim.load("other")
    sim.expect_state(std.STOPPED)


@_load.case("world.text", "msg/Resource.msg", "resource_string", "A text is used if the URI is empty.", needs=(41,))
def _text(sim: Simulator) -> None:
    sim.ok("load_world", _resource("", sim.description.text("world")))
    sim.expect_state(std.STOPPED)


@_load.case(
    "world.uri-before-text", "msg/Resource.msg", "resource_string", "The text is ignored if there is a URI (A13)."
)
def _uri_first(sim: Simulator) -> None:
    request = _resource(sim.world("other").uri, sim.description.text("broken_world"))
    sim.ok("load_world", request)


@_load.case("world.broken-text", _LOAD, "RESOURCE_PARSE_ERROR", "A text that cannot be parsed is refused.", needs=(41,))
def _broken(sim: Simulator) -> None:
    sim.expect(std.WORLD_PARSE_ERROR, "load_world", _resource("", sim.description.text("broken_world")))


@_load.case(
    "world.unknown-element",
    _LOAD,
    "fail_on_unsupported_element",
    "By default an unsupported element is ignored.",
    needs=(41,),
)
def _element(sim: Simulator) -> None:
    sim.ok("load_world", _resource("", sim.description.text("element")))


@_load.case(
    "world.unknown-element-refused",
    _LOAD,
    "UNSUPPORTED_ELEMENTS",
    "An unsupported element fails if that is requested.",
    needs=(41,),
)
def _element_refused(sim: Simulator) -> None:
    request = _resource("", sim.description.text("element"), fail_on_unsupported_element=True)
    sim.expect(std.WORLD_UNSUPPORTED_ELEMENTS, "load_world", request)


@_load.case("world.missing-mesh", _LOAD, "MISSING_ASSETS", "By default a missing asset is a failure.", needs=(41,))
def _mesh(sim: Simulator) -> None:
    sim.expect(std.WORLD_MISSING_ASSETS, "load_world", _resource("", sim.description.text("mesh_world")))


@_load.case(
    "world.missing-mesh-ignored",
    _LOAD,
    "ignore_missing_or_unsupported_assets",
    "A missing asset is ignored if that is requested.",
    needs=(41,),
)
def _mesh_ignored(sim: Simulator) -> None:
    request = _resource("", sim.description.text("mesh_world"), ignore_missing_or_unsupported_assets=True)
    sim.ok("load_world", request)


def _unload_case(start: str) -> None:
    @_unload.case(f"world.unloaded.{start}", _UNLOAD, "result", "After that no world is loaded.", start=start)
    def _unloaded(sim: Simulator) -> None:
        sim.ok("unload_world")
        sim.expect_state(std.NO_WORLD)


for _start in ("stopped", "playing", "paused"):
    _unload_case(_start)


@_unload.case(
    "world.unloaded-twice", _UNLOAD, "NO_WORLD_LOADED", "Without a world there is nothing to unload.", start="no world"
)
def _twice(sim: Simulator) -> None:
    sim.expect(std.NO_WORLD_LOADED, "unload_world")


@_unload.case("world.unloaded-entities", _UNLOAD, "result", "Spawned entities are removed with the world.", needs=(0,))
def _unloaded_entities(sim: Simulator) -> None:
    before = sim.entities()
    sim.spawn()
    sim.ok("unload_world")
    sim.load("main")
    equal(sim.entities(), before, "the entities of the world that was loaded again")


@_current.case("world.current", _CURRENT, "world", "The loaded world is described.", needs=(40,))
def _current_world(sim: Simulator) -> None:
    sim.load("other")
    found = sim.ok("get_current_world")["world"]
    equal(found["world_resource"]["uri"], sim.world("other").uri, "the URI of the current world")


@_current.case("world.current-name", "msg/WorldResource.msg", "name", "The loaded world has a name.")
def _current_name(sim: Simulator) -> None:
    expected = sim.world("main").name
    if not expected:
        raise Undescribed("`name` in [worlds.main]")
    equal(sim.ok("get_current_world")["world"]["name"], expected, "the name of the current world")


@_current.case("world.current-as-loaded", _LOAD, "world", "Both services describe the same world.", needs=(40,))
def _as_loaded(sim: Simulator) -> None:
    equal(sim.load("other")["world"], sim.ok("get_current_world")["world"], "the world")


@_current.case(
    "world.current-tags", "msg/WorldResource.msg", "tags", "The tags of the world are those that it has.", needs=(42,)
)
def _current_tags(sim: Simulator) -> None:
    expected = sim.world("main").tags
    if expected is None:
        raise Undescribed("`tags` in [worlds.main]")
    equal(sorted(sim.ok("get_current_world")["world"]["tags"]), sorted(expected), "the tags")


@_current.case(
    "world.none-current", _CURRENT, "NO_WORLD_LOADED", "Without a world there is none to describe.", start="no world"
)
def _none(sim: Simulator) -> None:
    sim.expect(std.NO_WORLD_LOADED, "get_current_world")
