//===- AccessCopies.cpp - Accesses of one statement -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/AccessCopies.h"

using namespace gpuocc;

bool gpuocc::areCopies(const KernelFacts &Facts, const MemoryAccess &A,
                       const MemoryAccess &B) {
  const Operation &OfA = Facts.Operations[A.Op], &OfB = Facts.Operations[B.Op];
  return A.Kind == B.Kind && A.Space == B.Space && A.AtomicOp == B.AtomicOp &&
         A.BytesPerLane == B.BytesPerLane &&
         Facts.Blocks[OfA.Block].Loop == Facts.Blocks[OfB.Block].Loop &&
         (A.Base == B.Base || (OfA.Location == OfB.Location &&
                               OfA.Location < Facts.Locations.size() &&
                               Facts.Locations[OfA.Location].isValid()));
}
