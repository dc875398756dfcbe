"""The process of a host: started, read, and ended in every case."""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from typing import TYPE_CHECKING

from bridgehead.errors import BridgeheadError, ClientCode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

# Lines of the log that are kept.
LOG_LINES = 2000
# Lines in the text of an error.
SHOWN_LINES = 8

_ADDRESS = re.compile(r"http://(\S+:\d+) serves the control plane")
_ERROR = re.compile(r"^error\[(BH-[A-Z]{3}-\d{3})\]: (.*)")


class Process:
    """A host that was started by this process, and ends with it."""

    def __init__(
        self, program: Path, arguments: Sequence[str], cwd: str | os.PathLike[str] | None, env: Mapping[str, str] | None
    ) -> None:
        self._lines: deque[str] = deque(maxlen=LOG_LINES)
        self._changed = threading.Condition()
        self._address: str | None = None
        self._is_read = False
        command = [*_dies_with_parent(), str(program), *arguments]
        try:
            self._child = _spawner.start(command, cwd, env)
        except OSError as error:
            text = f"`{program}` could not be started: {error}"
            raise BridgeheadError(ClientCode.PROGRAM_MISSING, text) from error
        _living.add(self)
        # Reads to the end, so that the host never waits for a reader of its log.
        self._reader = threading.Thread(target=self._read, name="bridgehead-log", daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._child.stdout is not None
        with self._child.stdout as output:
            for raw in output:
                line = raw.decode(errors="replace").rstrip("\n")
                with self._changed:
                    self._lines.append(line)
                    if self._address is None and (found := _ADDRESS.search(line)):
                        self._address = found[1]
                    self._changed.notify_all()
        with self._changed:
            self._is_read = True
            self._changed.notify_all()

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._child.pid

    @property
    def log(self) -> tuple[str, ...]:
        """The last lines of the output."""
        with self._changed:
            return tuple(self._lines)

    @property
    def exit_code(self) -> int | None:
        """The exit code as shells report it; None while the process runs."""
        code = self._child.poll()
        return None if code is None else _as_in_shells(code)

    def wait_for_address(self, timeout: float) -> str:
        """Returns `HOST:PORT` at which the host serves.

        Raises:
            BridgeheadError: if it ended before, or did not serve in time.

        """
        with self._changed:
            self._changed.wait_for(lambda: self._address is not None or self._is_read, timeout)
            address, has_ended = self._address, self._is_read
        if address is not None:
            return address
        if has_ended:
            self.wait(timeout)
            raise self.failure()
        text = f"the host did not serve HTTP within {timeout} s; is the log level lowered?"
        raise BridgeheadError(ClientCode.START_TIMEOUT, text, log=self.log[-SHOWN_LINES:])

    def failure(self) -> BridgeheadError:
        """Returns why the host ended: its first error, or its exit code."""
        code: str = ClientCode.START_FAILED
        text = f"the host ended with exit code {self.exit_code}"
        for line in self.log:
            if found := _ERROR.match(line):
                code, text = found[1], found[2]
                break
        return BridgeheadError(code, text, exit_code=self.exit_code, log=self.log[-SHOWN_LINES:])

    def wait(self, timeout: float | None) -> int | None:
        """Waits for the end, and return the exit code; None if the process still runs."""
        try:
            code = self._child.wait(timeout)
        except subprocess.TimeoutExpired:
            return None
        # A child of the host may keep the pipe open.
        self._reader.join(1.0)
        _living.discard(self)
        return _as_in_shells(code)

    def end(self, grace: float) -> int:
        """Ends the process by SIGTERM, and after `grace` seconds by SIGKILL."""
        self.signal(signal.SIGTERM)
        code = self.wait(grace)
        if code is None:
            self.signal(signal.SIGKILL)
            code = self.wait(None)
        assert code is not None
        return code

    def signal(self, number: int) -> None:
        """Sends a signal; without effect if the process has ended."""
        with contextlib.suppress(ProcessLookupError):
            self._child.send_signal(number)


def _as_in_shells(code: int) -> int:
    return code if code >= 0 else 128 - code


def _dies_with_parent() -> list[str]:
    """Returns a command that lets the kernel end the process if this one dies, where it exists."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "TERM", "--"] if setpriv else []


class _Spawner:
    """A thread that starts all hosts.

    The kernel sends the signal of `setpriv` when the thread that started the process ends. This one lives as long as
    the interpreter.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tasks: queue.SimpleQueue[Callable[[], None]] | None = None

    def forget(self) -> None:
        """Starts another thread next time: a forked process has none."""
        self.__init__()  # type: ignore[misc]

    def start(
        self, command: list[str], cwd: str | os.PathLike[str] | None, env: Mapping[str, str] | None
    ) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._tasks is None:
                self._tasks = queue.SimpleQueue()
                threading.Thread(target=self._run, args=(self._tasks,), name="bridgehead-spawn", daemon=True).start()
        answer: queue.SimpleQueue[subprocess.Popen[bytes] | OSError] = queue.SimpleQueue()

        def spawn() -> None:
            try:
                child = subprocess.Popen(
                    command,
                    cwd=cwd,
                    # Plugins in Python run in this environment.
                    env={"BRIDGEHEAD_PYTHON": sys.executable, **(os.environ if env is None else env)},
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    # Ctrl-C in a terminal must not end the host beside the request of `end`: a second signal cuts a
                    # run short.
                    process_group=0,
                )
            except OSError as error:
                answer.put(error)
            else:
                answer.put(child)

        self._tasks.put(spawn)
        found = answer.get()
        if isinstance(found, OSError):
            raise found
        return found

    @staticmethod
    def _run(tasks: queue.SimpleQueue[Callable[[], None]]) -> None:
        while True:
            tasks.get()()


_spawner = _Spawner()
_living: set[Process] = set()


def _end_all() -> None:
    """Ends what was not ended, at the end of the interpreter."""
    deadline = time.monotonic() + 10.0
    for process in list(_living):
        process.signal(signal.SIGTERM)
    for process in list(_living):
        process.end(max(deadline - time.monotonic(), 0.0))


def _forget_all() -> None:
    """Leaves the processes to the parent, after a fork."""
    _living.clear()
    _spawner.forget()


atexit.register(_end_all)
try:
    from os import register_at_fork
except ImportError:
    pass
else:
    register_at_fork(after_in_child=_forget_all)
