//===- LoopCode.h - What the code of a loop rests on ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_LOOPCODE_H
#define GPUOCC_KERNEL_LOOPCODE_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuocc {

/// Does \p L contain block \p Block?
bool containsBlock(const Loop &L, uint32_t Block);

/// May \p B lead out of \p L?
bool leavesLoop(const Loop &L, const Branch &B);

/// Whether \p Is holds for an operation of \p L that \p Of is made of, its own
/// one included. What memory holds is not told from other values: the addresses
/// of loads are followed.
bool anyOperationInLoop(const KernelFacts &Facts, const Loop &L,
                        const Operand &Of,
                        llvm::function_ref<bool(const Operation &)> Is);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_LOOPCODE_H
