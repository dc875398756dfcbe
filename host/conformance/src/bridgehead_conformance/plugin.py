"""The plugin for pytest: its options, and the session that runs the cases and keeps what came of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bridgehead_conformance.case import Case, Outcome
from bridgehead_conformance.description import Description, DescriptionError, load
from bridgehead_conformance.runner import run_case
from bridgehead_conformance.simulator import Simulator
from bridgehead_conformance.transports import TRANSPORTS, Transport, TransportError, connect


class Session:
    """A simulator that is tested, with the outcomes so far."""

    def __init__(self, transport: Transport, description: Description) -> None:
        self.simulator = Simulator(transport, description)
        self.outcomes: dict[str, Outcome] = {}

    def run(self, case: Case) -> Outcome:
        """Runs a case."""
        outcome = run_case(case, self.simulator)
        self.outcomes[case.id] = outcome
        return outcome


# The session of the command `run`, which opens it before pytest starts.
OPENED = pytest.StashKey[Session]()


class Opened:
    """Gives the tests a session that is open already."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def pytest_configure(self, config: pytest.Config) -> None:
        """Keeps the session for the fixture."""
        config.stash[OPENED] = self._session


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options."""
    group = parser.getgroup("conformance", "conformance to simulation_interfaces")
    group.addoption("--simulator", metavar="FILE", help="description of the simulator, TOML")
    group.addoption("--transport", choices=sorted(TRANSPORTS), default="dds", help="how the simulator is reached")


@pytest.fixture(scope="session")
def conformance(request: pytest.FixtureRequest) -> Iterator[Session]:
    """The session of the command, or that of the options."""
    opened = request.config.stash.get(OPENED, None)
    if opened is not None:
        yield opened
        return
    path = request.config.getoption("--simulator")
    if not path:
        pytest.fail("the option --simulator FILE is missing", pytrace=False)
    try:
        description = load(Path(path))
        transport = connect(request.config.getoption("--transport"), description)
        session = Session(transport, description)
    except (DescriptionError, TransportError) as error:
        pytest.exit(f"error: {error}", returncode=pytest.ExitCode.USAGE_ERROR)
    yield session
    transport.close()
