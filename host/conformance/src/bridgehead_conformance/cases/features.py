"""Cases about the features that a simulator declares."""

from __future__ import annotations

from bridgehead_conformance import standard as std
from bridgehead_conformance.case import Case, Group
from bridgehead_conformance.definitions import SERVICES
from bridgehead_conformance.simulator import Simulator, check, equal

CASES: list[Case] = []
_group = Group(CASES, "get_simulator_features")
_SRV, _MSG = "srv/GetSimulatorFeatures.srv", "msg/SimulatorFeatures.msg"
# Harmless requests that say whether a service answers at all.
_REQUESTS = {"step_simulation": {"steps": 1}, "reset_simulation": {"scope": std.SCOPE_SPAWNED}}
# Features that only add a value to the request of a service.
_OPTIONS = (4, 6, 7, 8, 9, 21, 22, 23, 26, 32, 41, 42)


@_group.case("features.answered", _SRV, "features", "Every simulator implements this service.", start="any")
def _answered(sim: Simulator) -> None:
    check(isinstance(sim.call("get_simulator_features")["features"]["features"], list), "`features` is no list")


@_group.case("features.defined", _MSG, "features", "The list holds the numbers that the message defines.", start="any")
def _defined(sim: Simulator) -> None:
    equal(sorted(sim.features - set(std.FEATURES)), [], "numbers that the standard does not define")


@_group.case(
    "features.once", _MSG, "features", "The list names the supported features, each of them once.", start="any"
)
def _once(sim: Simulator) -> None:
    equal(len(sim.report["features"]), len(sim.features), "the length of the list without repetitions")


@_group.case("features.constant", _SRV, "features", "The features are those of the simulator, so they stay the same.")
def _constant(sim: Simulator) -> None:
    again = {int(number) for number in sim.call("get_simulator_features")["features"]["features"]}
    equal(again, set(sim.features), "the features of a second request")


@_group.case("features.described", _MSG, "features", "The list says what the simulator supports.", start="any")
def _described(sim: Simulator) -> None:
    expected = {std.NUMBERS[name] for name in sim.description.features}
    if expected:
        found = {std.FEATURES[number][0] for number in sim.features if number in std.FEATURES}
        equal(sorted(found), sorted(sim.description.features), "the features, compared with the description")


@_group.case(
    "features.spawn-formats",
    _MSG,
    "spawn_formats",
    "The formats that can be spawned are names.",
    needs=(0,),
    start="any",
)
def _spawn_formats(sim: Simulator) -> None:
    formats = sim.report["spawn_formats"]
    check(all(isinstance(one, str) and one for one in formats), f"`spawn_formats` has empty names: {formats}")


@_group.case("features.custom-info", _MSG, "custom_info", "The further information is optional.", start="any")
def _custom_info(sim: Simulator) -> None:
    check(isinstance(sim.report["custom_info"], str), "`custom_info` is no text")


@_group.case(
    "features.resets-need-reset", _MSG, "SIMULATION_RESET", "A scope is a way of ResetSimulation.", start="any"
)
def _resets(sim: Simulator) -> None:
    scopes = sim.features & {21, 22, 23}
    check(not scopes or sim.has(20), f"{sorted(scopes)} without SIMULATION_RESET")


@_group.case(
    "features.pause-needs-setting",
    _MSG,
    "SIMULATION_STATE_PAUSE",
    "Pausing is a state of SetSimulationState.",
    start="any",
)
def _pause(sim: Simulator) -> None:
    check(not sim.has(26) or sim.has(25), "SIMULATION_STATE_PAUSE without SIMULATION_STATE_SETTING")


def _offered_case(number: int) -> None:
    name, services = std.FEATURES[number]

    @_group.case(
        f"features.offered.{name.lower()}",
        _MSG,
        name,
        "A declared feature has its service or action.",
        needs=(number,),
        start="any",
    )
    def _offered(sim: Simulator) -> None:
        offered = sim.transport.offered()
        for service in services:
            full = sim.description.service(service)
            check(full in offered, f"`{full}` is not offered; offered are {sorted(offered)}")


for _number in std.FEATURES:
    if _number not in _OPTIONS:
        _offered_case(_number)


@_group.case(
    "features.offered-are-declared", _MSG, "features", "The features tell which interfaces are supported.", start="any"
)
def _declared(sim: Simulator) -> None:
    offered = sim.transport.offered()
    for number, (name, services) in std.FEATURES.items():
        if number in _OPTIONS or sim.has(number):
            continue
        for service in services:
            check(sim.description.service(service) not in offered, f"{service} is offered without {name}")


def _supported_case(service: str) -> None:
    needs = tuple(
        number for number, (_, services) in std.FEATURES.items() if service in services and number not in _OPTIONS
    )
    if not needs:
        return

    @_group.case(
        f"features.supported.{service}",
        "msg/Result.msg",
        "RESULT_FEATURE_UNSUPPORTED",
        "Unsupported is the result of what is not declared, not of a declared service.",
        needs=needs[:1],
    )
    def _supported(sim: Simulator) -> None:
        code = sim.code(service, _REQUESTS.get(service))
        check(code != std.UNSUPPORTED, f"{service} is declared and answers {std.result_name(service, code)}")


for _service in SERVICES:
    if _service != "get_simulator_features":
        _supported_case(_service)


@_group.case(
    "features.alias",
    _SRV,
    "features",
    "GetSimulationFeatures is the name that many comments use; a simulator may offer it too.",
    start="any",
)
def _alias(sim: Simulator) -> None:
    for service, alias in sim.description.aliases.items():
        expected = sim.call(service)
        equal(sim.transport.call_alias(service, alias, {}), expected, f"the answer of `{alias}`")
