"""Constants of messages, as enums whose members are printed with their names."""

from __future__ import annotations

from enum import IntEnum


class Constants(IntEnum):
    """Numbers that are printed with their names, as `SimulationStateCode.PLAYING` and not as `1`."""

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    def __format__(self, spec: str) -> str:
        # `f"{state:02}"` formats the number.
        return str(self) if spec == "" else format(self.value, spec)
