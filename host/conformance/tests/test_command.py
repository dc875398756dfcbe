"""The command with its reports and exit codes, on the fake."""

from __future__ import annotations

import json
import os
import re
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
from bridgehead_conformance.transports import Message, Transport, TransportError
from fake.simulator import FakeSimulator
from fake.transport import FakeTransport

FAULTS = ("feature listed twice", "bounds in the world")


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
    assert failed == {"features.once", "bounds.relative"}
    document = json.loads(files["json"].read_text())
    assert {case["id"] for case in document["cases"] if case["outcome"] == "failed"} == failed
    page = files["html"].read_text()
    assert page.count("class='failed'>failed</td>") == 2
    top = page.partition("<h2 id='services'>")[0]
    assert set(re.findall(r"<tr id='([^']*)'", top)) == failed
    passed = page.partition("<h2 id='passed'>")[2]
    assert passed.startswith("Passed</h2><details><summary>")
    assert passed.count("class='passed'>passed</td>") == len([1 for c in document["cases"] if c["outcome"] == "passed"])
    for part in ("name='viewport'", document["date"], document["address"], document["suite"], "custom_info: "):
        assert part in page
    assert "<th>expected</th>" in page
    assert "counts in the row of each" in page
    assert f"This report is partial: {len(document['cases'])} of {len(all_cases())} cases were run." in page
    for name in (*SERVICES, "simulate_steps"):
        assert f"<code>{name}</code>" in page or not any(case["service"] == name for case in document["cases"])
    for name, _ in FEATURES.values():
        assert f" {name}</code>" in page


def test_a_page_needs_no_other_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.html"
    run(monkeypatch, "-k", "features.once", "--html", str(page))
    text = page.read_text()
    assert not [mark for mark in ("http:", "https:", "<script", "<link", "src=", "url(") if mark in text]


def test_reports_are_compared_side_by_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reports = [str(tmp_path / name) for name in ("a.json", "b.json")]
    run(monkeypatch, "-k", "features or filter.part", "--json", reports[0])
    run(monkeypatch, "-k", "bounds or features.once", "--json", reports[1], faults=FAULTS)
    page = tmp_path / "page.html"
    assert command.main(["compare", *reports, "--html", str(page)]) == 0
    text = page.read_text()
    assert "not run" in text
    assert "A6 part of a name: search" in text
    assert "<td><code>A6 part of a name</code></td><td class='unspecified'>search</td>" in text
    assert "features.once: " not in text
    assert text.count("Bridgehead (dds), report 1") == text.count("Bridgehead (dds), report 2") >= 4
    differing, others = text.split("<h2>Other cases</h2>")
    assert "<code>features.once</code><br>" in differing
    assert "<code>features.once</code><br>" not in others
    said = capsys.readouterr().out
    assert re.search(r"1 of \d+ outcomes differ", said)
    assert re.search(r"1 of \d+ outcomes differ", text)
    assert (said.count("partial: "), text.count("is partial: ")) == (4, 2)


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
        ("standard = '1'", "the description lacks `name`, which is required: a text"),
        ("name = 1", "`name`: expected a text, found 1"),
        ("name = 'x'\nworlds = 'a'", '`worlds`: expected a table, found "a"'),
        ("name = 'x'\nmay_quit = 1", "`may_quit`: expected true or false, found 1"),
        ("name = 'x'\nnamed_poses = 'a'", "`named_poses`: expected a list of tables"),
        ("name = 'x'\n[timeouts]\nanswer = 'x'", '`timeouts.answer`: expected a positive number, found "x"'),
        ("name = 'x'\n[entities]\nsize = [1, 2]", "`entities.size`: expected three positive numbers, found [1, 2]"),
        ("name = 'x'\n[models.main]\nuri = 'a'\nsize = [1, -1, 1]", "`models.main.size`: expected three positive"),
        ("name = 'x'\n[worlds.main]\nuri = 'a'\ntags = 'b'", "`worlds.main.tags`: expected a list of texts"),
        ("name = 'x'\n[worlds.main]\nuri = '{fixture}/a'", "`worlds.main.uri`: expected no other placeholders"),
        ("name = 'x'\n[addresses]\ndomain = '0'", "`addresses.domain`: expected a whole number from 0 to 232"),
        (
            "name = 'x'\n[worlds.main]\nuri = 'a'\nentities = ['b']\n[entities]\nstatic = 'c'",
            "`entities.static`: expected one of `worlds.main.entities`, ['b'], found \"c\"",
        ),
        ("name = 'x'", "the description has no `addresses.domain`; give it or --domain"),
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
    said = capsys.readouterr().err
    assert error in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("transport", ["http", "rosbridge"])
