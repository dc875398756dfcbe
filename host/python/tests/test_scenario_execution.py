"""Tests of the adapter for scenario_execution: its program executes scenarios, in a process of its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from scenarios import ADAPTER, POLE, Ended, execute, install, start

import bridgehead
from bridgehead.scenario_execution import Simulation

WIDTH = 0.005
WAIT = """
import osc.helpers

scenario one:
    do serial:
        log("begin")
        wait elapsed({duration})
"""
# A library of actions, as a package that is installed: the adapter has no actions of its own.
ENTRY_POINTS = """
[scenario_execution.actions]
push = pushes:Push
note = pushes:Note
kill = pushes:Kill
pause = pushes:Pause
[scenario_execution.osc_libraries]
pushes = pushes:library
"""
LIBRARY = """
action push:
    force: float
    angle: float

action note:
    file: string

action kill

action pause
"""
ACTIONS = """
import os
import signal

import py_trees
from scenario_execution.actions.base_action import BaseAction


def library():
    return "pushes", "pushes.osc"


class OnSimulation(BaseAction):
    def setup(self, **kwargs):
        self.simulation = self.get_simulation(kwargs)


class Push(OnSimulation):
    def execute(self, force, angle):
        self.simulation["/cart_pole/joint_command effort[0]"] = force
        self.angle = angle

    def update(self):
        angle, = self.simulation["joint cart_pole::hinge position"]
        return py_trees.common.Status.SUCCESS if abs(angle) > self.angle else py_trees.common.Status.RUNNING


class Note(OnSimulation):
    def execute(self, file):
        self.file = file

    def update(self):
        channel, host = self.simulation.channel, self.simulation.host
        with open(self.file, "a") as notes:
            moment = channel.steps, channel.time_ns, channel.reset_epoch, channel.observations.tolist()
            print(*moment, host.entity("cart_pole").pose.position.x, file=notes)
        return py_trees.common.Status.SUCCESS


class Kill(OnSimulation):
    def update(self):
        os.kill(self.simulation.host.pid, signal.SIGKILL)
        return py_trees.common.Status.RUNNING


class Pause(OnSimulation):
    def update(self):
        self.simulation.host.reset()
        return py_trees.common.Status.RUNNING
"""


@pytest.fixture
def pushes(tmp_path: Path) -> dict[str, str]:
    """Installs the library of actions, and returns what it needs of the adapter."""
    install(tmp_path, "pushes", ENTRY_POINTS, ACTIONS, LIBRARY)
    return {
        "BRIDGEHEAD_SIM_ACTIONS": "/cart_pole/joint_command name[0] slider; /cart_pole/joint_command effort[0]",
        "BRIDGEHEAD_SIM_OBSERVATIONS": "joint cart_pole::slider position; joint cart_pole::hinge position",
    }


def class_file(folder: Path, body: str) -> str:
    """Writes a file with a class of a user, and returns what names it."""
    text = f"from bridgehead.scenario_execution import Simulation\n\n\nclass Pole(Simulation):\n{body}"
    (folder / "pole.py").write_text(text)
    return str(folder / "pole.py")


@pytest.mark.parametrize(("dt", "ticks"), [("0.1", 10), ("0.02", 50), ("0.005", 200)])
def test_a_wait_has_as_many_ticks_as_fit_into_it(tmp_path: Path, dt: str, ticks: int) -> None:
    steps = []
    for duration in ("0s", "1s"):
        ended = execute(tmp_path, WAIT.format(duration=duration), BRIDGEHEAD_SIM_DT=dt)
        assert ended.code == 0, ended.output
        assert ended.cases == [("one", None)]
        steps.append(ended.result["steps"])
    of_a_tick = round(float(dt) / WIDTH)
    assert steps == [of_a_tick, (1 + ticks) * of_a_tick]


TWO = """
import osc.helpers
import osc.pushes

scenario first:
    file: string
    do serial:
        note(file)
        push(10.0, 0.2)
        note(file)

scenario second:
    file: string
    timeout(10s)
    do serial:
        note(file)
        push(10.0, 0.2)
        note(file)
