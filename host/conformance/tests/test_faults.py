"""The fake passes every case, and each planted fault makes exactly its own case fail."""

from __future__ import annotations

import pytest

from bridgehead_conformance.case import Outcome
from bridgehead_conformance.cases import all_cases
from bridgehead_conformance.runner import run_all
from fake.faults import FAULTS
from fake.simulator import FakeSimulator
from fake.transport import FakeTransport, description

CASES = all_cases()


def outcomes(*faults: str) -> dict[str, Outcome]:
    return run_all(CASES, FakeTransport(FakeSimulator(frozenset(faults))), description())


def failed(found: dict[str, Outcome]) -> dict[str, str]:
    return {name: outcome.text for name, outcome in found.items() if outcome.kind in ("failed", "error")}


def test_a_simulator_without_faults_passes_every_case() -> None:
    found = outcomes()
    assert failed(found) == {}
    assert [name for name, outcome in found.items() if outcome.kind == "skipped"] == []


@pytest.mark.parametrize(("fault", "case"), FAULTS.items(), ids=FAULTS.values())
def test_a_fault_makes_exactly_its_own_case_fail(fault: str, case: str) -> None:
    assert list(failed(outcomes(fault))) == [case]


def test_all_faults_together_make_exactly_their_cases_fail() -> None:
    assert sorted(failed(outcomes(*FAULTS))) == sorted(FAULTS.values())


def test_there_are_at_least_thirty_faults_and_the_fake_knows_them() -> None:
    simulator = FakeSimulator()
    run_all(CASES, FakeTransport(simulator), description())
    assert simulator.asked == set(FAULTS)
    assert len(set(FAULTS.values())) == len(FAULTS) >= 30
