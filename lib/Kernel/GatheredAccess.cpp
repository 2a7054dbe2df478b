//===- GatheredAccess.cpp - Accesses through loaded indices ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/GatheredAccess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/SmallVector.h"

using namespace gpuocc;
using namespace llvm;

/// Memory that holds what the thread itself has put there, or arguments.
static bool isOfThread(MemorySpace Space) {
  return Space == MemorySpace::Local || Space == MemorySpace::Param;
}

bool gpuocc::isGathered(const KernelFacts &Facts,
                        const ExecutionProfile &Profile, uint32_t Access) {
  const MemoryAccess &A = Facts.Accesses[Access];
  if (A.Op >= Facts.Operations.size())
    return false;
  const uint32_t Around = Facts.Blocks[Facts.Operations[A.Op].Block].Loop;
  SmallVector<uint32_t, 8> Work;
  SmallSet<uint32_t, 16> Visited;
  auto Visit = [&](const Operand &O) {
    if (!O.isValue() || !Visited.insert(O.Index).second)
      return;
    const uint32_t Block = Facts.Operations[O.Index].Block;
    if (Around == NoIndex || is_contained(Facts.Loops[Around].Blocks, Block))
      Work.push_back(O.Index);
  };
  for (Visit(A.Base); !Work.empty();) {
    const Operation &Op = Facts.Operations[Work.pop_back_val()];
    if (Op.What == Semantics::Load) {
      if (Op.Access < Profile.Accesses.size() &&
          !isOfThread(Facts.Accesses[Op.Access].Space) &&
          Profile.Accesses[Op.Access].DistinctAddressesPerRequest > 1)
        return true;
      continue;
    }
    for (const Operand &O : Op.Operands)
      Visit(O);
  }
  return false;
}
