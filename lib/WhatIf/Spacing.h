//===- Spacing.h - How far apart the elements of an array are ---*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_WHATIF_SPACING_H
#define GPUOCC_LIB_WHATIF_SPACING_H

#include "gpuocc/Kernel/KernelFacts.h"

namespace gpuocc {

/// What divides all that indices add to the address \p O of an array: the bytes
/// of its elements, in whatever order they are read. 0: nothing is added; 1
/// where the code does not tell.
int64_t spacingOf(const KernelFacts &Facts, const Operand &O);

} // namespace gpuocc

#endif // GPUOCC_LIB_WHATIF_SPACING_H
