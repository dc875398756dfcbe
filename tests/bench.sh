#!/usr/bin/env bash
# Measures what the host costs and writes docs/benchmarks.md; ends with an error where a target is missed.
# With names of parts (step, unheard, publish, fan_out, load, demo) it prints those alone and writes nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Plugins are shared libraries, which `cargo bench` does not build.
cargo build --release --workspace --examples --lib --bins
cargo bench --package bridgehead-tests --bench overhead -- "$@"
