//===- SerialSection.cpp - What a thread does alone for its block ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/SerialSection.h"
#include "Combinations.h"
#include "gpuocc/Kernel/Copies.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/WhatIf/MergeWork.h"
#include "gpuocc/WhatIf/ScaleBlock.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <algorithm>
#include <cmath>
#include <utility>

using namespace gpuocc;
using namespace llvm;

static constexpr double LanesPerWarp = 32;

/// The target of \p B that a single thread of each block takes.
static uint32_t sideOfOne(const KernelVariant &V, const gpuocc::Branch &B) {
  const Dim3 &Block = V.Launched.Block.Value;
  const Operation *Test = V.Facts.operationOf(B.Condition);
  if (!Test || Test->What != Semantics::Compare || B.Targets.size() != 2 ||
      Block.Y != 1 || Block.Z != 1 || Test->Operands.size() != 2)
    return NoIndex;
  const Operation *Thread =
      V.Facts.operationOf(behindCopies(V.Facts, Test->Operands[0]));
  if (!Thread || Thread->SReg != SpecialReg::TidX ||
      !behindCopies(V.Facts, Test->Operands[1]).isImmediate())
    return NoIndex;
  const bool IsEqual = Test->Compare == ComparePredicate::EQ;
  if (!IsEqual && Test->Compare != ComparePredicate::NE)
    return NoIndex;
  return B.Targets[IsEqual == B.Negated ? 1 : 0];
}

bool gpuocc::isOfOneThread(const KernelVariant &V, uint32_t Index) {
  return sideOfOne(V, V.Facts.Branches[Index]) != NoIndex;
}

/// Combinations without a loop around them, as of an unrolled one.
static void addUnrolled(const KernelVariant &V, Chains &In,
                        SerialSection &Section) {
  unsigned Longest = 0;
  for (uint32_t Block : Section.Blocks) {
    const BasicBlock &B = V.Facts.Blocks[Block];
    for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I) {
      const Operation &Op = V.Facts.Operations[I];
      // Addresses are sums, too.
      const bool IsData = Op.What != Semantics::Add && Op.Bits <= 64;
      if (!IsData || In.lengthTo(I) <= Longest || Op.Emits.empty())
        continue;
      Longest = In.lengthTo(I);
      Section.Combine = Op.Emits.front().Class;
    }
  }
  Section.Values = std::max(Section.Values, double(Longest));
}

/// The most combinations of a chain in an iteration of \p L.
static unsigned valuesOfIteration(const KernelVariant &V, Chains &In,
                                  const gpuocc::Loop &L) {
  unsigned Most = 1;
  for (uint32_t Block : L.Blocks) {
    const BasicBlock &B = V.Facts.Blocks[Block];
    for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I)
      if (V.Facts.Operations[I].What != Semantics::Add)
        Most = std::max(Most, In.lengthTo(I));
  }
  return Most;
}

std::optional<SerialSection> gpuocc::serialSection(const KernelVariant &V,
                                                   uint32_t Index) {
  const gpuocc::Branch &B = V.Facts.Branches[Index];
  const uint32_t Side = sideOfOne(V, B);
  const uint32_t Meet = V.Facts.Blocks[B.Block].PostDominator;
  if (Side == NoIndex || Side == Meet || !is_contained(B.Targets, Meet))
    return std::nullopt;
  SerialSection Section;
  Section.Branch = Index;
  Section.Blocks = blocksOfBranch(V.Facts, Index);
  Section.Results = 0;
  Chains In(V.Facts, Section.Blocks);
  for (uint32_t I = 0; I != V.Facts.Loops.size(); ++I) {
    const gpuocc::Loop &L = V.Facts.Loops[I];
    if (!is_contained(Section.Blocks, L.Header))
      continue;
    const Carried C = carriedBy(V.Facts, In, L);
    if (C.IsInOrder)
      return std::nullopt;
    if (C.Results == 0)
      continue;
    Section.Results = std::max(Section.Results, C.Results);
    Section.Combine = C.Combine;
    Section.Values = std::max(Section.Values, V.Profile.Loops[I].TripCount *
                                                  valuesOfIteration(V, In, L));
  }
  addUnrolled(V, In, Section);
  Section.Results = std::max(Section.Results, 1u);
  if (Section.Values < LanesPerWarp || Section.Combine == InstClass::Unknown)
    return std::nullopt;
  return Section;
}

