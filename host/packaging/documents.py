"""Writes what goes with the binaries: the bill of materials, and the licences of all dependencies.

`python host/packaging/documents.py FOLDER` writes `sbom.cdx.json` (CycloneDX) and `LICENCES-OF-DEPENDENCIES.txt`. The
dependencies are those that cargo links into the program and the libraries, and the packages of npm in the page.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGET = "x86_64-unknown-linux-gnu"
TEXTS = ("licen", "copying", "copyright", "notice")
# Packages that only build something, which is linked nevertheless: their sources in other languages, with the licence
# of these.
BUNDLED = {
    "zeromq-src": {
        "name": "libzmq",
        "license": "LGPL-3.0-or-later WITH LGPL-3.0-linking-exception",
        "texts": ["vendor/COPYING", "vendor/COPYING.LESSER"],
    },
}
# Packages of the workspace that are not part of a release.
NOT_RELEASED = {"bridgehead-tests", "bridgehead-fuzz", "bridgehead-header-gen"}


def dependencies():
    """Returns the packages that are linked into the release, without those of the workspace."""
    command = ["cargo", "metadata", "--format-version=1", "--locked", "--offline", f"--filter-platform={TARGET}"]
    command.append("--features=bridgehead-host/s3")
    found = json.loads(subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout)
    packages = {package["id"]: package for package in found["packages"]}
    nodes = {node["id"]: node for node in found["resolve"]["nodes"]}
    left = [one for one in found["workspace_members"] if packages[one]["name"] not in NOT_RELEASED]
    linked = set()
    while left:
        one = left.pop()
        if one in linked:
            continue
        linked.add(one)
        for edge in nodes[one]["deps"]:
            is_linked = any(kind["kind"] is None for kind in edge["dep_kinds"])
            if is_linked or packages[edge["pkg"]]["name"] in BUNDLED:
                left.append(edge["pkg"])
    # Macros, which only run in the compiler, are in the list too: it does no harm to name more than is linked.
    own = set(found["workspace_members"])
    return sorted((packages[one] for one in linked - own), key=lambda one: (one["name"], one["version"]))


def checksums():
    """Returns the checksums of the lock file by name and version."""
    found, name, version = {}, "", ""
    for line in (ROOT / "Cargo.lock").read_text().splitlines():
        key, _, value = line.partition(" = ")
        value = value.strip('"')
        if key == "name":
            name = value
        elif key == "version":
            version = value
        elif key == "checksum":
            found[name, version] = value
    return found


def version():
    """Returns the version of the workspace."""
    for line in (ROOT / "Cargo.toml").read_text().splitlines():
        if line.startswith("version = "):
            return line.split('"')[1]
    raise SystemExit("Cargo.toml has no version")


def component(package, sums):
    """Returns an entry of the bill of materials."""
    entry = {
        "type": "library",
        "bom-ref": f"pkg:cargo/{package['name']}@{package['version']}",
        "name": package["name"],
        "version": package["version"],
        "purl": f"pkg:cargo/{package['name']}@{package['version']}",
        # Some old packages separate alternatives by a slash, which is not an expression.
        "licenses": [{"expression": (package["license"] or "NOASSERTION").replace("/", " OR ")}],
    }
    if package["repository"]:
        entry["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    if found := sums.get((package["name"], package["version"])):
        entry["hashes"] = [{"alg": "SHA-256", "content": found}]
    return entry


def bundled(package):
    """Returns the entry of the sources in another language that a package contains."""
    sources = BUNDLED[package["name"]]
    # The version of the sources is behind the plus sign: `0.2.6+4.3.4`.
    number = package["version"].partition("+")[2]
    reference = f"pkg:generic/{sources['name']}@{number}"
    entry = {"type": "library", "bom-ref": reference, "name": sources["name"], "version": number, "purl": reference}
    return entry | {"licenses": [{"expression": sources["license"]}]}


def npm_components():
    """Returns the packages of npm that are in the page."""
    lock = json.loads((ROOT / "host/page/package-lock.json").read_text())
    for path, package in sorted(lock["packages"].items()):
        if path and not package.get("dev"):
            name = path.rpartition("node_modules/")[2]
            purl = f"pkg:npm/{name.replace('@', '%40')}@{package['version']}"
            entry = {"type": "library", "bom-ref": purl, "name": name, "version": package["version"], "purl": purl}
            if package.get("license"):
                entry["licenses"] = [{"expression": package["license"]}]
            yield entry


def bill(packages):
    """Returns the bill of materials."""
    sums = checksums()
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": "bridgehead",
                "name": "bridgehead",
                "version": version(),
                "licenses": [{"expression": "MIT OR Apache-2.0"}],
            }
        },
        "components": [
            *(component(package, sums) for package in packages),
            *(bundled(package) for package in packages if package["name"] in BUNDLED),
            *npm_components(),
        ],
    }


def texts_of(package):
    """Returns the texts of the licences in the folder of a package."""
    folder = Path(package["manifest_path"]).parent
    names = sorted(name for name in os.listdir(folder) if name.lower().startswith(TEXTS))
    names += BUNDLED.get(package["name"], {"texts": []})["texts"]
    return [(folder / name).read_text(errors="replace").strip() for name in names if (folder / name).is_file()]


def licences(packages):
    """Returns the licences as one text, each text once."""
    users, bare = {}, []
    for package in packages:
        label = f"{package['name']} {package['version']} ({package['license']})"
        texts = texts_of(package)
        for text in texts:
            users.setdefault(text, []).append(label)
        if not texts:
            bare.append(label)
    parts = ["Licences of the dependencies that are linked into Bridgehead."]
    for text, labels in users.items():
        parts.append("\n".join(labels) + "\n\n" + text)
    if bare:
        parts.append("These packages contain no text of their licence:\n\n" + "\n".join(bare))
    page = ROOT / "host/page/dist/licences.txt"
    if page.is_file():
        parts.append("The page for browsers:\n\n" + page.read_text().strip())
    return f"\n\n{'-' * 80}\n\n".join(parts) + "\n"


def main():
    """Writes both files."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    packages = dependencies()
    (folder / "sbom.cdx.json").write_text(json.dumps(bill(packages), indent=1) + "\n")
    (folder / "LICENCES-OF-DEPENDENCIES.txt").write_text(licences(packages))


if __name__ == "__main__":
    main()
