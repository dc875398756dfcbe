#!/usr/bin/env bash
# Builds what the demo needs and runs it: two vehicles follow recorded commands for ten simulated seconds, and bridges
# write their sensor data into target/demo. Prints a summary. With --watch as the first argument, it runs in real time, and
# for an hour, so that the vehicles can be watched in a browser. Further arguments are passed to `bridgehead run`. The page
# for browsers is built too; without Node, the demo says so and runs without it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
target="${CARGO_TARGET_DIR:-target}"
out="$target/demo"
pace=(--speed unlimited --duration 10s)
if [ "${1:-}" = --watch ]; then
    pace=(--speed 1 --duration 1h)
    shift
fi

# Only the host, and the bridges and plugins that the demo uses: `cargo build --workspace` takes half as long again.
packages=(
    bridgehead-host
    bridgehead-bridge-{logging,replay}
    bridgehead-plugin-{clock,diff-drive,imu,joint-state,lidar}
)
# Incremental compilation makes a second build faster and the first one slower, so a fresh clone does without. Once a
# folder was built incrementally it stays so, because a change of the setting would build the host again.
if [ -z "$(ls -A "$target/debug/incremental" 2>/dev/null)" ]; then
    export CARGO_INCREMENTAL="${CARGO_INCREMENTAL:-0}"
fi
# Continuous integration has already built everything, with the options of the tests.
if [ -z "${BRIDGEHEAD_BUILT:-}" ]; then
    bash host/page/build.sh
    cargo build "${packages[@]/#/--package=}"
fi
mkdir -p "$out"
"$target/debug/bridgehead" run worlds/two_vehicles.sdf \
    "${pace[@]}" --seed 1 \
    --output "$out" --result "$out/result.json" \
    --record "$out/two_vehicles.mcap" \
    --bridge "*=logging:$out/two_vehicles.jsonl;overwrite=true" \
    --bridge "car1=replay:worlds/two_vehicles.commands.jsonl;topics=/car1/*" \
    --bridge "car2=replay:worlds/two_vehicles.commands.jsonl;topics=/car2/*" \
    "$@"

cat <<END

written to $out:
  two_vehicles.mcap                    the recording: all messages, the scene and its poses
  two_vehicles.jsonl                   the same as text, one line per message
  car1_track.jsonl, car2_track.jsonl   tracks of the vehicles, requested by the world file
  result.json                          the summary, for scripts

to see the recording in a browser, run this and open the address that it prints:
  $target/debug/bridgehead view $out/two_vehicles.mcap

to watch the vehicles while they drive, run this and open http://127.0.0.1:8090:
  bash worlds/demo.sh --watch
END
