"""The step channel: commands, steps and observations in one round trip, as arrays without JSON.

    with bridgehead.Host("cart_pole", start="paused", step_channel=True) as host:
        with host.channel(actions=["/cart_pole/joint_command name[0] slider", "/cart_pole/joint_command effort[0]"],
                          observations=["joint cart_pole::hinge position"]) as channel:
            angle, = channel.step([10.0])

With numpy, arrays are those of numpy; without it, they are memoryviews of doubles. `docs/step-channel.md` describes the
bytes.
"""

from __future__ import annotations

import contextlib
import math
import os
import socket
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntFlag
from typing import TYPE_CHECKING, Any, Final, Self, cast

from bridgehead.errors import BridgeheadError, ClientCode

try:
    import numpy as np
except ImportError:  # pragma: no cover
    np = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from types import TracebackType

    from numpy.typing import ArrayLike, NDArray

MAGIC: Final = b"BHSTEPS\0"
VERSION: Final = 1
# Bytes of a header, and of the body of a state before the observations.
HEADER: Final = 8
STATE: Final = 32

ERROR, DECLARE, STEP, RESET, SAVE, RESTORE, FORGET, CLOSE = range(8)

Item = str | Sequence[str]
"""A declaration: words with spaces between them, or a sequence of words, which may contain spaces."""

_HEADER = struct.Struct("<II")
_GREETING = struct.Struct("<8sII")
_MOMENT = struct.Struct("<qQIII")


class StepFlag(IntFlag):
    """What happened besides the steps."""

    RESET = 1
    """Since the last answer, time has begun anew."""
    ENDED = 2
    """No run is in progress: it has ended."""
    SUCCEEDED = 4
    """The run has ended as a success."""
    FAILED = 8
    """The run has ended as a failure, or was aborted."""
    CUT_SHORT = 16
    """Fewer steps have run than were requested."""
    OVERLONG = 32
    """An array has more elements than were declared."""
    MISSING = 64
    """Something that is observed does not exist any more."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the numbers of a declared item are among the commands or the observations.

    Attributes:
        item: The words of the declaration.
        begin: Index of the first number.
        length: Number of numbers; 0 for a constant.
        unit: Units of the numbers, with spaces between them; empty for fields of messages.

    """

    item: tuple[str, ...]
    begin: int
    length: int
    unit: str


