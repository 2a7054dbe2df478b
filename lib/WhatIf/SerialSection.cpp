//===- SerialSection.cpp - What a thread does alone for its block ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/SerialSection.h"
#include "Combinations.h"
#include "gpuocc/Kernel/ArrayOfAccess.h"
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

namespace {

/// Who takes a side of a branch.
enum class Who : uint8_t { OneOfBlock, OneOfWarp };

/// A side of a branch that one thread takes.
struct SideOfOne {
  uint32_t Target = NoIndex;
  Who Takes = Who::OneOfBlock;
};

} // namespace

/// Whom \p O tells apart: the threads of a block, or the lanes of a warp.
static std::optional<Who> toldApartBy(const KernelVariant &V,
                                      const Operand &O) {
  const Dim3 &Block = V.Launched.Block.Value;
  auto IsThread = [&](const Operand &Of) {
    const Operation *Op = V.Facts.operationOf(behindCopies(V.Facts, Of));
    return Op && Op->SReg == SpecialReg::TidX;
  };
  if (IsThread(O)) {
    if (Block.Y != 1 || Block.Z != 1)
      return std::nullopt;
    return Who::OneOfBlock;
  }
  const Operation *Lane = V.Facts.operationOf(behindCopies(V.Facts, O));
  if (!Lane || Block.X % uint64_t(LanesPerWarp) != 0)
    return std::nullopt;
  const bool IsRest =
      Lane->Operands.size() == 2 && IsThread(Lane->Operands[0]) &&
      ((Lane->What == Semantics::And &&
        Lane->Operands[1] == Operand::immediate(int64_t(LanesPerWarp) - 1)) ||
       ((Lane->What == Semantics::RemU || Lane->What == Semantics::RemS) &&
        Lane->Operands[1] == Operand::immediate(int64_t(LanesPerWarp))));
  if (Lane->SReg == SpecialReg::LaneId || IsRest)
    return Who::OneOfWarp;
  return std::nullopt;
}

/// Who makes \p Condition what \p Holds says, alone, as of `lane == 0` or
/// `row < n && lane == 0`.
static std::optional<Who> whoAlone(const KernelVariant &V,
                                   const Operand &Condition, bool Holds) {
  const Operation *Test = V.Facts.operationOf(behindCopies(V.Facts, Condition));
  if (!Test || Test->Operands.size() != 2)
    return std::nullopt;
  // One part that holds for one thread is enough of a conjunction.
  if (Test->What == (Holds ? Semantics::And : Semantics::Or)) {
    for (const Operand &Part : Test->Operands)
      if (std::optional<Who> Found = whoAlone(V, Part, Holds))
        return Found;
    return std::nullopt;
  }
  if (Test->What != Semantics::Compare ||
      Test->Compare != (Holds ? ComparePredicate::EQ : ComparePredicate::NE) ||
      !behindCopies(V.Facts, Test->Operands[1]).isImmediate())
    return std::nullopt;
  return toldApartBy(V, Test->Operands[0]);
}

/// The target of \p B that a single thread of each block or warp takes.
static SideOfOne sideOfOne(const KernelVariant &V, const gpuocc::Branch &B) {
  if (B.Targets.size() != 2)
    return {};
  for (bool Holds : {true, false})
    if (std::optional<Who> Found = whoAlone(V, B.Condition, Holds))
      return {B.Targets[Holds == B.Negated ? 1 : 0], *Found};
  return {};
}

bool gpuocc::isOfOneThread(const KernelVariant &V, uint32_t Index) {
  return sideOfOne(V, V.Facts.Branches[Index]).Target != NoIndex;
}

/// False for sums that are addresses: one that combines data adds what was
/// loaded.
static bool isOfData(const KernelFacts &Facts, const Operation &Op) {
  return Op.What != Semantics::Add ||
         any_of(Op.Operands, [&](const Operand &O) {
           const Operation *From = Facts.operationOf(behindCopies(Facts, O));
           return From && From->What == Semantics::Load;
         });
}

/// Combinations without a loop around them, as of an unrolled one.
static void addUnrolled(const KernelVariant &V, Chains &In,
                        SerialSection &Section) {
  unsigned Longest = 0;
  for (uint32_t Block : Section.Blocks) {
    const BasicBlock &B = V.Facts.Blocks[Block];
    for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I) {
      const Operation &Op = V.Facts.Operations[I];
      const bool IsData = isOfData(V.Facts, Op) && Op.Bits <= 64;
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
      if (isOfData(V.Facts, V.Facts.Operations[I]))
        Most = std::max(Most, In.lengthTo(I));
  }
  return Most;
}

