//===- CopyStages.cpp - Tiles that a pipeline has under way ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/CopyStages.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;
using namespace llvm;

/// Executions of block of code \p Block by the warp that executes it most.
static double mostExecutions(const ExecutionProfile &Profile, uint32_t Block) {
  double Most =
      Profile.Samples.empty() ? Profile.Blocks[Block].ExecutionsPerWarp : 0;
  for (const WarpSample &S : Profile.Samples)
    if (Block < S.BlockExecutions.size())
      Most = std::max(Most, S.BlockExecutions[Block]);
  return Most;
}

static bool isCopy(const MemoryAccess &A) {
  return A.Kind == AccessKind::AsyncCopy && A.Space == MemorySpace::Global;
}

namespace {

/// What the waits and barriers of a kernel say.
struct Waits {
  double Tiles = 0;
  unsigned Stages = 1;
};

} // namespace

/// Waits for arrivals of bulk copies.
static Waits waitsAtBarriers(const KernelFacts &Facts,
                             const ExecutionProfile &Profile) {
  // A stage that warps free has a barrier for each way.
  constexpr double WaysOfFreed = 2;
  Waits Out;
  double Made = 0;
  bool IsFreed = false;
  for (const Operation &Op : Facts.Operations) {
    if (Op.What == Semantics::InitBarrier)
      Made += mostExecutions(Profile, Op.Block);
    if (Op.What != Semantics::WaitBarrier)
      continue;
    if (Op.Imm > 0)
      Out.Tiles += mostExecutions(Profile, Op.Block);
    IsFreed |= Op.Imm <= 0;
  }
  Out.Stages =
      unsigned(std::max(1.0, std::round(IsFreed ? Made / WaysOfFreed : Made)));
  return Out;
}

/// Waits in loops for groups of cp.async.
static Waits waitsForGroups(const KernelFacts &Facts,
                            const ExecutionProfile &Profile) {
  Waits Out;
  for (const Operation &Op : Facts.Operations)
    if (Op.What == Semantics::WaitCopies &&
        Facts.Blocks[Op.Block].Loop != NoIndex) {
      Out.Tiles += mostExecutions(Profile, Op.Block);
      Out.Stages =
          std::max(Out.Stages, unsigned(std::max<int64_t>(Op.Imm, 0)) + 1);
    }
  return Out;
}

std::optional<CopyPipeline>
gpuocc::copyPipeline(const KernelFacts &Facts, const ExecutionProfile &Profile,
                     unsigned WarpsPerBlock) {
  CopyPipeline Out;
  double Bytes = 0, Copied = 0, Read = 0;
  bool IsBulk = false;
  for (uint32_t I = 0; I != Facts.Accesses.size(); ++I) {
    const MemoryAccess &A = Facts.Accesses[I];
    const AccessProfile &P = Profile.Accesses[I];
    const double Sectors = P.RequestsPerWarp * P.SectorsPerRequest;
    const bool InLoop =
        Facts.Blocks[Facts.Operations[A.Op].Block].Loop != NoIndex;
    if (A.Kind == AccessKind::Load && A.Space == MemorySpace::Global)
      Read += Sectors;
    if (!isCopy(A))
      continue;
    Read += Sectors;
    Copied += Sectors;
    if (InLoop && Out.FirstCopy == NoIndex)
      Out.FirstCopy = I;
    IsBulk |= A.Bulk;
    Bytes += P.RequestsPerWarp * WarpsPerBlock * A.BytesPerLane *
             (A.Bulk ? 1 : P.ActiveLanes);
  }
  if (Out.FirstCopy == NoIndex)
    return std::nullopt;
  const Waits W =
      IsBulk ? waitsAtBarriers(Facts, Profile) : waitsForGroups(Facts, Profile);
  if (W.Tiles < 1 || Bytes <= 0)
    return std::nullopt;
  Out.Stages = W.Stages;
  // Walks tell how often something is copied within a percent or so.
  constexpr double Unit = 16;
  Out.BytesOfStage = std::max(1.0, std::round(Bytes / W.Tiles / Unit)) * Unit;
  Out.ShareOfReads = Copied / Read;
  return Out;
}

Change gpuocc::copyFurtherAhead(const CopyPipeline &Of, unsigned More) {
  return makeChange(ChangeKind::CopyFurtherAhead, [=](KernelVariant &V) {
    for (Operation &Op : V.Facts.Operations) {
      if (Op.What == Semantics::WaitBarrier)
        Op.Imm += Op.Imm > 0 ? int64_t(More) : -int64_t(More);
      if (Op.What == Semantics::WaitCopies)
        Op.Imm = std::max<int64_t>(Op.Imm, 0) + More;
    }
    const auto Bytes = uint64_t(More * Of.BytesOfStage);
    if (V.Launched.DynamicSharedBytes.Value > 0)
      V.Launched.DynamicSharedBytes.Value += Bytes;
    else
      V.Facts.StaticSharedBytes += Bytes;
  });
}
