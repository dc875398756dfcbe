"""Cases about steps of a paused simulation."""

from __future__ import annotations

from bridgehead_conformance import standard as std
from bridgehead_conformance.case import Case, Group
from bridgehead_conformance.simulator import Simulator, check, equal

CASES: list[Case] = []
_single = Group(CASES, "step_simulation", 31, 10)
_several = Group(CASES, "step_simulation", 32, 31, 10)
_SRV = "srv/StepSimulation.srv"


@_single.case("step.one", _SRV, "steps", "One step advances the time.", start="paused")
def _one(sim: Simulator) -> None:
    check(sim.step_ns() > 0, "the time did not advance")


@_single.case(
    "step.returns-to-paused", _SRV, "steps", "The simulation is paused after the steps.", needs=(24,), start="paused"
)
def _returns(sim: Simulator) -> None:
    sim.step(1)
    sim.expect_state(std.PAUSED)


@_single.case("step.default", _SRV, "steps", "The default is one step.", start="paused")
def _default(sim: Simulator) -> None:
    width = sim.step_ns()
    before = sim.time_ns()
    sim.ok("step_simulation", {})
    equal(sim.time_ns() - before, width, "the time of a request without `steps`")


def _sum_case(steps: int) -> None:
    @_several.case(f"step.many.{steps}", _SRV, "steps", "As many steps are run as were requested.", start="paused")
    def _sum(sim: Simulator) -> None:
        width = sim.step_ns()
        before = sim.time_ns()
        sim.step(steps)
        found = sim.time_ns() - before
        check(abs(found - steps * width) <= steps, f"{steps} steps took {found} ns, one takes {width} ns")


for _steps in (2, 5, 10, 100):
    _sum_case(_steps)


@_several.case("step.answers-when-done", _SRV, "steps", "The answer comes when the steps are complete.", start="paused")
def _done(sim: Simulator) -> None:
    sim.step(50)
    at = sim.time_ns()
    sim.observe()
    equal(sim.time_ns(), at, "the time after the answer")


@_single.case("step.again", _SRV, "steps", "Steps can follow each other.", start="paused")
def _again(sim: Simulator) -> None:
    widths = [sim.step_ns() for _ in range(5)]
    check(max(widths) - min(widths) <= 1, f"five steps took {widths} ns")


@_several.case("step.moves", _SRV, "steps", "Steps are those of the simulation loop.", needs=(0,), start="paused")
def _moves(sim: Simulator) -> None:
    name = sim.spawn(at=(0.0, 4.0, 9.0))
    sim.step(20)
    check(sim.position_of(name)[2] < 9.0, "a free body does not fall")


@_single.case("step.playing", _SRV, "result", "Without a pause the result is OPERATION_FAILED (A2).", start="playing")
def _playing(sim: Simulator) -> None:
    sim.expect(std.OPERATION_FAILED, "step_simulation", {"steps": 1})


@_single.case(
    "step.playing-has-a-message", _SRV, "result", "Without a pause there is an error message.", start="playing"
)
def _message(sim: Simulator) -> None:
    text = sim.refused("step_simulation", {"steps": 1})["result"]["error_message"]
    check(text, "the message is empty")


@_single.case("step.playing-goes-on", _SRV, "result", "A refused request changes nothing.", start="playing")
def _goes_on(sim: Simulator) -> None:
    sim.refused("step_simulation", {"steps": 1})
    sim.expect_state(std.PLAYING)


@_single.case(
    "step.stopped", _SRV, "result", "Whether a stopped simulation counts as paused is open (A3).", needs=(24,)
)
def _stopped(sim: Simulator) -> None:
    code = sim.record_code("A3", "step_simulation", {"steps": 1})
    if code != std.OK:
        sim.expect_state(std.STOPPED)


@_single.case("step.zero", _SRV, "steps", "What no step leads to is open (A4).", start="paused")
def _zero(sim: Simulator) -> None:
    before = sim.time_ns()
    sim.record_code("A4 step_simulation", "step_simulation", {"steps": 0})
    equal(sim.time_ns(), before, "the time after no step")


@_single.case("step.no-world", _SRV, "result", "Without a world the simulation is not paused.", start="no world")
def _no_world(sim: Simulator) -> None:
    code = sim.refused("step_simulation", {"steps": 1})["result"]["result"]
    sim.record("A7 step_simulation", std.result_name("step_simulation", code))


@_single.case("step.then-play", _SRV, "steps", "After steps the simulation can be played.", needs=(25,), start="paused")
def _then_play(sim: Simulator) -> None:
    sim.step(1)
    sim.set_state(std.PLAYING)
    sim.wait_for_steps()
