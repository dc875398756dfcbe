"""As much of Ray as the driver of campaigns uses, on one machine: a task is executed when it is waited for.

FAKE_RAY_LOST is the number of a shard whose task is lost with its node. FAKE_RAY_LOG is a file that gets the options of
the tasks, and how many were running at each wait.
"""

import os
import types


class RayError(Exception):
    """As that of Ray."""


exceptions = types.SimpleNamespace(RayError=RayError)


def init(address, log_to_driver, logging_level):
    """Refuses to start a cluster."""
    assert address == "auto", address
    log(f"init {log_to_driver} {logging_level}")


def remote(**options):
    """Makes a task of a function."""
    log(f"options {sorted(options.items())}")

    def task(function):
        def start(*arguments):
            return lambda: function(*arguments), arguments[-1]

        return types.SimpleNamespace(remote=start)

    return task


def wait(references):
    """Returns one task that has ended, and the others."""
    log(f"running {len(references)}")
    return references[:1], references[1:]


def get(reference):
    """Returns the result of a task."""
    execute, number = reference
    if os.environ.get("FAKE_RAY_LOST") == str(number):
        raise RayError("the node died")
    return execute()


def log(line):
    """Notes a call."""
    if path := os.environ.get("FAKE_RAY_LOG"):
        with open(path, "a") as file:
            file.write(f"{line}\n")
