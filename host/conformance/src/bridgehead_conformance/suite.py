"""The cases as tests of pytest: `pytest --pyargs bridgehead_conformance.suite --simulator FILE --transport NAME`."""

from __future__ import annotations

import pytest

from bridgehead_conformance.case import FAILED, SKIPPED, Case, Outcome
from bridgehead_conformance.cases import all_cases
from bridgehead_conformance.plugin import Session


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.id)
def test_case(case: Case, conformance: Session, request: pytest.FixtureRequest) -> None:
    """Runs a case: an answer that the standard leaves open passes."""
    outcome: Outcome = conformance.run(case)
    if conformance.lost:
        request.session.shouldstop = f"connection lost after case {case.id}; the rest was not run"
    if outcome.kind == SKIPPED:
        pytest.skip(outcome.text)
    if outcome.kind not in ("passed", "unspecified"):
        kind = "" if outcome.kind == FAILED else f"{outcome.kind}: "
        clause = case.clause
        pytest.fail(f"{kind}{outcome.text}\n{clause.file} ({clause.field}): {clause.says}", pytrace=False)
