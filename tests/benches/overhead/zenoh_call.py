"""The peer of the benchmark of the bridge to Zenoh.

    zenoh_call.py router ENDPOINT                  a router; prints `ready`, and ends with its input
    zenoh_call.py ask ENDPOINT KEY COUNT           calls one after the other; prints the nanoseconds of each call, as JSON
    zenoh_call.py answer ENDPOINT KEY              serves the same calls until its input ends; prints `ready`

Sessions have the settings of rmw_zenoh, and calls its attachments; messages are not decoded: the round trip is measured.
"""

import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "it/zenoh/peer"))

import zenoh  # pylint: disable=wrong-import-position
from configuration import configuration  # pylint: disable=wrong-import-position

REQUEST = bytes.fromhex("0001000000")
# The state that is paused, and a result without a message.
RESPONSE = bytes.fromhex("00010000" "02010000" "01000000" "00000000")
PATIENCE = 30.0
WARM_UP = 200


def attachment(number):
    return number.to_bytes(8, "little") + time.time_ns().to_bytes(8, "little") + b"\x10" + bytes(range(16))


def session(mode, connect, listen):
    return zenoh.open(configuration(mode, connect, listen))


def router(endpoint):
    with session("router", [], [endpoint]):
        wait()


def ask(endpoint, key, count):
    with session("peer", [endpoint], ["tcp/127.0.0.1:0"]) as peer:
        target, consolidation = zenoh.QueryTarget.ALL_COMPLETE, zenoh.ConsolidationMode.NONE
        querier = peer.declare_querier(key, target=target, consolidation=consolidation, timeout=PATIENCE)
        deadline = time.monotonic() + PATIENCE
        while not querier.matching_status.matching:
            if time.monotonic() > deadline:
                sys.exit("no server")
            time.sleep(0.01)
        # Until the two peers know each other, the router passes calls on.
        time.sleep(1)
        took = [trip(querier, number) for number in range(1, WARM_UP + int(count) + 1)]
    print(json.dumps(took[WARM_UP:]))


def trip(querier, number):
    begin = time.perf_counter_ns()
    replies = querier.get(payload=REQUEST, attachment=attachment(number))
    reply = replies.recv()
    took = time.perf_counter_ns() - begin
    if reply.ok is None or reply.ok.attachment.to_bytes()[:8] != number.to_bytes(8, "little"):
        sys.exit(f"call {number} was not answered")
    return took


def answer(endpoint, key):
    def reply(query):
        number = int.from_bytes(query.attachment.to_bytes()[:8], "little")
        query.reply(key, RESPONSE, attachment=attachment(number))
        query.drop()

    with session("peer", [endpoint], ["tcp/127.0.0.1:0"]) as peer:
        peer.declare_queryable(key, reply, complete=True)
        wait()


def wait():
    print("ready", flush=True)
    sys.stdin.read()


def main():
    {"router": router, "ask": ask, "answer": answer}[sys.argv[1]](*sys.argv[2:])


main()
