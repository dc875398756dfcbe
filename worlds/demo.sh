#!/usr/bin/env bash
# Builds what the demo needs and runs it: two vehicles drive recorded commands for ten simulated seconds, and bridges
# write what their sensors saw into target/demo. Ends with a summary. Arguments are given to `bridgehead run`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
target="${CARGO_TARGET_DIR:-target}"
out="$target/demo"

# The host, and the bridges and plugins that the demo names: `cargo build --workspace` takes half as long again.
packages=(
    bridgehead-host
    bridgehead-bridge-{logging,replay}
    bridgehead-plugin-{clock,diff-drive,imu,joint-state,lidar}
)
# Continuous integration has built everything already, in the form that tests want.
[ -n "${BRIDGEHEAD_BUILT:-}" ] || cargo build "${packages[@]/#/--package=}"
mkdir -p "$out"
"$target/debug/bridgehead" run worlds/two_vehicles.sdf \
    --duration 10s --speed unlimited --seed 1 \
    --output "$out" --result "$out/result.json" \
    --bridge "*=logging:$out/two_vehicles.mcap;overwrite=true" \
    --bridge "*=logging:$out/two_vehicles.jsonl;overwrite=true" \
    --bridge "car1=replay:worlds/two_vehicles.commands.jsonl;topics=/car1/*" \
    --bridge "car2=replay:worlds/two_vehicles.commands.jsonl;topics=/car2/*" \
    "$@"

cat <<END

written to $out:
  two_vehicles.mcap       everything, for the mcap tools
  two_vehicles.jsonl      the same as text: a line per message
  car1_track.jsonl, car2_track.jsonl   where the vehicles went, asked for by the world itself
  result.json             the summary, for scripts
END
