#!/usr/bin/env bash
# Takes the pictures of the page that the documentation shows: `bash docs/pictures/make.sh [PYTHON]`. Runs the world of the
# demo with the built host and plugins, and drives the page in Chromium. Needs what `tests/run.sh` builds and installs.
# With PYTHON, an interpreter that has Pillow, it makes the moving picture of README.md too.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
target="${CARGO_TARGET_DIR:-target}"
out="$target/pictures"
address=127.0.0.1:8191
python="${1:-}"
host=
trap '[ -z "$host" ] || kill "$host" 2>/dev/null || true' EXIT

# Starts a paused host with recorded commands for both vehicles, in place of the one before.
start() {
    if [ -n "$host" ]; then
        kill "$host"
        wait "$host" || true
    fi
    "$target/debug/bridgehead" run worlds/two_vehicles.sdf --start paused --speed 1 --duration 10min --seed 1 \
        --http "$address" --output "$out" \
        --bridge "*=logging:two_vehicles.mcap;overwrite=true" \
        --bridge "car1=replay:worlds/two_vehicles.commands.jsonl;topics=/car1/*" \
        --bridge "car2=replay:worlds/two_vehicles.commands.jsonl;topics=/car2/*" >"$out/host.txt" 2>&1 &
    host=$!
    until curl --silent --fail --request POST "http://$address/api/get_status" | grep -q '"Pause"'; do
        kill -0 "$host" || { cat "$out/host.txt" && exit 1; }
        sleep 0.05
    done
}

mkdir -p "$out"
start
node host/page/test/readme_pictures.mjs "http://$address" docs/pictures
if [ -n "$python" ]; then
    frames="$out/frames"
    rm -rf "$frames"
    mkdir "$frames"
    start
    node host/page/test/readme_motion.mjs "http://$address" "$frames"
    "$python" docs/pictures/motion.py "$frames" docs/pictures/driving.webp
fi
