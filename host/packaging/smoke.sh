#!/usr/bin/env bash
# Runs the demo and a campaign with an installed program: `bash host/packaging/smoke.sh PROGRAM WORLDS`. Needs nothing of
# the repository, and no other program than those of a minimal system.
set -euo pipefail
program="$1" worlds="$(cd "$2" && pwd)"
out="$(mktemp -d)"
trap 'rm -rf "$out"' EXIT
fail() { echo "error: $*" >&2 && exit 1; }

"$program" --version
"$program" doctor || fail "the installation is not complete"
"$program" run "$worlds/two_vehicles.sdf" --http off --speed unlimited --duration 10s --seed 1 --safe-mode \
    --output "$out" --result "$out/result.json" \
    --bridge "*=logging:$out/two_vehicles.mcap" \
    --bridge "car1=replay:$worlds/two_vehicles.commands.jsonl;topics=/car1/*" \
    --bridge "car2=replay:$worlds/two_vehicles.commands.jsonl;topics=/car2/*" >"$out/log" 2>&1 ||
    { cat "$out/log" && fail "the demo failed"; }
grep -q '"steps": 10000' "$out/result.json" || fail "the demo did not run 10000 steps"
grep -q '"outcome": "stopped"' "$out/result.json" || fail "the demo has another outcome than 'stopped'"
[ -s "$out/two_vehicles.mcap" ] || fail "the demo wrote no log"
echo "the demo ran"

# A world whose model is another file.
"$program" run "$worlds/turtlebot3_like.sdf" --http off --speed unlimited --duration 1s --strict --output "$out" \
    >"$out/log" 2>&1 || { cat "$out/log" && fail "a world with a model did not run"; }
echo "a model ran"

cat >"$out/smoke.toml" <<EOF
[campaign]
duration = "1s"
[matrix]
world = "$worlds/two_vehicles.sdf"
seed = [1, 2]
"run.substeps" = [1, 2]
EOF
campaign() {
    "$program" campaign run "$out/smoke.toml" --store "$out/store" >"$out/log" 2>&1 ||
        { cat "$out/log" && fail "the campaign failed"; }
}
campaign
grep -q '4, 4 passed' "$out/log" || { cat "$out/log" && fail "the campaign did not pass with 4 runs"; }
[ -s "$out/store/report.html" ] || fail "the campaign wrote no report"
entry() { stat --format='%n %y' "$out"/store/runs/*/*/entry.json; }
before="$(entry)"
campaign
[ "$(entry)" = "$before" ] || fail "the repeated campaign executed runs again"
echo "the campaign ran"
