"""The command `bridgehead-conformance`."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

import bridgehead_conformance.plugin
import bridgehead_conformance.suite
from bridgehead_conformance import console
from bridgehead_conformance.case import Case, Outcome
from bridgehead_conformance.cases import all_cases
from bridgehead_conformance.description import EXAMPLES, FIXTURES, Description, load
from bridgehead_conformance.plugin import Opened, Session
from bridgehead_conformance.reports import Report, ReportError, junit, make, page, read
from bridgehead_conformance.transports import TRANSPORTS, NotInstalled, Transport, TransportError, address, connect
from bridgehead_conformance.values import DescriptionError, wrong

# The exit codes.
CONFORMS, DEVIATES, WRONG, UNREACHABLE = 0, 1, 2, 3
CODES = """exit codes:
  0  every case that applies passed or is unspecified; for other commands, done
  1  a case failed or got no answer
  2  the arguments, the description, a report or the installation are wrong, or no case was chosen
  3  the simulator was not reached, or the connection was lost before the end"""


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
        if not 0 <= arguments.domain <= 232:
            raise wrong("--domain", "a whole number from 0 to 232", arguments.domain)
        changes["domain"] = arguments.domain
    addresses = dataclasses.replace(description.addresses, **changes)  # type: ignore[arg-type]
    return dataclasses.replace(description, addresses=addresses)


def _check_files(paths: Iterable[Path | None]) -> None:
    """Checks that the reports can be written, before a run whose results would be lost."""
    for path in filter(None, paths):
        existed = path.exists()
        try:
            path.open("a", encoding="utf-8").close()
        except OSError as error:
            raise ReportError(f"`{path}` cannot be written: {error.strerror}") from None
        if not existed:
            path.unlink()


def _write(arguments: argparse.Namespace, report: Report) -> None:
    for path, text in ((arguments.junit, junit.text), (arguments.json, Report.text), (arguments.html, page.scorecard)):
        if path:
            path.write_text(text(report), encoding="utf-8")


def _tell(case: Case, outcome: Outcome) -> None:
    if text := console.of_case(case, outcome):
        print(text)


def _execute(session: Session, expression: str | None) -> None:
    """Runs the cases as tests of pytest, which prints nothing, as its words for outcomes are others."""
    options = ["-p", "no:cacheprovider", "-p", "no:terminal", "-s", "-c", "/dev/null", "-W", "error"]
    chosen = ["-k", expression] if expression else []
    suite = str(bridgehead_conformance.suite.__file__)
    pytest.main([*options, *chosen, suite], plugins=[bridgehead_conformance.plugin, Opened(session)])


def _open(arguments: argparse.Namespace, description: Description) -> tuple[Transport, Session]:
    transport = connect(arguments.transport, description)
    try:
        return transport, Session(transport, description, _tell)
    except BaseException:
        transport.close()
        raise


def _exit_code(session: Session, report: Report) -> int:
    if not report.cases:
        print("error: no case was chosen", file=sys.stderr)
        return WRONG
    if session.lost:
        print(f"error: connection lost after case {session.lost}; the rest was not run", file=sys.stderr)
        return UNREACHABLE
    return DEVIATES if report.has_failed() else CONFORMS


def run(arguments: argparse.Namespace) -> int:
    """Runs the cases and writes the reports."""
    description = _with_address(load(arguments.simulator), arguments)
    place = f"{arguments.transport}, {address(arguments.transport, description)}"
    _check_files((arguments.junit, arguments.json, arguments.html))
    try:
        transport, session = _open(arguments, description)
    except NotInstalled as error:
        print(f"error: {error}", file=sys.stderr)
        return WRONG
    except TransportError as error:
        print(f"error: {description.name} was not reached over {place}: {error}", file=sys.stderr)
        return UNREACHABLE
    print(f"{description.name} was reached over {place}")
    _execute(session, arguments.k)
    reached = arguments.transport, address(arguments.transport, description)
    report = make(session.simulator, reached, all_cases(), session.outcomes)
    transport.close()
    _write(arguments, report)
    print(console.summary(report))
    if text := console.lacking(session.outcomes.values()):
        print(text)
    return _exit_code(session, report)


def compare(arguments: argparse.Namespace) -> int:
    """Compares reports."""
    _check_files([arguments.html])
    reports = [read(path) for path in arguments.reports]
    print(console.comparison(reports))
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
