"""The exception of this package, and the codes of failures that it finds itself.

A failure that the host reports has the code of the host, which `docs/errors.md` explains.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any


class ClientCode(StrEnum):
    """Codes of failures that are found by the client."""

    PROGRAM_MISSING = "BH-PYC-001"
    """The program of the host was not found."""
    START_FAILED = "BH-PYC-002"
    """The host ended before it served requests."""
    START_TIMEOUT = "BH-PYC-003"
    """The host did not serve requests in time."""
    UNREACHABLE = "BH-PYC-004"
    """No connection to the host was possible."""
    CONNECTION_LOST = "BH-PYC-005"
    """The connection ended before the answer was complete."""
    TIMEOUT = "BH-PYC-006"
    """The host did not answer in time."""
    NOT_A_HOST = "BH-PYC-007"
    """The answer does not have the form of the declarations."""
    NO_EVENT = "BH-PYC-008"
    """The awaited event did not happen in time."""
    SUBSCRIPTION_ENDED = "BH-PYC-009"
    """The WebSocket was closed, as at the end of a run."""
    NO_RESULT = "BH-PYC-010"
    """The host left no result file."""
    ADDRESS_INVALID = "BH-PYC-011"
    """The address of the host is not valid."""
    NOT_ENDED = "BH-PYC-012"
    """The run did not end in time."""
    VALUE_INVALID = "BH-PYC-013"
    """A value cannot be sent."""
    GOAL_REFUSED = "BH-PYC-014"
    """A goal was refused, because another one runs."""
    STEPS_INCOMPLETE = "BH-PYC-015"
    """Steps that a scenario counts were not simulated."""
    SETTING_INVALID = "BH-PYC-016"
    """A setting of the simulation for scenarios is missing or not valid."""


class BridgeheadError(Exception):
    """A request failed, or the host did.

    Attributes:
        code: Stable code, explained in `docs/errors.md`; None if the host gave none.
        message: What failed and what to try.
        result: Number of the result, as an enum if it is known; None if the request was not served.
        service: Name of the service; None outside of calls.
        status: Status of HTTP; None without an answer.
        path: Member of the request that is wrong.
        allowed: Requests that the state of the host allows.
        response: Typed response of the service, with what it contains beside the result.
        exit_code: Exit code of the host, if it ended.
        log: Last lines of the log of a host that failed to start or was lost.

    """

    def __init__(
        self,
        code: str | None,
        message: str,
        *,
        result: int | None = None,
        service: str | None = None,
        status: int | None = None,
        path: str | None = None,
        allowed: tuple[str, ...] = (),
        response: Any = None,
        exit_code: int | None = None,
        log: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message)
        self.code = None if code is None else str(code)
        self.message = message
        self.result = result
        self.service = service
        self.status = status
        self.path = path
        self.allowed = allowed
        self.response = response
        self.exit_code = exit_code
        self.log = log

    def __str__(self) -> str:
        head = self.message if self.code is None else f"[{self.code}] {self.message}"
        name = getattr(self.result, "name", self.result)
        where = [f"in {self.service}" if self.service else "", f"result {name}" if self.result is not None else ""]
        where = [part for part in where if part]
        lines = [f"{head} ({', '.join(where)})" if where else head]
        if self.allowed:
            lines.append(f"  allowed: {', '.join(self.allowed)}")
        lines += [f"  | {line}" for line in self.log]
        return "\n".join(lines)
