//===- CopyAhead.cpp - Tiles that are copied while another is used --------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/CopyAhead.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <utility>

using namespace gpuocc;
using namespace llvm;

static bool isInLoopWithBarrier(const KernelFacts &Facts, uint32_t Block) {
  const uint32_t Loop = Facts.Blocks[Block].Loop;
  return Loop != NoIndex && any_of(Facts.Operations, [&](const Operation &Op) {
           return is_contained(Facts.Loops[Loop].Blocks, Op.Block) &&
                  any_of(Op.Emits, [](const Emission &E) {
                    return E.Class == InstClass::Barrier;
                  });
         });
}

/// What cp.async copies at a time.
static bool hasCopiedWidth(const MemoryAccess &A) {
  return A.BytesPerLane == 4 || A.BytesPerLane == 8 || A.BytesPerLane == 16;
}

/// The load that \p Store puts into shared memory as it is.
static uint32_t stagedLoad(const KernelFacts &Facts, uint32_t Store) {
  const Operation &Op = Facts.Operations[Store];
  if (Op.Access == NoIndex)
    return NoIndex;
  const MemoryAccess &To = Facts.Accesses[Op.Access];
  if (To.Space != MemorySpace::Shared || To.Kind != AccessKind::Store ||
      To.Stored.empty() || !To.Stored.front().isValue())
    return NoIndex;
  const uint32_t Load = To.Stored.front().Index;
  const uint32_t Access = Facts.Operations[Load].Access;
  if (Access == NoIndex)
    return NoIndex;
  const MemoryAccess &From = Facts.Accesses[Access];
  const bool IsWhole = all_of(To.Stored, [&](const Operand &O) {
    return O.isValue() && O.Index == Load;
  });
  return IsWhole && From.Kind == AccessKind::Load &&
                 From.Space == MemorySpace::Global && hasCopiedWidth(From) &&
                 From.BytesPerLane == To.BytesPerLane &&
                 isInLoopWithBarrier(Facts, Facts.Operations[Load].Block)
             ? Load
             : NoIndex;
}

std::vector<StagedWord> gpuocc::wordsToCopyAhead(const KernelFacts &Facts) {
  std::vector<unsigned> Readers(Facts.Operations.size());
  for (const Operation &Op : Facts.Operations) {
    SmallVector<uint32_t, 4> Read;
    for (const Operand &O : Op.Operands)
      if (O.isValue() && !is_contained(Read, O.Index))
        Read.push_back(O.Index);
    for (uint32_t I : Read)
      ++Readers[I];
  }
  std::vector<StagedWord> Found;
  for (uint32_t I = 0; I != Facts.Operations.size(); ++I)
    if (uint32_t Load = stagedLoad(Facts, I);
        Load != NoIndex && Readers[Load] == 1)
      Found.push_back({Load, I});
  return Found;
}

/// One instruction copies, nothing waits for its data before the barrier, and
/// every tile is there twice.
static void copyWords(KernelVariant &V, ArrayRef<StagedWord> Words) {
  for (const StagedWord &W : Words) {
    Operation &Store = V.Facts.Operations[W.Store];
    V.Facts.Operations[W.Load].Emits = {{InstClass::CpAsync, 1, 1}};
    Store.Emits.clear();
    erase_if(Store.Operands, [&](const Operand &O) {
      return O.isValue() && O.Index == W.Load;
    });
    V.Facts.Accesses[Store.Access].Stored.clear();
  }
  V.Facts.StaticSharedBytes *= 2;
  V.Launched.DynamicSharedBytes.Value *= 2;
}

Change gpuocc::copyAhead(std::vector<StagedWord> Words) {
  return makeChange(
      ChangeKind::CopyAhead,
      [Words = std::move(Words)](KernelVariant &V) { copyWords(V, Words); });
}
