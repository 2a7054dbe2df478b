#!/usr/bin/env bash
# Builds and runs every test: units, layering, and the faces through lit; with
# the preset of continuous integration the fuzz targets too. Installs what is
# missing. Needs no CUDA toolkit and no GPU; tests that need a toolkit run where
# there is one.
#
# Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: tools/scripts/check.sh [PRESET]    PRESET: release (default) or ci
set -euo pipefail
cd "$(dirname "$0")/../.."
source tools/scripts/packages.sh
source tools/scripts/progress.sh
preset=${1:-release}

ensure_packages "${build_packages[@]}" "${test_packages[@]}"

# The fuzz targets take two minutes of two cores.
fuzz=OFF
[ "$preset" = ci ] && fuzz=ON

echo "== building"
cmake --preset "$preset" -DBUILD_TESTING=ON "-DGPUOCC_FUZZ=$fuzz" -DGPUOCC_TEST_EACH=OFF >/dev/null
build

echo "== testing"
status=0
ctest --test-dir build --no-tests=error --output-on-failure -j "$(nproc)" | tee build/ctest.log || status=$?
why_skipped build/ctest.log build/Testing/Temporary/LastTest.log
exit "$status"
