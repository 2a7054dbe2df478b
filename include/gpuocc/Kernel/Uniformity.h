//===- Uniformity.h - Values that all lanes share ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_UNIFORMITY_H
#define GPUOCC_KERNEL_UNIFORMITY_H

#include "gpuocc/Kernel/KernelFacts.h"

namespace gpuocc {

/// True for registers that hold the same in all threads of a block.
bool isSameInBlock(SpecialReg R);

/// For each operation, true when the assembler can see that its result is the
/// same in all threads of a block: it comes from kernel parameters, block
/// indices, constants and constant memory alone, and the way to it too.
std::vector<bool> uniformOperations(const KernelFacts &Facts);

/// For each operation, true when the assembler can see that its result is the
/// same in all lanes of a warp: beside uniformOperations, what a warp has once
/// (clocks, its index, its SM), votes, what all lanes take from one of them,
/// and loads whose address all lanes share.
///
/// Source: which of such values ptxas 13.0 for sm_90 multiplies by the number
/// of lanes where they are added to one word.
std::vector<bool> warpUniformOperations(const KernelFacts &Facts);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_UNIFORMITY_H
