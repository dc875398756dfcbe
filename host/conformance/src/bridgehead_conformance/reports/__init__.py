"""What came of a run, as a document that is written and read as JSON."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from bridgehead_conformance import standard as std
from bridgehead_conformance.case import KINDS, Case, Outcome
from bridgehead_conformance.runner import needs_of
from bridgehead_conformance.simulator import Simulator

# Rises if a field changes its meaning.
FORMAT = 1


class ReportError(Exception):
    """A file is no report."""


@dataclass(frozen=True)
class Entry:
    """A case with its outcome. `features` are those that it needs."""

    id: str
    service: str
    features: list[str]
    file: str
    field: str
    says: str
    outcome: str
    text: str
    answers: dict[str, str]
    seconds: float


@dataclass(frozen=True)
class Report:
    """A run of the suite against one simulator."""

    simulator: str
    standard: str
    transport: str
    features: list[str]
    spawn_formats: list[str]
    custom_info: str
    seconds: float
    cases: list[Entry] = field(default_factory=list)
    # Reports of older versions lack the rest. `suite` is the version, `date` is UTC, `of` the number of all cases.
    address: str = ""
    date: str = ""
    suite: str = ""
    of: int = 0

    def part(self) -> str:
        """Returns how many cases ran, or an empty text if all did."""
        return f"{len(self.cases)} of {self.of} cases were run" if len(self.cases) < self.of else ""

    def counts(self) -> Counter[str]:
        """Returns the number of cases of each outcome."""
        return count(self.cases)

    def has_failed(self) -> bool:
        """Returns whether a case failed or got no answer."""
        found = self.counts()
        return bool(found["failed"] or found["error"])

    def text(self) -> str:
        """Returns the document as JSON."""
        return json.dumps({"format": FORMAT} | asdict(self), indent=1, ensure_ascii=False) + "\n"


def count(entries: Iterable[Entry]) -> Counter[str]:
    """Returns the number of cases of each outcome, all outcomes in their order."""
    found = Counter(dict.fromkeys(KINDS, 0))
    found.update(entry.outcome for entry in entries)
    return found


def _entry(case: Case, outcome: Outcome) -> Entry:
    names = [std.FEATURES[number][0] for number in sorted(needs_of(case))]
    clause = case.clause
    return Entry(
        case.id,
        case.service,
        names,
        clause.file,
        clause.field,
        clause.says,
        outcome.kind,
        outcome.text,
        outcome.answers,
        round(outcome.seconds, 4),
    )


def differing(reports: list[Report]) -> tuple[list[str], list[str]]:
    """Returns the names of the cases whose outcomes differ, and those of all cases that ran in every report."""
    tables = [{entry.id: entry.outcome for entry in report.cases} for report in reports]
    ids = [id_ for id_ in tables[0] if all(id_ in table for table in tables)]
    return [id_ for id_ in ids if len({table[id_] for table in tables}) > 1], ids


def _order(question: str) -> tuple[int, str]:
    """Returns the place of a question: A1 to A23 first, by their numbers."""
    found = re.match(r"A(\d+)\b", question)
    return (int(found[1]) if found else 1000, question)


def answers(reports: list[Report]) -> dict[str, list[str]]:
    """Returns the recorded answers to open questions, with an empty text if a report has none."""
    tables = [{name: text for entry in report.cases for name, text in entry.answers.items()} for report in reports]
    names = sorted({name for table in tables for name in table}, key=_order)
    return {name: [table.get(name, "") for table in tables] for name in names}


def _version() -> str:
    try:
        return version("bridgehead-conformance")
    except PackageNotFoundError:
        return "from sources"


def make(simulator: Simulator, place: tuple[str, str], cases: Iterable[Case], outcomes: dict[str, Outcome]) -> Report:
    """Makes the report of the cases that ran over a transport at an address."""
    cases = list(cases)
    entries = [_entry(case, outcomes[case.id]) for case in cases if case.id in outcomes]
    declared = [std.FEATURES[number][0] for number in sorted(simulator.features) if number in std.FEATURES]
    seconds = round(sum(entry.seconds for entry in entries), 3)
    description, own = simulator.description, simulator.report
    return Report(
        description.name,
        description.standard,
        place[0],
        declared,
        list(own["spawn_formats"]),
        own["custom_info"],
        seconds,
        entries,
        address=place[1],
        date=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        suite=_version(),
        of=len(cases),
    )


def _read(document: dict[str, Any]) -> Report:
    if document.pop("format") != FORMAT:
        raise ReportError(f"its format is not {FORMAT}")
    entries = [Entry(**entry) for entry in document.pop("cases")]
    return Report(**document, cases=entries)


def read(path: Path) -> Report:
    """Reads a report."""
    try:
        return _read(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise ReportError(f"`{path}` cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, ReportError) as error:
        raise ReportError(f"`{path}` is no report of `bridgehead-conformance run --json`: {error}") from None
