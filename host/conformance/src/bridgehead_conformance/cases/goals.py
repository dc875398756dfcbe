"""Cases about the action that runs steps."""

from __future__ import annotations

from bridgehead_conformance import standard as std
from bridgehead_conformance.case import Case, Group
from bridgehead_conformance.simulator import Simulator, check, equal
from bridgehead_conformance.transports import Goal

CASES: list[Case] = []
_group = Group(CASES, "simulate_steps", 33, 10)
_ACTION = "action/SimulateSteps.action"
# More than any simulator runs before the cancellation.
_MANY = 100_000_000


def _feedback(goal: Goal) -> list[tuple[int, int]]:
    found = []
    while (message := goal.feedback()) is not None:
        found.append((int(message["completed_steps"]), int(message["remaining_steps"])))
    return found


@_group.case("action.succeeds", _ACTION, "result", "A goal of a paused simulation succeeds.", start="paused")
def _succeeds(sim: Simulator) -> None:
    sim.end_of(sim.goal(20), std.SUCCEEDED, std.OK)


@_group.case(
    "action.advances", _ACTION, "steps", "As many steps are run as the goal names.", needs=(31,), start="paused"
)
def _advances(sim: Simulator) -> None:
    width = sim.step_ns()
    before = sim.time_ns()
    sim.end_of(sim.goal(20), std.SUCCEEDED, std.OK)
    found = sim.time_ns() - before
    check(abs(found - 20 * width) <= 20, f"20 steps took {found} ns, one takes {width} ns")


@_group.case("action.returns-to-paused", _ACTION, "steps", "The simulation is paused after the steps.", start="paused")
def _returns(sim: Simulator) -> None:
    sim.end_of(sim.goal(5), std.SUCCEEDED, std.OK)
    sim.expect_state(std.PAUSED)


@_group.case("action.feedback", _ACTION, "completed_steps", "There is feedback while the steps run.", start="paused")
def _has_feedback(sim: Simulator) -> None:
    goal = sim.goal(20)
    check(_feedback(goal), "no feedback arrived")
    goal.end()


@_group.case(
    "action.feedback-adds-up",
    _ACTION,
    "remaining_steps",
    "Completed and remaining steps are those of the goal.",
    start="paused",
)
def _adds_up(sim: Simulator) -> None:
    goal = sim.goal(20)
    for done, left in _feedback(goal):
        equal(done + left, 20, f"the sum of {done} completed and {left} remaining steps")
    goal.end()


@_group.case(
    "action.feedback-rises",
    _ACTION,
    "completed_steps",
    "Feedback comes after each step, so its numbers rise.",
    start="paused",
)
def _rises(sim: Simulator) -> None:
    goal = sim.goal(20)
    done = [one for one, _ in _feedback(goal)]
    goal.end()
    equal(done, sorted(set(done)), "the completed steps")


@_group.case(
    "action.feedback-of-each-step",
    _ACTION,
    "completed_steps",
    "Feedback comes after each step; a transport may lose some.",
    start="paused",
)
def _each(sim: Simulator) -> None:
    goal = sim.goal(20)
    done = [one for one, _ in _feedback(goal)]
    goal.end()
    missing = sorted(set(range(1, 20)) - set(done))
    sim.record("action.feedback-of-each-step", "each" if not missing else f"{20 - len(missing)} of 20")


def _not_paused_case(start: str, question: str) -> None:
    says = (
        "Without a pause the result is OPERATION_FAILED."
        if not question
        else "Whether stopped counts as paused is open (A3)."
    )

    @_group.case(f"action.{start}", _ACTION, "result", says, start=start)
    def _not_paused(sim: Simulator) -> None:
        goal = sim.goal(20)
        if not goal.is_accepted():
            sim.record(f"action.{start}", "rejected")
            return
        status, result = goal.end()
        if question:
            sim.record(f"{question} action", std.result_name("simulate_steps", result["result"]["result"]))
            return
        sim.check_result("simulate_steps", {"steps": 20}, result["result"], (std.OPERATION_FAILED,))
        equal(status, std.ABORTED, "the status of the goal")


