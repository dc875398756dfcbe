"""A world for scenarios of scenario_execution, in steps of its behaviour tree, over the step channel.

    BRIDGEHEAD_SIM_WORLD=two_vehicles scenario_execution drive.osc --simulation bridgehead.scenario_execution:Simulation

A subclass in a file of yours names world, commands and observations; `docs/scenario-execution.md` has an example. This
module needs scenario_execution: `pip install scenario_execution`.
"""

from __future__ import annotations

import contextlib
import math
import os
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from bridgehead._sync.host import Host
from bridgehead.errors import BridgeheadError, ClientCode
from bridgehead.steps import StepChannel, StepFlag

try:
    from scenario_execution.simulation import SimulationInterface
except ImportError as error:  # pragma: no cover
    raise BridgeheadError(
        ClientCode.VALUE_INVALID,
        "bridgehead.scenario_execution needs scenario_execution; try: pip install scenario_execution",
    ) from error

if TYPE_CHECKING:
    from bridgehead.results import RunResult
    from bridgehead.steps import Item

VARIABLE = "BRIDGEHEAD_SIM_"
# After these, the steps of a tick are not what the clock of the scenario counts.
BROKEN = StepFlag.RESET | StepFlag.ENDED | StepFlag.CUT_SHORT


class StepLostError(BridgeheadError, KeyboardInterrupt):
    """A tick could not be simulated.

    It is a KeyboardInterrupt too: after this one, scenario_execution fails the scenario and writes `test.xml`; after
    any other exception of a step, it ends without the file.
    """


