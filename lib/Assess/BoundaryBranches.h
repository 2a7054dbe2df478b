//===- BoundaryBranches.h - Branches at the edge of the work ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_BOUNDARYBRANCHES_H
#define GPUOCC_LIB_ASSESS_BOUNDARYBRANCHES_H

#include "gpuocc/Kernel/KernelVariant.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuocc {

/// Branches of \p V around loads that nearly all lanes make, decided by where a
/// thread is and not by data: their sides are single blocks that join again.
std::vector<uint32_t> boundaryBranches(const KernelVariant &V);

/// Lets the sides of \p Branches of \p V issue with the code around them, in
/// every execution of it.
void predicateSides(KernelVariant &V, llvm::ArrayRef<uint32_t> Branches);

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_BOUNDARYBRANCHES_H
