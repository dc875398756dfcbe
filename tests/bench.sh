#!/usr/bin/env bash
# Measures what the host costs and writes docs/benchmarks.md; ends with an error where a target is missed.
# With names of parts (step, unheard, publish, fan_out, reset, parse, load, reading, demo, sockets) it prints those alone and
# writes nothing. Installs Drake, which worlds are read beside, into the target folder; needs python3 with pip.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
peer="${CARGO_TARGET_DIR:-target}/bench-py"

if ! "$peer/bin/python" -c 'import pydrake' 2>/dev/null; then
    echo "installing Drake into $peer"
    python3 -m venv --without-pip "$peer"
    # Of what Drake's wheel asks for, its parser needs numpy alone.
    site="$("$peer/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
    python3 -m pip install --quiet --no-deps --target "$site" drake==1.51.1 numpy
fi

# Plugins are shared libraries, which `cargo bench` does not build.
cargo build --release --workspace --examples --lib --bins
cargo bench --package bridgehead-tests --bench overhead -- "$@"
