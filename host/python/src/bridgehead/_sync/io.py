"""Waiting, sleeping and connections of the synchronous client. `_async/io.py` has the same names for the other one."""

from __future__ import annotations

import contextlib
import select
import socket
import time
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from websockets.sync.client import connect

if TYPE_CHECKING:
    from collections.abc import Callable

    from websockets.sync.client import ClientConnection

P = ParamSpec("P")
R = TypeVar("R")

CHUNK = 1 << 16


def sleep(seconds: float) -> None:
    """Waits."""
    time.sleep(seconds)


def run(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Returns the result of a function that blocks."""
    return function(*args, **kwargs)


class Stream:
    """A connection of TCP. Deadlines are times of `time.monotonic`."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection

    @staticmethod
    def open(host: str, port: int, deadline: float) -> Stream:
        """Connects."""
        connection = socket.create_connection((host, port), _left(deadline))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return Stream(connection)

    def send(self, data: bytes, deadline: float) -> None:
        """Sends all bytes."""
        self._socket.settimeout(_left(deadline))
        self._socket.sendall(data)

    def receive(self, deadline: float) -> bytes:
        """Returns the next bytes; none at the end."""
        self._socket.settimeout(_left(deadline))
        return self._socket.recv(CHUNK)

    def is_usable(self) -> bool:
        """Returns false if the other side has closed the connection."""
        # An idle connection is readable only at its end.
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        return not poll.poll(0)

    def close(self) -> None:
        """Closes the connection at once."""
        with contextlib.suppress(OSError):
            self._socket.close()


class Socket:
    """A WebSocket."""

    def __init__(self, connection: ClientConnection, stack: contextlib.ExitStack) -> None:
        self._connection = connection
        self._stack = stack

    @staticmethod
    def open(uri: str, headers: dict[str, str], timeout: float, queue: int) -> Socket:
        """Connects; the connection stops reading if so many messages were not taken."""
        connecting = connect(
            uri,
            additional_headers=headers,
            open_timeout=timeout,
            max_size=None,
            max_queue=queue,
            proxy=None,
            compression=None,
        )
        # The library demands a context manager; this one ends in `close`.
        stack = contextlib.ExitStack()
        return Socket(stack.enter_context(connecting), stack)

    def send(self, text: str) -> None:
        """Sends a message."""
        self._connection.send(text)

    def receive(self, deadline: float | None) -> str | bytes:
        """Returns the next message."""
        return self._connection.recv(None if deadline is None else _left(deadline))

    def close(self) -> None:
        """Closes the connection."""
        self._stack.close()


def _left(deadline: float) -> float:
    # 0 would mean a socket that does not block.
    return max(deadline - time.monotonic(), 1e-3)
