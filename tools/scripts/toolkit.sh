# How clang is to see CUDA on this machine; sourced by the scripts beside it.
#
# Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# The rule of gpuocc/Support/CudaToolkit.h: prints the toolkit's root, or
# nothing.
cuda_root() {
  local root ptxas
  ptxas=$(command -v ptxas || true)
  for root in "${CUDA_PATH:-}" /usr/local/cuda "${ptxas%/bin/ptxas}"; do
    if [ -n "$root" ] && [ -e "$root/include/cuda_runtime.h" ] && [ -d "$root/nvvm/libdevice" ]; then
      echo "$root"
      return
    fi
  done
}

# Sets cuda_options: the toolkit's headers, or those in build/ that stand in
# for them. Clang 22 warns of toolkits that are newer than it.
set_cuda_options() {
  local root
  root=$(cuda_root)
  if [ -n "$root" ]; then
    cuda_options=("--cuda-path=$root" -Wno-unknown-cuda-version)
  else
    cuda_options=(--config=build/share/gpu-occupancy/cuda-shim/gpuocc-cuda-shim.cfg)
  fi
}
