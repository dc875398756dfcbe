#!/usr/bin/env bash
# Compares physics and images with theory and other engines, and writes docs/agreement.md; ends with an error if a bound
# is exceeded. If parts are named (cases, falls, robots, trees, worlds, speed, shapes, images, drawing), it prints only
# those and writes no page.
# Installs MuJoCo, PyBullet, DART and Pinocchio (900 MB) and fetches the robots of tests/robots.txt into the target folder;
# needs python3 with pip, and for the images of MuJoCo EGL of Mesa (libegl1, libgl1-mesa-dri).
#
# The worlds of Gazebo are compared if BRIDGEHEAD_GZPHYSICS names the program that steps a world in Gazebo's physics, and
# BRIDGEHEAD_GZ_WORLDS the folder of the worlds.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
target="${CARGO_TARGET_DIR:-target}"
peers="$(realpath -m "$target")/agreement-py"

# MuJoCo 4.0.0 has a wrong Hessian in its sparse Newton solver; 4.0.1 is only the package `mujoco-core`.
packages=("mujoco-core[rendering]==4.0.1" pybullet==3.2.7 dartpy==6.20.0 pin==4.1.0)

if [ "$(cat "$peers/installed.txt" 2>/dev/null)" != "${packages[*]}" ]; then
    echo "installing MuJoCo, PyBullet, DART and Pinocchio into $peers"
    rm -rf "$peers"
    python3 -m venv --without-pip "$peers"
    site="$("$peers/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
    python3 -m pip install --quiet --target "$site" "${packages[@]}"
    echo "${packages[*]}" >"$peers/installed.txt"
fi
bash tests/fetch_robots.sh

# Plugins are shared libraries, which `cargo bench` does not build.
cargo build --release --workspace --lib --bins
export BRIDGEHEAD_PEERS_PYTHON="$peers/bin/python" BRIDGEHEAD_ROBOTS
BRIDGEHEAD_ROBOTS="$(realpath "$target/robots")"
cargo bench --workspace --bench agreement -- "$@"
