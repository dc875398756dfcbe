"""Tests of the simulator backend of RoboVAST: what RoboVAST makes of it, and that its commands run."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from places import ROOT, WORLDS
from robovast.common import simulators
from robovast.common.config import ExecutionConfig

import bridgehead
from bridgehead.robovast import BridgeheadBackend, BridgeheadConfig

POLE = str(WORLDS / "cart_pole.sdf")
MASS = "world.model[cart_pole].link[cart].inertial.mass"
Block = dict[str, Any]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the entry point of the package known, as an installed wheel does."""
    points = tomllib.loads((ROOT / "host/python/pyproject.toml").read_text())["project"]["entry-points"]
    lines = [f"{name} = {value}" for name, value in points[simulators.SIMULATOR_GROUP].items()]
    information = tmp_path / "site/bridgehead-0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: bridgehead\nVersion: 0\n")
    (information / "entry_points.txt").write_text("\n".join([f"[{simulators.SIMULATOR_GROUP}]", *lines]))
    monkeypatch.syspath_prepend(tmp_path / "site")


def execution(mode: str, **keys: Any) -> Block:
    return {"mode": mode, "containers": {"simulation": {"backend": "bridgehead", **keys}}}


@pytest.mark.usefixtures("installed")
def test_a_simulator_of_its_own_gets_a_command_without_characters_of_shells() -> None:
    found = simulators.apply_backend(
        execution("ros2", world_file="worlds/yard.sdf", image="yard:1", bridges=["*=ros2:"])
    )
    command = found["containers"]["simulation"]["command"]
    assert command == ["python3", "-m", "bridgehead.robovast_commands", "run"]
    # RoboVAST does not quote.
    assert shlex.split(" ".join(command)) == command
    assert found["_backend_env"] == {
        "BRIDGEHEAD_SIM_WORLD": "/config/worlds/yard.sdf",
        "BRIDGEHEAD_SIM_ARGS": "--bridge '*=ros2:'",
    }
    assert "simulation" not in found


@pytest.mark.usefixtures("installed")
def test_a_stepped_simulator_is_the_adapter_inside_of_the_scenario() -> None:
    keys = {"world_file": "two_vehicles", "tick": 0.02, "actions": ["/a b", "/c d"], "image": "yard:1"}
    found = simulators.apply_backend(execution("base", **keys, observations=["time"]))
    assert found["simulation"] == "bridgehead.scenario_execution:Simulation"
    assert found["containers"]["scenario"] == {"image": "yard:1"}
    assert found["_backend_env"] == {
        "BRIDGEHEAD_SIM_WORLD": "two_vehicles",
        "BRIDGEHEAD_SIM_ARGS": "",
        "BRIDGEHEAD_SIM_DT": "0.02",
        "BRIDGEHEAD_SIM_ACTIONS": "/a b;/c d",
        "BRIDGEHEAD_SIM_OBSERVATIONS": "time",
    }
    of_campaign = execution("base", world_file="two_vehicles", adapter="yard:Yard", python_packages=["a.whl"])
    found = simulators.apply_backend(of_campaign)
    assert found["simulation"] == "yard:Yard"
    assert found["containers"]["scenario"] == {"image": "family:robovast", "python_packages": ["a.whl"]}


