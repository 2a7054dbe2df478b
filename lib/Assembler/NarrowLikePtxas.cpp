//===- NarrowLikePtxas.cpp - Halves that ptxas leaves out ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Kernel/UpperHalves.h"

using namespace gpuocc;
using namespace llvm;

void gpuocc::narrowLikePtxas(KernelFacts &Facts) {
  std::vector<bool> Used = upperHalvesUsed(Facts);
  for (size_t I = 0; I != Facts.Operations.size(); ++I) {
    Operation &Op = Facts.Operations[I];
    if (Used[I] || Op.Bits != 64 || Op.Access != NoIndex)
      continue;
    // The lower half of a shift by 32 or more is the upper half of its operand.
    bool IsRightShift =
        Op.What == Semantics::ShrU || Op.What == Semantics::ShrS;
    if (IsRightShift && Op.Operands[1].isImmediate() &&
        Op.Operands[1].Imm == 32) {
      Op.Emits.clear();
      continue;
    }
    if (!carriesUpwards(Op.What) && !IsRightShift)
      continue;
    for (Emission &E : Op.Emits)
      if (E.Count == 2) {
        E.Count = 1;
        E.OnPath = 1;
      }
  }
}
