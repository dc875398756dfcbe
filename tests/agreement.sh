#!/usr/bin/env bash
# Compares physics and images with theory and other engines, and writes docs/agreement.md; ends with an error if a bound
# is exceeded. If parts are named (cases, falls, worlds, speed, images, drawing), it prints only those and writes no page.
# Installs MuJoCo, PyBullet and DART into the target folder; needs python3 with pip, and for the images of MuJoCo EGL of
# Mesa (libegl1, libgl1-mesa-dri).
#
# The worlds of Gazebo are compared if BRIDGEHEAD_GZPHYSICS names the program that steps a world in Gazebo's physics, and
# BRIDGEHEAD_GZ_WORLDS the folder of the worlds.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
target="${CARGO_TARGET_DIR:-target}"
peers="$(realpath -m "$target")/agreement-py"

if ! "$peers/bin/python" -c 'import dartpy, mujoco, pybullet' 2>/dev/null; then
    echo "installing MuJoCo, PyBullet and DART into $peers"
    python3 -m venv --without-pip "$peers"
    site="$("$peers/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
    python3 -m pip install --quiet --target "$site" mujoco==4.0.0 pybullet==3.2.7 dartpy==6.20.0
fi

# Plugins are shared libraries, which `cargo bench` does not build.
cargo build --release --workspace --lib --bins
BRIDGEHEAD_PEERS_PYTHON="$peers/bin/python" cargo bench --workspace --bench agreement -- "$@"
