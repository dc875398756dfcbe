"""Cases about resets of the simulation."""

from __future__ import annotations

from bridgehead_conformance import standard as std
from bridgehead_conformance.case import Case, Group
from bridgehead_conformance.simulator import Point, Simulator, check, equal, near

CASES: list[Case] = []
_group = Group(CASES, "reset_simulation", 20)
_SRV = "srv/ResetSimulation.srv"
_TIME, _STATE, _SPAWNED = std.SCOPE_TIME, std.SCOPE_STATE, std.SCOPE_SPAWNED
# Features that a change before the reset needs.
_CHANGES = (0, 10, 11, 26, 32)


def _reset(sim: Simulator, scope: int) -> None:
    sim.ok("reset_simulation", {"scope": scope})


class _Changed:
    """A paused simulation with a moved entity, a spawned one, and some steps."""

    def __init__(self, sim: Simulator) -> None:
        self.before = sim.entities()
        self.entity = sim.entity("dynamic")
        sim.place(self.entity, -2.0, 1.0, 0.5)
        self.spawned = sim.spawn(at=(0.0, 4.0, 9.0))
        sim.step(10)
        self.time = sim.time_ns()


def _initial(sim: Simulator) -> Point:
    """The position in which the world was loaded; the simulation is paused afterwards."""
    position = sim.position_of(sim.entity("dynamic"))
    sim.set_state(std.PLAYING)
    sim.set_state(std.PAUSED)
    return position


def _spawned_case(title: str, scope: int, needs: tuple[int, ...]) -> None:
    @_group.case(
        f"reset.{title}.removes-spawned",
        _SRV,
        "SCOPE_SPAWNED",
        "Spawned entities are removed.",
        needs=(*_CHANGES, *needs),
        start="paused",
    )
    def _removes(sim: Simulator) -> None:
        changed = _Changed(sim)
        _reset(sim, scope)
        equal(sim.entities(), changed.before, "the entities")


def _time_case(title: str, scope: int, needs: tuple[int, ...]) -> None:
    @_group.case(
        f"reset.{title}.resets-time",
        _SRV,
        "SCOPE_TIME",
        "The time begins again.",
        needs=(*_CHANGES, *needs),
        start="paused",
    )
    def _time(sim: Simulator) -> None:
        _Changed(sim)
        _reset(sim, scope)
        equal(sim.time_ns(), sim.begin_ns, "the time")


def _pose_case(title: str, scope: int, needs: tuple[int, ...]) -> None:
    @_group.case(
        f"reset.{title}.restores-poses",
        _SRV,
        "SCOPE_STATE",
        "Poses are those of the beginning.",
        needs=(*_CHANGES, *needs),
    )
    def _poses(sim: Simulator) -> None:
        initial = _initial(sim)
        changed = _Changed(sim)
        _reset(sim, scope)
        near(sim.position_of(changed.entity), initial, "the position")


_EVERY = (("default", std.SCOPE_DEFAULT), ("all", std.SCOPE_ALL))
for _title, _scope in (
    *_EVERY,
    ("spawned", _SPAWNED),
    ("time-and-spawned", _TIME | _SPAWNED),
    ("state-and-spawned", _STATE | _SPAWNED),
):
    _spawned_case(_title, _scope, (23,))
for _title, _scope in (
    *_EVERY,
    ("time", _TIME),
    ("time-and-spawned", _TIME | _SPAWNED),
    ("time-and-state", _TIME | _STATE),
):
    _time_case(_title, _scope, (21,))
for _title, _scope in (
    *_EVERY,
    ("state", _STATE),
    ("time-and-state", _TIME | _STATE),
    ("state-and-spawned", _STATE | _SPAWNED),
):
    _pose_case(_title, _scope, (22,))


def _keeps_time_case(title: str, scope: int, feature: int) -> None:
    @_group.case(
        f"reset.{title}.keeps-time",
        _SRV,
        "scope",
        "A part that is not in the scope stays.",
        needs=(*_CHANGES, feature),
        start="paused",
    )
    def _keeps_time(sim: Simulator) -> None:
        changed = _Changed(sim)
        _reset(sim, scope)
        equal(sim.time_ns(), changed.time, "the time")


def _keeps_spawned_case(title: str, scope: int, feature: int) -> None:
    @_group.case(
        f"reset.{title}.keeps-spawned",
        _SRV,
        "scope",
        "A part that is not in the scope stays.",
        needs=(*_CHANGES, feature),
        start="paused",
    )
    def _keeps_spawned(sim: Simulator) -> None:
        changed = _Changed(sim)
        _reset(sim, scope)
        check(changed.spawned in sim.entities(), "the spawned entity is gone")


