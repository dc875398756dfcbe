"""The result of a run, as `docs/result-file.md` describes it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bridgehead._codec import NotThisTypeError, from_json
from bridgehead.errors import BridgeheadError, ClientCode

if TYPE_CHECKING:
    import os

SCHEMA = "bridgehead-result/1"


class ExitCode(IntEnum):
    """Exit codes of `bridgehead run`."""

    SUCCESS = 0
    CONFIGURATION = 1
    NOT_STARTED = 4
    NO_SUCCESS = 8
    FAILURE = 9
    ABORTED = 16


class Outcome(StrEnum):
    """Outcomes of a run."""

    SUCCESS = "success"
    STOPPED = "stopped"
    FAILURE = "failure"
    ABORTED = "aborted"
    NO_START = "no-start"
    CONFIGURATION_ERROR = "configuration-error"
    PROBING = "probing"


@dataclass(frozen=True, slots=True)
class TopicResult:
    """What was published on a topic."""

    vehicle: str | None = None
    name: str = ""
    type: str = ""
    published: int = 0
    rate_hz: float | None = None
    bytes: int = 0
    delivered: int = 0
    dropped: int = 0
    overflowed: int = 0
    missed: int = 0


@dataclass(frozen=True, slots=True)
class BridgeResult:
    """What a bridge did."""

    label: str = ""
    connection: str = ""
    was_connected: bool = False
    connections: int = 0
    delivered: int = 0
    dropped: int = 0
    lost: int = 0
    missed: int = 0
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class PluginResult:
    """What a plugin cost, and why it was disabled."""

    label: str = ""
    plugin: str = ""
    failure: str | None = None
    lost: int = 0
    calls: int = 0
    busy_s: float = 0.0
    longest_s: float = 0.0
    p50_s: float = 0.0
    p99_s: float = 0.0
    overruns: int = 0


@dataclass(frozen=True, slots=True)
class UnsupportedResult:
    """A sensor type or plugin name that no plugin implements."""

    kind: str = ""
    name: str = ""
    count: int = 0
    place: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TriggerResult:
    """A trigger that fired."""

    label: str = ""
    event: dict[str, Any] = field(default_factory=dict)
    action: dict[str, Any] = field(default_factory=dict)
    source: str = ""
    sticky: bool = False
    conceal: bool = False
    optional: bool = False
    priority: int = 0
    since: str = ""
    at: str = ""
    step: int = 0


@dataclass(frozen=True, slots=True)
class Figures:
    """Statistics of one measurement."""

    count: int = 0
    min: float = 0.0
    max: float = 0.0
    mean: float = 0.0
    std_deviation: float = 0.0
    p50: float = 0.0
    p99: float = 0.0


@dataclass(frozen=True, slots=True)
class Statistics:
    """Times of the steps, seconds of wall time."""

    engine_time_s: Figures = field(default_factory=Figures)
    simulator_time_s: Figures = field(default_factory=Figures)
    controller_time_s: Figures = field(default_factory=Figures)
    cycle_time_s: Figures = field(default_factory=Figures)
    padding_time_s: Figures = field(default_factory=Figures)
    controller_retries: Figures = field(default_factory=Figures)
    achievable_factor: float | None = None
    achievable_factor_average: float | None = None
    effective_factor: float | None = None
    step_overruns: int = 0


@dataclass(frozen=True, slots=True)
class LoadedPlugin:
    """A plugin of an opened library."""

    id: str = ""
    version: str = ""
    abi: str = ""


@dataclass(frozen=True, slots=True)
class Versions:
    """Versions of the program and of what it has loaded."""

    program: str = ""
    abi: str = ""
    loaded: tuple[LoadedPlugin, ...] = ()


@dataclass(frozen=True, slots=True)
class RunResult:
    """The result of a run."""

    schema: str = SCHEMA
    outcome: str = ""
    """One of `Outcome`."""
    cause: str = ""
    exit_code: ExitCode | int = 0
    """One of `ExitCode`; 128 and the number of a signal after a crash."""
    world: str | None = None
    seed: int = 0
    steps: int = 0
    time_ns: int = 0
    total_steps: int = 0
    resets: int = 0
    wall_s: float = 0.0
    real_time_factor: float | None = None
    state_hash: str | None = None
    topics: tuple[TopicResult, ...] = ()
    bridges: tuple[BridgeResult, ...] = ()
    plugins: tuple[PluginResult, ...] = ()
    unsupported: tuple[UnsupportedResult, ...] = ()
    triggers: tuple[TriggerResult, ...] = ()
    triggers_left_out: int = 0
    statistics: Statistics = field(default_factory=Statistics)
    versions: Versions = field(default_factory=Versions)
    errors: tuple[str, ...] = ()

    @staticmethod
    def read(path: str | os.PathLike[str]) -> RunResult:
        """Reads a result file.

        Raises:
            BridgeheadError: `BH-PYC-010` if there is none, `BH-PYC-007` if it has another form.

        """
        try:
            text = Path(path).read_text(encoding="utf-8")
        except OSError as error:
            raise BridgeheadError(ClientCode.NO_RESULT, f"there is no result file: {error}") from error
        try:
            members = json.loads(text)
            if not isinstance(members, dict) or members.get("schema") != SCHEMA:
                raise NotThisTypeError(f"expected the schema `{SCHEMA}`")
            return from_json(RunResult, members)
        except ValueError as error:
            text = f"`{path}` is no result file of this version: {error}"
            raise BridgeheadError(ClientCode.NOT_A_HOST, text) from error

    def topic(self, name: str) -> TopicResult:
        """Returns the topic with this full name."""
        for one in self.topics:
            if one.name == name:
                return one
        raise KeyError(name)
