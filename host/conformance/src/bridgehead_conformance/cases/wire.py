"""Cases about the transport: types of services, topics, and several clients."""

from __future__ import annotations

import threading

from bridgehead_conformance import standard as std
from bridgehead_conformance.case import Case, Group, Missing, Undescribed
from bridgehead_conformance.definitions import ACTION, SERVICES, service_type
from bridgehead_conformance.simulator import Simulator, check, equal

CASES: list[Case] = []
_ROUNDS = 10


def _type_case(service: str) -> None:
    group = Group(CASES, service)
    expected = ACTION if service == "simulate_steps" else service_type(service)
    _, kind, name = expected.split("/")

    @group.case(
        f"type.{service}",
        f"{kind}/{name}.{kind}",
        "the interface",
        "The interface has its type.",
        start="any",
    )
    def _type(sim: Simulator) -> None:
        offered = sim.transport.offered()
        full = sim.description.service(service)
        if full not in offered:
            raise Missing(f"`{full}` is not offered")
        equal(offered[full], expected, f"the type of `{full}`")


for _service in (*SERVICES, "simulate_steps"):
    _type_case(_service)

_clients = Group(CASES, "delete_entity", 0, 1)
_steps = Group(CASES, "step_simulation", 32, 31, 10)
_topics = Group(CASES, "get_simulation_state", 24)


@_clients.case(
    "clients.own-answers",
    "srv/DeleteEntity.srv",
    "result",
    "Each client gets the answers to its own requests.",
    start="paused",
)
def _own_answers(sim: Simulator) -> None:
    texts: list[str] = []

    def spawn_and_delete() -> None:
        for round_ in range(_ROUNDS):
            name = f"c{round_}"
            found = sim.ok("spawn_entity", sim.spawning(name, (0.0, 4.0, 3.0)))["entity_name"]
            equal(found, name, "the name of the entity")
            sim.ok("delete_entity", {"entity": name})

    def delete_nobody() -> None:
        other = sim.transport.another()
        try:
            for round_ in range(_ROUNDS):
                result = other.call("delete_entity", {"entity": f"nobody_{round_}"})["result"]["result"]
                check(result == std.NOT_FOUND, f"the second client got {result}")
        except Exception as error:
            texts.append(str(error))
        finally:
            other.close()

    thread = threading.Thread(target=delete_nobody)
    thread.start()
    try:
        spawn_and_delete()
    finally:
        thread.join()
    equal(texts, [], "what the second client reports")


@_steps.case(
    "clients.all-steps", "srv/StepSimulation.srv", "steps", "Steps that were answered with OK were run.", start="paused"
)
def _all_steps(sim: Simulator) -> None:
    width = sim.step_ns()
    begin = sim.time_ns()
    ran = [0, 0]

    def run(index: int, steps: int) -> None:
        transport = sim.transport.another()
        for _ in range(_ROUNDS):
            if transport.call("step_simulation", {"steps": steps})["result"]["result"] == std.OK:
                ran[index] += steps
        transport.close()

    threads = [threading.Thread(target=run, args=(index, steps)) for index, steps in enumerate((3, 5))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = sum(ran) * width
    found = sim.time_ns() - begin
    check(abs(found - expected) <= sum(ran), f"{sum(ran)} steps took {found} ns, one takes {width} ns")


@_topics.case(
    "topics.clock",
    "msg/EntityState.msg",
    "header",
    "The stamp of a state is the simulated time, which a clock publishes.",
    needs=(10, 25),
    start="playing",
)
def _clock(sim: Simulator) -> None:
    if not sim.description.clock:
        raise Undescribed("`clock`")
    before = sim.time_ns()
    stamp = sim.transport.latest(sim.description.clock, "rosgraph_msgs/msg/Clock")["clock"]
    found = int(stamp["sec"]) * 1_000_000_000 + int(stamp["nanosec"])
    # Messages that waited in the transport are a little older than the stamp.
    check(found >= before - 500_000_000, f"the clock says {found} ns after {before} ns")
    # A state may be that of the step before the message.
    sim.wait_for("a stamp reaches the time of the clock", lambda: sim.time_ns() >= found)
