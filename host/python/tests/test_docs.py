"""Every example of the documentation runs."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT, WORLDS

import bridgehead

# The page whose example connects to a socket of a host that runs already.
CHANNEL = "docs/step-channel.md"
PAGES = ["docs/python.md", "docs/reinforcement-learning.md", "host/python/README.md", CHANNEL]
# These name files of a clone; the examples of the others run where only the package is installed.
OF_A_CLONE = {"docs/reinforcement-learning.md"}
# The first line of an example that is a file of tests.
TESTS = re.compile(r"# (test_\w+\.py)\n")


def examples(pages: list[str]) -> list[tuple[str, str]]:
    found = []
    for page in pages:
        text = (ROOT / page).read_text()
        for block in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            line = text[: block.start()].count("\n") + 1
            found.append((f"{page}:{line}", block[1]))
    return found


def parametrized(found: list[tuple[str, str]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("place", "text"), found, ids=[place for place, _ in found])


def _host_of(place: str, folder: Path) -> contextlib.AbstractContextManager[object]:
    if not place.startswith(CHANNEL):
        return contextlib.nullcontext()
    args = ["--step-channel", "steps.socket"]
    return bridgehead.Host(WORLDS / "cart_pole.sdf", start="paused", args=args, cwd=folder)


# Torch is large: `tests/it/learning.rs` runs the examples that need it.
LEARNING = "stable_baselines3"


@parametrized([(place, text) for place, text in examples(PAGES) if LEARNING not in text])
def test_an_example_runs(place: str, text: str, tmp_path: Path) -> None:
    if place.partition(":")[0] in OF_A_CLONE:
        (tmp_path / "worlds").symlink_to(WORLDS)
    tests = TESTS.match(text)
    path = tmp_path / (tests[1] if tests else "example.py")
    path.write_text(text)
    command = [sys.executable, "-W", "error"]
    if tests:
        (tmp_path / "pytest.ini").write_text("[pytest]\n")
        command += ["-m", "pytest", "-q", "-p", "bridgehead.pytest_plugin"]
    with _host_of(place, tmp_path):
        finished = subprocess.run(
            [*command, path.name], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
        )
    assert finished.returncode == 0, f"{place}\n{finished.stdout}{finished.stderr}"


def test_examples_are_found() -> None:
    assert len(examples(PAGES)) >= 8
    assert sum(LEARNING in text for _, text in examples(PAGES)) == 1
    assert len(on_dds()) == 2


def on_dds() -> list[tuple[str, str]]:
    """Returns the examples that are peers on DDS. A launch file of ROS is none."""
    found = examples(["docs/ros2-users.md", "bridges/ros2/README.md"])
    return [(place, text) for place, text in found if "from cyclonedds." in text]


def free_domain() -> int:
    """Returns a domain that the tests of the bridge do not use, and whose first ports are free."""
    for domain in (101, 102):
        try:
            for participant in range(4):
                with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as port:
                    port.bind(("127.0.0.1", 7400 + 250 * domain + 10 + 2 * participant))
        except OSError:
            continue
        return domain
    pytest.fail("the domains 101 and 102 of DDS are in use")


@parametrized(on_dds())
def test_a_program_without_ros_reads_and_drives(place: str, text: str, tmp_path: Path) -> None:
    from bridgehead import Host

    domain = {"ROS_DOMAIN_ID": str(free_domain())}
    (tmp_path / "peer.py").write_text(text)
    with Host("two_vehicles", bridges=["*=ros2:interface=lo"], env=domain) as host:
        command = [sys.executable, "peer.py"]
        finished = subprocess.run(
            command, cwd=tmp_path, env=os.environ | domain, capture_output=True, text=True, timeout=120, check=False
        )
        assert finished.returncode == 0, f"{place}\n{finished.stderr}"
        if "DataWriter" in text:
            assert host.entity("car1").pose.position.x > 0.1
        else:
            assert len(re.findall(r"^\d+\.\d{9} s$", finished.stdout, re.MULTILINE)) == 5, finished.stdout


def test_the_page_lists_every_code_of_the_client() -> None:
    from bridgehead import ClientCode

    page = (ROOT / "docs/python.md").read_text()
    listed = re.findall(r"^\| `(BH-PYC-\d{3})` \|", page, re.MULTILINE)
    assert listed == [code.value for code in ClientCode]


def test_the_page_names_every_option_of_a_host() -> None:
    import inspect

    from bridgehead import Host

    page = (ROOT / "docs/python.md").read_text()
    for name in list(inspect.signature(Host).parameters):
        assert f"| `{name}` |" in page, name
