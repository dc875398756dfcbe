"""Goals of actions."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from bridgehead.messages.simulation_interfaces import Result


class GoalState(StrEnum):
    """How far a goal is."""

    UNKNOWN = "unknown"
    ACCEPTED = "accepted"
    EXECUTING = "executing"
    CANCELING = "canceling"
    SUCCEEDED = "succeeded"
    CANCELED = "canceled"
    ABORTED = "aborted"


@dataclass(frozen=True, slots=True)
class GoalAcceptance:
    """The answer to a new goal."""

    goal_id: str = ""
    """Names the goal."""
    accepted: bool = False
    """Whether the goal is pursued."""


@dataclass(frozen=True, slots=True)
class GoalCancellation:
    """The answer to a cancellation."""

    goal_id: str = ""
    """Names the goal."""
    canceling: bool = False
    """Whether it is being cancelled."""


@dataclass(frozen=True, slots=True)
class Goal:
    """The progress of a goal, and its result after its end."""

    goal_id: str = ""
    """Names the goal."""
    status: str = GoalState.UNKNOWN.value
    """One of `GoalState`."""
    status_code: int = 0
    """The same, as in `action_msgs/msg/GoalStatus`."""
    completed_steps: int = 0
    """Executed steps."""
    remaining_steps: int = 0
    """Steps that are left."""
    result: Result | None = field(default=None)
    """None until the goal has ended."""

    @property
    def is_done(self) -> bool:
        """True if the goal has ended."""
        return self.status in {GoalState.SUCCEEDED, GoalState.CANCELED, GoalState.ABORTED}
