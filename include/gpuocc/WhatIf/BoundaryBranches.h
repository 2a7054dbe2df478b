//===- BoundaryBranches.h - Branches at the edge of the work ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_BOUNDARYBRANCHES_H
#define GPUOCC_WHATIF_BOUNDARYBRANCHES_H

#include "gpuocc/WhatIf/Change.h"
#include <vector>

namespace gpuocc {

/// Branches of \p V around loads that nearly all lanes make, decided by where a
/// thread is and not by data: their sides are single blocks that join again.
std::vector<uint32_t> boundaryBranches(const KernelVariant &V);

/// The sides of \p Branches issue with the code around them, in every execution
/// of it.
Change predicateSides(std::vector<uint32_t> Branches);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_BOUNDARYBRANCHES_H
