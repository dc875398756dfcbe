#!/usr/bin/env bash
# Builds the documentation as a site into the folder `site` of the target folder, and prints its first page.
# A dead link is an error. `bash docs/site.sh --test` runs the tests of the tool too.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
target=$(realpath --canonicalize-missing "${CARGO_TARGET_DIR:-target}")
# The tool is a workspace of its own: its builds do not replace those of the host.
export CARGO_TARGET_DIR="$target/site-tool"
cd docs/site
if [[ ${1-} == --test ]]; then
    cargo fmt --check
    cargo test --locked --quiet
fi
cargo run --locked --quiet -- "$target/site"
