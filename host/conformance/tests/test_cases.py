"""Rules of the table of cases, and of the two documents that name them."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from bridgehead_conformance.case import SKIPPED, Case, Clause, Mismatch
from bridgehead_conformance.cases import all_cases
from bridgehead_conformance.definitions import SERVICES
from bridgehead_conformance.description import NamedPose, Texts, World, read
from bridgehead_conformance.reports import Entry, Report
from bridgehead_conformance.runner import needs_of, run_case
from bridgehead_conformance.simulator import Simulator, equal
from bridgehead_conformance.standard import FEATURES
from fake.simulator import FakeSimulator
from fake.transport import FakeTransport, description

ROOT = Path(__file__).parents[1]
PLACE = re.compile(
    r"(srv|msg|action)/[A-Z]\w+\.(srv|msg|action)|action_msgs/srv/CancelGoal\.srv|action/SimulateSteps\.action"
)


def test_there_are_enough_cases_with_different_names() -> None:
    names = [case.id for case in all_cases()]
    assert len(names) == len(set(names)) >= 150
    assert all(re.fullmatch(r"[a-z0-9._-]+", name) for name in names)


def test_every_service_has_cases_and_every_feature_is_needed_by_one() -> None:
    cases = all_cases()
    assert {case.service for case in cases} == {*SERVICES, "simulate_steps"}
    assert set().union(*(case.needs for case in cases)) == set(FEATURES)


def test_every_case_names_its_place_in_the_standard() -> None:
    for case in all_cases():
        assert PLACE.fullmatch(case.clause.file), case.id
        assert case.clause.says.endswith("."), case.id


def test_a_case_is_skipped_exactly_if_a_feature_is_not_declared() -> None:
    simulator = Simulator(FakeTransport(FakeSimulator()), description())
    simulator.features -= {5}
    skipped = {case.id for case in all_cases() if run_case(case, simulator).kind == SKIPPED}
    assert skipped == {case.id for case in all_cases() if 5 in needs_of(case)}
    assert skipped


def test_what_a_case_needs_to_begin_is_among_its_features() -> None:
    case = Case("x", "get_entities", Clause("", "", ""), lambda _: None, frozenset({1}), "paused")
    assert needs_of(case) == {1, 24, 25, 26}


def test_what_the_description_does_not_have_is_not_checked() -> None:
    described = description()
    worlds = {key: World(uri=world.uri) for key, world in described.worlds.items()}
    poses = tuple(NamedPose(name=pose.name) for pose in described.named_poses)
    entities = dataclasses.replace(described.entities, size=())
    described = dataclasses.replace(described, worlds=worlds, named_poses=poses, entities=entities)
    simulator = Simulator(FakeTransport(FakeSimulator()), described)
    found = {case.id: run_case(case, simulator) for case in all_cases()}
    assert [name for name, outcome in found.items() if outcome.kind in ("failed", "error")] == []
    assert found["world.current-tags"].text == "the description has no `tags` in [worlds.main]"
    assert {found[name].kind for name in ("worlds.tags-of-one", "poses.tags", "world.current-name")} == {SKIPPED}


def test_the_same_set_has_the_same_text() -> None:
    names = [f"n{number}" for number in range(20)]
    with pytest.raises(Mismatch, match=r"n0.*n1.*n10.*n11.*n12"):
        equal(set(names), set(), "the names")


def test_the_document_has_every_open_question() -> None:
    text = (ROOT / "AMBIGUITIES.md").read_text()
    for number in range(1, 29):
        assert f"## A{number}: " in text, number
    named = {name for case in all_cases() for name in re.findall(r"\(?\b(A\d+)\b", case.clause.says)}
    assert named <= set(re.findall(r"## (A\d+): ", text))
    sections = re.split(r"\n## A\d+: ", text)[1:]
    for section in sections:
        for part in ("Text", "Question", "Readings", "Proposal"):
            assert f"**{part}.**" in section, section


def test_the_readme_has_the_exit_codes_and_the_keys_of_a_description() -> None:
    readme = (ROOT / "README.md").read_text()
    for code in range(4):
        assert f"| {code} |" in readme
    for key in ("worlds.main", "entities", "models.main", "addresses", "timeouts", "texts", "named_poses", "may_quit"):
        assert key in readme


def test_the_readme_has_the_texts_and_the_keys_of_a_report() -> None:
    readme = (ROOT / "README.md").read_text()
    for field in dataclasses.fields(Texts):
        assert f"| `{field.name}` | `{field.default}` |" in readme
    keys = readme.partition("## Keys of a report")[2].partition("## Development")[0]
    for kind in (Report, Entry):
        for field in dataclasses.fields(kind):
            assert f"`{field.name}`" in keys or f"`cases[].{field.name}`" in keys, field.name


def test_the_description_of_the_readme_can_be_read() -> None:
    readme = (ROOT / "README.md").read_text()
    (block,) = re.findall(r"```toml simulator.toml\n(.*?)```", readme, re.DOTALL)
    described = read(block, ROOT)
    assert (described.clock, described.entities.dynamic) == ("/clock", "box_a")
    commented = read(block.replace("# prefix", "prefix").replace("# names", "names"), ROOT)
    assert commented.service("spawn_entity") == "/my_simulator/spawn_entity"
    assert commented.service("load_world") == "/load"


def test_names_of_a_description_replace_those_of_services() -> None:
    described = read("name = 'x'\nprefix = '/sim'\n[names]\nload_world = '/load'\nspawn_entity = 'add'", ROOT)
    assert [described.service(name) for name in ("load_world", "spawn_entity", "unload_world")] == [
        "/load",
        "/sim/add",
        "/sim/unload_world",
    ]
