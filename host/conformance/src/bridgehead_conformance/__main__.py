"""The command `bridgehead-conformance`."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from pathlib import Path

import pytest

import bridgehead_conformance.plugin
import bridgehead_conformance.suite
from bridgehead_conformance.cases import all_cases
from bridgehead_conformance.description import EXAMPLES, FIXTURES, Description, DescriptionError, load
from bridgehead_conformance.plugin import Opened, Session
from bridgehead_conformance.reports import Report, ReportError, count, junit, make, page, read
from bridgehead_conformance.transports import TRANSPORTS, TransportError, connect

# The exit codes.
CONFORMS, DEVIATES, WRONG, UNREACHABLE = 0, 1, 2, 3
CODES = """exit codes:
  0  every case that applies passed, or the report was written
  1  a case failed, or got no answer
  2  the arguments or a file are wrong
  3  the simulator was not reached"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bridgehead-conformance",
        description="Tests a simulator against the ROS 2 simulation_interfaces.",
        epilog=CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="run the cases against a simulator")
    run.add_argument("simulator", type=Path, help="description of the simulator, TOML; `bridgehead` is an example")
    run.add_argument("--transport", choices=list(TRANSPORTS), default="dds", help="default: %(default)s")
    run.add_argument("--address", help="address of the simulator instead of that in the description")
    run.add_argument("--domain", type=int, help="DDS domain instead of that in the description")
    run.add_argument("-k", metavar="EXPRESSION", help="run only the cases that match, as `pytest -k` has it")
    for name, text in (("junit", "JUnit XML"), ("json", "JSON, for `compare`"), ("html", "a scorecard, HTML")):
        run.add_argument(f"--{name}", type=Path, metavar="FILE", help=f"write {text}")
    compare = commands.add_parser("compare", help="compare reports of several simulators")
    compare.add_argument("reports", type=Path, nargs="+", metavar="FILE.json", help="what `run --json` wrote")
    compare.add_argument("--html", type=Path, metavar="FILE", help="write a page")
    commands.add_parser("list", help="list the cases with their places in the standard")
    commands.add_parser("files", help="print the folders of the fixtures and of the examples")
    return parser


def _with_address(description: Description, arguments: argparse.Namespace) -> Description:
    changes: dict[str, str | int] = {}
    if arguments.address:
        if arguments.transport not in ("http", "rosbridge"):
            raise DescriptionError(f"--address has no meaning for {arguments.transport}; use --domain")
        changes[arguments.transport] = arguments.address
    if arguments.domain is not None:
        changes["domain"] = arguments.domain
    addresses = dataclasses.replace(description.addresses, **changes)  # type: ignore[arg-type]
    return dataclasses.replace(description, addresses=addresses)


def _write(arguments: argparse.Namespace, report: Report) -> None:
    for path, text in ((arguments.junit, junit.text), (arguments.json, Report.text), (arguments.html, page.scorecard)):
        if path:
            path.write_text(text(report), encoding="utf-8")


def _summary(report: Report) -> str:
    rows = []
    for service in page.services(report.cases):
        counts = count(entry for entry in report.cases if entry.service == service)
        rows.append(f"{service:24}" + "".join(f"{number:>13}" for number in counts.values()))
    total = report.counts()
    head = " " * 24 + "".join(f"{kind:>13}" for kind in total)
    return "\n".join([head, *rows, f"{'all':24}" + "".join(f"{number:>13}" for number in total.values())])


def run(arguments: argparse.Namespace) -> int:
    """Runs the cases and writes the reports."""
    description = _with_address(load(arguments.simulator), arguments)
    try:
        transport = connect(arguments.transport, description)
        session = Session(transport, description)
    except TransportError as error:
        print(f"error: {description.name} was not reached over {arguments.transport}: {error}", file=sys.stderr)
        return UNREACHABLE
    options = ["-q", "-p", "no:cacheprovider", "-c", "/dev/null", "--tb=short", "--no-header", "-rN", "-W", "error"]
    chosen = ["-k", arguments.k] if arguments.k else []
    suite = str(bridgehead_conformance.suite.__file__)
    status = pytest.main([*options, *chosen, suite], plugins=[bridgehead_conformance.plugin, Opened(session)])
    report = make(session.simulator, arguments.transport, all_cases(), session.outcomes)
    transport.close()
    _write(arguments, report)
    print(_summary(report))
    if not report.cases:
        print("error: no case was chosen", file=sys.stderr)
        return WRONG
    return CONFORMS if status == pytest.ExitCode.OK and not report.has_failed() else DEVIATES


def compare(arguments: argparse.Namespace) -> int:
    """Compares reports."""
    reports = [read(path) for path in arguments.reports]
    for name, report in zip(page.names_of(reports), reports, strict=True):
        print(f"{name:32}" + "".join(f"{number:>6} {kind}" for kind, number in report.counts().items()))
    if arguments.html:
        arguments.html.write_text(page.comparison(reports), encoding="utf-8")
    return CONFORMS


def show_list() -> int:
    """Lists the cases."""
    for case in all_cases():
        print(f"{case.id:44} {case.service:24} {case.clause.file} ({case.clause.field}): {case.clause.says}")
    return CONFORMS


def main(arguments: list[str] | None = None) -> int:
    """Executes a command and returns the exit code."""
    chosen = _parser().parse_args(arguments)
    try:
        if chosen.command == "run":
            return run(chosen)
        if chosen.command == "compare":
            return compare(chosen)
    except (DescriptionError, ReportError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return WRONG
    if chosen.command == "list":
        return show_list()
    print(f"fixtures: {FIXTURES}\nexamples: {EXAMPLES}")
    return CONFORMS


if __name__ == "__main__":
    sys.exit(main())
