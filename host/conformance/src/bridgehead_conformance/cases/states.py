"""Cases about the state of the simulation."""

from __future__ import annotations

from bridgehead_conformance import standard as std
from bridgehead_conformance.case import Case, Group
from bridgehead_conformance.simulator import Simulator, check, equal, near
from bridgehead_conformance.transports import TransportError

CASES: list[Case] = []
_get = Group(CASES, "get_simulation_state", 24)
_set = Group(CASES, "set_simulation_state", 24, 25)
_MSG, _SRV = "msg/SimulationState.msg", "srv/SetSimulationState.srv"


def _reported_case(start: str, says: str) -> None:
    @_get.case(f"state.reported.{start.replace(' ', '-')}", _MSG, "state", says, start=start)
    def _reported(sim: Simulator) -> None:
        expected = {"stopped": 0, "playing": 1, "paused": 2, "no world": 4}[start]
        sim.expect_state(expected)


_reported_case("stopped", "A loaded world is stopped.")
_reported_case("playing", "A playing simulation reports STATE_PLAYING.")
_reported_case("paused", "A paused simulation reports STATE_PAUSED.")
_reported_case("no world", "Without a world the state is STATE_NO_WORLD.")


def _set_case(start: str, target: int, code: int, after: int, says: str, needs: tuple[int, ...] = ()) -> None:
    name = f"state.{start}-to-{std.STATES.get(target, str(target))}".replace(" ", "-")
    field = {101: "ALREADY_IN_TARGET_STATE", 103: "INCORRECT_TRANSITION"}.get(code, "state")

    @_set.case(name, _SRV, field, says, start=start, needs=needs)
    def _transition(sim: Simulator) -> None:
        sim.set_state(target, code)
        sim.expect_state(after)


_OK, _ALREADY, _WRONG = std.OK, std.ALREADY_IN_TARGET_STATE, std.INCORRECT_TRANSITION
_set_case("stopped", std.PLAYING, _OK, std.PLAYING, "A stopped simulation can be played.")
_set_case("stopped", std.STOPPED, _ALREADY, std.STOPPED, "A stopped simulation was already stopped.")
_set_case("playing", std.PLAYING, _ALREADY, std.PLAYING, "A playing simulation was already playing.")
_set_case("playing", std.PAUSED, _OK, std.PAUSED, "A playing simulation can be paused.", (26,))
_set_case("playing", std.STOPPED, _OK, std.STOPPED, "A playing simulation can be stopped.")
_set_case("paused", std.PLAYING, _OK, std.PLAYING, "A paused simulation can be played.")
_set_case("paused", std.PAUSED, _ALREADY, std.PAUSED, "A paused simulation was already paused.")
_set_case("paused", std.STOPPED, _OK, std.STOPPED, "A paused simulation can be stopped.")


def _cannot_case(target: int) -> None:
    name = std.STATES[target]

    @_set.case(
        f"state.no-world-to-{name}",
        _MSG,
        "STATE_NO_WORLD",
        "Without a world the simulation is inactive and cannot be started, stopped or paused.",
        start="no world",
    )
    def _cannot(sim: Simulator) -> None:
        sim.refused("set_simulation_state", {"state": {"state": target}})
        sim.expect_state(std.NO_WORLD)
        sim.record_code(f"state.no-world-to-{name}", "set_simulation_state", {"state": {"state": target}})


for _target in (std.STOPPED, std.PLAYING, std.PAUSED):
    _cannot_case(_target)


def _unknown_case(start: str, target: int) -> None:
    says = "The target is one of the states that the message defines."
    name = f"state.{start}-to-undefined-{target}"

    @_set.case(name, _SRV, "state", says, start=start)
    def _unknown(sim: Simulator) -> None:
        before = sim.state()
        sim.refused("set_simulation_state", {"state": {"state": target}})
        sim.expect_state(before)
        sim.record_code("state.undefined", "set_simulation_state", {"state": {"state": target}})


for _start in ("stopped", "playing", "paused"):
    _unknown_case(_start, 200)
_unknown_case("stopped", 77)


def _world_state_case(start: str, target: int) -> None:
    name = f"state.{start}-to-{std.STATES[target]}".replace(" ", "-")

    @_set.case(
        name, _MSG, std.STATES[target], "This state describes worlds; the text names no request for it.", start=start
    )
    def _world_state(sim: Simulator) -> None:
        before = sim.state()
        code = sim.record_code(name, "set_simulation_state", {"state": {"state": target}})
        if code != std.OK:
            sim.expect_state(before)


for _start, _target in (("stopped", 4), ("playing", 4), ("stopped", 5), ("no world", 4)):
    _world_state_case(_start, _target)