"""


def test_each_scenario_begins_with_the_world_as_it_was_loaded(tmp_path: Path, pushes: dict[str, str]) -> None:
    notes = tmp_path / "notes.txt"
    values = tmp_path / "values.yaml"
    values.write_text(f"first:\n  file: {notes}\nsecond:\n  file: {notes}\n")
    ended = execute(tmp_path, TWO, "--scenario-parameter-file", str(values), BRIDGEHEAD_SIM_DT="0.01", **pushes)
    assert ended.code == 0, ended.output
    assert ended.cases == [("first", None), ("second", None)]
    first, end_of_first, second, end_of_second = notes.read_text().splitlines()
    begin = "2 10000000 {} [0.0, 0.0] 0.0"
    assert (first, second) == (begin.format(1), begin.format(2))
    assert re.sub(r"^(\d+ \d+) 1", r"\1 2", end_of_first) == end_of_second
    assert abs(float(end_of_first.split("[")[1].split("]")[0].split(", ")[1])) > 0.2


def test_two_runs_end_in_the_same_state(tmp_path: Path, pushes: dict[str, str]) -> None:
    hashes = []
    for _ in range(2):
        ended = execute(tmp_path, TWO.replace("note(file)", 'log("note")'), **pushes)
        # Without the parameter of the scenario.
        assert ended.code == 0, ended.output
        hashes.append((ended.result["steps"], ended.result["state_hash"]))
    assert hashes[0] == hashes[1]


def test_a_scenario_that_takes_too_long_fails(tmp_path: Path, pushes: dict[str, str]) -> None:
    scenario = TWO.replace("push(10.0, 0.2)", "push(0.0, 0.2)").replace("note(file)", 'log("note")')
    ended = execute(
        tmp_path, scenario[: scenario.index("scenario first")] + scenario[scenario.index("scenario second") :], **pushes
    )
    assert ended.code == 1
    assert ended.cases == [("second", "execution failed.")]
    assert ended.result["steps"] == 101 * 20, "a timeout ends with the first tick after it"


def test_a_host_that_dies_fails_the_scenario(tmp_path: Path, pushes: dict[str, str]) -> None:
    scenario = "import osc.pushes\n\nscenario one:\n    do serial:\n        kill()\n"
    ended = execute(tmp_path, scenario, **pushes)
    assert ended.code == 1
    assert ended.cases == [("one", "Aborted")]
    assert "Simulation lost: [BH-PYC-005] the step channel is closed" in ended.output


def test_steps_that_the_clock_does_not_count_fail_the_scenario(tmp_path: Path, pushes: dict[str, str]) -> None:
    scenario = "import osc.pushes\n\nscenario one:\n    do serial:\n        pause()\n"
    ended = execute(tmp_path, scenario, **pushes)
    assert ended.code == 1
    assert ended.cases == [("one", "Aborted")]
    assert "Simulation lost: [BH-PYC-015] a tick is incomplete (RESET)" in ended.output


def test_a_run_that_a_trigger_ends_fails_the_scenario(tmp_path: Path) -> None:
    config = tmp_path / "run.toml"
    config.write_text('[[trigger]]\nevent = { name = "time", time = 0.5 }\naction = "fail"\n')
    ended = execute(tmp_path, WAIT.format(duration="1s"), BRIDGEHEAD_SIM_ARGS=f"--config '{config}'")
    assert ended.code == 1
    assert ended.cases == [("one", "Aborted")]
    assert "[BH-PYC-015] a tick is incomplete (ENDED|FAILED" in ended.output


def test_a_signal_ends_the_scenario_and_the_host(tmp_path: Path) -> None:
    with start(tmp_path, WAIT.format(duration="1000000s"), simulation=ADAPTER) as process:
        assert process.stdout is not None
        while "begin" not in (line := process.stdout.readline()):
            assert line, "it has ended"
        process.terminate()
        output, _ = process.communicate(timeout=60)
    ended = Ended(process.returncode, output, tmp_path / "output")
    assert ended.code == 1
    assert ended.cases == [("one", "Aborted")]
    assert ended.result["outcome"] == "stopped"


def test_a_world_that_does_not_exist_fails_the_run(tmp_path: Path) -> None:
    ended = execute(tmp_path, WAIT.format(duration="1s"), BRIDGEHEAD_SIM_WORLD="/no/such/world.sdf")
    assert ended.code == 1
    assert ended.cases == [("", "Simulation setup failed")]
    assert "Simulation setup failed [BH-SDF-001] `/no/such/world.sdf`: No such file" in ended.output


@pytest.mark.parametrize("dt", ["0.007", "0.001", "1e-12"])
def test_a_tick_that_is_no_multiple_of_the_step_fails_the_run(tmp_path: Path, dt: str) -> None:
    ended = execute(tmp_path, WAIT.format(duration="1s"), BRIDGEHEAD_SIM_DT=dt)
    assert ended.code == 1
    assert ended.cases == [("", "Simulation setup failed")]
    assert f"which are 0.005 s; found a tick of {dt} s" in ended.output


@pytest.mark.parametrize("dt", ["0", "-1", "inf", "fast", "nan"])
def test_a_tick_is_a_positive_number(monkeypatch: pytest.MonkeyPatch, dt: str) -> None:
    monkeypatch.setenv("BRIDGEHEAD_SIM_WORLD", POLE)
    monkeypatch.setenv("BRIDGEHEAD_SIM_DT", dt)
    with pytest.raises(bridgehead.BridgeheadError, match="a tick has a positive number of seconds") as error:
        Simulation()
    assert error.value.code == "BH-PYC-016"


def test_a_world_must_be_named(tmp_path: Path) -> None:
    ended = execute(tmp_path, WAIT.format(duration="1s"), BRIDGEHEAD_SIM_WORLD="")
    assert ended.code == 1
    assert "no world is named; set the variable BRIDGEHEAD_SIM_WORLD" in ended.output


def test_the_duration_of_a_tick_needs_no_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRIDGEHEAD_PROGRAM", "/missing")
    monkeypatch.setenv("BRIDGEHEAD_SIM_WORLD", "missing.sdf")
    monkeypatch.setenv("BRIDGEHEAD_SIM_DT", "0.02")
    assert Simulation().dt == 0.02


MOVED = """
import osc.helpers
import osc.pushes
{struct}
scenario one:
{parameter}    do serial:
        note("notes.txt")
