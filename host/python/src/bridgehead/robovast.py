"""The simulator backend of RoboVAST, found by its entry point `bridgehead`; `docs/robovast.md` has an example.

It states commands and variables only: what needs the program runs in the image of the campaign, by
`bridgehead.robovast_commands`.
"""

from __future__ import annotations

import math
import os
import shlex
from pathlib import Path, PurePosixPath
from typing import Any

from pydantic import BaseModel, ConfigDict, field_validator
from robovast.common.execution import MEMBER_ROBOVAST, family_image_ref
from robovast.common.simulators import (
    CONFIG_MOUNT,
    SCENARIO_CONTAINER,
    SHAPE_ROS,
    SHAPE_STEPPED,
    SIMULATION_CONTAINER,
    ContainerQuery,
    SimulatorBackend,
    shape_for,
    simulator_image,
)
from robovast.common.variation.container_runner import ContainerSpec

# RoboVAST splits the command of a container at spaces, without quotes: everything with other characters is passed in
# variables.
COMMANDS = ("python3", "-m", "bridgehead.robovast_commands")
ADAPTER = "bridgehead.scenario_execution:Simulation"
# What a change of the world begins with: `--set world.model[…]`.
ROOT = "world"
Leaves = dict[str, str]


class BridgeheadConfig(BaseModel):
    """Keys of the `simulation` block for this backend."""

    model_config = ConfigDict(extra="forbid")

    world_file: str
    """A file beside the campaign, or the name of an installed world."""
    config: str | None = None
    """A configuration file beside the campaign."""
    files: list[str] = []
    """Further files that travel, as patterns relative to the campaign: models, meshes, configurations."""
    overrides: dict[str, Any] | None = None
    """Values of the world, as nested paths of `--set`."""
    bridges: list[str] = ["*=ros2:"]
    """Bridges of a simulator in a container of its own."""
    args: list[str] = []
    """Further arguments of `bridgehead run`."""
    tick: float = 0.1
    """Simulated time of a tick of the behaviour tree, seconds, if scenario_execution steps."""
    actions: list[str] = []
    """Numbers that behaviours send, if scenario_execution steps."""
    observations: list[str] = []
    """Numbers that behaviours read, if scenario_execution steps."""
    adapter: str | None = None
    """`module:Class` of a subclass of the adapter, with the parameters of a campaign."""

    @field_validator("overrides")
    @classmethod
    def _addresses_the_world(cls, value: dict[str, Any] | None) -> dict[str, Any] | None:
        # Anything else would change nothing, and each run of a sweep would be the same.
        for root in sorted(value or {}):
            if root != ROOT:
                raise ValueError(
                    f"`{root}` is no part of a world; a path is that of `--set`, such as {ROOT}.model[robot]"
                )
        for path, leaf in _leaves(value or {}).items():
            if not leaf:
                raise ValueError(f"`{path}` has no value")
        return value

    @field_validator("actions", "observations")
    @classmethod
    def _has_no_semicolon(cls, items: list[str]) -> list[str]:
        if any(";" in item for item in items):
            raise ValueError("an item has no semicolon, which separates items")
        return items

    @field_validator("tick")
    @classmethod
    def _is_positive(cls, tick: float) -> float:
        if not 0.0 < tick < math.inf:
            raise ValueError("a tick has a positive number of seconds")
        return tick


