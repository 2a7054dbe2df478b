//===- SweepsInStep.h - Warps that pass over the same words ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_MODEL_SWEEPSINSTEP_H
#define GPUOCC_MODEL_SWEEPSINSTEP_H

#include "gpuocc/Kernel/ExecutionProfile.h"

namespace gpuocc {

/// True if each warp passes over most of the sectors that the whole grid
/// changes with an atomic of profile \p P, in one order. How far apart the
/// warps are then decides how many of the words are changed at a time.
bool sweepsInStep(const AccessProfile &P);

} // namespace gpuocc

#endif // GPUOCC_MODEL_SWEEPSINSTEP_H
