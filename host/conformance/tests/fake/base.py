"""What all services of the fake share."""

from __future__ import annotations

from fake.world import STEP_NS, World


class Base:
    """The state of the fake."""

    def __init__(self, faults: frozenset[str] = frozenset()) -> None:
        self.faults = faults
        self.asked: set[str] = set()
        self.world: World | None = None
        self.state = 4
        self.time = 0
        # Names of entities that were deleted from this world.
        self.deleted: set[str] = set()

    def has(self, fault: str) -> bool:
        """Whether a fault is planted."""
        self.asked.add(fault)
        return fault in self.faults

    def step(self, steps: int = 1) -> None:
        """Runs steps."""
        assert self.world is not None
        for _ in range(steps):
            self.time += STEP_NS
            for entity in self.world.entities.values():
                entity.step()
