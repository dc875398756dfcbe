#!/usr/bin/env bash
# Runs the demo with an installed program: `bash host/packaging/smoke.sh PROGRAM WORLDS`. Needs nothing of the repository, and
# no other program than those of a minimal system.
set -euo pipefail
program="$1" worlds="$2"
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