/// Words of 4 B that an iteration of \p L stores in shared memory, of which it
/// loads none; nothing where it does more, so that iterations may depend
/// on each other.
static std::optional<unsigned> copiesOfIteration(const KernelVariant &V,
                                                 const gpuocc::Loop &L) {
  constexpr unsigned BytesOfWord = 4;
  unsigned Words = 0;
  for (uint32_t Block : L.Blocks) {
    const BasicBlock &B = V.Facts.Blocks[Block];
    for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I) {
      const uint32_t Access = V.Facts.Operations[I].Access;
      if (Access == NoIndex)
        continue;
      const MemoryAccess &A = V.Facts.Accesses[Access];
      const bool IsShared = A.Space == MemorySpace::Shared;
      if (A.Kind != (IsShared ? AccessKind::Store : AccessKind::Load))
        return std::nullopt;
      if (IsShared)
        Words += std::max(1u, unsigned(A.BytesPerLane) / BytesOfWord);
    }
  }
  return Words;
}

/// \p Section as one that fills shared memory, such as a table, value by value.
static std::optional<SerialSection> copySection(const KernelVariant &V,
                                                SerialSection Section) {
  Section.Results = 0;
  for (uint32_t I = 0; I != V.Facts.Loops.size(); ++I) {
    const gpuocc::Loop &L = V.Facts.Loops[I];
    if (!is_contained(Section.Blocks, L.Header))
      continue;
    const std::optional<unsigned> Words = copiesOfIteration(V, L);
    if (!Words)
      return std::nullopt;
    Section.Values =
        std::max(Section.Values, V.Profile.Loops[I].TripCount * *Words);
  }
  if (Section.Values < LanesPerWarp)
    return std::nullopt;
  return Section;
}

std::optional<SerialSection> gpuocc::serialSection(const KernelVariant &V,
                                                   uint32_t Index) {
  const gpuocc::Branch &B = V.Facts.Branches[Index];
  const auto [Side, Takes] = sideOfOne(V, B);
  const uint32_t Meet = V.Facts.Blocks[B.Block].PostDominator;
  if (Side == NoIndex || Side == Meet || !is_contained(B.Targets, Meet))
    return std::nullopt;
  SerialSection Section;
  Section.Branch = Index;
  Section.IsOfWarp = Takes == Who::OneOfWarp;
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
  if (Section.Values < LanesPerWarp || Section.Combine == InstClass::Unknown)
    return copySection(V, std::move(Section));
  Section.Results = std::max(Section.Results, 1u);
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

/// How often the loop around \p L repeats it with the same values; 1 where one
/// of them may change.
static double timesOver(const KernelVariant &V, const gpuocc::Loop &L) {
  const KernelFacts &Facts = V.Facts;
  if (L.Parent == NoIndex)
    return 1;
  const gpuocc::Loop &Around = Facts.Loops[L.Parent];
  for (uint32_t Block : L.Blocks) {
    const BasicBlock &B = Facts.Blocks[Block];
    for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I)
      if (!all_of(Facts.Operations[I].Operands, [&](const Operand &O) {
            return isSetOutside(Facts, Around, O) || !isSetOutside(Facts, L, O);
          }))
        return 1;
  }
  auto IsIn = [&](const gpuocc::Loop &Of, const MemoryAccess &A) {
    return is_contained(Of.Blocks, Facts.Operations[A.Op].Block);
  };
  for (const MemoryAccess &Write : Facts.Accesses) {
    if (Write.Kind == AccessKind::Load || !IsIn(Around, Write))
      continue;
    const std::optional<uint64_t> Array = arrayOfAccess(Facts, Write);
    for (const MemoryAccess &Read : Facts.Accesses)
      if (IsIn(L, Read) &&
          (!Array || arrayOfAccess(Facts, Read).value_or(*Array) == *Array))
        return 1;
  }
  return std::max(1.0, V.Profile.Loops[L.Parent].TripCount);
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
    if (!isRepeated(V, L, *Differs))
      continue;
    Section.Times = timesOver(V, L);
    Found.push_back(std::move(Section));
  }
  return Found;
}