"""
RESET = """\
    world = "{world}"
    tick = 0.01
    actions = ("/cart_pole/joint_command name[0] slider", "/cart_pole/joint_command effort[0]")
    observations = ("joint cart_pole::slider velocity", "joint cart_pole::hinge position")
    options = {{"seed": 5}}

    def reset(self, force, label="none"):
        super().reset()
        self["/cart_pole/joint_command effort[0]"] = force
        print("label", label)
"""


def test_parameters_of_the_scenario_are_arguments_of_reset(tmp_path: Path, pushes: dict[str, str]) -> None:
    of_class = class_file(tmp_path, RESET.format(world=POLE))
    nothing = dict.fromkeys(["BRIDGEHEAD_SIM_WORLD", *pushes], "")
    scenario = MOVED.format(struct="", parameter='    force: float = 5.0\n    label: string = "a"\n')
    ended = execute(tmp_path, scenario, simulation=of_class, **nothing)
    assert ended.code == 0, ended.output
    assert "label a" in ended.output
    assert ended.result["seed"] == 5
    velocity = float((tmp_path / "notes.txt").read_text().split("[")[1].split(",")[0])
    # A force acts from the second of the two steps on; the pole adds little to the mass of the cart.
    assert velocity == pytest.approx(5.0 * WIDTH / 1.0, rel=0.1)


def test_a_parameter_that_the_scenario_lacks_fails_the_run(tmp_path: Path, pushes: dict[str, str]) -> None:
    of_class = class_file(tmp_path, RESET.format(world=POLE))
    ended = execute(tmp_path, MOVED.format(struct="", parameter=""), simulation=of_class)
    assert ended.code == 1
    assert ended.cases == [("", "Simulation reset parameter mismatch")]
    assert not (tmp_path / "notes.txt").exists()


def test_names_that_are_not_declared_are_errors() -> None:
    class Pole(Simulation):
        world = POLE
        actions = ("/cart_pole/joint_command effort[0]",)
        observations = ("time",)

    class Log:
        def info(self, text: str) -> None:
            self.text = text

    pole, log = Pole(), Log()
    pole.setup(logger=log)
    try:
        assert log.text.endswith("20 steps for each tick of 0.1 s")
        with pytest.raises(KeyError, match="`/a b` is not a declared action; there are `/cart_pole/joint_command"):
            pole["/a b"] = 1.0
        with pytest.raises(KeyError, match="`pose box` is not declared; there are `time`"):
            pole["pose box"]
        pole.reset()
        pole.step()
        assert pole["time"].tolist() == [0.1]
    finally:
        pole.shutdown()
    assert pole.result.steps == 20


def test_a_refused_declaration_ends_the_host() -> None:
    class Pole(Simulation):
        world = POLE
        observations = ("pose box",)

    class Log:
        pass

    pole = Pole()
    with pytest.raises(bridgehead.BridgeheadError, match="box") as error:
        pole.setup(logger=Log())
    assert error.value.code is not None
    assert error.value.code.startswith("BH-STP-")
    assert pole.host.exit_code == 0
