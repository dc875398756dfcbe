"""The connection of a worker to its host: a socket for each lane, and the memory that both share.

A thread that serves a lane makes its requests on that lane; all other threads share one. Without a host there is
nothing left to do, so the process ends.
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import socket
import threading
from collections.abc import Callable
from typing import Any, NoReturn

from bridgehead.plugin._wire import CONSTANTS, MEMORY, GarbageError, decode, encode

MAIN, TRANSMIT, RECEIVE, OTHERS = range(4)

_CHUNK = 64 << 10
_HEADER, _SLOT, _HOST_SLOTS = MEMORY["header"], MEMORY["slot"], MEMORY["host_slots"]
_SMALLEST = MEMORY["smallest"]


class EndedError(Exception):
    """The host has closed a lane."""


class Lane:
    """One socket, for one thread at a time: frames of a length and that many bytes."""

    def __init__(self, descriptor: int) -> None:
        os.set_inheritable(descriptor, False)
        self.socket = socket.socket(fileno=descriptor)
        self._rest = b""

    def send(self, kind: str, value: Any) -> None:
        """Sends a value."""
        self.socket.sendall(encode(kind, value))

    def receive(self, kind: str) -> Any:
        """Waits for a value.

        Raises:
            EndedError: the host has closed the lane.

        """
        return decode(kind, self._frame())

    def _frame(self) -> memoryview:
        data = self._rest or self._read()
        while len(data) < 4:
            data += self._read()
        end = 4 + int.from_bytes(data[:4], "little")
        if len(data) < end:
            parts = bytearray(data)
            while len(parts) < end:
                parts += self._read()
            data = bytes(parts)
        self._rest = data[end:]
        return memoryview(data)[4:end]

    def _read(self) -> bytes:
        try:
            data = self.socket.recv(_CHUNK)
        except OSError as error:
            raise EndedError from error
        if not data:
            raise EndedError
        return data


class _Lent(ctypes.c_ubyte * _SLOT):  # type: ignore[misc]
    """A slot of the host, which is free again when the last view of it is gone."""

    _flags: memoryview
    _slot: int

    def __del__(self) -> None:
        self._flags[self._slot] = 0


class SharedMemory:
    """Slots for payloads that are too large for a socket."""

    def __init__(self, descriptor: int) -> None:
        os.set_inheritable(descriptor, False)
        size = _HEADER + (_HOST_SLOTS + MEMORY["lanes"]) * _SLOT
        self._descriptor = descriptor
        self._map = mmap.mmap(descriptor, size)
        self._flags = memoryview(self._map)[:_HEADER].cast("I")
        self._present: dict[int, int] = {}

    def lent(self, slot: int, length: int) -> memoryview:
        """Returns the bytes of a slot of the host, as a view. The slot is given back with the last view."""
        if slot >= _HOST_SLOTS or length > _SLOT:
            raise GarbageError(f"{length} bytes in slot {slot}")
        lent = _Lent.from_buffer(self._map, _HEADER + slot * _SLOT)
        lent._flags, lent._slot = self._flags, slot
        return memoryview(lent).cast("B")[:length].toreadonly()

    def put(self, lane: int, data: Any) -> int | None:
        """Copies bytes into the slot of a lane, and returns its number; None if there is no memory."""
        slot, length = _HOST_SLOTS + lane, len(data)
        start = _HEADER + slot * _SLOT
        if length > _SLOT:
            return None
        if self._present.get(slot, 0) < length:
            # Writing to pages that cannot be made would end the process.
            try:
                os.posix_fallocate(self._descriptor, start, length)
            except OSError:
                return None
            self._present[slot] = length
        self._map[start : start + length] = data
        return slot


class Link:
    """All lanes, and the shared memory."""

    def __init__(self, descriptors: list[int]) -> None:
        *lanes, signals, memory = descriptors
        self.lanes = [Lane(descriptor) for descriptor in lanes]
        self.signals = Lane(signals)
        self.memory = SharedMemory(memory)
        self.is_child = False
        self._own = threading.local()
        self._others = threading.Lock()
        os.register_at_fork(after_in_child=self._leave_to_parent)

    def _leave_to_parent(self) -> None:
        # A process that the plugin has forked has no say in the run.
        self.is_child = True
        for lane in [*self.lanes, self.signals]:
            with contextlib.suppress(OSError):
                lane.socket.close()

    def adopt(self, lane: int) -> None:
        """Makes a lane that of this thread."""
        self._own.lane = lane

    def ask(self, request: tuple[str, Any]) -> tuple[str, Any]:
        """Sends a request of the plugin, and returns the answer of the host."""
        if self.is_child:
            raise RuntimeError("a process that the plugin has forked cannot call the host")
        number: int = getattr(self._own, "lane", OTHERS)
        if number == OTHERS:
            with self._others:
                return self._ask(number, request)
        return self._ask(number, request)

    def _ask(self, number: int, request: tuple[str, Any]) -> tuple[str, Any]:
        lane = self.lanes[number]
        try:
            lane.send("FromWorker", ("Request", request))
            kind, answer = lane.receive("ToWorker")
        except (OSError, EndedError, GarbageError):
            leave()
        if kind != "Answer":
            leave()
        found: tuple[str, Any] = answer
        return found

    def ask_with(self, data: Any, request: Callable[[tuple[str, Any]], tuple[str, Any]]) -> tuple[str, Any]:
        """Sends a request with a payload: in the shared memory if it is large."""
        if len(data) < _SMALLEST or self.is_child:
            return self.ask(request(("Inline", data)))
        number: int = getattr(self._own, "lane", OTHERS)
        if number != OTHERS:
            return self._ask(number, request(self._packed(number, data)))
        # The slot belongs to the lane, which other threads share.
        with self._others:
            return self._ask(number, request(self._packed(number, data)))

    def _packed(self, number: int, data: Any) -> tuple[str, Any]:
        slot = self.memory.put(number, data)
        return ("Inline", data) if slot is None else ("Shared", {"slot": slot, "len": len(data)})

    def bytes_of(self, content: tuple[str, Any]) -> memoryview:
        """Returns the bytes that a message contains or names."""
        kind, value = content
        if kind == "Inline":
            found: memoryview = value
            return found
        return self.memory.lent(value["slot"], value["len"])


def leave() -> NoReturn:
    """Ends the process, because it cannot reach its host."""
    os._exit(CONSTANTS["link_lost"])
