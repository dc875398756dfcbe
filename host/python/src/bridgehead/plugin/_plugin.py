"""What plugins of both kinds have: parameters, the log, requests, and every function of the host by its name."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, TypeVar, overload

from bridgehead.plugin._wire import STATUS
from bridgehead.plugin.errors import HostError, PluginError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bridgehead.plugin._hosting import Hosting
    from bridgehead.plugin._link import Link
    from bridgehead.plugin._types import Types

P = TypeVar("P", str, int, float, bool, tuple[float, ...])

_REQUESTS = ("stop", "succeed", "fail", "reset", "abort")
_TRUE = {"true", "True", "TRUE", "1"}
_FALSE = {"false", "False", "FALSE", "0"}


class Context:
    """What an instance needs of its process."""

    def __init__(self, link: Link, host: Hosting, types: Types, name: str) -> None:
        self.link = link
        self.host = host
        self.types = types
        self.name = name
        self.time_ns = 0
        """Simulated time of the running step."""


class Plugin:
    """A plugin. The constructor must not call the host; it takes no arguments."""

    _context: Context

    @property
    def log(self) -> logging.Logger:
        """Writes lines of the host's log; so do `print`, the module `logging` and warnings."""
        return logging.getLogger(self._context.name)

    def call(self, function: str, *arguments: Any) -> Any:
        """Calls a function of the plugin ABI by its name, such as `environment.read`.

        Raises:
            HostError: it returns a failure.

        """
        return self._context.host.call(function, *arguments)

    def request(self, what: str, reason: str) -> None:
        """Asks for the run to `stop`, `succeed`, `fail`, `reset` or `abort`."""
        if what not in _REQUESTS:
            raise ValueError(f"`{what}` cannot be requested; there are {', '.join(_REQUESTS)}")
        self.call("lifecycle.request", STATUS[f"REQUEST_{what.upper()}"], reason)

    def report_error(self, code: str, text: str) -> None:
        """Reports a failure, with a code of the plugin, in the log and in the result of the run."""
        self.call("lifecycle.report_error", code, text)

    @overload
    def param(self, path: str) -> str: ...
    @overload
    def param(self, path: str, default: P) -> P: ...
    def param(self, path: str, default: Any = None) -> Any:
        """Returns a parameter of the element, such as `scan/range/min`, `wheel[1]/radius` or `@type`.

        The default says the type: text, int, float, bool or a tuple of numbers. Without a default, it is a text that
        must be there.

        Raises:
            PluginError: it is missing or of another type.

        """
        try:
            text = self.call("params.get", path)
        except HostError as error:
            if error.status != "NOT_FOUND":
                raise
            if default is None:
                raise PluginError(f"the parameter `{path}` is missing") from error
            return default
        if default is None or isinstance(default, str):
            return text
        read, expected = _reader(default)
        try:
            return read(text)
        except (KeyError, ValueError):
            place = self.call("params.location", path)
            where = f" ({place})" if place else ""
            raise PluginError(f"the parameter `{path}` is `{text}`, expected {expected}{where}") from None

    def param_count(self, path: str) -> int:
        """Returns how many elements a path names."""
        count: int = self.call("params.count", path)
        return count


def _reader(default: Any) -> tuple[Callable[[str], Any], str]:
    if isinstance(default, bool):
        return _bool, "true or false"
    if isinstance(default, int):
        return int, "an integer"
    if isinstance(default, float):
        return float, "a number"
    if isinstance(default, tuple):
        count = len(default)
        return lambda text: _numbers(text, count), f"{count} numbers" if count else "numbers"
    raise TypeError(f"a parameter cannot be a {type(default).__name__}")


def _bool(text: str) -> bool:
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise ValueError


def _numbers(text: str, count: int) -> tuple[float, ...]:
    numbers = tuple(float(word) for word in text.split())
    if count not in {0, len(numbers)}:
        raise ValueError
    return numbers
