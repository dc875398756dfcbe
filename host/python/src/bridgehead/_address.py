"""The address of a host."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from bridgehead.errors import BridgeheadError, ClientCode

PORT = 8090


@dataclass(frozen=True, slots=True)
class Address:
    """Name and port of the server."""

    host: str
    port: int

    @staticmethod
    def parse(text: str) -> Address:
        """Reads `127.0.0.1:8090`, `localhost`, `[::1]:8090` or `http://127.0.0.1:8090`."""
        expected = f"the address `{text}` is not valid; write HOST:PORT or http://HOST:PORT"
        try:
            parts = urlsplit(text if "://" in text else f"http://{text}")
            host, port = parts.hostname, parts.port or PORT
        except ValueError as error:
            raise BridgeheadError(ClientCode.ADDRESS_INVALID, f"{expected}: {error}") from error
        if not host or parts.scheme != "http" or parts.path.strip("/") or parts.query or " " in text:
            raise BridgeheadError(ClientCode.ADDRESS_INVALID, expected)
        return Address(host, port)

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"
