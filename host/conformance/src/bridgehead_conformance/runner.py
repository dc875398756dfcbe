"""Runs cases and says what came of each."""

from __future__ import annotations

import time
from collections.abc import Iterable

from bridgehead_conformance import standard as std
from bridgehead_conformance.case import (
    ERROR,
    FAILED,
    PASSED,
    SKIPPED,
    UNSPECIFIED,
    Case,
    Mismatch,
    Missing,
    Outcome,
    Undescribed,
)
from bridgehead_conformance.description import Description
from bridgehead_conformance.simulator import START_NEEDS, Simulator
from bridgehead_conformance.transports import NotExpressible, Transport, TransportError


def needs_of(case: Case) -> frozenset[int]:
    """Returns the features that a case and its beginning need."""
    return case.needs | START_NEEDS[case.start]


def skip_reason(case: Case, simulator: Simulator) -> str:
    """Returns why a case does not apply, or an empty text."""
    missing = sorted(needs_of(case) - simulator.features)
    if missing:
        return "not declared: " + ", ".join(std.FEATURES[number][0] for number in missing)
    if case.last and not simulator.description.may_quit:
        return "the description has no `may_quit = true`"
    return ""


def run_case(case: Case, simulator: Simulator) -> Outcome:
    """Runs a case, or skips it if a feature is not declared."""
    if reason := skip_reason(case, simulator):
        return Outcome(SKIPPED, reason)
    begin = time.monotonic()
    simulator.answers = {}
    kind, text, lacks = PASSED, "", ""
    try:
        simulator.prepare(case.start)
        case.check(simulator)
    except Mismatch as error:
        kind, text = FAILED, str(error)
    except Undescribed as error:
        kind, lacks = SKIPPED, str(error)
        text = f"the description has no {lacks}"
    except Missing as error:
        kind, text = SKIPPED, str(error)
    except NotExpressible as error:
        kind, text = SKIPPED, str(error)
    except TransportError as error:
        kind, text = ERROR, str(error)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        kind, text = FAILED, f"a response lacks something: {type(error).__name__}: {error}"
    if kind == PASSED and simulator.answers:
        kind = UNSPECIFIED
        text = "; ".join(f"{question}: {answer}" for question, answer in simulator.answers.items())
    return Outcome(kind, text, simulator.answers, time.monotonic() - begin, lacks)


def run_all(cases: Iterable[Case], transport: Transport, description: Description) -> dict[str, Outcome]:
    """Runs cases in order, those that end the simulator last."""
    simulator = Simulator(transport, description)
    ordered = sorted(cases, key=lambda case: case.last)
    return {case.id: run_case(case, simulator) for case in ordered}
