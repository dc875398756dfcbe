"""A host that is started here, and ends with its block."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Self

from bridgehead._arguments import Options, arguments
from bridgehead._async.client import AsyncClient
from bridgehead._async.io import run
from bridgehead._process import Process
from bridgehead._program import find_program
from bridgehead.errors import BridgeheadError, ClientCode
from bridgehead.results import RunResult
from bridgehead.steps import StepChannel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType

    from bridgehead.steps import Item

# Time to end after SIGTERM. The host itself gives up after 8 s.
GRACE = 12.0


class AsyncHost(AsyncClient):
    """A host that is started with `async with`, and a client of it.

    The host serves on a free port of this machine. It ends with the block: by SIGTERM, and by SIGKILL if that takes
    too long. If this process dies, the kernel ends the host.

    Args:
        world: File of the world, or the name of an installed one; without it, the host waits for `load`.
        config: Configuration file.
        start: State after the world is loaded: `playing`, `paused` or `stopped`.
        speed: Simulated seconds per second, or `unlimited`.
        duration: Simulated time after which the run ends, such as `10s`.
        seed: Seed of all random numbers.
        bridges: Bridges, as for `--bridge`: `*=logging:run.mcap`.
        plugin_path: Folders and files to search for plugins before all others.
        output: Folder of the files that the run writes; without it, a temporary one.
        result: File for the result; without it, a temporary one.
        step_channel: True to open the socket of `channel`.
        args: Further arguments of `bridgehead run`.
        env: Environment variables that are added to those of this process.
        cwd: Working directory of the host.
        program: The program; without it, the one of `BRIDGEHEAD_PROGRAM`, of this package or of the path.
        start_timeout: Wall time until the world is loaded, seconds.
        timeout: Wall time for the answer of a request, seconds.
        token: Token, if the configuration sets one.

    """

    def __init__(
        self,
        world: str | os.PathLike[str] | None = None,
        *,
        config: str | os.PathLike[str] | None = None,
        start: str | None = None,
        speed: float | str | None = None,
        duration: str | None = None,
        seed: int | None = None,
        bridges: Sequence[str] = (),
        plugin_path: Sequence[str | os.PathLike[str]] = (),
        output: str | os.PathLike[str] | None = None,
        result: str | os.PathLike[str] | None = None,
        step_channel: bool = False,
        args: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        program: str | os.PathLike[str] | None = None,
        start_timeout: float = 60.0,
        timeout: float = 60.0,
        token: str | None = None,
    ) -> None:
        super().__init__(token=token, timeout=timeout)
        # Until it is started, requests must not reach another host at the usual address.
        self._connections.refuse("this host was not started; use it in a `with` block, or call `start` first")
        self._options = Options(
            world, config, start, speed, duration, seed, tuple(bridges), tuple(plugin_path), tuple(args)
        )
        self._output, self._result, self._has_channel = output, result, step_channel
        self._env = None if env is None else {**os.environ, **env}
        self._cwd = cwd
        self._program = program
        self._start_timeout = start_timeout
        self._process: Process | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._found: RunResult | None = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def start(self) -> None:
        """Starts the host, and wait until its world is loaded. `async with` calls this."""
        program, self._found = find_program(self._program), None
        self._folder = tempfile.TemporaryDirectory(prefix="bridgehead-")
        self._result = Path(self._result or Path(self._folder.name) / "result.json").absolute()
        given = arguments(self._options, self._output or self._folder.name, self._result, self._channel_path())
        try:
            self._process = await run(Process, program, given, self._cwd, self._env)
            await self._connect(self._process)
        except BaseException:
            await self.end()
            raise

    async def _connect(self, process: Process) -> None:
        address = await run(process.wait_for_address, self._start_timeout)
        AsyncClient.__init__(self, address, token=self._token, timeout=self._timeout)
        try:
            await self.wait_until_loaded(self._start_timeout)
        except BridgeheadError as error:
            if error.code in {ClientCode.UNREACHABLE, ClientCode.CONNECTION_LOST, "BH-WEB-030"}:
                await run(process.wait, GRACE)
                # A run that was short enough has ended regularly.
                if process.exit_code != 0:
                    raise process.failure() from error
                return
            raise
        # With `keep_alive`, a host without a world serves requests.
        status = (await self.get_status()).status
        if self._options.world is not None and status.errors and not status.world:
            raise process.failure()

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._running().pid

    @property
    def log(self) -> tuple[str, ...]:
        """The last lines of the output of the host."""
        return () if self._process is None else self._process.log

    @property
    def exit_code(self) -> int | None:
        """The exit code; None while the host runs."""
        return None if self._process is None else self._process.exit_code

    @property
    def result(self) -> RunResult:
        """The result of the run, after its end.

        Raises:
            BridgeheadError: `BH-PYC-010` if there is none, as after SIGKILL.

        """
        if self._found is None:
            self._found = self._read_result()
        return self._found

    def _read_result(self) -> RunResult:
        process = self._running()
        if process.exit_code is None:
            raise BridgeheadError(ClientCode.NO_RESULT, "the run has not ended; call `wait` or `end` first")
        try:
            return RunResult.read(self._result or "")
        except BridgeheadError as error:
            text = f"the host ended with exit code {process.exit_code} without a result"
            raise BridgeheadError(error.code, text, exit_code=process.exit_code, log=process.log[-8:]) from error

    def _running(self) -> Process:
        if self._process is None:
            raise BridgeheadError(ClientCode.UNREACHABLE, "the host was not started; use it in a `with` block")
        return self._process

    def _channel_path(self) -> Path | None:
        return Path(self._folder.name) / "steps" if self._folder is not None and self._has_channel else None

    async def channel(self, actions: Sequence[Item] = (), observations: Sequence[Item] = ()) -> StepChannel:
        """Opens the step channel: commands, steps and observations in one round trip, as arrays.

        Its steps block, also in asyncio; they need no event loop.

        Args:
            actions: Fields of messages that steps publish, as for `StepChannel`.
            observations: What is read, as for `StepChannel`.

        Raises:
            BridgeheadError: `BH-PYC-004` if the host was started without `step_channel=True`.

        """
        path = self._channel_path()
        if path is None:
            text = "the host has no step channel; start it with `step_channel=True`"
            raise BridgeheadError(ClientCode.UNREACHABLE, text)
        return await run(StepChannel, path, actions, observations, timeout=self._timeout)

    async def wait(self, timeout: float | None = None) -> RunResult:
        """Waits for the end of the run, for example after its `duration`, and return its result.

        Args:
            timeout: Wall time to wait, seconds.

        Raises:
            BridgeheadError: `BH-PYC-012` if it has not ended then.

        """
        if await run(self._running().wait, timeout) is None:
            raise BridgeheadError(ClientCode.NOT_ENDED, f"the run did not end within {timeout} s")
        return self.result

    async def end(self, grace: float = GRACE) -> int | None:
        """Ends the host, and return its exit code.

        Args:
            grace: Wall time after SIGTERM until SIGKILL, seconds.

        """
        await self.close()
        if self._process is None:
            self._clean()
            return None
        code = await run(self._process.end, grace)
        self._connections.refuse(f"this host has ended with exit code {code}")
        if self._found is None and self._result is not None and Path(self._result).is_file():
            self._found = RunResult.read(self._result)
        self._clean()
        return code

    def _clean(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.end()
