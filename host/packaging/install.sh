#!/usr/bin/env bash
# Installs from the sources: `bash host/packaging/install.sh [PREFIX]`, by default into the folder of `cargo install`. Cargo
# installs the program only; this script puts the plugins and bridges into `lib/bridgehead` below the same prefix, where
# the program finds them, and the headers and crates for authors of plugins beside them. BRIDGEHEAD_PROFILE is the profile of the build, `release` by default.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
prefix="${1:-${CARGO_INSTALL_ROOT:-${CARGO_HOME:-$HOME/.cargo}}}"
profile="${BRIDGEHEAD_PROFILE:-release}"
# Cargo's name of the folder of the profile `dev`.
folder="$profile"
[ "$profile" != dev ] || folder=debug
bash host/page/build.sh
cargo install --locked --path host --profile "$profile" --root "$prefix"
cargo build --locked --profile "$profile" --workspace --lib --bins
install -d "$prefix/lib/bridgehead"
# Each is written beside its place and renamed: a running host may have the old file open.
for library in "${CARGO_TARGET_DIR:-target}/$folder"/libbridgehead_{bridge,plugin}_*.so; do
    file="$prefix/lib/bridgehead/$(basename "$library")"
    install -m 644 "$library" "$file.new"
    mv "$file.new" "$file"
done
bash host/packaging/sdk.sh "$prefix"
"$prefix/bin/bridgehead" doctor
