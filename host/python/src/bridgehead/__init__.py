"""The Bridgehead simulation host from Python: start it, control it, and read its results.

    with bridgehead.Host("world.sdf", start="paused") as host:
        host.step(100)
        print(host.entity("car1").pose.position)

`AsyncHost` and `AsyncClient` have the same methods for asyncio.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bridgehead._async.client import AsyncClient
    from bridgehead._async.host import AsyncHost
    from bridgehead._async.subscription import AsyncSubscription
    from bridgehead._program import find_program
    from bridgehead._requests import pose_of, quaternion_of, resource_of
    from bridgehead._sync.client import Client
    from bridgehead._sync.host import Host
    from bridgehead._sync.subscription import Subscription
    from bridgehead.errors import BridgeheadError, ClientCode
    from bridgehead.events import Event
    from bridgehead.goals import Goal, GoalAcceptance, GoalCancellation, GoalState
    from bridgehead.messages.simulation_interfaces import ResultCode, SimulationStateCode
    from bridgehead.results import ExitCode, Outcome, RunResult
    from bridgehead.steps import StepChannel, StepFlag

__all__ = [
    "AsyncClient",
    "AsyncHost",
    "AsyncSubscription",
    "BridgeheadError",
    "Client",
    "ClientCode",
    "Event",
    "ExitCode",
    "Goal",
    "GoalAcceptance",
    "GoalCancellation",
    "GoalState",
    "Host",
    "Outcome",
    "ResultCode",
    "RunResult",
    "SimulationStateCode",
    "StepChannel",
    "StepFlag",
    "Subscription",
    "find_program",
    "pose_of",
    "quaternion_of",
    "resource_of",
]

# Imported when they are used: a plugin in Python needs neither a client nor the packages behind it.
_PLACES = {
    "AsyncClient": "bridgehead._async.client",
    "AsyncHost": "bridgehead._async.host",
    "AsyncSubscription": "bridgehead._async.subscription",
    "BridgeheadError": "bridgehead.errors",
    "Client": "bridgehead._sync.client",
    "ClientCode": "bridgehead.errors",
    "Event": "bridgehead.events",
    "ExitCode": "bridgehead.results",
    "Goal": "bridgehead.goals",
    "GoalAcceptance": "bridgehead.goals",
    "GoalCancellation": "bridgehead.goals",
    "GoalState": "bridgehead.goals",
    "Host": "bridgehead._sync.host",
    "Outcome": "bridgehead.results",
    "ResultCode": "bridgehead.messages.simulation_interfaces",
    "RunResult": "bridgehead.results",
    "SimulationStateCode": "bridgehead.messages.simulation_interfaces",
    "StepChannel": "bridgehead.steps",
    "StepFlag": "bridgehead.steps",
    "Subscription": "bridgehead._sync.subscription",
    "find_program": "bridgehead._program",
    "pose_of": "bridgehead._requests",
    "quaternion_of": "bridgehead._requests",
    "resource_of": "bridgehead._requests",
}


def __getattr__(name: str) -> Any:
    place = _PLACES.get(name)
    if place is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(place), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
