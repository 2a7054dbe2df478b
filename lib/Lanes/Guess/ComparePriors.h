//===- ComparePriors.h - How often unknown comparisons hold ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_GUESS_COMPAREPRIORS_H
#define GPUOCC_LIB_LANES_GUESS_COMPAREPRIORS_H

#include "gpuocc/Kernel/KernelFacts.h"

namespace gpuocc {

/// Is \p O made of conditions, masks of the lanes that meet them, constants,
/// arguments and indices only? A comparison of two such values is evaluated:
/// the conditions were drawn already.
bool isMadeOfConditions(const KernelFacts &Facts, const Operand &O);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_GUESS_COMPAREPRIORS_H
