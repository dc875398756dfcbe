#!/usr/bin/env bash
# Builds the golden plugins again: `bash tests/golden/build.sh`. Needed only if this recipe changes: the stored binaries
# stand for plugins that were built long ago, so a change of the ABI or of a message must not change them.
#
# They are built with an older SDK. As long as there is no older release, it is a copy of the present one without a few
# additions, see README.md.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
golden="$PWD/tests/golden"
target="${CARGO_TARGET_DIR:-$PWD/target}/golden"
sdk="$target/sdk"
built="$target/built"

# Replaces text in a file of the copy; an edit without effect is an error.
edit() {
    local file="$sdk/$1" before
    before="$(cat "$file")"
    sed -i "$2" "$file"
    [ "$before" != "$(cat "$file")" ] || { echo "error: \`$2\` changes nothing in $1" >&2 && exit 1; }
}

rm -rf "$sdk" "$built"
mkdir -p "$sdk/tests" "$built"
cp -r plugin-api Cargo.toml Cargo.lock "$sdk"
# The generated tests of its messages.
cp -r tests/fuzz "$sdk/tests"
# Only the SDK is in the workspace of the copy.
edit Cargo.toml '/^    "\(host\|bridges\|plugins\)[/"]/d; /^    "tests",/d; /^exclude/,/^\]/d; /^\[profile/,$d'

# Another version of every crate.
edit Cargo.toml 's/^version = .*/version = "0.0.9"/; /path = "plugin-api/s/version = "[0-9.]*"/version = "0.0.9"/'
edit plugin-api/abi/Cargo.toml 's/^version = .*/version = "0.0.9"/'
# One extension less.
edit plugin-api/abi/src/layout.rs '/^        report::HostReport,$/d; s/^        report, scene,/        scene,/'
edit plugin-api/abi/src/surface.rs '/^    report::HostReport = /d; s/model, report, scene,/model, scene,/'
edit plugin-api/abi/src/extension.rs '/^    REPORT,$/d'
# One field of a message less.
edit plugin-api/build/proto/bridgehead/sensor_msgs/v1/fluid_pressure.proto '/variance/d; /is unknown/d'
(cd "$sdk" && cargo run --quiet -p bridgehead-header-gen)
edit plugin-api/include/bridgehead.h '/"HostReport\./d; /^#define BH_EXT_REPORT /d'

# Rust. Paths of this machine do not belong into the binaries.
cp -r "$golden/rust" "$sdk/golden"
export RUSTFLAGS="--remap-path-prefix=$sdk=/golden"
for registry in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*; do
    RUSTFLAGS+=" --remap-path-prefix=$registry=/crates"
done
export CARGO_TARGET_DIR="$target/rust"
(cd "$sdk/golden" && cargo build --quiet --no-default-features && cargo build --quiet --release)
cp "$target/rust/debug/libgolden.so" "$built/rust_debug.so"
cp "$target/rust/release/libgolden.so" "$built/rust_release.so"

# C, and C++ with a header that knows only one kind of plugin.
include="$sdk/plugin-api/include"
flags=(-shared -fPIC -fvisibility=hidden -O2 -s -Wall -Wextra "-ffile-prefix-map=$golden=/golden")
cc -std=c99 "${flags[@]}" -I "$include" -o "$built/c_model.so" "$golden/meter.c"
edit plugin-api/include/bridgehead.h '/^#define BH_KIND_MODEL /d'
c++ -std=c++17 "${flags[@]}" -I "$include" -o "$built/cpp_bridge.so" "$golden/tape.cpp"

# Most of a library is its layout table, which shrinks to a few kilobytes.
for library in "$built"/*.so; do
    gzip -9 --no-name --stdout "$library" >"$golden/${library##*/}.gz"
done
ls -l "$golden"/*.gz
