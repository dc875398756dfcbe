"""Requests over HTTP. h11 reads and writes the protocol; idle connections are used again."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import h11

from bridgehead._async.io import Stream
from bridgehead.errors import BridgeheadError, ClientCode

if TYPE_CHECKING:
    from bridgehead._address import Address


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request."""

    status: int
    headers: dict[str, str]
    body: bytes


class AsyncConnections:
    """The connections of a client. Calls may overlap: each takes a connection for itself."""

    def __init__(self, address: Address, token: str | None) -> None:
        self._address = address
        self._refusal: str | None = None
        self._idle: list[tuple[Stream, h11.Connection]] = []
        self._headers = [("host", str(address)), ("accept", "application/json")]
        if token is not None:
            self._headers.append(("authorization", f"Bearer {token}"))

    async def request(self, method: str, target: str, body: bytes | None, timeout: float) -> Answer:
        """Sends a request and return its answer.

        Raises:
            BridgeheadError: if there is no complete answer in time.

        """
        if self._refusal is not None:
            raise BridgeheadError(ClientCode.UNREACHABLE, self._refusal)
        deadline = time.monotonic() + timeout
        stream, protocol = await self._take(deadline, timeout)
        try:
            answer = await self._exchange(stream, protocol, method, target, body, deadline)
        except TimeoutError as error:
            stream.close()
            text = f"{self._address} did not answer {method} {target} within {timeout} s; the request may still run"
            raise BridgeheadError(ClientCode.TIMEOUT, text) from error
        except h11.LocalProtocolError as error:
            stream.close()
            raise BridgeheadError(ClientCode.VALUE_INVALID, f"{method} {target!r} cannot be sent: {error}") from error
        except (OSError, h11.RemoteProtocolError, EOFError) as error:
            stream.close()
            text = f"the connection to {self._address} ended during {method} {target}: {error or 'closed'}"
            raise BridgeheadError(ClientCode.CONNECTION_LOST, text) from error
        except BaseException:
            # For example a cancellation: what follows on this connection would belong to this request.
            stream.close()
            raise
        self._put_back(stream, protocol)
        return answer

    def refuse(self, text: str) -> None:
        """Lets every further request fail with this text, because there is no host to ask."""
        self._refusal = text

    def close(self) -> None:
        """Closes the idle connections."""
        while self._idle:
            self._idle.pop()[0].close()

    async def _take(self, deadline: float, timeout: float) -> tuple[Stream, h11.Connection]:
        while self._idle:
            stream, protocol = self._idle.pop()
            if stream.is_usable():
                return stream, protocol
            stream.close()
        try:
            stream = await Stream.open(self._address.host, self._address.port, deadline)
        except TimeoutError as error:
            text = f"no connection to {self._address} within {timeout} s"
            raise BridgeheadError(ClientCode.UNREACHABLE, text) from error
        except OSError as error:
            text = f"no host answers at {self._address}: {error}; start one with `bridgehead run`, or check the address"
            raise BridgeheadError(ClientCode.UNREACHABLE, text) from error
        return stream, h11.Connection(h11.CLIENT)

    async def _exchange(
        self,
        stream: Stream,
        protocol: h11.Connection,
        method: str,
        target: str,
        body: bytes | None,
        deadline: float,
    ) -> Answer:
        headers = list(self._headers)
        if body is not None:
            headers += [("content-type", "application/json"), ("content-length", str(len(body)))]
        sent = protocol.send(h11.Request(method=method, target=target, headers=headers)) or b""
        if body is not None:
            sent += protocol.send(h11.Data(data=body)) or b""
        sent += protocol.send(h11.EndOfMessage()) or b""
        await stream.send(sent, deadline)
        status, received, content = 0, {}, bytearray()
        while True:
            event = protocol.next_event()
            if event is h11.NEED_DATA:
                protocol.receive_data(await stream.receive(deadline))
            elif isinstance(event, h11.Response):
                status = event.status_code
                received = {name.decode().lower(): value.decode("latin-1") for name, value in event.headers}
            elif isinstance(event, h11.Data):
                content += event.data
            elif isinstance(event, h11.EndOfMessage):
                return Answer(status, received, bytes(content))
            elif isinstance(event, h11.ConnectionClosed):
                raise EOFError("closed before an answer")

    def _put_back(self, stream: Stream, protocol: h11.Connection) -> None:
        if protocol.our_state is h11.DONE and protocol.their_state is h11.DONE:
            protocol.start_next_cycle()
            self._idle.append((stream, protocol))
        else:
            stream.close()
