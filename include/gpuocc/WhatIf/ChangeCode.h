//===- ChangeCode.h - Operations that a change of the source saves -*- C++ -*-//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_CHANGECODE_H
#define GPUOCC_WHATIF_CHANGECODE_H

#include "gpuocc/WhatIf/KernelVariant.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuocc {

/// Operations \p Ops of \p V are no longer executed, and neither is what only
/// they needed. Their results stay, known from the start.
void dropOperations(KernelVariant &V, llvm::ArrayRef<uint32_t> Ops);

/// Moves operations of \p V, each by \p MoveOperation::Op to the end of block
/// To, in front of the branch there. Accesses bring from L2 and DRAM what they
/// did before, in as many requests as To is executed.
struct MoveOperation {
  uint32_t Op = NoIndex, To = NoIndex;
  /// To the begin of To, behind its phis.
  bool ToBegin = false;
};
void moveOperations(KernelVariant &V, llvm::ArrayRef<MoveOperation> Moves);

/// Lets what reads \p Old read \p New.
void replaceUses(KernelFacts &Facts, uint32_t Old, const Operand &New);

/// Iterations of loop \p Index of \p V are \p Iterations at a time in one body:
/// its test and its jump are executed once for all of them.
void unrollLoop(KernelVariant &V, uint32_t Index, unsigned Iterations);

/// Removes branches around code of which nothing is executed any more, with
/// what computed their condition.
void dropEmptySides(KernelVariant &V);

/// Removes the emissions of class \p Class from operation \p Op.
void dropEmissions(KernelFacts &Facts, uint32_t Op, InstClass Class);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_CHANGECODE_H
