"""The driver of a campaign on Ray: it starts one task for each shard, and waits for all of them.

`bridgehead campaign run --engine ray` sends the text of this file with its job, so that the machines of Ray need the
program, but not this package. The file therefore imports nothing of the package. Its argument is JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import ray

# Ray repeats a task that is lost with its node or its worker. A shard that ends with an error is not repeated: the
# command that submitted the job names what is missing.
DEFAULTS = {"max_retries": 3, "num_cpus": 1}
# Longest part of the output of a failed shard that is shown, in characters.
SHOWN = 2000


def execute(command: str, variable: str, number: int) -> tuple[int, str]:
    """Executes a shard, on any node; returns its exit code and the end of its output."""
    finished = subprocess.run(
        ["/bin/sh", "-c", command],
        env={**os.environ, variable: str(number)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return finished.returncode, finished.stdout.decode(errors="replace")[-SHOWN:]


def outcome(reference: Any) -> str | None:
    """Returns why a shard is not complete; `None` if it is."""
    try:
        code, output = ray.get(reference)
    except ray.exceptions.RayError as error:
        return f"{type(error).__name__}: {error}"
    return f"exit code {code}\n{output.strip()}" if code else None


def drive(order: dict[str, Any]) -> int:
    """Executes all shards; returns the exit code, from which Ray makes the status of the job."""
    task = ray.remote(**{**DEFAULTS, **order["options"]})(execute)
    numbers = iter(range(1, order["count"] + 1))
    running: dict[Any, int] = {}
    failed = 0
    while True:
        while len(running) < order["most_parallel"] and (number := next(numbers, None)) is not None:
            running[task.remote(order["command"], order["variable"], number)] = number
        if not running:
            return 1 if failed else 0
        for reference in ray.wait(list(running))[0]:
            number = running.pop(reference)
            if reason := outcome(reference):
                failed += 1
                sys.stderr.write(f"shard {number} of {order['count']}: {reason}\n")


if __name__ == "__main__":
    # Not `ray.init()`, which starts a cluster if there is none.
    ray.init(address="auto", log_to_driver=False, logging_level="warning")
    sys.exit(drive(json.loads(sys.argv[1])))
