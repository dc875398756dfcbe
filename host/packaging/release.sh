#!/usr/bin/env bash
# Makes every file of a release: `bash host/packaging/release.sh [--snapshot] [FOLDER]`. The files are a wheel, a Debian
# package, a tarball, the bill of materials, the licences of the dependencies, and the checksums of all; FOLDER is
# `dist` in the target folder by default. The version is that of the newest section of CHANGELOG.md, which must be the
# version of Cargo.toml; with --snapshot, it is that of Cargo.toml.
#
# Needs cargo, strip, python3 with pip, dpkg-deb and dpkg-shlibdeps, and Node for the page. With BRIDGEHEAD_BUILD, the
# files of that build folder are used, and nothing is compiled.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
target="${CARGO_TARGET_DIR:-target}"
is_snapshot=false
if [ "${1:-}" = --snapshot ]; then
    is_snapshot=true
    shift
fi
out="${1:-$target/dist}"

fail() { echo "error: $*" >&2 && exit 1; }

version="$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)"
newest="$(sed -n 's/^## \[\([0-9][^]]*\)\].*/\1/p' CHANGELOG.md | head -n 1)"
if ! $is_snapshot; then
    [ "$newest" = "$version" ] ||
        fail "the newest version in CHANGELOG.md is '$newest', and Cargo.toml has '$version'; see docs/releasing.md"
    [ -z "$(git status --porcelain)" ] || fail "the working tree has changes; commit them first"
fi
for program in strip python3 dpkg-deb dpkg-shlibdeps; do
    command -v "$program" >/dev/null || fail "'$program' is missing (Debian: apt-get install binutils dpkg-dev python3)"
done
# All times in the files are that of the commit, so that the same sources give the same bytes.
SOURCE_DATE_EPOCH="$(git log -1 --format=%ct)"
export SOURCE_DATE_EPOCH

if [ -z "${BRIDGEHEAD_BUILD:-}" ]; then
    bash host/page/build.sh
    [ -e host/page/dist/index.html ] || fail "the page was not built; install Node"
    cargo build --release --locked --workspace --lib --bins --features bridgehead-host/s3
    BRIDGEHEAD_BUILD="$target/release"
fi
BRIDGEHEAD_BUILD="$(cd "$BRIDGEHEAD_BUILD" && pwd)"
export BRIDGEHEAD_BUILD

# The packages of host/packaging/requirements.txt, in a virtual environment of their own.
tools="$target/release-tools"
if ! cmp --silent host/packaging/requirements.txt "$tools/installed.txt"; then
    rm -rf "$tools"
    python3 -m venv "$tools"
    "$tools/bin/python" -m pip install --quiet --requirement host/packaging/requirements.txt
    cp host/packaging/requirements.txt "$tools/installed.txt"
fi
tools="$(cd "$tools" && pwd)"

rm -rf "$out"
mkdir -p "$out"
out="$(cd "$out" && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

echo "== bill of materials and licences"
export BRIDGEHEAD_DOCUMENTS="$work/documents"
"$tools/bin/python" host/packaging/documents.py "$BRIDGEHEAD_DOCUMENTS"
cp "$BRIDGEHEAD_DOCUMENTS/sbom.cdx.json" "$out/bridgehead-$version.cdx.json"
cp "$BRIDGEHEAD_DOCUMENTS/LICENCES-OF-DEPENDENCIES.txt" "$out/bridgehead-$version-licences.txt"

echo "== wheel"
(cd host/python && "$tools/bin/python" -m hatchling build --target wheel --directory "$work/wheel")
# Chooses the oldest tag that the symbols of the files allow.
PATH="$tools/bin:$PATH" "$tools/bin/auditwheel" repair --only-plat --wheel-dir "$out" "$work"/wheel/*.whl >"$work/auditwheel.log" 2>&1 ||
    { cat "$work/auditwheel.log" && fail "auditwheel refuses the wheel"; }

echo "== wheel of the conformance suite"
(cd host/conformance && "$tools/bin/python" -m hatchling build --target wheel --directory "$out")

# The same tree for the tarball and the Debian package; the program finds `../lib/bridgehead`.
stage="$work/stage"
install -d "$stage/bin" "$stage/lib/bridgehead" "$stage/share/bridgehead/worlds" "$stage/share/doc/bridgehead"
strip -o "$stage/bin/bridgehead" "$BRIDGEHEAD_BUILD/bridgehead"
for library in "$BRIDGEHEAD_BUILD"/libbridgehead_{bridge,plugin}_*.so; do
    strip -o "$stage/lib/bridgehead/$(basename "$library")" "$library"
done
chmod 755 "$stage/bin/bridgehead"
chmod 644 "$stage"/lib/bridgehead/*.so
install -m 644 worlds/*.sdf worlds/*.jsonl worlds/*.toml "$stage/share/bridgehead/worlds"
for model in worlds/models/*/; do
    install -D -m 644 -t "$stage/share/bridgehead/$model" "$model"model.*
done
bash host/packaging/sdk.sh "$stage"
install -m 644 README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$BRIDGEHEAD_DOCUMENTS"/* "$stage/share/doc/bridgehead"

echo "== tarball"
name="bridgehead-$version-$(uname -m)-linux"
tar --create --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
    --transform="s,^\.,$name," --directory="$stage" . | gzip --no-name >"$out/$name.tar.gz"

echo "== Debian package"
bash host/packaging/deb.sh "$stage" "$version" "$out"

(cd "$out" && sha256sum -- * >SHA256SUMS)
echo "written to $out:"
(cd "$out" && ls -l)
