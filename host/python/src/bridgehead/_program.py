"""The program of the host: where it is."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from bridgehead.errors import BridgeheadError, ClientCode

VARIABLE = "BRIDGEHEAD_PROGRAM"
PACKAGED = Path(__file__).resolve().parent / "program" / "bridgehead"


def find_program(given: str | os.PathLike[str] | None = None) -> Path:
    """Returns the program: the given one, that of the variable `BRIDGEHEAD_PROGRAM`, of this package, or of the path.

    Raises:
        BridgeheadError: `BH-PYC-001` if it does not exist.

    """
    named = os.fspath(given) if given is not None else os.environ.get(VARIABLE)
    if named is not None:
        found = shutil.which(named)
        if found is None:
            whence = "the argument `program`" if given is not None else f"the variable {VARIABLE}"
            text = f"`{named}`, which {whence} names, is not an executable file"
            raise BridgeheadError(ClientCode.PROGRAM_MISSING, text)
        return Path(found).absolute()
    if PACKAGED.is_file():
        return PACKAGED
    for folder in os.get_exec_path():
        candidate = Path(folder) / "bridgehead"
        # The script of this package starts the packaged program, which does not exist.
        if candidate.is_file() and os.access(candidate, os.X_OK) and candidate.read_bytes()[:4] == b"\x7fELF":
            return candidate
    text = f"the program `bridgehead` was not found; install the wheel of a release, or set {VARIABLE}"
    raise BridgeheadError(ClientCode.PROGRAM_MISSING, text)
