"""Runs the plugin in a host: `python -m pytest`, or `python @name@_test.py`."""

import subprocess
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def test_the_plugin_keeps_the_rules() -> None:
    command = ["bridgehead", "plugin", "validate", "@library@"@validate-words@]
    validated = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True)
    assert validated.returncode == 0, validated.stdout + validated.stderr


if __name__ == "__main__":
    test_the_plugin_keeps_the_rules()
    print("passed")
