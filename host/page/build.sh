#!/usr/bin/env bash
# Builds the page if its sources have changed since the last build: `bash host/page/build.sh [--no-install]`. The next build
# of the host contains it. Needs Node 18 and npm, which fetches the packages of package-lock.json into node_modules; with
# --no-install, or with BRIDGEHEAD_NO_INSTALL=1, nothing is fetched. If something is missing, it says so and succeeds: a
# host without the page does everything else.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

may_install=true
if [ "${1:-}" = --no-install ] || [ "${BRIDGEHEAD_NO_INSTALL:-}" = 1 ]; then may_install=false; fi

# The page is left as it is: an older one, or none.
give_up() {
    echo "the page is not built: $1"
    exit 0
}

# Checksums of what the packages and the page depend on.
packages_now() { cksum package.json package-lock.json | cksum; }
sources_now() {
    find src index.html favicon.svg build.mjs catalogue.mjs package-lock.json ../../docs/errors.md -type f |
        LC_ALL=C sort | tr '\n' '\0' | xargs -0 cksum | cksum
}

is_built() {
    [ -s dist/index.html ] && [ -s dist/page.js ] && [ "$(cat build/sources 2>/dev/null)" = "$(sources_now)" ]
}

if is_built; then exit 0; fi
node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 18 ? 0 : 1)' 2>/dev/null && command -v npm >/dev/null ||
    give_up "it needs Node 18 or newer and npm (Debian: apt-get install nodejs npm); then run this command again"
if [ "$(cat build/packages 2>/dev/null)" != "$(packages_now)" ] || [ ! -d node_modules/esbuild ]; then
    $may_install || give_up "the npm packages of host/page are not installed"
    echo "installing the npm packages of host/page/package-lock.json into host/page/node_modules"
    npm ci --silent --no-audit --no-fund --no-progress || give_up "npm could not install its packages"
    mkdir -p build
    packages_now >build/packages
fi
echo "building the page"
npm run --silent build >build/report.txt || give_up "its build failed; see host/page/build/report.txt"
tail -n 1 build/report.txt
sources_now >build/sources