class StepChannel:
    """A connection to the step channel of a host, which serves one client at a time. Not for several threads.

    Args:
        path: The socket, as given to `--step-channel`.
        actions: Fields of messages that each step with commands publishes: topic and field, such as
            `/car1/cmd_vel linear.x`; with a third word, the field always has this value.
        observations: What is read: `time`, `pose car1`, `twist car1`, `joint arm::elbow position`,
            `topic /car1/scan ranges 360`, `stamp /car1/scan`.
        timeout: Wall time for the answer of a request, seconds.

    Attributes:
        actions: The commands of the next step that gives none.
        observations: The numbers of the last answer. The next answer overwrites them: copy what you keep.
        action_places: Where each action is, in the order of the declaration.
        places: Where each observation is, in the order of the declaration.
        width: Simulated time of a step, seconds.

    Raises:
        BridgeheadError: if the host cannot be reached, serves another client, or refuses a declaration.

    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        actions: Sequence[Item] = (),
        observations: Sequence[Item] = (),
        *,
        timeout: float = 60.0,
    ) -> None:
        self._timeout = timeout
        self._socket = _connected(path, timeout)
        try:
            self._greet()
            self._declare([_words(item) for item in actions], [_words(item) for item in observations])
            self.observe()
        except BaseException:
            self._socket.close()
            raise

    def _greet(self) -> None:
        # A host that refuses a client may have closed the connection already.
        with contextlib.suppress(BrokenPipeError):
            self._socket.sendall(_GREETING.pack(MAGIC, VERSION, 0))
        magic, version, length = _GREETING.unpack(self._receive(_GREETING.size))
        if magic != MAGIC:
            raise BridgeheadError(ClientCode.NOT_A_HOST, "the socket is not that of a step channel")
        if length or version != VERSION:
            raise _error(self._receive(length))

    def _declare(self, actions: list[tuple[str, ...]], observations: list[tuple[str, ...]]) -> None:
        lines = [*(("constant" if len(words) > 2 else "action", *words) for words in actions), *observations]
        for words in lines:
            if any(set(word) & {"\t", "\n", "\r"} for word in words):
                raise BridgeheadError(ClientCode.VALUE_INVALID, f"a word of {words} has a tab or a line break")
        text = self._ask(DECLARE, "\n".join("\t".join(words) for words in lines).encode()).decode()
        (_, width), *layout = (line.split("\t") for line in text.splitlines())
        found = [
            Place(words, int(begin), int(length), unit)
            for words, (_, begin, length, unit) in zip(actions + observations, layout, strict=True)
        ]
        self.width = int(width) / 1e9
        self.action_places, self.places = tuple(found[: len(actions)]), tuple(found[len(actions) :])
        self._make_arrays(sum(place.length for place in self.action_places), sum(place.length for place in self.places))

    def _make_arrays(self, actions: int, observations: int) -> None:
        # A frame that is sent, and one that is received, each with its numbers in place.
        self._request = bytearray(HEADER + 8 + 8 * actions)
        _HEADER.pack_into(self._request, 0, len(self._request) - HEADER, STEP)
        self._actions = actions
        self._answer = bytearray(HEADER + STATE + 8 * observations)
        self._answer_view = memoryview(self._answer)
        self._expected = _HEADER.pack(STATE + 8 * observations, STEP)
        self._silent = bytearray(_HEADER.pack(8, STEP) + bytes(8))
        self.actions = _array(self._request, HEADER + 8, actions)
        self.observations = _array(self._answer, HEADER + STATE, observations)

    def step(self, action: ArrayLike | None = None, n: int = 1) -> NDArray[np.float64]:
        """Sends commands, runs `n` steps, and returns the observations: a view that the next answer overwrites.

        Args:
            action: A number for each action, in the order of the declaration; without it, `actions` as they are. Of a
                topic whose numbers are all NaN, no message is sent.
            n: Number of steps; the commands are sent once, for the first one.

        Raises:
            BridgeheadError: `BH-STP-032` if the run is not paused, `BH-PYC-005` if the host has ended.

        """
        self.send(action, n)
        return self.receive()

    def send(self, action: ArrayLike | None = None, n: int = 1) -> None:
        """Begins a step without waiting for it, so that several hosts step at the same time; `receive` ends it."""
        request = self._request
        if action is not None:
            if np is not None:
                self.actions[:] = action
            else:
                _fill(self.actions, action)
        _HEADER.pack_into(request, HEADER, n, self._actions)
        self._send_all(request)

    def run(self, n: int) -> NDArray[np.float64]:
        """Runs `n` steps without commands, and returns the observations, as `step` does."""
        _HEADER.pack_into(self._silent, HEADER, n, 0)
        self._send_all(self._silent)
        return self.receive()

    def observe(self) -> NDArray[np.float64]:
        """Returns the observations of the present state, as `step` does."""
        return self.run(0)

    def receive(self) -> NDArray[np.float64]:
        """Waits for a step that was sent, and returns the observations, as `step` does."""
        answer = self._answer
        try:
            got = self._socket.recv_into(answer)
        except OSError as error:
            raise self._lost(error) from error
        if got == len(answer) and answer.startswith(self._expected):
            return self.observations
        self._receive_rest(got, STEP)
        return self.observations

    def _receive_rest(self, got: int, kind: int) -> None:
        """Receives the rest of an answer with a state."""
        answer = self._answer
        if got < HEADER:
            got += self._receive_into(self._answer_view[got:HEADER])
        length, found = _HEADER.unpack_from(answer)
        end = HEADER + length
        if found == ERROR or end != len(answer):
            rest = bytes(answer[HEADER : min(got, end)])
            rest += self._receive(max(end - got, 0))
            if found == ERROR:
                raise _error(rest)
            text = f"an answer has {length} bytes, expected {len(answer) - HEADER}"
            raise BridgeheadError(ClientCode.NOT_A_HOST, text)
        self._receive_into(self._answer_view[got:])
        if found != kind:
            raise BridgeheadError(ClientCode.NOT_A_HOST, f"an answer has the kind {found}, expected {kind}")

    def reset(self) -> NDArray[np.float64]:
        """Returns to the world as it was loaded, and pauses. Returns the observations, as `step` does."""
        return self._request_state(RESET)

    def save(self, name: str = "start") -> None:
        """Keeps the present state in the memory of the host, until this channel is closed."""
        self._request_state(SAVE, name)

    def restore(self, name: str = "start") -> NDArray[np.float64]:
        """Returns to a state that was kept. Returns the observations, as `step` does."""
        return self._request_state(RESTORE, name)

    def forget(self, name: str = "start") -> None:
        """Drops a state that was kept."""
        self._request_state(FORGET, name)

    def _request_state(self, kind: int, name: str = "") -> NDArray[np.float64]:
        self._send(kind, name.encode())
        self._receive_rest(0, kind)
        return self.observations

    def __getitem__(self, item: Item) -> NDArray[np.float64]:
        """Returns the observations of one declared item, a view like that of `step`."""
        words = _words(item)
        for place in self.places:
            if place.item == words:
                return self.observations[place.begin : place.begin + place.length]
        known = ", ".join(f"`{' '.join(place.item)}`" for place in self.places)
        raise KeyError(f"`{' '.join(words)}` is not declared; there are {known}")

    @property
    def time(self) -> float:
        """Simulated time of the last answer, seconds."""
        return self.time_ns / 1e9

    @property
    def time_ns(self) -> int:
        """Simulated time of the last answer, nanoseconds."""
        return self._moment[0]

    @property
    def steps(self) -> int:
        """Number of steps since the last reset."""
        return self._moment[1]

    @property
    def reset_epoch(self) -> int:
        """Number of resets so far."""
        return self._moment[2]

    @property
    def state(self) -> int:
        """State of the run in the last answer, a `SimulationStateCode`."""
        return self._moment[3]

    @property
    def flags(self) -> StepFlag:
        """What happened besides the steps of the last answer."""
        return StepFlag(self._moment[4])

    @property
    def _moment(self) -> tuple[int, int, int, int, int]:
        return _MOMENT.unpack_from(self._answer, HEADER)

    @property
    def has_ended(self) -> bool:
        """Whether the run has ended, for example by a trigger."""
        # Byte of the flags; faster than `flags`, because it is asked after each step.
        return bool(self._answer[HEADER + 24] & StepFlag.ENDED.value)

    def close(self) -> None:
        """Closes the connection, and drops kept states. The run stays as it is."""
        # A process forked meanwhile has a copy of the descriptor, which would keep the connection and its place.
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _send(self, kind: int, body: bytes) -> None:
        self._send_all(_HEADER.pack(len(body), kind) + body)

    def _send_all(self, data: bytes | bytearray) -> None:
        try:
            self._socket.sendall(data)
        except OSError as error:
            raise self._lost(error) from error

    def _ask(self, kind: int, body: bytes) -> bytes:
        self._send(kind, body)
        length, found = _HEADER.unpack(self._receive(HEADER))
        text = self._receive(length)
        if found == ERROR:
            raise _error(text)
        return text

    def _receive(self, count: int) -> bytes:
        data = bytearray(count)
        self._receive_into(memoryview(data))
        return bytes(data)

    def _receive_into(self, room: memoryview) -> int:
        """Fills all of `room`. Returns its length."""
        total = len(room)
        while room:
            try:
                got = self._socket.recv_into(room)
            except OSError as error:
                raise self._lost(error) from error
            if not got:
                raise self._lost(None)
            room = room[got:]
        return total

    def _lost(self, error: OSError | None) -> BridgeheadError:
        if isinstance(error, BlockingIOError):
            self._socket.close()
            return BridgeheadError(ClientCode.TIMEOUT, f"the step channel did not answer within {self._timeout} s")
        return BridgeheadError(ClientCode.CONNECTION_LOST, "the step channel is closed; the run or its host has ended")


def _connected(path: str | os.PathLike[str], timeout: float) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    # The kernel measures the time: a timeout of Python costs a system call for each read.
    limit = struct.pack("ll", int(timeout), int(math.modf(timeout)[0] * 1e6))
    for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
        connection.setsockopt(socket.SOL_SOCKET, option, limit)
    try:
        connection.connect(os.fspath(path))
    except OSError as error:
        connection.close()
        text = f"no host serves the step channel `{os.fspath(path)}`: {error}"
        raise BridgeheadError(ClientCode.UNREACHABLE, text) from error
    return connection


def _words(item: Item) -> tuple[str, ...]:
    return tuple(item.split()) if isinstance(item, str) else tuple(item)


def _array(buffer: bytearray, offset: int, count: int) -> NDArray[np.float64]:
    """Returns numbers of a buffer, without a copy."""
    if np is not None:
        return np.frombuffer(buffer, dtype="<f8", count=count, offset=offset)
    return cast("Any", memoryview(buffer)[offset : offset + 8 * count].cast("d"))


def _fill(actions: Any, action: Any) -> None:
    numbers = [float(number) for number in action]
    if len(numbers) != len(actions):
        raise ValueError(f"{len(numbers)} numbers were given, and {len(actions)} actions are declared")
    for index, number in enumerate(numbers):
        actions[index] = number


def _error(body: bytes) -> BridgeheadError:
    """Returns the error of a text that begins with its code: `[BH-STP-021] there is no …`."""
    text = body.decode(errors="replace")
    code, mark, rest = text.partition("] ")
    is_coded = mark and code.startswith("[BH-")
    return BridgeheadError(code[1:], rest) if is_coded else BridgeheadError(None, text)
