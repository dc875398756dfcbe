"""The hook of the build: the version of the workspace."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

ROOT = Path(__file__).resolve().parents[2]


class Version(MetadataHookInterface):
    """Sets the version of the package."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Takes the version of the workspace."""
        manifest = tomllib.loads((ROOT / "Cargo.toml").read_text())
        metadata["version"] = manifest["workspace"]["package"]["version"]