/// For each operation, whether its result or effect differs between the threads
/// of a block; nothing where that cannot be said.
static std::optional<std::vector<bool>>
differsBetweenThreads(const KernelVariant &V) {
  const Dim3 &Block = V.Launched.Block.Value;
  const uint64_t Extents[] = {Block.X, Block.Y, Block.Z};
  std::vector<bool> Differs(V.Facts.Operations.size());
  for (unsigned D = 0; D != 3; ++D) {
    if (Extents[D] == 1)
      continue;
    const std::optional<std::vector<bool>> Along =
        dependsOnMerged(V.Facts, V.Profile, {MergeOf::Threads, D, 2});
    if (!Along)
      return std::nullopt;
    for (size_t I = 0; I != Differs.size(); ++I)
      Differs[I] = Differs[I] || (*Along)[I];
  }
  return Differs;
}

/// True if \p L only reads memory, and all threads run it alike.
static bool isRepeated(const KernelVariant &V, const gpuocc::Loop &L,
                       const std::vector<bool> &Differs) {
  constexpr double AboutOne = 0.99;
  return V.Profile.Blocks[L.Header].ActiveLaneFraction >= AboutOne &&
         all_of(L.Blocks, [&](uint32_t Block) {
           const BasicBlock &B = V.Facts.Blocks[Block];
           return all_of(
               seq<uint32_t>(B.FirstOp, B.FirstOp + B.NumOps), [&](uint32_t I) {
                 const uint32_t Access = V.Facts.Operations[I].Access;
                 return !Differs[I] &&
                        (Access == NoIndex ||
                         V.Facts.Accesses[Access].Kind == AccessKind::Load);
               });
         });
}

std::vector<SerialSection> gpuocc::repeatedLoops(const KernelVariant &V) {
  std::vector<SerialSection> Found;
  if (V.Facts.isInIssueOrder() || V.Launched.threadsPerBlock() < LanesPerWarp)
    return Found;
  std::optional<std::vector<bool>> Differs;
  for (uint32_t I = 0; I != V.Facts.Loops.size(); ++I) {
    const gpuocc::Loop &L = V.Facts.Loops[I];
    const bool HasLoops = any_of(V.Facts.Loops, [&](const gpuocc::Loop &Other) {
      return Other.Parent == I;
    });
    if (HasLoops || V.Profile.Loops[I].Exact == Exactness::DataDependent)
      continue;
    Chains In(V.Facts, L.Blocks);
    const Carried C = carriedBy(V.Facts, In, L);
    if (C.IsInOrder || C.Results == 0 || C.Combine == InstClass::Unknown)
      continue;
    SerialSection Section;
    Section.Loop = I;
    Section.Blocks.assign(L.Blocks.begin(), L.Blocks.end());
    Section.Results = C.Results;
    Section.Combine = C.Combine;
    Section.Values = V.Profile.Loops[I].TripCount * valuesOfIteration(V, In, L);
    if (Section.Values < LanesPerWarp)
      continue;
    if (!Differs && !(Differs = differsBetweenThreads(V)))
      return {};
    if (isRepeated(V, L, *Differs))
      Found.push_back(std::move(Section));
  }
  return Found;
}

/// The lanes of a request then read what requests of one lane read.
static void widen(AccessProfile &A, const MemoryAccess &Access, double Factor,
                  double Lanes) {
  constexpr double SectorBytes = 32, LineBytes = 128;
  const double Sectors =
      A.RequestsPerWarp * A.SectorsPerRequest * (1 - A.L1HitFraction);
  A.ExecutionsPerWarp *= Factor;
  A.RequestsPerWarp *= Factor;
  A.ActiveLanes = Lanes;
  const double Bytes = Lanes * Access.BytesPerLane;
  A.IdealSectorsPerRequest = std::ceil(Bytes / SectorBytes);
  A.IdealWavefrontsPerRequest = std::ceil(Bytes / LineBytes);
  A.SectorsPerRequest = std::clamp(
      A.RequestsPerWarp > 0 ? Sectors / A.RequestsPerWarp : 0,
      A.IdealSectorsPerRequest, std::max(A.IdealSectorsPerRequest, Lanes));
  A.LinesPerRequest = std::ceil(A.SectorsPerRequest * SectorBytes / LineBytes);
  A.WavefrontsPerRequest = Access.Space == MemorySpace::Shared
                               ? A.IdealWavefrontsPerRequest
                               : std::max(A.IdealWavefrontsPerRequest,
                                          std::ceil(A.LinesPerRequest / 2));
  A.L1HitFraction = 0;
  A.L1WaitFraction = A.LineVisitFraction = 1;
}

