#!/usr/bin/env bash
# Makes the Debian package: `bash host/packaging/deb.sh STAGE VERSION FOLDER`. STAGE is the tree that `host/packaging/release.sh`
# makes; it becomes `/usr`. The dependencies are those of the symbols that the files use.
set -euo pipefail
stage="$1" version="$2" out="$3"
architecture="$(dpkg --print-architecture)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
package="$work/package"
install -d "$package/DEBIAN" "$work/debian"
cp -r "$stage" "$package/usr"
rm "$package/usr/share/doc/bridgehead/LICENSE-APACHE" "$package/usr/share/doc/bridgehead/LICENSE-MIT"

# Debian expects the licence under this name; the text of Apache 2.0 is on every Debian system.
{
    printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: bridgehead\n\n'
    printf 'Files: *\nCopyright: The Bridgehead developers\nLicense: Expat or Apache-2.0\n\nLicense: Expat\n'
    sed -e 's/^$/./' -e 's/^/ /' "$stage/share/doc/bridgehead/LICENSE-MIT"
    printf '\nLicense: Apache-2.0\n See /usr/share/common-licenses/Apache-2.0.\n\n'
    printf 'Comment: LICENCES-OF-DEPENDENCIES.txt has the licences of the linked libraries.\n'
} >"$package/usr/share/doc/bridgehead/copyright"
gzip --best --no-name "$package/usr/share/doc/bridgehead/CHANGELOG.md"

# dpkg-shlibdeps reads a file `debian/control` in its working directory.
printf 'Source: bridgehead\n\nPackage: bridgehead\nArchitecture: %s\n' "$architecture" >"$work/debian/control"
depends="$(cd "$work" && dpkg-shlibdeps -O package/usr/bin/bridgehead package/usr/lib/bridgehead/*.so |
    sed -n 's/^shlibs:Depends=//p')"
[ -n "$depends" ] || { echo "error: dpkg-shlibdeps found no dependencies" >&2 && exit 1; }

cat >"$package/DEBIAN/control" <<END
Package: bridgehead
Version: $version
Architecture: $architecture
Maintainer: The Bridgehead developers <bridgehead@example.org>
Depends: $depends
Suggests: libvulkan1, mesa-vulkan-drivers
Section: science
Priority: optional
Installed-Size: $(du --summarize --block-size=1024 "$package/usr" | cut -f 1)
Description: headless simulation host for SDF worlds
 Loads an SDF world and steps it in real time or as fast as the machine can.
 Sensors, controllers and bridges are plugins, which this package contains.
END
(cd "$package" && find usr -type f -print0 | sort --zero-terminated | xargs --null md5sum >DEBIAN/md5sums)
dpkg-deb --root-owner-group -Zxz --build "$package" "$out/bridgehead_${version}_$architecture.deb" >/dev/null
