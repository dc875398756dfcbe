"""Waiting, sleeping and connections of the asynchronous client. `_sync/io.py` has the same names for the other one."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from websockets.asyncio.client import connect

if TYPE_CHECKING:
    from collections.abc import Callable

    from websockets.asyncio.client import ClientConnection

P = ParamSpec("P")
R = TypeVar("R")

CHUNK = 1 << 16


async def sleep(seconds: float) -> None:
    """Waits."""
    await asyncio.sleep(seconds)


async def run(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Returns the result of a function that blocks."""
    return await asyncio.to_thread(function, *args, **kwargs)


class Stream:
    """A connection of TCP. Deadlines are times of `time.monotonic`."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @staticmethod
    async def open(host: str, port: int, deadline: float) -> Stream:
        """Connects."""
        async with asyncio.timeout(_left(deadline)):
            return Stream(*await asyncio.open_connection(host, port))

    async def send(self, data: bytes, deadline: float) -> None:
        """Sends all bytes."""
        async with asyncio.timeout(_left(deadline)):
            self._writer.write(data)
            await self._writer.drain()

    async def receive(self, deadline: float) -> bytes:
        """Returns the next bytes; none at the end."""
        async with asyncio.timeout(_left(deadline)):
            return await self._reader.read(CHUNK)

    def is_usable(self) -> bool:
        """Returns false if the other side has closed the connection."""
        return not self._reader.at_eof() and not self._writer.is_closing()

    def close(self) -> None:
        """Closes the connection at once."""
        with contextlib.suppress(RuntimeError):  # the event loop may be closed
            self._writer.transport.abort()


class Socket:
    """A WebSocket."""

    def __init__(self, connection: ClientConnection, stack: contextlib.AsyncExitStack) -> None:
        self._connection = connection
        self._stack = stack

    @staticmethod
    async def open(uri: str, headers: dict[str, str], timeout: float, queue: int) -> Socket:
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
        stack = contextlib.AsyncExitStack()
        return Socket(await stack.enter_async_context(connecting), stack)

    async def send(self, text: str) -> None:
        """Sends a message."""
        await self._connection.send(text)

    async def receive(self, deadline: float | None) -> str | bytes:
        """Returns the next message."""
        async with asyncio.timeout(None if deadline is None else _left(deadline)):
            return await self._connection.recv()

    async def close(self) -> None:
        """Closes the connection."""
        await self._stack.aclose()


def _left(deadline: float) -> float:
    return max(deadline - time.monotonic(), 0.0)
