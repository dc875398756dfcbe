#!/usr/bin/env bash
# Installs from the sources: `bash packaging/install.sh [PREFIX]`, by default into the folder of `cargo install`. Cargo
# installs the program only; this script puts the plugins and bridges into `lib/bridgehead` below the same prefix, where
# the program finds them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
prefix="${1:-${CARGO_INSTALL_ROOT:-${CARGO_HOME:-$HOME/.cargo}}}"
bash host/page/build.sh
cargo install --locked --path host --root "$prefix"
cargo build --release --locked --workspace --lib
install -d "$prefix/lib/bridgehead"
# Each is written beside its place and renamed: a running host may have the old file open.
for library in "${CARGO_TARGET_DIR:-target}"/release/libbridgehead_{bridge,plugin}_*.so; do
    file="$prefix/lib/bridgehead/$(basename "$library")"
    install -m 644 "$library" "$file.new"
    mv "$file.new" "$file"
done
"$prefix/bin/bridgehead" doctor
