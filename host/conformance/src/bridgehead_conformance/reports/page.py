"""Pages of HTML that need no other file: the scorecard of a simulator, and several simulators side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape

from bridgehead_conformance import standard as std
from bridgehead_conformance.case import KINDS
from bridgehead_conformance.reports import Entry, Report, count

STYLE = """
:root { color-scheme: light dark; --line: #8885; --passed: #1a7f37; --failed: #cf222e; --error: #cf222e;
  --unspecified: #9a6700; --skipped: #777; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 2rem; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
code { font: 13px ui-monospace, monospace; overflow-wrap: anywhere; }
.passed { color: var(--passed); } .failed, .error { color: var(--failed); font-weight: 600; }
.unspecified { color: var(--unspecified); } .skipped { color: var(--skipped); }
.zero { color: #8886; font-weight: 400; } small { color: #777; }
"""
EXPLANATION = (
    "<p><b class='passed'>passed</b>: as the standard says. <b class='failed'>failed</b>: declared and wrong. "
    "<b class='unspecified'>unspecified</b>: the standard is silent or contradicts itself, so the answer is recorded "
    "and not judged. <b class='skipped'>skipped</b>: a feature is not declared, or the description lacks something. "
    "<b class='error'>error</b>: no answer.</p>"
)


def _page(title: str, body: Iterable[str]) -> str:
    head = f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{escape(title)}</title><style>{STYLE}</style>"
    return head + f"<h1>{escape(title)}</h1>" + "\n".join(body) + "</html>\n"


def _number(kind: str, value: int) -> str:
    return f"<td class='number {kind if value else 'zero'}'>{value}</td>"


def _table(heads: Iterable[str], rows: Iterable[str]) -> str:
    return "<table><thead><tr>" + "".join(heads) + "</tr></thead><tbody>" + "\n".join(rows) + "</tbody></table>"


def _head(text: str, is_number: bool = False) -> str:
    return f"<th{' class=number' if is_number else ''}>{escape(text)}</th>"


def _counts(name: str, note: str, entries: list[Entry]) -> str:
    counts = count(entries)
    cells = "".join(_number(kind, counts[kind]) for kind in KINDS)
    return f"<tr><td><code>{escape(name)}</code></td><td>{escape(note)}</td>{cells}</tr>"


def services(entries: Iterable[Entry]) -> list[str]:
    """Returns the services of cases, each once, in the order of their first cases."""
    return list(dict.fromkeys(entry.service for entry in entries))


def _of_service(report: Report) -> Iterable[str]:
    for service in services(report.cases):
        entries = [entry for entry in report.cases if entry.service == service]
        yield _counts(service, "", entries)


def _of_feature(report: Report) -> Iterable[str]:
    for number, (name, _) in std.FEATURES.items():
        entries = [entry for entry in report.cases if name in entry.features]
        yield _counts(f"{number} {name}", "declared" if name in report.features else "not declared", entries)


def _case_row(entry: Entry) -> str:
    place = f"<br><small>{escape(entry.file)}, <code>{escape(entry.field)}</code></small>"
    return (
        f"<tr><td><code>{escape(entry.id)}</code></td><td class='{entry.outcome}'>{entry.outcome}</td>"
        f"<td>{escape(entry.says)}{place}</td><td>{escape(entry.text)}</td></tr>"
    )


def _summary(report: Report) -> str:
    parts = [f"<b class='{kind}'>{number} {kind}</b>" for kind, number in report.counts().items()]
    about = f"simulation_interfaces {report.standard} over {report.transport}, {report.seconds:.1f} s"
    formats = ", ".join(report.spawn_formats) or "none"
    return f"<p>{escape(about)}; spawn formats: {escape(formats)}</p><p>{', '.join(parts)}</p>"


def scorecard(report: Report) -> str:
    """Returns the page of one simulator."""
    heads = [_head("", False), _head(""), *(_head(kind, True) for kind in KINDS)]
    cases = _table(map(_head, ("case", "outcome", "the standard", "found")), map(_case_row, report.cases))
    body = [
        _summary(report),
        EXPLANATION,
        "<h2>Services</h2>",
        _table(heads, _of_service(report)),
        "<h2>Features</h2>",
        _table(heads, _of_feature(report)),
        "<h2>Cases</h2>",
        cases,
    ]
    return _page(f"{report.simulator} and simulation_interfaces", body)


def names_of(reports: list[Report]) -> list[str]:
    """Returns a name for each report: that of the simulator, with the transport if a name occurs twice."""
    plain = [report.simulator for report in reports]
    return [
        f"{report.simulator} ({report.transport})" if plain.count(report.simulator) > 1 else report.simulator
        for report in reports
    ]


def _by_group(reports: list[Report], label: str, is_in: Callable[[Entry], bool]) -> str:
    cells = []
    for report in reports:
        counts = count(entry for entry in report.cases if is_in(entry))
        judged = counts["passed"] + counts["failed"] + counts["error"]
        kind = "failed" if counts["failed"] + counts["error"] else "passed" if judged else "skipped"
        cells.append(f"<td class='number {kind}'>{counts['passed']} of {judged}</td>")
    return f"<tr><td><code>{escape(label)}</code></td>{''.join(cells)}</tr>"


def _case_line(reports: list[Report], id_: str) -> str:
    cells, says = [], ""
    for report in reports:
        entry = next((one for one in report.cases if one.id == id_), None)
        if entry is None:
            cells.append("<td class='skipped'>not run</td>")
            continue
        says = says or entry.says
        text = f"<br><small>{escape(entry.text)}</small>" if entry.text else ""
        cells.append(f"<td class='{entry.outcome}'>{entry.outcome}{text}</td>")
    return f"<tr><td><code>{escape(id_)}</code><br><small>{escape(says)}</small></td>{''.join(cells)}</tr>"


def comparison(reports: list[Report]) -> str:
    """Returns the page of several simulators."""
    every = [entry for report in reports for entry in report.cases]
    heads = [_head(""), *(_head(name, True) for name in names_of(reports))]
    by_service = [_by_group(reports, name, lambda entry, name=name: entry.service == name) for name in services(every)]  # type: ignore[misc]
    by_feature = [
        _by_group(reports, name, lambda entry, name=name: name in entry.features)  # type: ignore[misc]
        for name, _ in std.FEATURES.values()
    ]
    ids = list(dict.fromkeys(entry.id for entry in every))
    body = [
        EXPLANATION,
        "<h2>Services</h2>",
        _table(heads, by_service),
        "<h2>Features</h2>",
        _table(heads, by_feature),
        "<h2>Cases</h2>",
        _table([_head(""), *map(_head, names_of(reports))], (_case_line(reports, id_) for id_ in ids)),
    ]
    return _page("simulation_interfaces, side by side", body)
