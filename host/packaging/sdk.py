"""Copies the crates for authors of plugins, with a workspace of their own: `python3 host/packaging/sdk.py FOLDER`."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

CRATES = ["plugin-api", "plugin-api/abi", "plugin-api/build", "plugin-api/messages", "plugin-api/params"]
# Parts of the folder `plugin-api` that are no part of its crate.
LEFT_OUT = ("plugin-api/examples/", "plugin-api/header-gen/", "plugin-api/templates/")


def main() -> None:
    """Copies the tracked files, and writes the manifest of the workspace."""
    root, target = Path(__file__).resolve().parents[2], Path(sys.argv[1])
    listed = subprocess.run(["git", "ls-files", "plugin-api"], cwd=root, check=True, capture_output=True, text=True)
    for name in listed.stdout.splitlines():
        is_test = any(part in ("tests", "benches") for part in Path(name).parts[:3])
        if name.startswith(LEFT_OUT) or is_test:
            continue
        copy = target / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if copy.name == "Cargo.toml":
            copy.write_text(without_tests((root / name).read_text()))
        else:
            shutil.copy(root / name, copy)
    (target / "Cargo.toml").write_text(workspace((root / "Cargo.toml").read_text()))


def sections(text: str) -> list[str]:
    """Returns the tables of a manifest, each with its comments."""
    return re.split(r"\n(?=\[)", text)


def without_tests(text: str) -> str:
    """Leaves out what only tests and benchmarks need."""
    kept = [part for part in sections(text) if not re.match(r"\[dev-dependencies\]|\[\[bench\]\]|\[\[test\]\]", part)]
    return "\n".join(kept)


def workspace(text: str) -> str:
    """Returns the manifest of a workspace with these crates, and the versions and lints of the whole one."""
    members = ", ".join(f'"{crate}"' for crate in CRATES)
    head = f'# The crates for plugins of Bridgehead.\n[workspace]\nresolver = "3"\nmembers = [{members}]\n'
    kept = [part for part in sections(text) if part.startswith(("[workspace.package]", "[workspace.dependencies]", "[workspace.lints"))]
    ours = re.compile(r'^bridgehead-(?!abi|build|messages|params)[a-z-]+ = .*path = "(?!plugin-api").*\n', re.MULTILINE)
    return "\n".join([head, *(ours.sub("", part) for part in kept)])


if __name__ == "__main__":
    main()
