"""What `run` and `compare` print."""

from __future__ import annotations

from collections.abc import Iterable

from bridgehead_conformance.case import ERROR, FAILED, Case, Outcome
from bridgehead_conformance.reports import Report, count, differing, page


def of_case(case: Case, outcome: Outcome) -> str:
    """Returns what is said about a case at once: nothing unless it failed or got no answer."""
    if outcome.kind not in (FAILED, ERROR):
        return ""
    clause = case.clause
    return f"{outcome.kind} {case.id}: {outcome.text}\n    {clause.file} ({clause.field}): {clause.says}"


def lacking(outcomes: Iterable[Outcome]) -> str:
    """Returns what the description lacks, and how many cases were skipped for that."""
    every = list(outcomes)
    skipped = [outcome.lacks for outcome in every if outcome.lacks]
    if not skipped:
        return ""
    return f"{len(skipped)} of {len(every)} skipped: the description lacks {', '.join(sorted(set(skipped)))}"


def summary(report: Report) -> str:
    """Returns a table with a line for each service."""
    rows = []
    for service in page.services(report.cases):
        counts = count(entry for entry in report.cases if entry.service == service)
        rows.append(f"{service:24}" + "".join(f"{number:>13}" for number in counts.values()))
    total = report.counts()
    head = " " * 24 + "".join(f"{kind:>13}" for kind in total)
    lines = [head, *rows, f"{'all':24}" + "".join(f"{number:>13}" for number in total.values())]
    return "\n".join(lines + ([f"partial: {report.part()}"] if report.part() else []))


def comparison(reports: list[Report]) -> str:
    """Returns a line for each report, and how many outcomes differ."""
    lines = []
    for name, report in zip(page.names_of(reports), reports, strict=True):
        numbers = "".join(f"{number:>6} {kind}" for kind, number in report.counts().items())
        lines.append(f"{name:32}{numbers}" + (f"  partial: {report.part()}" if report.part() else ""))
    return "\n".join([*lines, page.differences(reports), *(f"  {one}" for one in differing(reports)[0])])
