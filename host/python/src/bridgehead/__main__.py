"""The command `bridgehead`: it becomes the program of the host."""

from __future__ import annotations

import os
import sys

from bridgehead._program import find_program
from bridgehead.errors import BridgeheadError


def main() -> None:
    """Replaces this process by the program, so that signals and the exit code are those of the host."""
    try:
        program = find_program()
    except BridgeheadError as error:
        sys.exit(f"error[{error.code}]: {error.message}")
    # Plugins in Python run in this environment.
    os.environ.setdefault("BRIDGEHEAD_PYTHON", sys.executable)
    os.execv(program, [str(program), *sys.argv[1:]])


if __name__ == "__main__":
    main()
