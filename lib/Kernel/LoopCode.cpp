//===- LoopCode.cpp - What the code of a loop rests on --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/LoopCode.h"
#include "gpuocc/Kernel/OperationsBehind.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

bool gpuocc::containsBlock(const Loop &L, uint32_t Block) {
  return is_contained(L.Blocks, Block);
}

bool gpuocc::leavesLoop(const Loop &L, const Branch &B) {
  return any_of(B.Targets, [&](uint32_t To) { return !containsBlock(L, To); });
}

bool gpuocc::anyOperationInLoop(const KernelFacts &Facts, const Loop &L,
                                const Operand &Of,
                                function_ref<bool(const Operation &)> Is) {
  bool Found = false;
  walkBehind(Facts, Of, [&](const Operation &Op) -> ArrayRef<Operand> {
    if (Found || !containsBlock(L, Op.Block))
      return {};
    Found = Is(Op);
    return Op.Operands;
  });
  return Found;
}
