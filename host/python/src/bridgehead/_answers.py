"""What an answer of the host means: a typed response, or an error."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, TypeVar

from bridgehead._codec import NotThisTypeError, from_json
from bridgehead.errors import BridgeheadError, ClientCode
from bridgehead.messages.simulation_interfaces import ResultCode

if TYPE_CHECKING:
    from enum import IntEnum

R = TypeVar("R")

_CODE = re.compile(r"^\[(BH-[A-Z]{3}-\d{3})\] ")
_OK = 200


def response_of(name: str, status: int, body: bytes, kind: type[R], codes: type[IntEnum] | None = None) -> R:
    """Returns the response of a service.

    Raises:
        BridgeheadError: if the request was refused or failed.

    """
    members = _object(name, status, body)
    result = members.get("result")
    number = result.get("result") if isinstance(result, dict) else None
    if number is None and (status != _OK or "message" in members):
        raise _problem(name, status, members)
    try:
        response = from_json(kind, members)
    except NotThisTypeError as error:
        text = f"the answer of `{name}` does not have the declared form: {error}; use a client of the host's version"
        raise BridgeheadError(ClientCode.NOT_A_HOST, text, service=name, status=status) from error
    # The result of a goal is part of its progress, not of the request.
    if number is None or number == ResultCode.OK or "goal_id" in members:
        return response
    raise _failure(name, status, members, number, response, codes)


def _object(name: str, status: int, body: bytes) -> dict[str, Any]:
    try:
        members = json.loads(body)
    except ValueError:
        members = None
    if isinstance(members, dict):
        return members
    start = body[:80].decode(errors="replace")
    text = f"the answer to `{name}` is not from a Bridgehead host: status {status}, `{start}`"
    raise BridgeheadError(ClientCode.NOT_A_HOST, text, service=name, status=status)


def _problem(name: str, status: int, members: dict[str, Any]) -> BridgeheadError:
    code, message = members.get("code"), members.get("message")
    if not isinstance(code, str) or not isinstance(message, str):
        text = f"the answer to `{name}` is not from a Bridgehead host: status {status}"
        return BridgeheadError(ClientCode.NOT_A_HOST, text, service=name, status=status)
    return BridgeheadError(code, message, service=name, status=status, path=members.get("path"))


def _failure(
    name: str, status: int, members: dict[str, Any], number: int, response: object, codes: type[IntEnum] | None
) -> BridgeheadError:
    message = str(members["result"].get("error_message", ""))
    code = None
    if found := _CODE.match(message):
        code, message = found[1], message[found.end() :]
    allowed = tuple(str(one) for one in members.get("allowed", ()))
    return BridgeheadError(
        code, message, result=named(number, codes), service=name, status=status, allowed=allowed, response=response
    )


def named(number: int, codes: type[IntEnum] | None) -> int:
    """Returns a result as a constant, if it is one of the service or of all services."""
    for kind in (codes, ResultCode):
        if kind is not None and number in {member.value for member in kind}:
            return kind(number)
    return number
