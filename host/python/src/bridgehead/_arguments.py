"""The command line of a host."""

from __future__ import annotations

import os
from dataclasses import dataclass

Path = str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class Options:
    """What a host is started with."""

    world: Path | None
    config: Path | None
    start: str | None
    speed: float | str | None
    duration: str | None
    seed: int | None
    bridges: tuple[str, ...]
    plugin_path: tuple[Path, ...]
    args: tuple[str, ...]


def arguments(options: Options, output: Path, result: Path, step_channel: Path | None = None) -> list[str]:
    """Returns the arguments of the program. Options that are None are left to the configuration file."""
    found = ["run", "--http", "127.0.0.1:0", "--output", os.fspath(output), "--result", os.fspath(result)]
    named = {
        "--config": options.config,
        "--start": options.start,
        "--speed": options.speed,
        "--duration": options.duration,
        "--seed": options.seed,
        "--step-channel": step_channel,
    }
    for flag, value in named.items():
        if value is not None:
            found += [flag, os.fspath(value) if isinstance(value, os.PathLike) else str(value)]
    for bridge in options.bridges:
        found += ["--bridge", bridge]
    for path in options.plugin_path:
        found += ["--plugin-path", os.fspath(path)]
    found += options.args
    # Last, because a world may be named like a flag.
    return found if options.world is None else [*found, "--", os.fspath(options.world)]
