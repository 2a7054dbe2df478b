//===- IndependentThreads.cpp - Kernels that fit any block ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/IndependentThreads.h"
#include "AddressAt.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

bool gpuocc::worksTogether(const Operation &Op) {
  return any_of(Op.Emits, [](const Emission &E) {
    return E.Class == InstClass::Barrier || E.Class == InstClass::Shfl ||
           E.Class == InstClass::Vote;
  });
}

bool gpuocc::hasIndependentThreads(const KernelFacts &Facts, const Launch &L) {
  return Facts.StaticSharedBytes + L.DynamicSharedBytes.Value == 0 &&
         Facts.Bounds.Cluster[0] == 0 && Facts.Bounds.RequiredBlock[0] == 0 &&
         none_of(Facts.Operations, worksTogether);
}

bool gpuocc::adaptsToBlocks(const KernelFacts &Facts, const Launch &L) {
  const bool ReadsSize = any_of(Facts.Operations, [](const Operation &Op) {
    return Op.SReg == SpecialReg::NTidX;
  });
  const Dim3 &Block = L.Block.Value;
  return ReadsSize && hasIndependentThreads(Facts, L) && Block.Y == 1 &&
         Block.Z == 1;
}

bool gpuocc::fitSharedWords(const KernelFacts &Facts, const Launch &L,
                            uint64_t Threads) {
  Launch Then = L;
  Then.Block.Value.X = Threads;
  AddressAt Last(Facts, Then, {{int64_t(Threads) - 1, 0, 0}, {}});
  return all_of(Facts.Accesses, [&](const MemoryAccess &A) {
    const Operation &Op = Facts.Operations[A.Op];
    if (A.Space != MemorySpace::Shared || A.Kind == AccessKind::Load ||
        Facts.Blocks[Op.Block].Loop != NoIndex)
      return true;
    const std::optional<int64_t> At = Last.of(A.Base);
    return At && *At + A.OffsetBytes + int64_t(A.BytesPerLane) <=
                     int64_t(Facts.StaticSharedBytes);
  });
}