static void share(KernelVariant &V, const SerialSection &Section) {
  const double Threads = double(V.Launched.threadsPerBlock());
  const double Warps = double(V.Launched.warpsPerBlock());
  const double Busy = std::min(Threads, Section.Values);
  const double BusyWarps = std::ceil(Busy / LanesPerWarp);
  const double Lanes = Busy / BusyWarps;
  const double OfThread = 1 / Busy;
  // Warps of a block that run it.
  const double Runners = Section.Branch == NoIndex ? Warps : 1;
  for (uint32_t Block : Section.Blocks) {
    BlockProfile &P = V.Profile.Blocks[Block];
    const double OfOne = P.ExecutionsPerWarp * Warps / Runners;
    const double Factor = OfThread * BusyWarps / Runners;
    P.ExecutionsPerWarp *= Factor;
    P.ActiveLaneFraction = Lanes / LanesPerWarp;
    for (WarpSample &Sample : V.Profile.Samples)
      if (Block < Sample.BlockExecutions.size())
        Sample.BlockExecutions[Block] =
            Sample.WarpInBlock < BusyWarps ? OfOne * OfThread : 0;
    const BasicBlock &B = V.Facts.Blocks[Block];
    if (B.Branch != NoIndex)
      V.Profile.Branches[B.Branch].ExecutionsPerWarp *= Factor;
    for (uint32_t Op = B.FirstOp; Op != B.FirstOp + B.NumOps; ++Op) {
      const uint32_t Access = V.Facts.Operations[Op].Access;
      if (Access == NoIndex)
        continue;
      widen(V.Profile.Accesses[Access], V.Facts.Accesses[Access], Factor,
            Lanes);
      for (WarpSample &Sample : V.Profile.Samples)
        if (Access < Sample.RequestShares.size())
          Sample.RequestShares[Access] = 1;
    }
  }
  for (uint32_t I = 0; I != V.Facts.Loops.size(); ++I)
    if (is_contained(Section.Blocks, V.Facts.Loops[I].Header))
      V.Profile.Loops[I].TripCount =
          std::max(1.0, V.Profile.Loops[I].TripCount * OfThread);
}

/// The operation at which results are combined: the branch to the section, or
/// the last one of the block behind the loop.
static Operation *combiningOperation(KernelFacts &Facts,
                                     const SerialSection &Section) {
  if (Section.Branch != NoIndex)
    return &Facts.Operations[Facts.Branches[Section.Branch].Op];
  for (uint32_t Block : Section.Blocks)
    for (uint32_t To : Facts.Blocks[Block].Successors) {
      const BasicBlock &After = Facts.Blocks[To];
      if (!is_contained(Section.Blocks, To) && After.NumOps != 0)
        return &Facts.Operations[After.FirstOp + After.NumOps - 1];
    }
  return nullptr;
}

/// Adds the shuffles that combine the lanes of a warp, and those of the warps'
/// results; where all threads need these, shared memory and a barrier.
static void addShuffles(KernelVariant &V, const SerialSection &Section) {
  constexpr float StepsPerRound = 5;
  const float Rounds = V.Launched.warpsPerBlock() > 1 ? 2 : 1;
  const float Steps = StepsPerRound * Rounds;
  const float All = Steps * float(Section.Results);
  Operation *Op = combiningOperation(V.Facts, Section);
  if (!Op)
    return;
  if (Section.Branch == NoIndex && Rounds > 1)
    Op->Emits.push_back({InstClass::Barrier, 1, 1});
  Op->Emits.push_back({InstClass::Shfl, All, Steps});
  Op->Emits.push_back({Section.Combine, All, Steps});
}

Change gpuocc::shareSection(SerialSection Section) {
  return makeChange(ChangeKind::ShareSection,
                    [Section = std::move(Section)](KernelVariant &V) {
                      if (Section.Branch != NoIndex)
                        V.Profile.Branches[Section.Branch].DivergentFraction =
                            0;
                      share(V, Section);
                      addShuffles(V, Section);
                    });
}