def test_no_address_is_assumed(tmp_path: Path, capsys: pytest.CaptureFixture[str], transport: str) -> None:
    file = tmp_path / "simulator.toml"
    file.write_text("name = 'x'")
    assert command.main(["run", str(file), "--transport", transport]) == 2
    assert f"the description has no `addresses.{transport}`; give it or --address" in capsys.readouterr().err
    assert command.main(["run", str(file), "--transport", transport, "--address", "a:b:c"]) == 2
    assert f"`addresses.{transport}`: expected an address" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["no JSON", "{}", '{"format": 99, "cases": []}', "[]"])
def test_a_file_that_is_no_report_ends_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    file = tmp_path / "report.json"
    file.write_text(text)
    assert command.main(["compare", str(file)]) == 2
    assert "is no report" in capsys.readouterr().err


def test_an_address_has_no_meaning_for_dds(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["run", "bridgehead", "--address", "x:1"]) == 2
    assert "--domain" in capsys.readouterr().err
    assert command.main(["run", "bridgehead", "--domain", "999"]) == 2
    assert "`--domain`: expected a whole number from 0 to 232, found 999" in capsys.readouterr().err


def test_a_report_that_cannot_be_written_ends_with_2_before_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "--json", str(tmp_path / "no" / "a.json")) == 2
    found = capsys.readouterr()
    assert "cannot be written: No such file" in found.err
    assert "reached" not in found.out


def test_a_module_that_is_not_installed_ends_with_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "websockets", None)
    monkeypatch.setitem(sys.modules, "websockets.exceptions", None)
    monkeypatch.delitem(sys.modules, "bridgehead_conformance.transports.rosbridge", raising=False)
    assert command.main(["run", "bridgehead", "--transport", "rosbridge"]) == 2
    assert "install the extra [rosbridge]" in capsys.readouterr().err


class Ending(FakeTransport):
    """A connection that ends after a number of requests."""

    left = 40

    def call(self, service: str, request: Message) -> Message:
        self.left -= 1
        if self.left < 0:
            raise TransportError("the connection has ended")
        return super().call(service, request)


def test_a_lost_connection_ends_the_run_with_3(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "connect", lambda *_: Ending(FakeSimulator()))
    report = tmp_path / "a.json"
    assert command.main(["run", "bridgehead", "--json", str(report)]) == 3
    document = json.loads(report.read_text())
    last = document["cases"][-1]
    assert [case["id"] for case in document["cases"] if case["outcome"] == "error"] == [last["id"]]
    said = capsys.readouterr()
    assert f"connection lost after case {last['id']}; the rest was not run" in said.err
    assert f"partial: {len(document['cases'])} of {document['of']} cases were run" in said.out


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ('static = "wall"', 'static = "wal"', "`entities.static`: the main world has no 'wal'; its entities are"),
        ("worlds/main.sdf", "worlds/absent.sdf", "`worlds.main.uri`: the simulator does not load"),
    ],
)
def test_a_description_that_does_not_fit_ends_with_2_before_the_run(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    old: str,
    new: str,
    error: str,
) -> None:
    text = (EXAMPLES / "bridgehead.toml").read_text().replace(old, new)
    file = tmp_path / "simulator.toml"
    file.write_text(text.replace('entities = ["ground", "wall", "box_a", "box_b"]', ""))
    monkeypatch.setattr(command, "connect", lambda *_: FakeTransport(FakeSimulator()))
    assert command.main(["run", str(file)]) == 2
    found = capsys.readouterr()
    assert error in found.err
    assert found.out == ""


def test_what_the_description_lacks_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "simulator.toml"
    file.write_text("name = 'x'\naddresses.domain = 3")
    monkeypatch.setattr(command, "connect", lambda *_: FakeTransport(FakeSimulator()))
    command.main(["run", str(file)])
    out = capsys.readouterr().out
    assert out.startswith("x was reached over dds, domain 3\n")
    last = out.splitlines()[-1]
    assert re.fullmatch(r"\d+ of \d+ skipped: the description lacks .*\[worlds.main\].*", last), last


def test_a_failed_case_is_said_with_its_name_and_place(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(monkeypatch, "-k", "features.once", faults=FAULTS)
    out = capsys.readouterr().out
    assert "failed features.once: the length" in out
    assert "msg/SimulatorFeatures.msg (features): The list" in out
    assert "test_case" not in out
    assert "1 failed" not in out


def test_the_help_has_the_exit_codes_of_the_readme() -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text()
    for line in command.CODES.splitlines()[1:]:
        code, _, text = line.strip().partition("  ")
        assert f"| {code} | {text} |" in readme


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
