"""Lines for the log of the host: from `logging`, `print`, warnings, and exceptions of threads, with file and line."""

from __future__ import annotations

import io
import logging
import sys
import threading
import traceback
import warnings
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from types import TracebackType

    from bridgehead.plugin._hosting import Hosting

ERROR, WARN, INFO, DEBUG, TRACE = 1, 2, 3, 4, 5

_LEVELS = {
    "OFF": logging.CRITICAL + 10,
    "ERROR": logging.ERROR,
    "WARN": logging.WARNING,
    "INFO": logging.INFO,
    "DEBUG": logging.DEBUG,
    "TRACE": 1,
}


class Log:
    """Writes lines."""

    def __init__(self, host: Hosting, target: str) -> None:
        self._host = host
        self._target = target

    def write(self, level: int, text: str, file: str = "", line: int = 0) -> None:
        """Writes a text, a line of the log for each of its own."""
        try:
            for part in text.splitlines():
                self._host.call("log.write", (level, self._target, part, file, line))
        except RuntimeError:
            # A forked child has no log.
            print(text, file=sys.__stderr__)

    def exception(self, error: BaseException) -> None:
        """Writes the traceback of an exception, without the frames of this package."""
        for frame in frames(error):
            text = f"  {frame.filename}:{frame.lineno} in `{frame.name}`: {(frame.line or '').strip()}"
            self.write(ERROR, text, frame.filename, frame.lineno or 0)


def frames(error: BaseException) -> list[traceback.FrameSummary]:
    """Returns where an exception passed, without the frames of this package before those of the plugin."""
    found = traceback.extract_tb(error.__traceback__)
    own = __file__.rpartition("/")[0] + "/"
    skipped = (own, threading.__file__, "<")
    first = next((at for at, frame in enumerate(found) if not frame.filename.startswith(skipped)), None)
    return list(found[first:]) if first is not None else []


class _Handler(logging.Handler):
    def __init__(self, log: Log) -> None:
        super().__init__()
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        level = ERROR if record.levelno >= logging.ERROR else WARN if record.levelno >= logging.WARNING else INFO
        if record.levelno < logging.INFO:
            level = DEBUG if record.levelno >= logging.DEBUG else TRACE
        self._log.write(level, self.format(record), record.pathname, record.lineno)


class _Stream(io.TextIOBase):
    """Standard output or standard error of the plugin."""

    def __init__(self, log: Log, level: int) -> None:
        self._log = log
        self._level = level
        self._parts = threading.local()

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        pending: str = getattr(self._parts, "text", "") + text
        lines, newline, rest = pending.rpartition("\n")
        self._parts.text = rest
        if newline:
            caller = sys._getframe(1)
            self._log.write(self._level, lines, caller.f_code.co_filename, caller.f_lineno)
        return len(text)


def install(log: Log, level: str) -> None:
    """Sends all output of this process to the log of the host."""
    root = logging.getLogger()
    root.addHandler(_Handler(log))
    root.setLevel(_LEVELS.get(level, logging.INFO))
    sys.stdout = _Stream(log, INFO)
    sys.stderr = _Stream(log, WARN)

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        del file, line
        log.write(WARN, f"{category.__name__}: {message}", filename, lineno)

    warnings.showwarning = show

    def thread_failed(failure: Any) -> None:
        name = failure.thread.name if failure.thread else "a thread"
        log.write(ERROR, f"`{name}` ended with {failure.exc_type.__name__}: {failure.exc_value}")
        if failure.exc_value is not None:
            log.exception(failure.exc_value)

    threading.excepthook = thread_failed

    def failed(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        del trace
        log.write(ERROR, f"{kind.__name__}: {error}")
        log.exception(error)

    sys.excepthook = failed
