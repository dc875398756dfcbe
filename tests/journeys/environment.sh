# What a new user has: a fresh virtual environment with the wheel, an empty folder, and no other programs than those of the
# system. Sourced by the other scripts of this folder, with the wheel as their first argument.
#
# By default, pip takes the dependencies from its index. If BRIDGEHEAD_PYTHON names an interpreter that has them already,
# as tests/it/journeys.rs does, nothing is downloaded.
set -euo pipefail
wheel="$(realpath "${1:?the wheel}")"
here="$(dirname "$(realpath "${BASH_SOURCE[0]}")")"
root="$(realpath "$here/../..")"
work="$(mktemp -d)"
# Jobs of the script that still run, such as a host, end with it.
trap 'jobs -p | xargs --no-run-if-empty kill 2>/dev/null || true; wait; rm -rf "$work"' EXIT
fail() { echo "error: $*" >&2 && exit 1; }

# Makes the environment from the wheel and further packages, named as for pip.
install_packages() {
    local venv="$work/venv" python="${BRIDGEHEAD_PYTHON:-}" dependencies
    if [ -z "$python" ]; then
        python3 -m venv "$venv"
        "$venv/bin/python" -m pip install --quiet "$wheel" "$@"
        return
    fi
    python3 -m venv --without-pip "$venv"
    "$python" -m pip --python "$venv/bin/python" install --quiet --no-index --no-deps "$wheel"
    dependencies="$("$python" -c 'import h11, pathlib; print(pathlib.Path(h11.__file__).parents[1])')"
    echo "$dependencies" >"$(echo "$venv"/lib/python*/site-packages)/dependencies.pth"
}

# Forgets everything but the environment: neither the repository nor settings of the caller may help.
become_user() {
    local name
    for name in $(compgen -e); do
        case "$name" in
        BRIDGEHEAD_CHROMIUM | BRIDGEHEAD_LOAD) ;;
        PYTHON* | BRIDGEHEAD_* | ROS_* | GZ_* | CYCLONEDDS_*) unset "$name" ;;
        esac
    done
    export PATH="$work/venv/bin:/usr/local/bin:/usr/bin:/bin" HOME="$work/home"
    mkdir -p "$work/home" "$work/user"
    cd "$work/user"
}

# The lines of a page that begin with `bridgehead`, without those of later sections: those that a reader types first.
first_commands() { sed '/^## /,$d' "$root/$1" | sed -n '/^```sh$/,/^```$/p' | grep '^bridgehead '; }
