"""The driver of campaigns on Ray, executed as `--engine ray` has it executed: as a text, without this package."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from places import ROOT

DRIVER = (ROOT / "host/python/src/bridgehead/_ray_driver.py").read_text()
FAKE = ROOT / "tests/it/campaign/fake"


def drive(folder: Path, order: dict[str, Any], **environment: str) -> subprocess.CompletedProcess[str]:
    order = {"variable": "NUMBER", "most_parallel": 2, "options": {}, **order}
    return subprocess.run(
        [sys.executable, "-c", DRIVER, json.dumps(order)],
        env={"PYTHONPATH": str(FAKE), "PYTHONDONTWRITEBYTECODE": "1", "FAKE_RAY_LOG": "log", **environment},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_each_shard_is_executed_once_and_few_at_a_time(tmp_path: Path) -> None:
    finished = drive(tmp_path, {"command": "touch shard$((NUMBER))", "count": 5})
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "", "")
    assert sorted(path.name for path in tmp_path.glob("shard*")) == [f"shard{number}" for number in range(1, 6)]
    log = (tmp_path / "log").read_text().splitlines()
    assert log[:2] == ["init False warning", "options [('max_retries', 3), ('num_cpus', 1)]"]
    assert log[2:] == ["running 2"] * 4 + ["running 1"]


def test_options_of_tasks_replace_the_defaults(tmp_path: Path) -> None:
    options = {"num_cpus": 4, "resources": {"sim": 1}}
    assert drive(tmp_path, {"command": "true", "count": 1, "options": options}).returncode == 0
    expected = "options [('max_retries', 3), ('num_cpus', 4), ('resources', {'sim': 1})]"
    assert expected in (tmp_path / "log").read_text().splitlines()


def test_a_failed_and_a_lost_shard_fail_the_job_and_the_others_are_executed(tmp_path: Path) -> None:
    command = 'echo "number $NUMBER"; touch shard$NUMBER; [ $NUMBER != 2 ] || exit 4'
    finished = drive(tmp_path, {"command": command, "count": 4}, FAKE_RAY_LOST="3")
    assert finished.returncode == 1
    assert finished.stderr == "shard 2 of 4: exit code 4\nnumber 2\nshard 3 of 4: RayError: the node died\n"
    assert sorted(path.name for path in tmp_path.glob("shard*")) == ["shard1", "shard2", "shard4"]


def test_only_the_end_of_a_long_output_is_shown(tmp_path: Path) -> None:
    command = "head -c 100000 /dev/zero | tr '\\0' x; echo the end; exit 1"
    finished = drive(tmp_path, {"command": command, "count": 1})
    assert finished.stderr.endswith("xthe end\n")
    assert len(finished.stderr) < 2100
