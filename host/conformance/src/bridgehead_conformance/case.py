"""A case: a claim of the standard with the function that checks it, and the outcome of running it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bridgehead_conformance.simulator import Simulator

Check = Callable[["Simulator"], None]

PASSED, FAILED, SKIPPED, UNSPECIFIED, ERROR = "passed", "failed", "skipped", "unspecified", "error"
KINDS = (PASSED, FAILED, UNSPECIFIED, SKIPPED, ERROR)


class Mismatch(Exception):  # noqa: N818
    """The simulator answered otherwise than the standard says."""


class Missing(Exception):  # noqa: N818
    """A case lacks something that it needs, apart from features."""


class Undescribed(Missing):
    """The description of the simulator lacks something that a case needs; its text is a name or key of that."""


@dataclass(frozen=True)
class Clause:
    """The place of the standard that a case is about: the file, the field or constant, and what it says in short."""

    file: str
    field: str
    says: str


@dataclass(frozen=True)
class Case:
    """One claim. `needs` are numbers of features, `start` the state in which it begins."""

    id: str
    service: str
    clause: Clause
    check: Check
    needs: frozenset[int] = frozenset()
    start: str = "stopped"
    last: bool = False


@dataclass
class Outcome:
    """What came of a case. `answers` are those to questions that the standard leaves open, by their names."""

    kind: str
    text: str = ""
    answers: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    # What the description lacks.
    lacks: str = ""


class Group:
    """Cases about one service, whose features all of them need."""

    def __init__(self, cases: list[Case], service: str, *needs: int) -> None:
        self._cases, self._service, self._needs = cases, service, needs

    def case(
        self,
        id: str,  # noqa: A002
        file: str,
        field: str,
        says: str,
        *,
        needs: tuple[int, ...] = (),
        start: str = "stopped",
        last: bool = False,
    ) -> Callable[[Check], Check]:
        """Adds a case with the function that it decorates."""

        def add(check: Check) -> Check:
            all_needs = frozenset((*self._needs, *needs))
            self._cases.append(Case(id, self._service, Clause(file, field, says), check, all_needs, start, last))
            return check

        return add
