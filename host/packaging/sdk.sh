#!/usr/bin/env bash
# Installs what authors of plugins need: `bash host/packaging/sdk.sh PREFIX`. These are the headers for C and C++ with files
# for CMake (`find_package(Bridgehead)`) and pkg-config (`bridgehead`), whose version is that of the plugin ABI, and the
# crates for Rust in `share/bridgehead/sdk`, which `bridgehead plugin new` finds there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
prefix="$1"
header=plugin-api/include/bridgehead.h
number() { sed -n "s/^#define BH_ABI_$1 \([0-9]*\)$/\1/p" "$header"; }
major="$(number MAJOR)" minor="$(number MINOR)"
[ -n "$major" ] && [ -n "$minor" ] || { echo "error: $header has no version" >&2 && exit 1; }

install -d "$prefix/include" "$prefix/lib/pkgconfig" "$prefix/lib/cmake/Bridgehead" "$prefix/share/bridgehead/sdk"
install -m 644 "$header" plugin-api/include/bridgehead.hpp "$prefix/include"

cat >"$prefix/lib/pkgconfig/bridgehead.pc" <<END
prefix=\${pcfiledir}/../..
includedir=\${prefix}/include

Name: Bridgehead
Description: the ABI for plugins of the simulation host Bridgehead
Version: $major.$minor
Cflags: -I\${includedir}
END

cat >"$prefix/lib/cmake/Bridgehead/BridgeheadConfig.cmake" <<'END'
# The header of the plugin ABI: target_link_libraries(my_plugin PRIVATE Bridgehead::Bridgehead).
get_filename_component(_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET Bridgehead::Bridgehead)
  add_library(Bridgehead::Bridgehead INTERFACE IMPORTED)
  set_target_properties(Bridgehead::Bridgehead PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${_prefix}/include")
endif()
unset(_prefix)
END

# A header serves plugins for its own minor version and for older ones.
cat >"$prefix/lib/cmake/Bridgehead/BridgeheadConfigVersion.cmake" <<END
set(PACKAGE_VERSION "$major.$minor")
if(PACKAGE_FIND_VERSION_MAJOR STREQUAL "$major" AND NOT PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()
END

python3 host/packaging/sdk.py "$prefix/share/bridgehead/sdk"

# The package for plugins in Python, which the host adds to the search path of their interpreter.
(cd host/python/src && find bridgehead -name __pycache__ -prune -o -type f -print) | while read -r file; do
    install -D -m 644 "host/python/src/$file" "$prefix/share/bridgehead/python/$file"
done
