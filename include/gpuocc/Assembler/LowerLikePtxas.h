//===- LowerLikePtxas.h - What ptxas makes of a kernel ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_ASSEMBLER_LOWERLIKEPTXAS_H
#define GPUOCC_ASSEMBLER_LOWERLIKEPTXAS_H

#include "gpuocc/Support/Mechanism.h"

namespace gpuocc {

struct KernelFacts;

/// Makes of \p Facts, whose operations emit what PTX says, what ptxas makes of
/// them: the steps of \p Used, in the order in which they build on each other.
void lowerLikePtxas(KernelFacts &Facts, const Mechanisms &Used);

/// Empties the emissions of jumps of \p Facts to blocks that can be placed
/// right behind. A part of lowerLikePtxas(), for functions that are called.
void placeJumpsLikePtxas(KernelFacts &Facts);

} // namespace gpuocc

#endif // GPUOCC_ASSEMBLER_LOWERLIKEPTXAS_H