@pytest.mark.usefixtures("installed")
def test_a_bare_path_changes_the_world() -> None:
    of_campaign = execution("ros2", world_file="yard.sdf", bridges=[])
    block = simulators.merge_sim_block(of_campaign, {MASS: 2.5, "world.gravity": [0, 0, -1.6], "args": ["--seed", "3"]})
    found = simulators.sim_job_overlay(of_campaign, block)
    arguments = ["--seed", "3", "--set", f"{MASS}=2.5", "--set", "world.gravity=0 0 -1.6"]
    assert shlex.split(found["env"]["BRIDGEHEAD_SIM_ARGS"]) == arguments
    assert found["document"] is None


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("path", "value", "text"),
    [
        ("model.robot.mass", 1, "`model` is no part of a world"),
        ("overrides", {"world": {"gravity": None}}, "`world.gravity` has no value"),
        ("tick", 0, "positive number"),
        ("actions", ["/a b;/c d"], "no semicolon"),
        ("overrides.world", {}, "`world` has no value"),
    ],
)
def test_a_wrong_value_is_refused_before_anything_runs(path: str, value: object, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        simulators.merge_sim_block(execution("base", world_file="yard.sdf"), {path: value})
    with pytest.raises(ValueError, match="not valid for simulator backend 'bridgehead'"):
        simulators.apply_backend(execution("base", world_file="yard.sdf", wheels=4))


@pytest.mark.usefixtures("installed")
def test_files_of_the_campaign_travel(tmp_path: Path) -> None:
    for name in ["worlds/yard.sdf", "models/box/model.sdf", "models/box/box.obj", "run.toml"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    block = {"world_file": "./worlds/yard.sdf", "config": "run.toml", "files": ["models/**/*", "*.toml"]}
    found = simulators.sim_input_files(execution("base"), block, str(tmp_path))
    assert found == ["worlds/yard.sdf", "run.toml", "models/box/box.obj", "models/box/model.sdf"]
    assert simulators.sim_input_files(execution("base"), {"world_file": "two_vehicles"}, str(tmp_path)) == []


def test_questions_are_asked_in_the_image_of_the_campaign() -> None:
    backend, cfg = BridgeheadBackend(), BridgeheadConfig(world_file="yard.sdf")
    named = execution("ros2", image="yard:1")
    query = backend.describe_query(cfg, named, entities=True)
    assert (query.spec.image, query.command[3:]) == ("yard:1", ["describe", "--entities", "/config/yard.sdf"])
    assert backend.describe_query(cfg, execution("ros2")).spec.image == "family:robovast"
    assert backend.health_command(cfg, named, run_dir="/out/a/0") == "python3 -m bridgehead.robovast_commands health"
    assert backend.health_command(cfg, execution("base", image="yard:1"), run_dir="/out/a/0") is None


def test_the_service_loads_neither_program_nor_adapter(tmp_path: Path) -> None:
    script = "import sys, bridgehead.robovast\nassert 'scenario_execution' not in sys.modules"
    environment = {"PYTHONPATH": os.pathsep.join(sys.path), "BRIDGEHEAD_PROGRAM": "/missing", "PATH": ""}
    subprocess.run([sys.executable, "-c", script], env=environment, cwd=tmp_path, check=True)


def command(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a command as in the container, where RoboVAST is not installed."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **variables}
    return subprocess.run(
        [sys.executable, "-m", "bridgehead.robovast_commands", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_world_is_described_with_the_paths_of_set() -> None:
    described = command("describe", "--entities", POLE)
    (line,) = described.stdout.splitlines()
    answer = json.loads(line)
    assert answer["addresses"] == [plugin["address"] for plugin in answer["plugins"]]
    assert answer["addresses"][0] == "world.model[cart_pole]"
    assert {MASS.removesuffix(".inertial.mass"), "world.model[cart_pole].joint[hinge]"} < set(answer["addresses"])
    assert answer["entities"] == ["cart_pole"]
    assert "entities" not in json.loads(command("describe", POLE).stdout)
    # Each of them is understood.
    changes = [part for path in answer["addresses"] for part in ("--set", f"{path}.@name=other")]
    program = bridgehead.find_program()
    dumped = subprocess.run([program, "dump", *changes, POLE], capture_output=True, text=True, check=False)
    assert dumped.returncode == 0, dumped.stderr


def test_a_world_that_cannot_be_read_says_why() -> None:
    described = command("describe", "missing.sdf")
    assert (described.returncode, described.stdout) == (1, "")
    assert described.stderr.startswith("error: missing.sdf: ")


def test_without_a_host_health_is_an_error() -> None:
    asked = command("health", "--address", "127.0.0.1:1")
    assert (asked.returncode, asked.stdout) == (1, "")
    assert asked.stderr.startswith("error: [BH-PYC-004] ")


def test_the_health_of_a_run_has_its_state_and_its_errors() -> None:
    with bridgehead.Host(POLE, start="paused") as host:
        host.step(200)
        address = next(word.split("/")[2] for word in " ".join(host.log).split() if word.startswith("http://"))
        (line,) = command("health", "--address", address).stdout.splitlines()
        answer = json.loads(line)
        assert (answer["findings"], answer["skipped"]) == ([], [])
        assert answer["state"]["sim_time_s"] == 1.0
        assert (answer["state"]["steps"], answer["state"]["world"]) == (200, "cart_pole")


@pytest.mark.usefixtures("installed")
def test_the_command_of_the_container_runs_the_changed_world(tmp_path: Path) -> None:
    args = ["--result", str(tmp_path / "result.json"), "--http", "127.0.0.1:0"]
    args += ["--steps", "10", "--speed", "unlimited", "--output", str(tmp_path)]
    of_campaign = execution("ros2", world_file=POLE, args=args, bridges=[f"*=logging:{tmp_path}/run.jsonl"])
    block = simulators.merge_sim_block(of_campaign, {"world.physics.max_step_size": 0.02})
    found = simulators.sim_job_overlay(of_campaign, block)
    finished = command(*found["command"][3:], **found["env"])
    assert finished.returncode == 0, finished.stderr
    result = bridgehead.RunResult.read(tmp_path / "result.json")
    assert (result.steps, result.time_ns) == (10, 200_000_000)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("mode", ["base", "ros2"])
def test_the_example_of_the_page_is_valid(mode: str, tmp_path: Path) -> None:
    text = (ROOT / "docs/robovast.md").read_text().split("```yaml\n")[1].split("```")[0]
    of_campaign = yaml.safe_load(text)["execution"] | {"mode": mode}
    ExecutionConfig(**of_campaign, runs=1)
    found = simulators.apply_backend(of_campaign, str(tmp_path))
    assert found["_backend_env"]["BRIDGEHEAD_SIM_WORLD"] == "/config/worlds/yard.sdf"
    simulator = found["containers"]["scenario" if mode == "base" else "simulation"]
    assert simulator["image"] == "family:robovast"
    assert simulator["python_packages"][0].startswith("wheels/bridgehead-")
