//===- vector_types.h - Stands in for the toolkit's header -----*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What it declares, every source has from gpuocc_cuda_shim.h.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CUDA_SHIM_VECTOR_TYPES_H
#define GPUOCC_CUDA_SHIM_VECTOR_TYPES_H

#include "gpuocc_cuda_shim.h"

#endif // GPUOCC_CUDA_SHIM_VECTOR_TYPES_H
