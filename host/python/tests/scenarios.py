"""Executes scenarios on the pole, as the installed program of scenario_execution does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from places import WORLDS

ADAPTER = "bridgehead.scenario_execution:Simulation"
POLE = str(WORLDS / "cart_pole.sdf")


@dataclass
class Ended:
    code: int
    output: str
    folder: Path

    @property
    def cases(self) -> list[tuple[str, str | None]]:
        """Name of each scenario, and what its failure says."""
        root = ElementTree.parse(self.folder / "test.xml").getroot()
        failures = [(case.attrib["name"], case.find("failure")) for case in root.iter("testcase")]
        return [(name, None if failure is None else failure.attrib["message"]) for name, failure in failures]

    @property
    def result(self) -> Any:
        return json.loads((self.folder / "result.json").read_text())


def start(folder: Path, scenario: str, *arguments: str, simulation: str, **variables: str) -> subprocess.Popen[str]:
    """Starts to execute a scenario on the pole."""
    path = folder / "scenario.osc"
    path.write_text(scenario)
    # What the installed script does.
    script = "from scenario_execution.scenario_execution_base import main; main()"
    command = [sys.executable, "-u", "-c", script, str(path), "--simulation", simulation, "-o", str(folder / "output")]
    paths = os.pathsep.join((str(folder), *sys.path))
    environment = {**os.environ, "PYTHONPATH": paths, "BRIDGEHEAD_SIM_WORLD": POLE, **variables}
    return subprocess.Popen(
        [*command, *arguments],
        cwd=folder,
        env={name: value for name, value in environment.items() if value},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def execute(folder: Path, scenario: str, *arguments: str, simulation: str = ADAPTER, **variables: str) -> Ended:
    """Executes a scenario on the pole."""
    with start(folder, scenario, *arguments, simulation=simulation, **variables) as process:
        try:
            output, _ = process.communicate(timeout=120)
        finally:
            process.kill()
    return Ended(process.returncode, output, folder / "output")


def install(folder: Path, name: str, entry_points: str, actions: str, library: str) -> None:
    """Makes a package with actions and their declarations, as if it was installed."""
    information = folder / f"{name}-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(entry_points)
    package = folder / name
    (package / "lib_osc").mkdir(parents=True)
    (package / "__init__.py").write_text(actions)
    (package / f"lib_osc/{name.removesuffix('_actions')}.osc").write_text(library)
