//===- cuda_runtime.h - Stands in for the toolkit's header -----*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// So that a source that includes the runtime's header by name also compiles.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CUDA_SHIM_CUDA_RUNTIME_H
#define GPUOCC_CUDA_SHIM_CUDA_RUNTIME_H

#include "gpuocc_cuda_shim.h"

#endif // GPUOCC_CUDA_SHIM_CUDA_RUNTIME_H
