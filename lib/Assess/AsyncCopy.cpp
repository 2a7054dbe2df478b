//===- AsyncCopy.cpp - Tiles that could be loaded ahead -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessGroups.h"
#include "Price.h"
#include "PricingBudget.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Support/Architecture.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

/// The change touches the whole loop.
static constexpr double WorthwhileGain = 1.1;

namespace {

/// A load of global memory whose values go to shared memory and nowhere else.
struct Staging {
  uint32_t Load = NoIndex, Store = NoIndex;
};

} // namespace

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

static std::vector<Staging> findStaging(const KernelFacts &Facts) {
  std::vector<unsigned> Readers(Facts.Operations.size());
  for (const Operation &Op : Facts.Operations) {
    SmallVector<uint32_t, 4> Read;
    for (const Operand &O : Op.Operands)
      if (O.isValue() && !is_contained(Read, O.Index))
        Read.push_back(O.Index);
    for (uint32_t I : Read)
      ++Readers[I];
  }
  std::vector<Staging> Found;
  for (uint32_t I = 0; I != Facts.Operations.size(); ++I)
    if (uint32_t Load = stagedLoad(Facts, I);
        Load != NoIndex && Readers[Load] == 1)
      Found.push_back({Load, I});
  return Found;
}

/// One instruction copies, nothing waits for its data before the barrier, and
/// every tile is there twice.
static KernelVariant copiedAhead(const Case &C, ArrayRef<Staging> All) {
  KernelVariant V{C.Facts, C.Profile, C.Launched};
  for (const Staging &S : All) {
    Operation &Store = V.Facts.Operations[S.Store];
    V.Facts.Operations[S.Load].Emits = {{InstClass::CpAsync, 1, 1}};
    Store.Emits.clear();
    erase_if(Store.Operands, [&](const Operand &O) {
      return O.isValue() && O.Index == S.Load;
    });
    V.Facts.Accesses[Store.Access].Stored.clear();
  }
  V.Facts.StaticSharedBytes *= 2;
  V.Launched.DynamicSharedBytes.Value *= 2;
  return V;
}

/// The price with one tile ahead, of \p All with as many as the latency takes:
/// an iteration takes what it waits or what it works, whichever is longer.
///
///   before = work + wait; all = before / work; one = before / max(work, wait)
static Price withOneTileAhead(Price All) {
  constexpr double WorkIsWait = 2;
  if (All.Gain <= WorkIsWait)
    return All;
  All.Gain = All.Gain / (All.Gain - 1);
  All.BoundAfter = Resource::Latency;
  All.Mended = nullptr;
  return All;
}

void gpuocc::findAsyncCopy(const Case &C, Findings &Out) {
  constexpr unsigned FirstWithCopies = 80;
  if (C.Facts.isInIssueOrder() ||
      architectureNumber(C.Facts.Architecture) < FirstWithCopies)
    return;
  const std::vector<Staging> All = findStaging(C.Facts);
  if (All.empty())
    return;
  KernelVariant Ahead = copiedAhead(C, All);
  const BlockResources Block = blockResources(Ahead.Facts, Ahead.Launched);
  if (!launchProblems(C.Limits, Block).empty())
    return;
  const Price P = withOneTileAhead(priceVariant(C, std::move(Ahead)));
  if (P.Gain < WorthwhileGain)
    return;
  const uint32_t First = C.Facts.Operations[All.front().Load].Access;
  FindingWriter W(RuleId::AsyncCopy, locationOfAccess(C.Facts, First));
  W.finding().Access = First;
  W << "all warps of a block wait at a barrier for "
    << named("Loads", formatCount(double(All.size()), "load"))
    << " into shared memory; copy the next tile with cp.async while this one "
       "is used ("
    << named("SharedBytes", Twine(Block.sharedBytes()))
    << " B of shared memory per block instead of "
    << Twine(C.Block.sharedBytes()) << ")";
  addPrice(W, P);
  Out.push_back(std::move(W.finding()));
}
