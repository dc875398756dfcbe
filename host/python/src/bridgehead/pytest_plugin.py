"""A plugin for pytest: hosts as fixtures, with their log and triggers in the report of a failed test.

`bridgehead_host` starts hosts, and ends them with the test. `bridgehead_world` is a host with the world of the marker
`bridgehead`. Both are started anew for each test, so that no test depends on another one.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from bridgehead._sync.host import Host
from bridgehead.errors import BridgeheadError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    StartHost = Callable[..., Host]

# Lines of the log in a report.
LINES = 200
# A host of a failed test may hang: its triggers are asked for this long, seconds.
PATIENCE = 5.0

_HOSTS = pytest.StashKey[list[Host]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options."""
    group = parser.getgroup("bridgehead")
    text = "program of the host; by default the one of BRIDGEHEAD_PROGRAM, of the package or of the path"
    group.addoption("--bridgehead-program", metavar="FILE", help=text)
    parser.addini("bridgehead_worlds", "folder of the worlds that tests name, relative to the root", default=".")


def pytest_configure(config: pytest.Config) -> None:
    """Declares the marker."""
    text = "bridgehead(world, **options): world and options of the fixture `bridgehead_world`, as for `bridgehead.Host`"
    config.addinivalue_line("markers", text)


@pytest.fixture
def bridgehead_host(request: pytest.FixtureRequest) -> Iterator[StartHost]:
    """A function that starts a host: it takes the arguments of `bridgehead.Host`, and returns the started host.

    All hosts end with the test. A relative path of a world is relative to the folder `bridgehead_worlds`; a name
    without `.sdf` that is not in this folder is that of an installed world.
    """
    node = cast("pytest.Item", request.node)
    hosts = node.stash.setdefault(_HOSTS, [])

    def start(world: str | os.PathLike[str] | None = None, **options: Any) -> Host:
        options.setdefault("program", request.config.getoption("--bridgehead-program"))
        host = Host(None if world is None else _found(request.config, world), **options)
        hosts.append(host)
        stack.callback(host.end)
        host.start()
        return host

    # Ends all hosts, also if one of them cannot be ended regularly.
    with ExitStack() as stack:
        yield start


@pytest.fixture
def bridgehead_world(request: pytest.FixtureRequest, bridgehead_host: StartHost) -> Host:
    """A host with the world and the options of the marker `bridgehead`; without it, a paused host without a world."""
    marker = request.node.get_closest_marker("bridgehead")
    return bridgehead_host(*marker.args, **marker.kwargs) if marker else bridgehead_host()


def _found(config: pytest.Config, world: str | os.PathLike[str]) -> str:
    text = os.fspath(world)
    path = config.rootpath / str(config.getini("bridgehead_worlds")) / text
    # The host finds addresses, and installed worlds by their names. A missing file is named with its folder.
    is_name = len(Path(text).parts) == 1 and Path(text).suffix == "" and not path.exists()
    return text if "://" in text or is_name else str(path)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Adds the log and the triggers of its hosts to a failed test."""
    report = cast("pytest.TestReport", (yield))
    if report.failed:
        hosts = item.stash.get(_HOSTS, [])
        for number, host in enumerate(hosts):
            name = "bridgehead" if len(hosts) == 1 else f"bridgehead {number + 1}"
            report.sections.append((f"{name} log", "\n".join(host.log[-LINES:]) or "(empty)"))
            report.sections.append((f"{name} triggers", _triggers(host)))
    return report  # type: ignore[return-value]


def _triggers(host: Host) -> str:
    """Returns the triggers that fired, one line each."""
    if host.exit_code is not None:
        try:
            found = [f"{one.at}: {one.label or one.event} -> {one.action}" for one in host.result.triggers]
        except BridgeheadError as error:
            return f"not available: {error.message}"
    else:
        try:
            answer = host.get_trigger_history(timeout=PATIENCE)
        except BridgeheadError as error:
            return f"not available: {error.message}"
        found = [f"{one.at:g}s: {one.label or one.event} -> {one.action}" for one in answer.triggers]
    return "\n".join(found) or "(none fired)"