class Simulation(SimulationInterface):  # type: ignore[misc]
    """A host that runs the steps of each tick, and returns to the world as it was loaded before each scenario.

    The variables `BRIDGEHEAD_SIM_WORLD`, `…_DT`, `…_ACTIONS`, `…_OBSERVATIONS`, with semicolons between the items, and
    `…_ARGS`, further arguments of `bridgehead run`, replace what a subclass says.

    Attributes:
        host: The host, a client with all services.
        channel: The step channel. A behaviour must not step it: ticks would have more steps than the clock counts.

    Raises:
        BridgeheadError: `BH-PYC-016` if no world is named, or the duration of a tick is not a positive number.

    """

    world: ClassVar[str | os.PathLike[str] | None] = None
    """The world: a file, or the name of an installed one."""
    tick: ClassVar[float] = 0.1
    """Simulated time of a tick of the behaviour tree, seconds: a multiple of the step of the world."""
    actions: ClassVar[Sequence[Item]] = ()
    """Numbers that behaviours send, as for `StepChannel`."""
    observations: ClassVar[Sequence[Item]] = ()
    """Numbers that behaviours read, as for `StepChannel`."""
    options: ClassVar[Mapping[str, Any]] = {}
    """Further arguments of `bridgehead.Host`, such as `seed`, `config` or `plugin_path`."""

    host: Host
    channel: StepChannel

    def __init__(self) -> None:
        self._world = _setting("WORLD", self.world)
        if self._world is None:
            text = f"no world is named; set the variable {VARIABLE}WORLD, or `world` of a subclass of Simulation"
            raise BridgeheadError(ClientCode.SETTING_INVALID, text)
        self._dt = _positive(_setting("DT", self.tick))
        self._actions, self._observations = _items("ACTIONS", self.actions), _items("OBSERVATIONS", self.observations)
        self._args = shlex.split(str(_setting("ARGS", "")))
        self._count = 0
        self._logger: Any = None

    @property
    def dt(self) -> float:
        """Simulated time of a tick, seconds."""
        return self._dt

    def setup(self, **kwargs: Any) -> None:
        """Starts the host. Files of the run, such as `result.json`, are written into the output folder of scenarios.

        Raises:
            BridgeheadError: if the host does not start, or a tick is not a whole number of steps of the world.

        """
        self._logger = kwargs["logger"]
        options = {**self.options, "args": [*self.options.get("args", ()), *self._args]}
        if folder := kwargs.get("output_dir"):
            options = {"output": folder, "result": Path(folder) / "result.json", **options}
        self.host = Host(self._world, start="paused", step_channel=True, **options)
        self.host.start()
        try:
            self.channel = self.host.channel(self._actions, self._observations)
            self._count = _steps(self._dt, self.channel.width)
        except BaseException:
            self.shutdown()
            raise
        self._logger.info(f"Bridgehead simulates {self._world}: {self._count} steps for each tick of {self._dt} s")

    def reset(self) -> None:
        """Returns to the world as it was loaded: time 0, without what was spawned; nothing is sent until it is set.

        A subclass may give this method arguments: they have the values of the parameters of the scenario.
        """
        self.channel.reset()
        for index in range(len(self.channel.actions)):
            # Of a topic without numbers, no message is sent.
            self.channel.actions[index] = math.nan

    def step(self) -> None:
        """Sends what is set, and runs the steps of a tick.

        Raises:
            StepLostError: `BH-PYC-005` if the host has died, `BH-PYC-015` if the run has ended or somebody else has
                paused or reset it.

        """
        try:
            self.channel.step(n=self._count)
        except BridgeheadError as error:
            self._give_up(error.code, error.message)
        flags = self.channel.flags
        if flags & BROKEN:
            text = f"a tick is incomplete ({flags.name}): the run has ended, or somebody has paused or reset it"
            self._give_up(ClientCode.STEPS_INCOMPLETE, text)

    def _give_up(self, code: str | None, message: str) -> NoReturn:
        if code == ClientCode.CONNECTION_LOST:
            # Until its exit code is known. A host that was killed leaves no result.
            with contextlib.suppress(BridgeheadError):
                self.host.wait(2.0)
        lost = StepLostError(code, message, exit_code=self.host.exit_code, log=self.host.log[-8:])
        # The verdict that scenario_execution writes has no reason.
        self._logger.error(f"Simulation lost: {lost}")
        raise lost

    def __getitem__(self, item: Item) -> Any:
        """Returns the numbers of a declared observation after the last tick, a view that the next tick overwrites."""
        return self.channel[item]

    def __setitem__(self, item: Item, value: float) -> None:
        """Sets what each of the next ticks sends for a declared action; NaN for all numbers of a topic ends this."""
        words = tuple(item.split()) if isinstance(item, str) else tuple(item)
        for place in self.channel.action_places:
            if place.item == words and place.length:
                self.channel.actions[place.begin] = value
                return
        known = ", ".join(f"`{' '.join(place.item)}`" for place in self.channel.action_places if place.length)
        raise KeyError(f"`{' '.join(words)}` is not a declared action; there are {known or 'none'}")

    @property
    def result(self) -> RunResult:
        """The result of the run, after `shutdown`."""
        return self.host.result

    def shutdown(self) -> None:
        """Ends the host."""
        with contextlib.suppress(AttributeError):
            self.channel.close()
        self.host.end()


def _setting(name: str, default: Any) -> Any:
    return os.environ.get(f"{VARIABLE}{name}") or default


def _items(name: str, default: Sequence[Item]) -> Sequence[Item]:
    text = _setting(name, None)
    return default if text is None else [item.strip() for item in text.split(";") if item.strip()]


def _positive(value: Any) -> float:
    with contextlib.suppress(TypeError, ValueError):
        if 0.0 < (number := float(value)) < math.inf:
            return number
    text = f"a tick has a positive number of seconds, found `{value}`; see {VARIABLE}DT and `tick` of the class"
    raise BridgeheadError(ClientCode.SETTING_INVALID, text)


def _steps(dt: float, width: float) -> int:
    """Returns the number of steps in a tick."""
    count, rest = divmod(round(dt * 1e9), round(width * 1e9))
    if rest or not count:
        text = f"a tick has a whole number of steps of the world, which are {width} s; found a tick of {dt} s"
        raise BridgeheadError(ClientCode.SETTING_INVALID, f"{text}; see {VARIABLE}DT and `tick` of the class")
    return count