class BridgeheadBackend(SimulatorBackend):  # type: ignore[misc]
    """Bridgehead beside the scenario, with ROS 2, or inside of it, stepped by scenario_execution."""

    CONFIG_CLASS = BridgeheadConfig
    SUPPORTED_SHAPES = (SHAPE_STEPPED, SHAPE_ROS)
    DOTTED_ROOT = "overrides"

    def containers(self, cfg: BridgeheadConfig, execution: dict[str, Any]) -> dict[str, Any]:
        """Returns the image of RoboVAST, to which a campaign adds the wheel, and the command of a container."""
        image = family_image_ref(MEMBER_ROBOVAST)
        if _is_stepped(execution):
            return {SCENARIO_CONTAINER: {"image": image}}
        return {SIMULATION_CONTAINER: {"image": image, "command": [*COMMANDS, "run"]}}

    def simulation_ref(self, cfg: BridgeheadConfig, execution: dict[str, Any]) -> str:
        """Returns the adapter for scenario_execution."""
        return cfg.adapter or ADAPTER

    def env(self, cfg: BridgeheadConfig, execution: dict[str, Any]) -> dict[str, str]:
        """Returns what the adapter and the command `run` read."""
        args = [*cfg.args]
        if cfg.config is not None:
            args += ["--config", _in_container(cfg.config)]
        for path, value in _leaves(cfg.overrides or {}).items():
            args += ["--set", f"{path}={value}"]
        if _is_stepped(execution):
            of_shape = {
                "BRIDGEHEAD_SIM_DT": repr(cfg.tick),
                "BRIDGEHEAD_SIM_ACTIONS": ";".join(cfg.actions),
                "BRIDGEHEAD_SIM_OBSERVATIONS": ";".join(cfg.observations),
            }
        else:
            of_shape = {}
            for bridge in cfg.bridges:
                args += ["--bridge", bridge]
        world = cfg.world_file if _is_installed(cfg.world_file) else _in_container(cfg.world_file)
        return {"BRIDGEHEAD_SIM_WORLD": world, "BRIDGEHEAD_SIM_ARGS": shlex.join(args), **of_shape}

    def input_files(self, cfg: BridgeheadConfig, execution: dict[str, Any], vast_dir: str) -> list[str]:
        """Returns world, configuration and the files that the patterns name, relative to the campaign."""
        named = [] if _is_installed(cfg.world_file) else [cfg.world_file]
        named += [] if cfg.config is None else [cfg.config]
        found = [_normal(name) for name in named if not name.startswith("/")]
        for pattern in cfg.files:
            paths = sorted(path for path in Path(vast_dir).glob(pattern) if path.is_file())
            found += [path.relative_to(vast_dir).as_posix() for path in paths]
        return list(dict.fromkeys(found))

    def describe_query(
        self, cfg: BridgeheadConfig, execution: dict[str, Any], *, entities: bool = False, targets: str = ""
    ) -> ContainerQuery:
        """Returns the question for models, links and joints of the world, in the image of the campaign."""
        image = simulator_image(execution, self.containers(cfg, execution))
        world = cfg.world_file if _is_installed(cfg.world_file) else _in_container(cfg.world_file)
        command = [*COMMANDS, "describe", *(["--entities"] if entities else []), world]
        return ContainerQuery(ContainerSpec(image=image), command)

    def health_command(self, cfg: BridgeheadConfig, execution: dict[str, Any], *, run_dir: str) -> str | None:
        """Returns the question for state and errors of a run in a container of its own."""
        # Inside of the scenario, the host has a port that nobody knows.
        return None if _is_stepped(execution) else shlex.join([*COMMANDS, "health"])


def _is_stepped(execution: dict[str, Any]) -> bool:
    return bool(shape_for(execution.get("mode", "auto")) == SHAPE_STEPPED)


def _is_installed(world: str) -> bool:
    """Returns true for the name of an installed world, which is no file of the campaign."""
    return "/" not in world and not PurePosixPath(world).suffix


def _in_container(path: str) -> str:
    return path if path.startswith("/") else f"{CONFIG_MOUNT}/{_normal(path)}"


def _normal(path: str) -> str:
    return os.path.normpath(path)


def _leaves(node: dict[str, Any], prefix: str = "") -> Leaves:
    """Returns paths of `--set`, whose parts are separated by dots, and their values as SDF writes them."""
    found: Leaves = {}
    for key, value in node.items():
        path = f"{prefix}{key}"
        found.update(_leaves(value, f"{path}.") if isinstance(value, dict) and value else {path: _as_sdf(value)})
    return found


def _as_sdf(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return " ".join(_as_sdf(item) for item in value)
    return "" if value is None or value == {} else str(value)
