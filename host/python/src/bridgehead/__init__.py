"""The Bridgehead simulation host from Python: start it, control it, and read its results.

    with bridgehead.Host("world.sdf", start="paused") as host:
        host.step(100)
        print(host.entity("car1").pose.position)

`AsyncHost` and `AsyncClient` have the same methods for asyncio.
"""

from __future__ import annotations

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
