//===- GuardLikePtxas.cpp - What ptxas puts before cp.async ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Assembler/AssemblerRules.h"
#include "gpuocc/Support/InstClasses.h"
#include <algorithm>

using namespace gpuocc;

/// Seen with one and several cp.async in a block: three loads of shared memory
/// that no lane does stand before the first of them.
void gpuocc::guardCopiesLikePtxas(KernelFacts &Facts) {
  const unsigned Count =
      assemblerRules(Facts.Architecture).NumLoadsBeforeCopies;
  for (const BasicBlock &B : Facts.Blocks)
    for (uint32_t I = B.FirstOp; Count && I != B.FirstOp + B.NumOps; ++I) {
      Operation &Op = Facts.Operations[I];
      if (Op.Access >= Facts.Accesses.size() ||
          Facts.Accesses[Op.Access].Kind != AccessKind::AsyncCopy ||
          Facts.Accesses[Op.Access].Bulk)
        continue;
      const unsigned Copies = B.Loop < Facts.Loops.size()
                                  ? std::max(1u, Facts.Loops[B.Loop].UnrolledBy)
                                  : 1;
      Op.Emits.insert(Op.Emits.begin(),
                      {InstClass::Nop, float(Count) / float(Copies), 0});
      break;
    }
}
