//===- WarpShuffle.cpp - Trees in shared memory that shuffles could make --===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Price.h"
#include "gpuocc/WhatIf/ShuffledTree.h"
#include "gpuocc/WhatIf/WarpBarriers.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

/// The change is that of a few lines.
static constexpr double WorthwhileWarpShuffle = 1.05;

/// A tree of that many steps has little to gain.
static constexpr double FewestSteps = 3;

static std::vector<SharedTree> treesToShuffle(const Case &C,
                                              const KernelVariant &V) {
  std::vector<SharedTree> Trees = sharedTrees(C.Facts);
  const std::vector<SharedTree> Scans = sharedScans(C.Facts);
  erase_if(Trees, [&](const SharedTree &Tree) {
    // What goes down again is a prefix sum.
    return any_of(Scans,
                  [&](const SharedTree &Scan) {
                    return Scan.Down != NoIndex && Scan.Loop == Tree.Loop;
                  }) ||
           stepsOf(V, Tree) < FewestSteps || !thinsOut(V, Tree);
  });
  // A loop may leave the last steps to code behind it.
  if (none_of(Trees,
              [&](const SharedTree &Tree) { return endsInOneWord(V, Tree); }))
    Trees.clear();
  return Trees;
}

/// Prefix sums of a block, step by step in shared memory.
static void findScans(const Case &C, const KernelVariant &V, Findings &Out) {
  std::vector<SharedTree> Scans = sharedScans(C.Facts);
  erase_if(Scans, [&](const SharedTree &Scan) {
    // Steps that follow each other add words in front, which no sum of all
    // does.
    return stepsOf(V, Scan) < FewestSteps ||
           (Scan.Loop != NoIndex && Scan.Down == NoIndex &&
            thinsOut(V, Scan)) ||
           !goesAlongLanes(V, Scan);
  });
  if (Scans.empty())
    return;
  const TreeStep First = Scans.front().Steps.front();
  double Steps = stepsOf(V, Scans.front());
  if (const uint32_t Down = Scans.front().Down; Down != NoIndex)
    Steps += C.Profile.Loops[Down].TripCount;
  FindingWriter W(
      RuleId::WarpShuffle,
      locationOrKernel(C.Facts, C.Facts.Operations[First.Combine].Location));
  W.finding().Access = C.Facts.Operations[First.Store].Access;
  if (!C.wants(W.finding()))
    return;
  const Price P = price(C, shuffleScans(std::move(Scans)));
  if (P.Gain < WorthwhileWarpShuffle)
    return;
  W << "a prefix sum in " << named("Steps", formatNumber(Steps))
    << " steps in shared memory, in each of which all threads of the block "
       "wait; let each warp add up its lanes with __shfl_up_sync, put the last "
       "sum of each warp into shared memory, let one warp add up these, and "
       "add to each warp the sum of those in front of it";
  addPrice(W, P);
  Out.push_back(std::move(W.finding()));
}

/// Barriers of the block around what only the lanes of a warp exchange.
static void findWarpBarriers(const Case &C, const KernelVariant &V,
                             Findings &Out) {
  std::vector<uint32_t> Barriers = barriersOfWarps(V);
  if (Barriers.empty())
    return;
  const auto Executions = [&](uint32_t Op) {
    return C.Profile.Blocks[C.Facts.Operations[Op].Block].ExecutionsPerWarp;
  };
  const uint32_t Most =
      *llvm::max_element(Barriers, [&](uint32_t A, uint32_t B) {
        return Executions(A) < Executions(B);
      });
  FindingWriter W(RuleId::WarpShuffle,
                  locationOrKernel(C.Facts, C.Facts.Operations[Most].Location));
  if (!C.wants(W.finding()))
    return;
  double Waits = 0;
  for (uint32_t Op : Barriers)
    Waits += Executions(Op);
  const Price P = price(C, joinWarps(std::move(Barriers)));
  if (P.Gain < WorthwhileWarpShuffle)
    return;
  W << "a warp reads from shared memory only what its own lanes wrote, and "
       "waits for the whole block "
    << named("Waits", formatCount(Waits, "time"))
    << "; let its lanes wait for each other with __syncwarp in place of "
       "__syncthreads, or exchange registers with __shfl_sync";
  addPrice(W, P);
  Out.push_back(std::move(W.finding()));
}

void gpuocc::findWarpShuffle(const Case &C, Findings &Out) {
  // Cheap tests first: a copy of the kernel is made for trees only.
  if (C.Facts.isInIssueOrder() || C.Block.sharedBytes() == 0 ||
      C.Block.Threads % 32 != 0)
    return;
  const KernelVariant V{C.Facts, C.Profile, C.Launched};
  findScans(C, V, Out);
  findWarpBarriers(C, V, Out);
  const std::vector<SharedTree> Trees = treesToShuffle(C, V);
  if (Trees.empty())
    return;
  double Steps = 0;
  for (const SharedTree &Tree : Trees)
    Steps = std::max(Steps, stepsOf(V, Tree));
  const TreeStep First = Trees.front().Steps.front();
  const Price P = price(C, shuffleTrees(Trees));
  if (P.Gain < WorthwhileWarpShuffle)
    return;
  const Operation &Combine = C.Facts.Operations[First.Combine];
  FindingWriter W(RuleId::WarpShuffle,
                  locationOrKernel(C.Facts, Combine.Location));
  W.finding().Access = C.Facts.Operations[First.Store].Access;
  W << "a tree of " << named("Steps", formatNumber(Steps))
    << " steps in shared memory, each of which waits for the one before; let "
       "each warp combine its lanes with __shfl_down_sync, put one word of "
       "each warp into shared memory, and let one warp combine these";
  addPrice(W, P);
  Out.push_back(std::move(W.finding()));
}
