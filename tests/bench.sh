#!/usr/bin/env bash
# Measures what the host costs and writes docs/benchmarks.md; ends with an error where a target is missed.
# With names of parts (step, unheard, publish, fan_out, reset, parse, load, reading, demo, sockets, ros2) it prints those
# alone and writes nothing. Installs Drake, which worlds are read beside, and Cyclone DDS, which ROS 2 is spoken with, into
# the target folder; needs python3 with pip.
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

if ! "$peer/bin/python" -c 'import cyclonedds.domain' 2>/dev/null; then
    echo "installing Cyclone DDS into $peer"
    site="$("$peer/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
    python3 -m pip install --quiet --target "$site" "$(grep '^cyclonedds==' tests/requirements.txt)"
fi

# Plugins are shared libraries, which `cargo bench` does not build. The benchmark is built along, and the whole workspace
# named twice: with other features much would be built twice.
cargo build --release --workspace --lib --bins --examples --bench overhead
cargo bench --workspace --bench overhead -- "$@"
