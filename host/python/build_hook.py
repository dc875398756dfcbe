"""Hooks of the build: the version of the workspace, and the program with its libraries.

The files come from the folder of the variable BRIDGEHEAD_BUILD, by default `target/release`, and are stripped. The
wheel has the tag `linux_x86_64`; `host/packaging/release.sh` lets auditwheel find the oldest `manylinux` tag.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = ["libbridgehead_bridge_*.so", "libbridgehead_plugin_*.so"]
# Worlds of the demo, so that an installation can be tried, and the models that they include.
WORLDS = ["*.sdf", "*.jsonl", "*.toml", "models/*/*"]


class Version(MetadataHookInterface):
    """Sets the version of the package."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Takes the version of the workspace."""
        manifest = tomllib.loads((ROOT / "Cargo.toml").read_text())
        metadata["version"] = manifest["workspace"]["package"]["version"]


class Program(BuildHookInterface[Any]):
    """Adds the program and its libraries to a wheel."""

    _folder: tempfile.TemporaryDirectory[str] | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Strips the files and adds them."""
        if version == "editable":
            return
        build = Path(os.environ.get("BRIDGEHEAD_BUILD", ROOT / "target/release"))
        files = built(build)
        self._folder = tempfile.TemporaryDirectory()
        include = build_data["force_include"]
        for file in files:
            stripped = Path(self._folder.name) / file.name
            subprocess.run(["strip", "-o", stripped, file], check=True)
            shutil.copymode(file, stripped)
            include[str(stripped)] = f"bridgehead/program/{file.name}"
        for pattern in WORLDS:
            for world in sorted((ROOT / "worlds").glob(pattern)):
                include[str(world)] = f"bridgehead/worlds/{world.relative_to(ROOT / 'worlds')}"
        # Licences of the dependencies, and the bill of materials.
        if documents := os.environ.get("BRIDGEHEAD_DOCUMENTS"):
            for document in sorted(Path(documents).iterdir()):
                include[str(document)] = f"bridgehead/program/{document.name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-linux_{platform.machine()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Removes the stripped files."""
        del version, build_data, artifact_path
        if self._folder is not None:
            self._folder.cleanup()


def built(build: Path) -> list[Path]:
    """Returns the program and all libraries of a build."""
    program = build / "bridgehead"
    advice = "run `cargo build --release --workspace`, or set BRIDGEHEAD_BUILD"
    if not program.is_file():
        raise SystemExit(f"`{program}` does not exist; {advice}")
    manifests = [path for folder in ("bridges", "plugins") for path in (ROOT / folder).glob("*/Cargo.toml")]
    expected = sorted(path.parent.name for path in manifests if "cdylib" in path.read_text())
    libraries = [path for pattern in LIBRARIES for path in sorted(build.glob(pattern))]
    found = sorted(path.stem.split("_", 2)[2] for path in libraries)
    if found != expected:
        raise SystemExit(f"`{build}` has the libraries {found}, expected {expected}; {advice}")
    return [program, *libraries]
