//===- CopyBytes.h - Bytes of copies that code computes --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LANES_COPYBYTES_H
#define GPUOCC_LANES_COPYBYTES_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/Launch.h"
#include "gpuocc/Lanes/ProfileLanes.h"

namespace gpuocc {

/// Gives the bulk copies of \p Facts whose bytes code computes
/// (MemoryAccess::BytesOperand) their mean over the walked warps of the first
/// and the middle block of \p L. Copies whose bytes rest on data keep what was
/// assumed for them.
void takeCopyBytes(const Launch &L, const LanesOptions &Options,
                   KernelFacts &Facts);

} // namespace gpuocc

#endif // GPUOCC_LANES_COPYBYTES_H
