"""The command with its reports and exit codes, on the fake."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import bridgehead_conformance.__main__ as command
from bridgehead_conformance.case import KINDS
from bridgehead_conformance.cases import all_cases
from bridgehead_conformance.definitions import SERVICES
from bridgehead_conformance.description import EXAMPLES, Description
from bridgehead_conformance.standard import FEATURES
from bridgehead_conformance.transports import Transport, TransportError
from fake.simulator import FakeSimulator
from fake.transport import FakeTransport

FAULTS = ("feature listed twice", "lower corner first")


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str, faults: tuple[str, ...] = ()) -> int:
    def connect(transport: str, description: Description) -> Transport:
        assert transport == "dds"
        assert description.name == "Bridgehead"
        return FakeTransport(FakeSimulator(frozenset(faults)))

    monkeypatch.setattr(command, "connect", connect)
    return command.main(["run", "bridgehead", *arguments])


def test_a_run_that_passes_ends_with_0(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, "-k", "features or bounds") == 0
    assert "get_entity_bounds" in capsys.readouterr().out


def test_a_failed_case_ends_with_1_and_is_in_every_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {name: tmp_path / name for name in ("junit", "json", "html")}
    options = [option for name, file in files.items() for option in (f"--{name}", str(file))]
    assert run(monkeypatch, "-k", "features or bounds", *options, faults=FAULTS) == 1
    suite = ElementTree.fromstring(files["junit"].read_text())[0]
    assert (suite.get("failures"), suite.get("errors")) == ("2", "0")
    failed = {case.get("name") for case in suite if case.find("failure") is not None}
    assert failed == {"features.once", "bounds.corners"}
    document = json.loads(files["json"].read_text())
    assert {case["id"] for case in document["cases"] if case["outcome"] == "failed"} == failed
    page = files["html"].read_text()
    assert page.count("class='failed'>failed</td>") == 2
    for name in (*SERVICES, "simulate_steps"):
        assert f"<code>{name}</code>" in page or not any(case["service"] == name for case in document["cases"])
    for name, _ in FEATURES.values():
        assert f" {name}</code>" in page


def test_a_page_needs_no_other_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.html"
    run(monkeypatch, "-k", "features.once", "--html", str(page))
    text = page.read_text()
    assert not [mark for mark in ("http:", "https:", "<script", "<link", "src=", "url(") if mark in text]


def test_reports_are_compared_side_by_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reports = [str(tmp_path / name) for name in ("a.json", "b.json")]
    run(monkeypatch, "-k", "features or filter.part", "--json", reports[0])
    run(monkeypatch, "-k", "bounds or features.once", "--json", reports[1], faults=FAULTS)
    page = tmp_path / "page.html"
    assert command.main(["compare", *reports, "--html", str(page)]) == 0
    text = page.read_text()
    assert "not run" in text
    assert "A6 part of a name: search" in text
    assert "features.once: " not in text
    assert text.count("Bridgehead (dds)") >= 4


def test_a_simulator_that_is_not_there_ends_with_3(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def connect(*_: object) -> Transport:
        raise TransportError("nobody answers")

    monkeypatch.setattr(command, "connect", connect)
    assert command.main(["run", "bridgehead"]) == 3
    assert "nobody answers" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("name = ", "is not TOML"),
        ("name = 'x'\nfoo = 1", "unknown keys ['foo']"),
        ("name = 'x'\nstandard = '9'", "known versions"),
        ("standard = '1'", "name"),
        ("name = 'x'\nfeatures = ['FLYING']", "unknown names ['FLYING']"),
        ("name = 'x'\n[names]\nfly = '/fly'", "unknown services ['fly']"),
        ("name = 'x'\n[entities]\nfast = 'a'", "[entities] has the unknown keys ['fast']"),
        ("name = 'x'\n[worlds.main]\nname = 'a'", "[worlds.main]"),
    ],
)
def test_a_wrong_description_ends_with_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, error: str
) -> None:
    file = tmp_path / "simulator.toml"
    file.write_text(text)
    assert command.main(["run", str(file)]) == 2
    assert error in capsys.readouterr().err


@pytest.mark.parametrize("text", ["no JSON", "{}", '{"format": 99, "cases": []}', "[]"])
def test_a_file_that_is_no_report_ends_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    file = tmp_path / "report.json"
    file.write_text(text)
    assert command.main(["compare", str(file)]) == 2
    assert "is no report" in capsys.readouterr().err


def test_an_address_has_no_meaning_for_dds(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["run", "bridgehead", "--address", "x:1"]) == 2
    assert "--domain" in capsys.readouterr().err


def test_no_case_at_all_ends_with_2(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, "-k", "no_such_case") == 2


def test_the_list_has_every_case(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [case.id for case in all_cases()]


def test_the_folders_exist(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["files"]) == 0
    folders = [Path(line.partition(": ")[2]) for line in capsys.readouterr().out.splitlines()]
    assert [folder.is_dir() for folder in folders] == [True, True]


def test_the_outcomes_are_those_of_the_readme() -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text()
    for kind in KINDS:
        assert f"| {kind} |" in readme


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--simulator", "no_such_file.toml"], "cannot be read"),
        (["--simulator", "bridgehead", "--transport", "http"], "get_simulator_features"),
    ],
)
def test_tests_of_pytest_end_at_once_without_a_simulator(tmp_path: Path, options: list[str], error: str) -> None:
    description = (EXAMPLES / "bridgehead.toml").read_text().replace("127.0.0.1:8090", "127.0.0.1:1")
    (tmp_path / "bridgehead").write_text(description)
    suite = [
        "-p",
        "bridgehead_conformance.plugin",
        "-p",
        "no:cacheprovider",
        "--pyargs",
        "bridgehead_conformance.suite",
    ]
    command_line = [sys.executable, "-m", "pytest", "-q", "-c", "/dev/null", *suite, *options]
    paths = os.pathsep.join([str(EXAMPLES.parents[1]), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"PYTHONPATH": paths}
    found = subprocess.run(command_line, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert found.returncode == pytest.ExitCode.USAGE_ERROR
    assert error in found.stdout + found.stderr