_not_paused_case("playing", "")
_not_paused_case("stopped", "A3")


@_group.case("action.playing-goes-on", _ACTION, "result", "A failed goal changes nothing.", start="playing")
def _goes_on(sim: Simulator) -> None:
    goal = sim.goal(20)
    if goal.is_accepted():
        goal.end()
    sim.expect_state(std.PLAYING)


def _cancelled(sim: Simulator) -> tuple[int, int]:
    goal = sim.goal(_MANY)
    check(goal.is_accepted(), "the goal was rejected")
    begin = sim.time_ns()
    sim.wait_for("some steps", lambda: sim.time_ns() > begin)
    goal.cancel()
    status, result = goal.end()
    return status, int(result["result"]["result"])


@_group.case(
    "action.cancelled",
    "action_msgs/srv/CancelGoal.srv",
    "return_code",
    "A goal that was cancelled ends with CANCELED.",
    start="paused",
)
def _cancel(sim: Simulator) -> None:
    equal(_cancelled(sim)[0], std.CANCELED, "the status of the goal")


@_group.case(
    "action.cancelled-result", _ACTION, "result", "The result of a cancelled goal is open (A23).", start="paused"
)
def _cancel_result(sim: Simulator) -> None:
    sim.record("A23", std.result_name("simulate_steps", _cancelled(sim)[1]))


@_group.case(
    "action.cancelled-is-paused",
    _ACTION,
    "result",
    "The state after a cancellation is not named (A23).",
    start="paused",
)
def _cancel_paused(sim: Simulator) -> None:
    _cancelled(sim)
    sim.record("A23 state", std.STATES[sim.state()])


@_group.case("action.cancelled-stops", _ACTION, "steps", "A cancelled goal runs no further steps.", start="paused")
def _cancel_stops(sim: Simulator) -> None:
    _cancelled(sim)
    at = sim.time_ns()
    sim.observe()
    equal(sim.time_ns(), at, "the time after the end of the goal")


@_group.case(
    "action.works-after-cancellation",
    _ACTION,
    "steps",
    "Steps can be requested after a cancellation.",
    needs=(31,),
    start="paused",
)
def _works(sim: Simulator) -> None:
    _cancelled(sim)
    sim.step(1)


@_group.case("action.second-goal", _ACTION, "steps", "What a goal during another one leads to is open.", start="paused")
def _second(sim: Simulator) -> None:
    first = sim.goal(_MANY)
    check(first.is_accepted(), "the first goal was rejected")
    second = sim.goal(5)
    text = "rejected"
    if second.is_accepted():
        second.cancel()
        text = f"accepted, status {second.end()[0]}"
    first.cancel()
    first.end()
    sim.record("action.second-goal", text)


@_group.case(
    "action.another-goal", _ACTION, "steps", "After the end of a goal, another one is possible.", start="paused"
)
def _another(sim: Simulator) -> None:
    for steps in (3, 4):
        sim.end_of(sim.goal(steps), std.SUCCEEDED, std.OK)


@_group.case("action.zero", _ACTION, "steps", "What no step leads to is open (A4).", start="paused")
def _zero(sim: Simulator) -> None:
    before = sim.time_ns()
    goal = sim.goal(0)
    text = "rejected"
    if goal.is_accepted():
        status, result = goal.end()
        text = f"status {status}, {std.result_name('simulate_steps', result['result']['result'])}"
    sim.record("A4 simulate_steps", text)
    equal(sim.time_ns(), before, "the time after no step")


@_group.case("action.moves", _ACTION, "steps", "Steps are those of the simulation loop.", needs=(0,), start="paused")
def _moves(sim: Simulator) -> None:
    name = sim.spawn(at=(0.0, 4.0, 9.0))
    sim.end_of(sim.goal(20), std.SUCCEEDED, std.OK)
    check(sim.position_of(name)[2] < 9.0, "a free body does not fall")
