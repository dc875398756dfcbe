"""Pages of HTML that need no other file: the scorecard of a simulator, and several simulators side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape

from bridgehead_conformance import standard as std
from bridgehead_conformance.case import ERROR, FAILED, KINDS, PASSED, SKIPPED, UNSPECIFIED
from bridgehead_conformance.reports import Entry, Report, answers, count, differing

STYLE = """
:root { color-scheme: light dark; --line: #8885; --passed: #1a7f37; --failed: #cf222e; --error: #cf222e;
  --unspecified: #9a6700; --skipped: #777; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
div.wide { overflow-x: auto; margin: .5rem 0 2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
td:first-child { white-space: nowrap; } td:first-child small { white-space: normal; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
code { font: 13px ui-monospace, monospace; overflow-wrap: anywhere; }
a { color: inherit; } summary { cursor: pointer; }
.passed { color: var(--passed); } .failed, .error { color: var(--failed); font-weight: 600; }
.unspecified { color: var(--unspecified); } .skipped { color: var(--skipped); }
.zero { color: #8886; font-weight: 400; } small { color: #777; }
@media (max-width: 40rem) {
  body { margin: .5rem auto; padding: 0 .6rem; } th, td { padding: .25rem .35rem; }
  table.cases thead { display: none; } table.cases td { display: block; border: 0; }
  table.cases tr { display: block; border-bottom: 1px solid var(--line); }
}
"""
EXPLANATION = (
    "<p><b class='passed'>passed</b>: as the standard says. <b class='failed'>failed</b>: declared and wrong. "
    "<b class='unspecified'>unspecified</b>: the standard is silent or contradicts itself, so the answer is recorded "
    "and not judged. <b class='skipped'>skipped</b>: a feature is not declared, or the description lacks something. "
    "<b class='error'>error</b>: no answer.</p>"
)
SEVERAL = "<p>A case that needs several features counts in the row of each of them.</p>"
# The outcomes that have a section, after those that failed; the last ones are closed at first.
SECTIONS = ((UNSPECIFIED, True), (SKIPPED, False), (PASSED, False))


def _page(title: str, body: Iterable[str]) -> str:
    head = (
        "<!doctype html><html lang='en'><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{escape(title)}</title><style>{STYLE}</style>"
    )
    return head + f"<h1>{escape(title)}</h1>" + "\n".join(body) + "</html>\n"


def _number(kind: str, value: int) -> str:
    return f"<td class='number {kind if value else 'zero'}'>{value}</td>"


def _table(heads: Iterable[str], rows: Iterable[str], kind: str = "counts") -> str:
    head = "<thead><tr>" + "".join(heads) + "</tr></thead>"
    return f"<div class='wide'><table class='{kind}'>{head}<tbody>" + "\n".join(rows) + "</tbody></table></div>"


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
    name = f"<a href='#{entry.id}'><code>{escape(entry.id)}</code></a>"
    return (
        f"<tr id='{entry.id}'><td>{name}</td><td class='{entry.outcome}'>{entry.outcome}</td>"
        f"<td>{escape(entry.says)}{place}</td><td>{escape(entry.text)}</td></tr>"
    )


def _cases(entries: Iterable[Entry]) -> str:
    return _table(map(_head, ("case", "outcome", "expected", "found")), map(_case_row, entries), "cases")


def _failed(report: Report) -> str:
    entries = [entry for entry in report.cases if entry.outcome in (FAILED, ERROR)]
    return "<h2 id='failed'>Failed</h2>" + (_cases(entries) if entries else "<p>No case failed.</p>")


def _section(report: Report, kind: str, is_open: bool) -> str:
    entries = [entry for entry in report.cases if entry.outcome == kind]
    head = f"<h2 id='{kind}'>{kind.capitalize()}</h2><details{' open' if is_open else ''}>"
    return f"{head}<summary>{len(entries)} cases</summary>{_cases(entries)}</details>"


def _contents() -> str:
    names = ["failed", "services", "features", *(kind for kind, _ in SECTIONS)]
    return "<p>" + ", ".join(f"<a href='#{name}'>{name.capitalize()}</a>" for name in names) + "</p>"


def _partial(report: Report) -> str:
    return f"<p><b class='failed'>This report is partial: {escape(report.part())}.</b></p>" if report.part() else ""


def _summary(report: Report) -> str:
    parts = [f"<b class='{kind}'>{number} {kind}</b>" for kind, number in report.counts().items()]
    place = f"{report.transport}, {report.address}" if report.address else report.transport
    about = [f"simulation_interfaces {report.standard} over {place}", f"{report.seconds:.1f} s"]
    about += [report.date] if report.date else []
    about += [f"version of the suite: {report.suite}"] if report.suite else []
    about.append(f"spawn formats: {', '.join(report.spawn_formats) or 'none'}")
    about += [f"custom_info: {report.custom_info}"] if report.custom_info else []
    return f"<p>{escape('; '.join(about))}</p>{_partial(report)}<p>{', '.join(parts)}</p>"


def scorecard(report: Report) -> str:
    """Returns the page of one simulator."""
    heads = [_head("", False), _head(""), *(_head(kind, True) for kind in KINDS)]
    body = [
        _summary(report),
        _contents(),
        EXPLANATION,
        _failed(report),
        "<h2 id='services'>Services</h2>",
        _table(heads, _of_service(report)),
        "<h2 id='features'>Features</h2>",
        SEVERAL,
        _table(heads, _of_feature(report)),
        *(_section(report, kind, is_open) for kind, is_open in SECTIONS),
    ]
    return _page(f"{report.simulator} and simulation_interfaces", body)


def names_of(reports: list[Report]) -> list[str]:
    """Returns a different name for each report: that of the simulator, with the transport and a number if needed."""
    plain = [report.simulator for report in reports]
    names = [
        f"{report.simulator} ({report.transport})" if plain.count(report.simulator) > 1 else report.simulator
        for report in reports
    ]
    return [
        f"{name}, report {names[: index + 1].count(name)}" if names.count(name) > 1 else name
        for index, name in enumerate(names)
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


def differences(reports: list[Report]) -> str:
    """Returns how many outcomes and answers differ, in a line."""
    ids, every = differing(reports)
    found = [texts for texts in answers(reports).values() if all(texts)]
    others = sum(len(set(texts)) > 1 for texts in found)
    return f"{len(ids)} of {len(every)} outcomes differ; {others} of {len(found)} answers to open questions differ"


def _answer_line(question: str, texts: list[str]) -> str:
    kind = "unspecified" if len(set(texts)) > 1 else "skipped"
    cells = "".join(f"<td class='{kind}'>{escape(text) or 'none'}</td>" for text in texts)
    return f"<tr><td><code>{escape(question)}</code></td>{cells}</tr>"


def _part_line(name: str, report: Report) -> str:
    return f"<p><b class='failed'>{escape(name)} is partial: {escape(report.part())}.</b></p>" if report.part() else ""


def comparison(reports: list[Report]) -> str:
    """Returns the page of several simulators."""
    every = [entry for report in reports for entry in report.cases]
    names = names_of(reports)
    heads = [_head(""), *(_head(name, True) for name in names)]
    by_service = [_by_group(reports, name, lambda entry, name=name: entry.service == name) for name in services(every)]  # type: ignore[misc]
    by_feature = [
        _by_group(reports, name, lambda entry, name=name: name in entry.features)  # type: ignore[misc]
        for name, _ in std.FEATURES.values()
    ]
    first = differing(reports)[0]
    others = [id_ for id_ in dict.fromkeys(entry.id for entry in every) if id_ not in first]
    lines = [_case_line(reports, id_) for id_ in (*first, *others)]
    columns = [_head(""), *map(_head, names)]
    body = [
        f"<p><b>{escape(differences(reports))}.</b></p>",
        *map(_part_line, names, reports),
        EXPLANATION,
        "<h2>Outcomes that differ</h2>",
        _table(columns, lines[: len(first)]) if first else "<p>None.</p>",
        "<h2>Answers to open questions</h2>",
        _table(columns, (_answer_line(name, texts) for name, texts in answers(reports).items())),
        "<h2>Services</h2>",
        _table(heads, by_service),
        "<h2>Features</h2>",
        SEVERAL,
        _table(heads, by_feature),
        "<h2>Other cases</h2>",
        _table(columns, lines[len(first) :]),
    ]
    return _page("simulation_interfaces, side by side", body)
