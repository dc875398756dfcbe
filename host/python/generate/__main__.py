"""Writes the generated parts of the package: `python -m generate PROGRAM [--check]`, in this folder.

PROGRAM is a host, which is started to read its OpenAPI document. With `--check`, nothing is written, and the exit code
is 1 if a file differs from what would be written.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from generate import messages, services, sync

ROOT = Path(__file__).resolve().parents[1]
NO_WORLD = 4
PACKAGE = ROOT / "src/bridgehead"


def openapi(program: str) -> dict[str, Any]:
    """Returns the OpenAPI document of a host without a world and without plugins of third parties."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "run", "--safe-mode", "--http", "127.0.0.1:0", "--output", folder]
        host = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            return _served(host)
        finally:
            host.terminate()
            host.communicate(timeout=30)


def _served(host: subprocess.Popen[str]) -> dict[str, Any]:
    assert host.stderr is not None
    for line in host.stderr:
        if found := re.search(r"http://\S+:\d+", line):
            # Until then, the types of some plugins are missing.
            while _get(f"{found[0]}/api/get_simulation_state")["state"]["state"] != NO_WORLD:
                time.sleep(0.02)
            return _get(f"{found[0]}/openapi.json")
    raise SystemExit("the host did not serve HTTP")


def _get(url: str) -> dict[str, Any]:
    with urllib.request.urlopen(url, timeout=60) as answer:
        document: dict[str, Any] = json.load(answer)
        return document


def files(document: dict[str, Any]) -> dict[Path, str]:
    """Returns every generated file with its content."""
    found = {PACKAGE / "messages" / name: text for name, text in messages.write(document).items()}
    found[PACKAGE / "_async/services.py"] = services.write(document)
    sources = {path: path.read_text() for path in (PACKAGE / "_async").glob("*.py") if path.name not in sync.BY_HAND}
    sources.update({path: text for path, text in found.items() if path.parent.name == "_async"})
    for path, text in sources.items():
        found[PACKAGE / "_sync" / path.name] = sync.convert(text)
    return found


def formatted(text: str, path: Path) -> str:
    """Returns a source as the formatter writes it."""
    for command in (["check", "--fix-only"], ["format"]):
        ruff = [sys.executable, "-m", "ruff", *command, "--quiet", "--stdin-filename", str(path), "-"]
        text = subprocess.run(ruff, input=text, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT).stdout
    return text


def main() -> int:
    """Writes or check all files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    stale = []
    for path, text in files(openapi(arguments.program)).items():
        new = formatted(text, path)
        if path.exists() and path.read_text() == new:
            continue
        stale.append(path.relative_to(ROOT))
        if not arguments.check:
            path.write_text(new)
    if arguments.check and stale:
        print(f"stale, run `python -m generate PROGRAM` in {ROOT.name}: {', '.join(map(str, stale))}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
