"""Every example of the documentation runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT, WORLDS

PAGES = ["docs/python.md", "docs/reinforcement-learning.md", "host/python/README.md"]
# These name files of a clone; the examples of the others run where only the package is installed.
OF_A_CLONE = {"docs/reinforcement-learning.md"}
# The first line of an example that is a file of tests.
TESTS = re.compile(r"# (test_\w+\.py)\n")


def examples() -> list[tuple[str, str]]:
    found = []
    for page in PAGES:
        text = (ROOT / page).read_text()
        for block in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            line = text[: block.start()].count("\n") + 1
            found.append((f"{page}:{line}", block[1]))
    return found


@pytest.mark.parametrize(("place", "text"), examples(), ids=[place for place, _ in examples()])
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
    finished = subprocess.run(
        [*command, path.name], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert finished.returncode == 0, f"{place}\n{finished.stdout}{finished.stderr}"


def test_examples_are_found() -> None:
    assert len(examples()) >= 8


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
