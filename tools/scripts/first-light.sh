#!/usr/bin/env bash
# From nothing to remarks: installs what is missing, builds the plugin and the
# command, and compiles one bundled example with the plugin. Needs no CUDA
# toolkit and no GPU; with a toolkit its headers are used.
#
# Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: tools/scripts/first-light.sh [KERNELS.cu]
set -euo pipefail
example=$(realpath -m "${1:-$(dirname "$0")/../../docs/examples/transpose.cu}")
cd "$(dirname "$0")/../.."
source tools/scripts/packages.sh
source tools/scripts/progress.sh
source tools/scripts/toolkit.sh
[ -r "$example" ] || die "$example: no such file"

ensure_packages "${build_packages[@]}"

echo "== building"
cmake --preset release -DBUILD_TESTING=OFF >/dev/null
build --target GpuOccupancy gpu-occupancy

set_cuda_options
remarks=(-fpass-plugin=build/lib/GpuOccupancy.so -Rpass=gpu-occupancy)
command=(clang++-22 -x cuda --cuda-gpu-arch=sm_90 -O3 --cuda-device-only -S
         "${cuda_options[@]}" "${remarks[@]}" "$(realpath --relative-to=. "$example")" -o build/first-light.ptx)
echo "== ${command[*]}"
"${command[@]}"

echo "== next: the command, on your own sources, with the options of your compiler behind --"
echo "build/bin/gpu-occupancy analyze kernel.cu -- -Iinclude"
