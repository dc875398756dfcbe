"""The cases of the suite, by the parts of the standard."""

from __future__ import annotations

from bridgehead_conformance.case import Case
from bridgehead_conformance.cases import (
    bounds,
    deletion,
    entities,
    every_state,
    features,
    filters,
    goals,
    info,
    poses,
    resets,
    several,
    spawning,
    states,
    steps,
    wire,
    world_lists,
    worlds,
)

MODULES = (
    features,
    states,
    spawning,
    several,
    deletion,
    entities,
    filters,
    info,
    bounds,
    poses,
    resets,
    steps,
    goals,
    worlds,
    world_lists,
    every_state,
    wire,
)


def all_cases() -> list[Case]:
    """Returns all cases, in the order in which they run."""
    cases = [case for module in MODULES for case in module.CASES]
    return sorted(cases, key=lambda case: case.last)
