"""The plugin for pytest: its options, and the session that runs the cases and keeps what came of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bridgehead_conformance.case import ERROR, Case, Outcome
from bridgehead_conformance.description import Description, load
from bridgehead_conformance.preflight import preflight
from bridgehead_conformance.runner import run_case
from bridgehead_conformance.simulator import Simulator
from bridgehead_conformance.transports import TRANSPORTS, Transport, TransportError, connect
from bridgehead_conformance.values import DescriptionError

Tell = Callable[[Case, Outcome], None]


def _say_nothing(case: Case, outcome: Outcome) -> None:
    del case, outcome


class Session:
    """A simulator that is tested, with the outcomes so far."""

    def __init__(self, transport: Transport, description: Description, tell: Tell = _say_nothing) -> None:
        self._tell = tell
        self.simulator = Simulator(transport, description)
        self.outcomes: dict[str, Outcome] = {}
        # The case after which the simulator did not answer any more.
        self.lost = ""
        preflight(self.simulator)

    def run(self, case: Case) -> Outcome:
        """Runs a case."""
        outcome = run_case(case, self.simulator)
        self.outcomes[case.id] = outcome
        self._tell(case, outcome)
        if outcome.kind == ERROR and not case.last and not self._is_there():
            self.lost = case.id
        return outcome

    def _is_there(self) -> bool:
        try:
            self.simulator.call("get_simulator_features")
        except TransportError:
            return False
        return True


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
