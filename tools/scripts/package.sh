#!/usr/bin/env bash
# From nothing to a Debian package: installs what is missing, builds all that
# is installed, and leaves build/gpu-occupancy-VERSION-Linux.deb.
#
# Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: tools/scripts/package.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
source tools/scripts/packages.sh
source tools/scripts/progress.sh

ensure_packages "${build_packages[@]}"

echo "== building"
cmake --preset release -DBUILD_TESTING=OFF >/dev/null
build

echo "== packing"
(cd build && cpack -G DEB >/dev/null)
package=$(ls -t build/gpu-occupancy-*.deb | head -n 1)
echo "== next: sudo apt install ./$package"
