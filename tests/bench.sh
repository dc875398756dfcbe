#!/usr/bin/env bash
# Measures the cost of the host and writes docs/benchmarks.md; ends with an error if a target is missed. If parts are
# named (step, no_listener, cameras, publish, fan_out, guards, isolation, reset, parse, load, reading, poses, page, demo,
# sockets, ros2, gz_call, zenoh_call), it prints only those and writes no page. `python` alone measures loops of the Python client, vectors of environments
# and of MuJoCo beside them instead, and writes their tables into docs/reinforcement-learning.md. Installs Drake, the reference for reading worlds, and
# the peers for ROS 2, Cyclone DDS and Zenoh, into the target folder; needs python3 with pip, valgrind, for `page` Node, npm and
# Chromium, and for `gz_call` a C++ compiler, libignition-transport-dev and libignition-msgs-dev.
set -euo pipefail
case "${1:-}" in
    -*)
        sed -n '2,/^set /s/^# \{0,1\}//p' "$0"
        exit
        ;;
esac
cd "$(dirname "${BASH_SOURCE[0]}")/.."
target="${CARGO_TARGET_DIR:-target}"
peer="$target/bench-py"

# Plugins are shared libraries, which `cargo bench` does not build. Both commands name the whole workspace, and the
# first one builds the benchmark too: otherwise crates would be built twice, with different features.
build() { cargo build --release --workspace --lib --bins --examples --bench overhead; }

if [ "$*" = python ]; then
    client="$target/loops-py"
    if ! "$client/bin/python" -c 'import gymnasium, h11, mujoco, numpy, websockets' 2>/dev/null; then
        python3 -m venv --without-pip "$client"
        python3 -m pip --python "$client/bin/python" install --quiet mujoco==4.0.0 \
            $(grep -E '^(gymnasium|h11|numpy|websockets)==' tests/requirements.txt)
    fi
    build
    BRIDGEHEAD_PROGRAM="$target/release/bridgehead" PYTHONPATH=host/python/src PYTHONDONTWRITEBYTECODE=1 \
        "$client/bin/python" tests/python_loops.py docs/reinforcement-learning.md
    exit
fi

if ! "$peer/bin/python" -c 'import pydrake' 2>/dev/null; then
    echo "installing Drake into $peer"
    python3 -m venv --without-pip "$peer"
    # Of the dependencies of Drake's wheel, its parser needs only numpy.
    site="$("$peer/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
    python3 -m pip install --quiet --no-deps --target "$site" drake==1.51.1 numpy
fi

if ! "$peer/bin/python" -c 'import cyclonedds.domain' 2>/dev/null; then
    echo "installing Cyclone DDS into $peer"
    site="$("$peer/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
    python3 -m pip install --quiet --target "$site" "$(grep '^cyclonedds==' tests/requirements.txt)"
fi

if ! "$peer/bin/python" -c 'import zenoh' 2>/dev/null; then
    echo "installing Zenoh into $peer"
    site="$("$peer/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
    python3 -m pip install --quiet --target "$site" "$(grep '^eclipse-zenoh==' tests/requirements.txt)"
fi

if [ "$#" = 0 ] || [[ " $* " == *" page "* ]]; then
    bash host/page/build.sh
fi

# The program without the checks of calls, for `guards`: beside the normal one, because both use the same plugins.
if [ "$#" = 0 ] || [[ " $* " == *" guards "* ]]; then
    BRIDGEHEAD_UNGUARDED=1 build
    cp "$target/release/bridgehead" "$target/release/bridgehead-unguarded"
fi
build
cargo bench --workspace --bench overhead -- "$@"
