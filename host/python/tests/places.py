"""Folders of the repository."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
WORLDS = ROOT / "worlds"
FIXTURES = ROOT / "tests/fixtures/worlds"
