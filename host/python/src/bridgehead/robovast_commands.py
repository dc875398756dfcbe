"""What RoboVAST runs in the image of a simulator: `python3 -m bridgehead.robovast_commands run|describe|health`.

The answers are lines of JSON in the form of RoboVAST. Nothing of RoboVAST is imported, because its package is not in
that image.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, NoReturn

from bridgehead._program import find_program
from bridgehead._sync.client import Client
from bridgehead.errors import BridgeheadError
from bridgehead.results import Outcome

# Where `bridgehead run` serves if nothing else is configured.
ADDRESS = "127.0.0.1:8090"


def run() -> NoReturn:
    """Becomes the host of the world and the arguments that the backend has put into variables."""
    program = str(find_program())
    arguments = shlex.split(os.environ.get("BRIDGEHEAD_SIM_ARGS", ""))
    os.execv(program, [program, "run", *arguments, "--", os.environ["BRIDGEHEAD_SIM_WORLD"]])


def describe(world: str, *, entities: bool) -> dict[str, Any]:
    """Returns the paths of models, links and joints, as `--set` has them, and on request the names of entities.

    Raises:
        BridgeheadError: if the world cannot be read.

    """
    command = [str(find_program()), "world", "print", "--json", world]
    printed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    content: dict[str, Any] = json.loads(printed or "{}")
    if not content.get("worlds"):
        first = next(iter(content.get("load_errors", ())), {"message": "the file has no world"})
        raise BridgeheadError(None, f"{world}: {first['message']}")
    models = content["worlds"][0]["models"]
    paths = [path for model in models for path in _paths(model)]
    answer: dict[str, Any] = {"plugins": [{"address": path, "paths": []} for path in paths], "addresses": paths}
    return {**answer, "entities": [model["name"] for model in models]} if entities else answer


def _paths(model: dict[str, Any]) -> Iterator[str]:
    # A nested model has a name with all names above it: `arm::hand`.
    path = "world" + "".join(f".model[{name}]" for name in model["name"].split("::"))
    yield path
    for kind in ("link", "joint"):
        for part in model.get(f"{kind}s", ()):
            yield f"{path}.{kind}[{part['name']}]"
    for nested in model.get("models", ()):
        yield from _paths(nested)


def health(address: str = ADDRESS) -> dict[str, Any]:
    """Returns state and findings of the host at an address.

    Raises:
        BridgeheadError: if no host answers.

    """
    with Client(address, timeout=5.0) as client:
        status = client.get_status().status
    findings = [{"level": "error", "check": "errors", "detail": text} for text in status.errors]
    if status.outcome == Outcome.FAILURE:
        findings.append({"level": "error", "check": "outcome", "detail": "the run has failed"})
    state = {
        "state": status.state,
        "world": status.world,
        "sim_time_s": status.time_ns / 1e9,
        "steps": status.step,
        "real_time_factor": status.real_time_factor,
    }
    return {"findings": findings, "skipped": [], "state": state}


def main() -> int:
    """Does what the command line says, and returns the exit code."""
    parser = argparse.ArgumentParser(prog="bridgehead.robovast_commands", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("run")
    describing = commands.add_parser("describe")
    describing.add_argument("--entities", action="store_true")
    describing.add_argument("world")
    commands.add_parser("health").add_argument("--address", default=ADDRESS)
    given = parser.parse_args()
    try:
        if given.command == "run":
            run()
        answer = (
            describe(given.world, entities=given.entities) if given.command == "describe" else health(given.address)
        )
    except BridgeheadError as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    sys.stdout.write(json.dumps(answer) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
