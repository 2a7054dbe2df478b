//===- GatheredAccess.cpp - Accesses through loaded indices ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/GatheredAccess.h"
#include "gpuocc/Kernel/OperationsBehind.h"
#include "llvm/ADT/STLExtras.h"

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
  bool IsLed = false;
  walkBehind(Facts, A.Base, [&](const Operation &Op) -> ArrayRef<Operand> {
    if (IsLed || (Around != NoIndex &&
                  !is_contained(Facts.Loops[Around].Blocks, Op.Block)))
      return {};
    if (Op.What != Semantics::Load)
      return Op.Operands;
    IsLed = Op.Access < Profile.Accesses.size() &&
            !isOfThread(Facts.Accesses[Op.Access].Space) &&
            Profile.Accesses[Op.Access].DistinctAddressesPerRequest > 1;
    return {};
  });
  return IsLed;
}
