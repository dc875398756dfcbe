"""The examples of the page on scenarios run, as a reader copies them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from places import ROOT, WORLDS
from scenarios import execute, install


def blocks_of_the_page() -> dict[str, str]:
    """Returns the blocks of the page by their first words."""
    page = (ROOT / "docs/scenario-execution.md").read_text()
    found = re.findall(r"^```(?:python|text)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    scenarios = {name[1]: text for text in found if (name := re.search(r"^scenario (\w+):", text, re.MULTILINE))}
    return scenarios | {" ".join(text.split()[:2]): text for text in found}


def test_the_first_example_of_the_page_runs(tmp_path: Path) -> None:
    ended = execute(tmp_path, blocks_of_the_page()["drive"], BRIDGEHEAD_SIM_WORLD=str(WORLDS / "two_vehicles.sdf"))
    assert ended.code == 0, ended.output
    assert ended.cases == [("drive", None)]
    assert ended.result["steps"] == 21 * 100


def test_the_example_of_the_page_with_a_class_and_an_action_runs(tmp_path: Path) -> None:
    blocks = blocks_of_the_page()
    project = tomllib.loads(blocks["# pyproject.toml"])["project"]
    groups = [
        "\n".join([f"[{group}]", *(f"{name} = {value}" for name, value in points.items())])
        for group, points in project["entry-points"].items()
    ]
    library = blocks["action drive_to:"]
    install(tmp_path, "yard_actions", "\n".join(groups), blocks["# yard_actions/__init__.py"], library)
    (tmp_path / "yard.py").write_text(blocks["# yard.py"].replace('"two_vehicles"', f'"{WORLDS}/two_vehicles.sdf"'))
    times = []
    for start in ("", "-2.0"):
        scenario = blocks["approach"].replace("= -1.0", f"= {start}") if start else blocks["approach"]
        ended = execute(tmp_path, scenario, simulation=str(tmp_path / "yard.py"), BRIDGEHEAD_SIM_WORLD="")
        assert ended.code == 0, ended.output
        times.append(ended.result["steps"] / 1000)
    # A metre more at 0.5 m/s.
    assert times[1] - times[0] == pytest.approx(2.0, abs=0.1)
