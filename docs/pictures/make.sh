#!/usr/bin/env bash
# Takes the pictures of the page that README.md shows: `bash docs/pictures/make.sh`. Runs the world of the demo in real time
# with the built host and plugins, and drives the page in Chromium. Needs what `tests/run.sh` builds and installs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
target="${CARGO_TARGET_DIR:-target}"
out="$target/pictures"
address=127.0.0.1:8191

mkdir -p "$out"
"$target/debug/bridgehead" run worlds/two_vehicles.sdf --start paused --speed 1 --duration 10min --seed 1 \
    --http "$address" --output "$out" \
    --bridge "*=logging:two_vehicles.mcap;overwrite=true" \
    --bridge "car1=replay:worlds/two_vehicles.commands.jsonl;topics=/car1/*" \
    --bridge "car2=replay:worlds/two_vehicles.commands.jsonl;topics=/car2/*" >"$out/host.txt" 2>&1 &
host=$!
trap 'kill "$host" 2>/dev/null || true' EXIT
node host/page/test/readme_pictures.mjs "http://$address" docs/pictures