@_set.case(
    "state.stopped-to-paused",
    _MSG,
    "STATE_STOPPED",
    "The message allows pausing a stopped simulation; SetSimulationState calls it an incorrect transition (A1).",
    needs=(26,),
)
def _stopped_to_paused(sim: Simulator) -> None:
    code = sim.record_code("A1", "set_simulation_state", {"state": {"state": std.PAUSED}})
    sim.expect_state(std.PAUSED if code == std.OK else std.STOPPED)


@_set.case(
    "state.message-of-a-refusal", "msg/Result.msg", "error_message", "A refusal may have a message.", start="stopped"
)
def _message(sim: Simulator) -> None:
    text = sim.refused("set_simulation_state", {"state": {"state": std.STOPPED}})["result"]["error_message"]
    check(isinstance(text, str), "`error_message` is no text")


@_set.case(
    "state.time-stands-in-a-pause", _MSG, "STATE_PAUSED", "Time stands still in a pause.", needs=(10,), start="paused"
)
def _stands(sim: Simulator) -> None:
    at = sim.time_ns()
    sim.observe()
    equal(sim.time_ns(), at, "the time after a while in a pause")


@_set.case("state.time-stands-when-stopped", _MSG, "STATE_STOPPED", "Stopped equals paused and reset.", needs=(10,))
def _stands_stopped(sim: Simulator) -> None:
    at = sim.time_ns()
    sim.observe()
    equal(sim.time_ns(), at, "the time after a while in the state stopped")


@_set.case("state.time-advances", _MSG, "STATE_PLAYING", "Time advances while it plays.", needs=(10,), start="playing")
def _advances(sim: Simulator) -> None:
    sim.wait_for_steps()


@_set.case(
    "state.time-continues",
    _MSG,
    "STATE_PAUSED",
    "A paused simulation continues from where it is.",
    needs=(10,),
    start="playing",
)
def _continues(sim: Simulator) -> None:
    sim.wait_for_steps()
    sim.set_state(std.PAUSED)
    at = sim.time_ns()
    sim.set_state(std.PLAYING)
    sim.wait_for("the time passes that of the pause", lambda: sim.time_ns() > at)


def _stop_case(start: str) -> None:
    @_set.case(
        f"state.stopping-resets-time.{start}",
        _MSG,
        "STATE_STOPPED",
        "Stopping resets the time.",
        needs=(10,),
        start=start,
    )
    def _time(sim: Simulator) -> None:
        if start == "paused":
            sim.set_state(std.PLAYING)
        sim.wait_for_steps()
        if start == "paused":
            sim.set_state(std.PAUSED)
        sim.set_state(std.STOPPED)
        equal(sim.time_ns(), sim.begin_ns, "the time after a stop")


_stop_case("playing")
_stop_case("paused")


@_set.case(
    "state.stopping-removes-spawned",
    _MSG,
    "STATE_STOPPED",
    "Stopping resets, which removes spawned entities.",
    needs=(0,),
    start="playing",
)
def _removes(sim: Simulator) -> None:
    before = sim.entities()
    name = sim.spawn()
    check(name in sim.entities(), f"`{name}` is not listed")
    sim.set_state(std.STOPPED)
    equal(sim.entities(), before, "the entities after a stop")


@_set.case(
    "state.stopping-restores-poses",
    _MSG,
    "STATE_PAUSED",
    "Stopping a paused simulation resets it.",
    needs=(10, 11),
    start="stopped",
)
def _restores(sim: Simulator) -> None:
    entity = sim.entity("dynamic")
    initial = sim.position_of(entity)
    sim.set_state(std.PLAYING)
    sim.place(entity, initial[0] - 2, initial[1] + 1, initial[2] + 2)
    sim.set_state(std.STOPPED)
    near(sim.position_of(entity), initial, "the position after a stop")


@_set.case(
    "state.played-again", _MSG, "STATE_STOPPED", "A stopped simulation can be played, each time anew.", needs=(10,)
)
def _again(sim: Simulator) -> None:
    for _ in range(3):
        sim.set_state(std.PLAYING)
        sim.wait_for_steps()
        sim.set_state(std.STOPPED)
        equal(sim.time_ns(), sim.begin_ns, "the time after a stop")


@_set.case(
    "state.paused-keeps-entities",
    _MSG,
    "STATE_PAUSED",
    "A pause changes no entity.",
    needs=(0, 10, 26),
    start="playing",
)
def _keeps(sim: Simulator) -> None:
    name = sim.spawn()
    sim.set_state(std.PAUSED)
    check(name in sim.entities(), "a spawned entity is gone after a pause")


@_set.case(
    "state.quitting",
    _MSG,
    "STATE_QUITTING",
    "Quitting is answered; then the interfaces are unavailable.",
    start="playing",
    last=True,
)
def _quitting(sim: Simulator) -> None:
    sim.set_state(std.QUITTING)

    def is_gone() -> bool:
        try:
            return sim.description.service("get_simulation_state") not in sim.transport.offered()
        except TransportError:
            return True

    sim.wait_for("the interfaces become unavailable", is_gone)