def _keeps_pose_case(title: str, scope: int, feature: int) -> None:
    @_group.case(
        f"reset.{title}.keeps-poses",
        _SRV,
        "scope",
        "A part that is not in the scope stays.",
        needs=(*_CHANGES, feature),
        start="paused",
    )
    def _keeps_poses(sim: Simulator) -> None:
        changed = _Changed(sim)
        position = sim.position_of(changed.entity)
        _reset(sim, scope)
        near(sim.position_of(changed.entity), position, "the position", 0.05)


_keeps_time_case("spawned", _SPAWNED, 23)
_keeps_time_case("state", _STATE, 22)
_keeps_spawned_case("time", _TIME, 21)
_keeps_spawned_case("state", _STATE, 22)
_keeps_pose_case("time", _TIME, 21)
_keeps_pose_case("spawned", _SPAWNED, 23)


@_group.case(
    "reset.state.restores-spawned",
    _SRV,
    "SCOPE_STATE",
    "A spawned entity goes back to its first pose.",
    needs=(*_CHANGES, 22),
    start="paused",
)
def _restores_spawned(sim: Simulator) -> None:
    name = sim.spawn(at=(0.0, 4.0, 9.0))
    sim.place(name, 3.0, 3.0, 3.0)
    sim.step(5)
    _reset(sim, _STATE)
    near(sim.position_of(name), (0.0, 4.0, 9.0), "the position")


@_group.case(
    "reset.state.stops-motion",
    _SRV,
    "SCOPE_STATE",
    "Velocities are those of the beginning.",
    needs=(*_CHANGES, 22),
    start="paused",
)
def _stops(sim: Simulator) -> None:
    name = sim.spawn(at=(0.0, 4.0, 9.0))
    sim.step(10)
    check(sim.velocity_of(name)[2] < 0.0, "the entity does not fall")
    _reset(sim, _STATE)
    near(sim.velocity_of(name), (0.0, 0.0, 0.0), "the velocity", 1e-9)


def _after_case(title: str, scope: int, start: str) -> None:
    @_group.case(
        f"reset.{title}.state-after.{start}",
        _SRV,
        "SCOPE_ALL",
        "The state after a reset is not named (A12).",
        needs=(24,),
        start=start,
    )
    def _after(sim: Simulator) -> None:
        _reset(sim, scope)
        sim.record(f"A12 {title} from {start}", std.STATES[sim.state()])


for _start in ("stopped", "playing", "paused"):
    _after_case("all", std.SCOPE_ALL, _start)
_after_case("time", _TIME, "paused")


@_group.case("reset.repeated", _SRV, "SCOPE_ALL", "A reset can be repeated.", needs=(0, 24))
def _repeated(sim: Simulator) -> None:
    before = sim.entities()
    for _ in range(5):
        sim.spawn()
        _reset(sim, std.SCOPE_ALL)
        equal(sim.entities(), before, "the entities")


@_group.case(
    "reset.works-afterwards",
    _SRV,
    "SCOPE_ALL",
    "The simulation can be used as after its launch.",
    needs=(10, 24, 25),
    start="playing",
)
def _afterwards(sim: Simulator) -> None:
    _reset(sim, std.SCOPE_ALL)
    if sim.state() != std.PLAYING:
        sim.set_state(std.PLAYING)
    sim.wait_for_steps()


@_group.case("reset.undefined-scope", _SRV, "scope", "What a bit that is not defined leads to is open (A11).")
def _undefined(sim: Simulator) -> None:
    sim.record_code("A11 undefined bit", "reset_simulation", {"scope": 8})


@_group.case("reset.unsupported-scope", _SRV, "scope", "A scope that is not declared is not supported.")
def _unsupported(sim: Simulator) -> None:
    for feature, scope in ((21, _TIME), (22, _STATE), (23, _SPAWNED)):
        if not sim.has(feature):
            sim.expect(std.UNSUPPORTED, "reset_simulation", {"scope": scope})


@_group.case(
    "reset.no-world",
    "msg/Result.msg",
    "RESULT_INCORRECT_STATE",
    "What a reset without a world does is open (A7).",
    start="no world",
)
def _no_world(sim: Simulator) -> None:
    sim.record_code("A7 reset_simulation", "reset_simulation", {"scope": std.SCOPE_TIME})
