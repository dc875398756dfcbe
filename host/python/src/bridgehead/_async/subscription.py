"""Subscriptions over a WebSocket."""

from __future__ import annotations

import json
import time
from collections import deque
from typing import TYPE_CHECKING, Any, Self

from websockets.exceptions import ConnectionClosed, ConnectionClosedOK, InvalidHandshake, InvalidStatus

from bridgehead._answers import response_of
from bridgehead._async.io import Socket
from bridgehead.errors import BridgeheadError, ClientCode
from bridgehead.events import TOPIC, Event, SimulatedClock, poses_event

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from bridgehead._address import Address

# Messages that wait in this process. The host queues more, and counts those that it drops.
QUEUE = 16
# Marks the binary frames of poses among the messages.
POSES = "poses"
# Events of the status per second, for deadlines in simulated time.
STATUS_RATE = 50.0


class AsyncSubscription:
    """Events of one or more subscriptions, in the order in which the host sent them.

    Use it with `async with`; it ends with its block.
    """

    def __init__(self, address: Address, token: str | None, timeout: float) -> None:
        self._address = address
        self._token = token
        self._timeout = timeout
        self._socket: Socket | None = None
        self._early: deque[Event] = deque()
        self._names: set[str] = set()
        self.lost = 0
        """Events that the host dropped because this client was slow."""

    @staticmethod
    async def open(
        address: Address, token: str | None, timeout: float, what: tuple[str, ...], rate: float | None
    ) -> AsyncSubscription:
        """Connects and subscribe."""
        found = AsyncSubscription(address, token, timeout)
        await found._connect()
        try:
            for one in what:
                await found.add(one, rate=rate)
        except BaseException:
            await found.close()
            raise
        return found

    async def _connect(self) -> None:
        headers = {} if self._token is None else {"Authorization": f"Bearer {self._token}"}
        try:
            self._socket = await Socket.open(f"ws://{self._address}/ws", headers, self._timeout, QUEUE)
        except InvalidStatus as error:
            response_of("/ws", error.response.status_code, bytes(error.response.body or b""), dict)
            raise
        except (OSError, InvalidHandshake) as error:
            text = f"no host answers at {self._address}: {error or type(error).__name__}"
            raise BridgeheadError(ClientCode.UNREACHABLE, text) from error

    async def add(self, what: str, *, rate: float | None = None) -> None:
        """Subscribes to more: a topic such as `/car1/odom`, `state`, `status`, `statistics`, `feedback`, `log`
        or `poses`.

        Args:
            what: The topic, or the kind of events.
            rate: Largest number of events per second; the newest is sent. Without it, every event.

        """
        request: dict[str, Any] = {"op": "subscribe", "what": name_of(what)}
        if rate is not None:
            request["rate"] = rate
        await self._request(request, "subscribed")
        self._names.add(request["what"])

    async def remove(self, what: str) -> None:
        """Ends one of the subscriptions."""
        await self._request({"op": "unsubscribe", "what": name_of(what)}, "unsubscribed")
        self._names.discard(name_of(what))

    async def _request(self, request: dict[str, Any], confirmation: str) -> None:
        await self._send(json.dumps(request))
        deadline = time.monotonic() + self._timeout
        while True:
            message = await self._receive(deadline)
            if message.get("op") == "error":
                text = str(message.get("message"))
                raise BridgeheadError(message.get("code"), text, service=f"{request['op']} {request['what']}")
            if message.get("op") == confirmation:
                return
            if (event := self._event(message)) is not None:
                self._early.append(event)

    async def next(self, timeout: float | None = None) -> Event:
        """Returns the next event.

        Args:
            timeout: Wall time to wait, seconds; without it, for as long as the host runs.

        Raises:
            BridgeheadError: `BH-PYC-008` after this time, `BH-PYC-009` at the end of the run.

        """
        if self._early:
            return self._early.popleft()
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            message = await self._receive(deadline)
            if (event := self._event(message)) is not None:
                return event

    async def wait_for(
        self,
        predicate: Callable[[Event], bool] | None = None,
        *,
        timeout: float = 60.0,
        sim_timeout: float | None = None,
    ) -> Event:
        """Returns the first event for which the predicate is true; other events are dropped.

        Args:
            predicate: Without it, any event.
            timeout: Wall time to wait, seconds.
            sim_timeout: Simulated time to wait, seconds.

        Raises:
            BridgeheadError: `BH-PYC-008` after one of these times, `BH-PYC-009` at the end of the run.

        """
        test = predicate or (lambda _: True)
        if sim_timeout is None:
            return await self._wait(test, timeout, None, hides_status=False)
        # The events of the status have the simulated time, also if nothing is published.
        hides_status = "status" not in self._names
        if hides_status:
            await self.add("status", rate=STATUS_RATE)
        try:
            return await self._wait(test, timeout, sim_timeout, hides_status=hides_status)
        finally:
            if hides_status and self._socket is not None:
                await self.remove("status")
                self._early = deque(event for event in self._early if event.what != "status")

    async def _wait(
        self, test: Callable[[Event], bool], timeout: float, sim_timeout: float | None, *, hides_status: bool
    ) -> Event:
        deadline, clock, others = time.monotonic() + timeout, SimulatedClock(), 0
        while True:
            try:
                event = await self.next(max(deadline - time.monotonic(), 0.0))
            except BridgeheadError as error:
                if error.code == ClientCode.NO_EVENT:
                    raise _too_late(f"{timeout} s", others) from None
                raise
            if event.what == "status" and sim_timeout is not None:
                clock.advance(event.epoch, event.time_ns or 0)
                if clock.elapsed > sim_timeout:
                    raise _too_late(f"{sim_timeout} s of simulated time", others)
                if hides_status:
                    continue
            if test(event):
                return event
            others += 1

    def _event(self, message: dict[str, Any]) -> Event | None:
        if message.get("op") == POSES:
            event = poses_event(message["frame"])
        elif message.get("op") == "event":
            lost = int(message.get("lost", 0))
            event = Event(message["what"], int(message["epoch"]), message["data"], lost)
        else:
            event = None
        self.lost += event.lost if event is not None else 0
        return event

    async def _send(self, text: str) -> None:
        if self._socket is None:
            raise BridgeheadError(ClientCode.SUBSCRIPTION_ENDED, "the subscription was closed")
        try:
            await self._socket.send(text)
        except ConnectionClosed as error:
            raise await self._ended(error) from error

    async def _receive(self, deadline: float | None) -> dict[str, Any]:
        if self._socket is None:
            raise BridgeheadError(ClientCode.SUBSCRIPTION_ENDED, "the subscription was closed")
        try:
            received = await self._socket.receive(deadline)
        except TimeoutError:
            raise BridgeheadError(ClientCode.NO_EVENT, "no event in time") from None
        except ConnectionClosed as error:
            raise await self._ended(error) from error
        if isinstance(received, bytes):
            return {"op": POSES, "frame": received}
        message = json.loads(received)
        return message if isinstance(message, dict) else {}

    async def _ended(self, error: ConnectionClosed) -> BridgeheadError:
        await self.close()
        if isinstance(error, ConnectionClosedOK):
            return BridgeheadError(ClientCode.SUBSCRIPTION_ENDED, "the run has ended, or the subscription was closed")
        text = f"the WebSocket was cut off: {error}; the host does so if a client does not read for ten seconds"
        return BridgeheadError(ClientCode.CONNECTION_LOST, text)

    async def close(self) -> None:
        """Ends all subscriptions."""
        socket, self._socket = self._socket, None
        if socket is not None:
            await socket.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event:
        try:
            return await self.next()
        except BridgeheadError as error:
            if error.code == ClientCode.SUBSCRIPTION_ENDED:
                raise StopAsyncIteration from None
            raise


def _too_late(limit: str, others: int) -> BridgeheadError:
    return BridgeheadError(ClientCode.NO_EVENT, f"no awaited event within {limit}; {others} others were received")


def name_of(what: str) -> str:
    """Returns the name of a subscription: a topic is written as it is."""
    return f"{TOPIC}{what}" if what.startswith("/") else what
