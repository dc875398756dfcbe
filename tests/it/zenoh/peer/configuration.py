"""Settings of a zenoh session: those of rmw_zenoh, which differ from the defaults of zenoh, on loopback only."""

import json

import zenoh

EVER, NEVER = -1, 0
QUEUES = ("control", "real_time", "interactive_high", "interactive_low", "data_high", "data", "data_low", "background")
SETTINGS = {
    "connect/timeout_ms": {"router": EVER, "peer": EVER, "client": NEVER},
    "connect/exit_on_failure": {"router": False, "peer": False, "client": True},
    "connect/retry": {"period_init_ms": 1000, "period_max_ms": 4000, "period_increase_factor": 2},
    "open/return_conditions": {"connect_scouted": True, "declares": True},
    "scouting/delay": 500,
    "scouting/multicast/enabled": False,
    "scouting/gossip/enabled": True,
    "scouting/gossip/multihop": False,
    "scouting/gossip/target": {"router": ["router", "peer"], "peer": ["router"]},
    "scouting/gossip/autoconnect": {"router": [], "peer": ["router", "peer"]},
    "scouting/gossip/autoconnect_strategy": {"peer": {"to_router": "always", "to_peer": "greater-zid"}},
    "timestamping/enabled": {"router": True, "peer": True, "client": True},
    "queries_default_timeout": 600_000,
    "routing/interests/timeout": 10_000,
    "transport/unicast/open_timeout": 60_000,
    "transport/unicast/accept_timeout": 60_000,
    "transport/unicast/accept_pending": 10_000,
    "transport/unicast/max_sessions": 10_000,
    "transport/link/tx/lease": 60_000,
    "transport/link/tx/keep_alive": 2,
    "transport/link/tx/queue/size": dict.fromkeys(QUEUES, 2),
    "transport/link/tx/queue/congestion_control/drop/wait_before_drop": 1000,
    "transport/link/tx/queue/congestion_control/block/wait_before_close": 60_000_000,
    "transport/shared_memory/enabled": False,
}


def configuration(mode, connect, listen):
    """Configuration of a session in this mode, with lists of endpoints."""
    found = zenoh.Config()
    own = {"mode": mode, "connect/endpoints": connect, "listen/endpoints": listen}
    for name, value in (own | SETTINGS).items():
        found.insert_json5(name, json.dumps(value))
    return found
