//===- ScaleBlock.cpp - Blocks that run more or less often ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/ScaleBlock.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

std::vector<uint32_t> gpuocc::blocksOfBranch(const KernelFacts &Facts,
                                             uint32_t Index) {
  const gpuocc::Branch &B = Facts.Branches[Index];
  uint32_t Meet = Facts.Blocks[B.Block].PostDominator;
  std::vector<bool> Seen(Facts.Blocks.size());
  // The block of the branch itself is walked by all lanes.
  Seen[B.Block] = true;
  SmallVector<uint32_t, 16> Work(B.Targets.begin(), B.Targets.end());
  std::vector<uint32_t> Blocks;
  while (!Work.empty()) {
    uint32_t Block = Work.pop_back_val();
    if (Block == Meet || Seen[Block])
      continue;
    Seen[Block] = true;
    Blocks.push_back(Block);
    Work.append(Facts.Blocks[Block].Successors.begin(),
                Facts.Blocks[Block].Successors.end());
  }
  return Blocks;
}

/// Calls \p Do for what \p Profile says of each access in \p Block.
static void forEachAccess(const KernelFacts &Facts, ExecutionProfile &Profile,
                          uint32_t Block,
                          function_ref<void(AccessProfile &)> Do) {
  const gpuocc::BasicBlock &B = Facts.Blocks[Block];
  for (uint32_t Op = B.FirstOp; Op != B.FirstOp + B.NumOps; ++Op)
    if (const uint32_t Index = Facts.Operations[Op].Access; Index != NoIndex)
      Do(Profile.Accesses[Index]);
}

void gpuocc::scaleExecutions(const KernelFacts &Facts,
                             ExecutionProfile &Profile, uint32_t Block,
                             double Factor) {
  Profile.Blocks[Block].ExecutionsPerWarp *= Factor;
  for (WarpSample &Sample : Profile.Samples)
    if (Block < Sample.BlockExecutions.size())
      Sample.BlockExecutions[Block] *= Factor;
  if (const uint32_t Branch = Facts.Blocks[Block].Branch; Branch != NoIndex)
    Profile.Branches[Branch].ExecutionsPerWarp *= Factor;
  forEachAccess(Facts, Profile, Block, [&](AccessProfile &A) {
    A.ExecutionsPerWarp *= Factor;
    A.RequestsPerWarp *= Factor;
  });
}

void gpuocc::scaleBlock(const KernelFacts &Facts, ExecutionProfile &Profile,
                        uint32_t Block, double Factor) {
  if (!(Factor > 0))
    return;
  scaleExecutions(Facts, Profile, Block, Factor);
  Profile.Blocks[Block].ActiveLaneFraction =
      std::min(1.0, Profile.Blocks[Block].ActiveLaneFraction / Factor);
  forEachAccess(Facts, Profile, Block, [&](AccessProfile &A) {
    A.ActiveLanes = std::min(32.0, A.ActiveLanes / Factor);
    for (double AccessProfile::*Field :
         {&AccessProfile::SectorsPerRequest,
          &AccessProfile::IdealSectorsPerRequest,
          &AccessProfile::LinesPerRequest, &AccessProfile::SerializedPasses})
      A.*Field /= Factor;
    A.LanesPerAddress = std::min(A.ActiveLanes, A.LanesPerAddress / Factor);
  });
}

double gpuocc::instructionsOfBlock(const KernelFacts &Facts,
                                   const ExecutionProfile &Profile,
                                   uint32_t Block) {
  return Facts.instructionsOf(Block) * Profile.Blocks[Block].ExecutionsPerWarp;
}
