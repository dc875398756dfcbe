"""What is checked before the first case: that the simulator has the world and the entities of the description."""

from __future__ import annotations

from bridgehead_conformance import standard as std
from bridgehead_conformance.case import Mismatch
from bridgehead_conformance.description import ROLES
from bridgehead_conformance.simulator import Simulator
from bridgehead_conformance.transports import TransportError
from bridgehead_conformance.values import DescriptionError


def _load_main(simulator: Simulator) -> None:
    if not simulator.has(40) or "main" not in simulator.description.worlds:
        return
    if simulator.has(24, 25) and simulator.state() in (std.PLAYING, std.PAUSED):
        simulator.set_state(std.STOPPED)
    uri = simulator.description.worlds["main"].uri
    result = simulator.call("load_world", {"world_resource": {"uri": uri}})["result"]
    if result["result"] != std.OK:
        found = f"{std.result_name('load_world', result['result'])} {result['error_message']!r}"
        raise DescriptionError(f"`worlds.main.uri`: the simulator does not load {uri}: {found}")


def _find_entities(simulator: Simulator) -> None:
    named = {role: getattr(simulator.description.entities, role) for role in ROLES}
    response = simulator.call("get_entities") if any(named.values()) else {"result": {"result": std.NOT_FOUND}}
    # Whether the service works is for the cases to say.
    if response["result"]["result"] != std.OK:
        return
    for role, name in named.items():
        if name and name not in response["entities"]:
            found = sorted(response["entities"])
            raise DescriptionError(f"`entities.{role}`: the main world has no {name!r}; its entities are {found}")


def preflight(simulator: Simulator) -> None:
    """Stops a run whose description does not fit, as hundreds of cases would fail for the same reason."""
    try:
        _load_main(simulator)
        _find_entities(simulator)
    except (TransportError, Mismatch, KeyError, TypeError):
        # A service that does not answer as it should is for the cases to say.
        return