/// Sectors that L1 does not have for the requests of \p Access in \p Blocks,
/// the mean over accesses of one base, as copies of an unrolled loop are: the
/// first of them brings what the others read.
static double missedSectors(const KernelVariant &V, uint32_t Access,
                            ArrayRef<uint32_t> Blocks) {
  const MemoryAccess &Own = V.Facts.Accesses[Access];
  double Sectors = 0, Copies = 0;
  for (uint32_t I = 0; I != V.Facts.Accesses.size(); ++I) {
    const MemoryAccess &A = V.Facts.Accesses[I];
    const bool IsCopy =
        I == Access ||
        (A.Base.isValue() && A.Base == Own.Base && A.Kind == Own.Kind &&
         A.BytesPerLane == Own.BytesPerLane &&
         is_contained(Blocks, V.Facts.Operations[A.Op].Block));
    const AccessProfile &P = V.Profile.Accesses[I];
    if (!IsCopy || P.RequestsPerWarp <= 0)
      continue;
    Sectors += P.RequestsPerWarp * P.SectorsPerRequest * (1 - P.L1HitFraction);
    ++Copies;
  }
  return Copies > 0 ? Sectors / Copies : 0;
}

/// The lanes of a request then read what requests of one lane read, of which L1
/// does not have \p Sectors.
static void widen(AccessProfile &A, const MemoryAccess &Access, double Sectors,
                  double Factor, double Lanes) {
  constexpr double SectorBytes = 32, LineBytes = 128;
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
  const double Threads =
      Section.IsOfWarp ? LanesPerWarp : double(V.Launched.threadsPerBlock());
  const double Warps =
      Section.IsOfWarp ? 1 : double(V.Launched.warpsPerBlock());
  const double Busy = std::min(Threads, Section.Values);
  const double BusyWarps = std::ceil(Busy / LanesPerWarp);
  const double Lanes = Busy / BusyWarps;
  const double OfThread = 1 / Busy / Section.Times;
  // Warps of a block that run it.
  const double Runners = Section.Branch == NoIndex ? Warps : 1;
  std::vector<double> Missed;
  for (uint32_t I = 0; I != V.Facts.Accesses.size(); ++I)
    Missed.push_back(missedSectors(V, I, Section.Blocks));
  for (uint32_t Block : Section.Blocks) {
    BlockProfile &P = V.Profile.Blocks[Block];
    const double OfOne = P.ExecutionsPerWarp * Warps / Runners;
    const double Factor = OfThread * BusyWarps / Runners;
    P.ExecutionsPerWarp *= Factor;
    P.ActiveLaneFraction = Lanes / LanesPerWarp;
    for (WarpSample &Sample : V.Profile.Samples)
      if (Block < Sample.BlockExecutions.size())
        Sample.BlockExecutions[Block] =
            Section.IsOfWarp ? Sample.BlockExecutions[Block] * OfThread
            : Sample.WarpInBlock < BusyWarps ? OfOne * OfThread
                                             : 0;
    const BasicBlock &B = V.Facts.Blocks[Block];
    if (B.Branch != NoIndex)
      V.Profile.Branches[B.Branch].ExecutionsPerWarp *= Factor;
    for (uint32_t Op = B.FirstOp; Op != B.FirstOp + B.NumOps; ++Op) {
      const uint32_t Access = V.Facts.Operations[Op].Access;
      if (Access == NoIndex)
        continue;
      widen(V.Profile.Accesses[Access], V.Facts.Accesses[Access],
            Missed[Access], Factor, Lanes);
      for (WarpSample &Sample : V.Profile.Samples)
        if (Access < Sample.RequestShares.size())
          Sample.RequestShares[Access] = 1;
    }
  }
  for (uint32_t I = 0; I != V.Facts.Loops.size(); ++I)
    if (is_contained(Section.Blocks, V.Facts.Loops[I].Header))
      V.Profile.Loops[I].TripCount =
          std::max(1.0, V.Profile.Loops[I].TripCount / Busy);
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
  const float Rounds =
      V.Launched.warpsPerBlock() > 1 && !Section.IsOfWarp ? 2 : 1;
  const float Times = float(Section.Times);
  const float Steps = StepsPerRound * Rounds / Times;
  const float All = Steps * float(Section.Results);
  Operation *Op = combiningOperation(V.Facts, Section);
  if (!Op || Section.Results == 0)
    return;
  if (Section.Branch == NoIndex && Rounds > 1)
    Op->Emits.push_back({InstClass::Barrier, 1 / Times, 1 / Times});
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
