//===- ShareLoop.cpp - Loops that several threads could share -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/ShareLoop.h"
#include "Combinations.h"
#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "gpuocc/Kernel/Copies.h"
#include "gpuocc/Kernel/GatheredAccess.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/WhatIf/AccessChanges.h"
#include "gpuocc/WhatIf/IndependentThreads.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <set>
#include <utility>

using namespace gpuocc;
using namespace llvm;

static constexpr double LanesPerWarp = 32;
/// Of a warp, that share a loop.
static constexpr double FewestLanes = 4;
static constexpr double SectorBytes = 32;
static constexpr double LineBytes = 128;

namespace {

/// By how much values of a loop differ from one pass through it to the next.
class Steps {
public:
  /// \p TakesSides: where code that each pass decides alike sets a value, the
  /// sides that have one step tell it.
  Steps(const KernelVariant &V, const gpuocc::Loop &L, bool TakesSides = false)
      : Facts(V.Facts), Launched(V.Launched), L(L), TakesSides(TakesSides) {}

  bool isInside(const Operand &O) const {
    const Operation *Op = Facts.operationOf(O);
    return Op && is_contained(L.Blocks, Op->Block);
  }

  /// The step of \p O; nothing where it is no constant.
  std::optional<int64_t> of(const Operand &O) const {
    if (!isInside(O))
      return 0;
    const Operation &Op = Facts.Operations[O.Index];
    if (Op.What == Semantics::Phi)
      return Op.Block == L.Header ? stepOf(Facts, Launched, L, O.Index)
                                  : ofInner(O.Index);
    if (passesOn(Op))
      return of(Op.Operands[0]);
    if (isOneWord(Op))
      return 0;
    switch (Op.What) {
    case Semantics::Add:
      return plus(of(Op.Operands[0]), of(Op.Operands[1]));
    case Semantics::Sub:
      return plus(of(Op.Operands[0]), times(of(Op.Operands[1]), -1));
    case Semantics::Mul:
    case Semantics::MulWideS:
    case Semantics::MulWideU:
      return product(Op.Operands[0], Op.Operands[1]);
    case Semantics::Mad:
    case Semantics::MadWideS:
    case Semantics::MadWideU:
      return plus(product(Op.Operands[0], Op.Operands[1]), of(Op.Operands[2]));
    case Semantics::Shl:
      return Op.Operands[1].isImmediate() && Op.Operands[1].Imm < 32
                 ? times(of(Op.Operands[0]), int64_t(1) << Op.Operands[1].Imm)
                 : std::nullopt;
    default:
      return std::nullopt;
    }
  }

private:
  const KernelFacts &Facts;
  const Launch &Launched;
  const gpuocc::Loop &L;
  const bool TakesSides;

  /// The step of the phi \p Index inside: one of a loop, which goes on alike in
  /// each pass, steps as what it begins with.
  std::optional<int64_t> ofInner(uint32_t Index) const {
    const Operation &Phi = Facts.Operations[Index];
    const uint32_t Own = Facts.Blocks[Phi.Block].Loop;
    const bool IsOfLoop = Own != NoIndex &&
                          Facts.Loops[Own].Header == Phi.Block &&
                          isStepped(Facts, Facts.Loops[Own], Index);
    if (!IsOfLoop && !TakesSides)
      return std::nullopt;
    std::optional<int64_t> Step;
    for (size_t K = 0; K != Phi.Operands.size() && K != Phi.PhiBlocks.size();
         ++K) {
      if (IsOfLoop && is_contained(Facts.Loops[Own].Latches, Phi.PhiBlocks[K]))
        continue;
      // What a loop that does more than to step carries has no step.
      const Operand From = behindCopies(Facts, Phi.Operands[K]);
      const bool GoesBack = From.isValue() && From.Index >= Index;
      const std::optional<int64_t> Side = GoesBack ? std::nullopt : of(From);
      if (!Side || (Step && *Step != *Side))
        return std::nullopt;
      Step = Side;
    }
    return Step;
  }

  /// True for a load of the same word in each pass, of an array that the loop
  /// does not write to.
  bool isOneWord(const Operation &Load) const {
    if (Load.Access == NoIndex || Load.What != Semantics::Load)
      return false;
    const MemoryAccess &A = Facts.Accesses[Load.Access];
    const std::optional<uint64_t> Array = arrayOfAccess(Facts, A);
    return Array && !A.Volatile && of(A.Base) == 0 &&
           none_of(Facts.Accesses, [&](const MemoryAccess &Other) {
             return Other.Kind != AccessKind::Load && isInArrays(Other.Space) &&
                    is_contained(L.Blocks, Facts.Operations[Other.Op].Block) &&
                    arrayOfAccess(Facts, Other).value_or(*Array) == *Array;
           });
  }

  static std::optional<int64_t> plus(std::optional<int64_t> A,
                                     std::optional<int64_t> B) {
    return A && B ? checkedAdd(*A, *B) : std::nullopt;
  }

  static std::optional<int64_t> times(std::optional<int64_t> A, int64_t By) {
    return A ? checkedMul(*A, By) : std::nullopt;
  }

  std::optional<int64_t> product(const Operand &A, const Operand &B) const {
    const Operand First = behindCopies(Facts, A),
                  Second = behindCopies(Facts, B);
    if (const std::optional<int64_t> By = numberOf(Facts, Launched, Second))
      return times(of(First), *By);
    if (const std::optional<int64_t> By = numberOf(Facts, Launched, First))
      return times(of(Second), *By);
    return of(First) == 0 && of(Second) == 0 ? std::optional<int64_t>(0)
                                             : std::nullopt;
  }
};

} // namespace

/// True if what leaves \p L is known when it begins: a counter against a value
/// from outside.
static bool isCounted(const KernelVariant &V, const gpuocc::Loop &L) {
  const KernelFacts &Facts = V.Facts;
  const Steps In(V, L);
  const std::set<uint32_t> Inside(L.Blocks.begin(), L.Blocks.end());
  for (uint32_t Block : L.Blocks) {
    const BasicBlock &B = Facts.Blocks[Block];
    const bool Leaves =
        any_of(B.Successors, [&](uint32_t To) { return !Inside.count(To); });
    if (!Leaves)
      continue;
    if (B.Branch == NoIndex)
      return false;
    const Operation *Test =
        Facts.operationOf(Facts.Branches[B.Branch].Condition);
    if (!Test || Test->What != Semantics::Compare ||
        !all_of(Test->Operands, [&](const Operand &O) { return In.of(O); }))
      return false;
  }
  return true;
}

/// Accesses of one pass through \p L that lie one behind the other, as an
/// unrolled loop has them: those with the base of \p Own, or of its array and
/// place in the source.
static int64_t copiesOf(const KernelFacts &Facts, const gpuocc::Loop &L,
                        const MemoryAccess &Own) {
  const uint32_t Place = Facts.Operations[Own.Op].Location;
  const bool HasPlace =
      Place < Facts.Locations.size() && Facts.Locations[Place].isValid();
  const std::optional<uint64_t> Array = arrayOfAccess(Facts, Own);
  std::set<int64_t> OffsetsOfBase;
  int64_t OfPlace = 0;
  for (const MemoryAccess &A : Facts.Accesses) {
    const Operation &Op = Facts.Operations[A.Op];
    if (A.Kind != Own.Kind || A.BytesPerLane != Own.BytesPerLane)
      continue;
    if (A.Base == Own.Base)
      OffsetsOfBase.insert(A.OffsetBytes);
    OfPlace += HasPlace && Op.Location == Place &&
               is_contained(L.Blocks, Op.Block) && Array &&
               arrayOfAccess(Facts, A) == Array;
  }
  return std::max(int64_t(OffsetsOfBase.size()), OfPlace);
}

/// The operations of \p L that need the result of the iteration before.
static std::vector<bool> behindCarried(const KernelFacts &Facts,
                                       const gpuocc::Loop &L) {
  std::vector<bool> Needs(Facts.Operations.size());
  for (uint32_t Block : L.Blocks) {
    const BasicBlock &B = Facts.Blocks[Block];
    for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I) {
      const Operation &Op = Facts.Operations[I];
      Needs[I] = Op.What == Semantics::Phi && Block == L.Header
                     ? !isStepped(Facts, L, I)
                     : any_of(Op.Operands, [&](const Operand &O) {
                         return O.isValue() && Needs[O.Index];
                       });
    }
  }
  return Needs;
}

/// True if no address in \p L has to do with what iterations before combined,
/// nor, unless \p IsRunning, what it writes.
static bool movesApart(const KernelFacts &Facts, const gpuocc::Loop &L,
                       bool IsRunning = false) {
  const std::vector<bool> Needs = behindCarried(Facts, L);
  auto Needed = [&](const Operand &O) { return O.isValue() && Needs[O.Index]; };
  return none_of(Facts.Accesses, [&](const MemoryAccess &A) {
    if (!is_contained(L.Blocks, Facts.Operations[A.Op].Block))
      return false;
    if (IsRunning && A.Kind == AccessKind::Store)
      return Needed(A.Base);
    return Needs[A.Op] || Needed(A.Base) || any_of(A.Stored, Needed);
  });
}

static bool isArray(const MemoryAccess &A) {
  return A.Space == MemorySpace::Global || A.Space == MemorySpace::Generic;
}

static bool isWrite(const MemoryAccess &A) {
  return A.Kind == AccessKind::Store || A.Kind == AccessKind::Reduction;
}

static bool writes(const KernelFacts &Facts, const gpuocc::Loop &L) {
  return any_of(Facts.Accesses, [&](const MemoryAccess &A) {
    return isWrite(A) && is_contained(L.Blocks, Facts.Operations[A.Op].Block);
  });
}

/// True if each iteration of \p L writes words of its own, which no other
/// reads: the array is accessed at the places only that are written, and these
/// move on by at least what is written. Where words are only added to, it does
/// not matter when.
static bool writesOwnWords(const KernelFacts &Facts, const gpuocc::Loop &L,
                           ArrayRef<std::optional<int64_t>> StepBytes) {
  auto IsInLoop = [&](const MemoryAccess &A) {
    return is_contained(L.Blocks, Facts.Operations[A.Op].Block);
  };
  auto IsAt = [&](const MemoryAccess &A, const MemoryAccess &Store) {
    return A.Base == Store.Base && A.OffsetBytes == Store.OffsetBytes &&
           A.BytesPerLane == Store.BytesPerLane;
  };
  for (uint32_t I = 0; I != Facts.Accesses.size(); ++I) {
    const MemoryAccess &Store = Facts.Accesses[I];
    if (!isWrite(Store) || !IsInLoop(Store))
      continue;
    const bool Adds = Store.Kind == AccessKind::Reduction;
    const std::optional<uint64_t> Array = arrayOfAccess(Facts, Store);
    if (!Array || !StepBytes[I] ||
        (!Adds && std::abs(*StepBytes[I]) < int64_t(Store.BytesPerLane)))
      return false;
    auto IsOfSameKind = [&](const MemoryAccess &A) {
      return A.Kind == Store.Kind && A.AtomicOp == Store.AtomicOp;
    };
    for (const MemoryAccess &A : Facts.Accesses)
      if (IsInLoop(A) && isArray(A) &&
          arrayOfAccess(Facts, A).value_or(*Array) == *Array &&
          !(Adds && IsOfSameKind(A)) &&
          none_of(Facts.Accesses, [&](const MemoryAccess &Other) {
            return Other.Kind == AccessKind::Store && IsInLoop(Other) &&
                   IsAt(A, Other);
          }))
        return false;
  }
  return true;
}

/// Fills in the steps of the accesses of \p L from an iteration of the source
/// to the next, and how many of these a pass is; false where lanes could not
/// take turns.
static bool findSteps(const KernelVariant &V, const gpuocc::Loop &L,
                      SharedLoop &Out) {
  const Steps Written(V, L), Loaded(V, L, /*TakesSides=*/true);
  Out.StepBytes.resize(V.Facts.Accesses.size());
  for (uint32_t I = 0; I != V.Facts.Accesses.size(); ++I) {
    const MemoryAccess &A = V.Facts.Accesses[I];
    if (!is_contained(L.Blocks, V.Facts.Operations[A.Op].Block))
      continue;
    if ((A.Kind != AccessKind::Load && !isWrite(A)) ||
        (isWrite(A) && !isArray(A)) || A.Volatile || A.Rank != 0)
      return false;
    if (!isArray(A))
      continue;
    Out.StepBytes[I] = (isWrite(A) ? Written : Loaded).of(A.Base);
    if (!Out.StepBytes[I] &&
        V.Profile.Accesses[I].Exact != Exactness::DataDependent &&
        !isGathered(V.Facts, V.Profile, I))
      return false;
  }
  // What is written tells iterations from copies that a loop inside makes.
  const bool Writes = writes(V.Facts, L);
  auto CopiesIn = [&](uint32_t I) {
    // A pass goes on by no more words than it has copies of its own.
    const MemoryAccess &A = V.Facts.Accesses[I];
    const int64_t Step = std::abs(*Out.StepBytes[I]), Bytes = A.BytesPerLane;
    const int64_t Copies = copiesOf(V.Facts, L, A);
    return Step != 0 && Step % Bytes == 0 ? std::gcd(Copies, Step / Bytes)
                                          : Copies;
  };
  int64_t MostCopies = 1;
  for (uint32_t I = 0; I != V.Facts.Accesses.size(); ++I)
    if (Out.StepBytes[I].value_or(0) != 0 &&
        (!Writes || isWrite(V.Facts.Accesses[I])))
      if (const int64_t Copies = CopiesIn(I); *Out.StepBytes[I] % Copies == 0)
        MostCopies = std::max(MostCopies, Copies);
  for (uint32_t I = 0; I != V.Facts.Accesses.size(); ++I)
    if (Out.StepBytes[I])
      if (const int64_t Copies = Writes ? MostCopies : CopiesIn(I);
          *Out.StepBytes[I] % Copies == 0)
        *Out.StepBytes[I] /= Copies;
  Out.Values *= double(MostCopies);
  return writesOwnWords(V.Facts, L, Out.StepBytes);
}

/// True if \p Around carries through its iterations what the loops in it
/// combine, and counters, and outside them reads memory only.
static bool onlyRepeats(const KernelFacts &Facts, uint32_t Index) {
  const gpuocc::Loop &Around = Facts.Loops[Index];
  auto IsInside = [&](uint32_t Block) {
    return Facts.Blocks[Block].Loop != Index;
  };
  if (any_of(Facts.Accesses, [&](const MemoryAccess &A) {
        const uint32_t Block = Facts.Operations[A.Op].Block;
        return A.Kind != AccessKind::Load &&
               is_contained(Around.Blocks, Block) && !IsInside(Block);
      }))
    return false;
  const BasicBlock &Header = Facts.Blocks[Around.Header];
  for (uint32_t I = Header.FirstOp; I != Header.FirstOp + Header.NumOps; ++I) {
    const Operation &Phi = Facts.Operations[I];
    if (Phi.What != Semantics::Phi || isStepped(Facts, Around, I))
      continue;
    for (size_t K = 0; K != Phi.Operands.size() && K != Phi.PhiBlocks.size();
         ++K) {
      const Operand From = behindCopies(Facts, Phi.Operands[K]);
      if (is_contained(Around.Latches, Phi.PhiBlocks[K]) &&
          !(From.isValue() && isCombinedFrom(Facts, Around, From.Index, I)))
        return false;
    }
  }
  return true;
}

/// The loop behind which results of loop \p Index are combined. Where what is
/// around it does more, lanes combine them each time, and all do the rest;
/// nothing for others.
static std::optional<uint32_t> nestOf(const KernelVariant &V, uint32_t Index,
                                      ShareBy By) {
  const KernelFacts &Facts = V.Facts;
  const gpuocc::Loop &L = Facts.Loops[Index];
  if (L.Parent == NoIndex)
    return Index;
  const gpuocc::Loop &Around = Facts.Loops[L.Parent];
  if (Around.Parent == NoIndex && isCounted(V, Around) &&
      onlyRepeats(Facts, L.Parent))
    return L.Parent;
  return By == ShareBy::Lanes ? std::optional(Index) : std::nullopt;
}

/// Iterations of the source that a pass through \p L is, as its loads tell.
static int64_t iterationsOfPass(const KernelFacts &Facts,
                                const gpuocc::Loop &L) {
  int64_t Most = 1;
  for (const MemoryAccess &A : Facts.Accesses)
    if (A.Kind == AccessKind::Load &&
        is_contained(L.Blocks, Facts.Operations[A.Op].Block))
      Most = std::max(Most, copiesOf(Facts, L, A));
  return Most;
}

/// True where warps may take iterations of \p L in turns: nothing is written
/// but added to words of global memory.
static bool mayGoApart(const KernelFacts &Facts, const gpuocc::Loop &L) {
  return all_of(Facts.Accesses, [&](const MemoryAccess &A) {
    if (!is_contained(L.Blocks, Facts.Operations[A.Op].Block))
      return true;
    return !A.Volatile && A.Rank == 0 &&
           (A.Kind == AccessKind::Load ||
            (A.Kind == AccessKind::Reduction && isArray(A)));
  });
}

/// True where the threads of a block meet behind loop \p Nest only, to combine
/// what each found in it, and no other loop reaches global memory: blocks may
/// each do a part then, whose results are combined once more.
static bool meetBehind(const KernelVariant &V, uint32_t Nest) {
  const KernelFacts &Facts = V.Facts;
  auto IsInNest = [&](uint32_t Block) {
    return is_contained(Facts.Loops[Nest].Blocks, Block);
  };
  return Facts.Bounds.Cluster[0] == 0 &&
         none_of(Facts.Operations,
                 [&](const Operation &Op) {
                   return IsInNest(Op.Block) && worksTogether(Op);
                 }) &&
         none_of(Facts.Accesses, [&](const MemoryAccess &A) {
           const uint32_t Block = Facts.Operations[A.Op].Block;
           return IsInNest(Block)
                      ? !isArray(A) || A.Kind != AccessKind::Load
                      : isArray(A) && Facts.Blocks[Block].Loop != NoIndex;
         });
}

std::optional<SharedLoop> gpuocc::sharedLoop(const KernelVariant &V,
                                             uint32_t Index, ShareBy By) {
  const gpuocc::Loop &L = V.Facts.Loops[Index];
  const bool HasLoops = any_of(V.Facts.Loops, [&](const gpuocc::Loop &Other) {
    return Other.Parent == Index;
  });
  const std::optional<uint32_t> Nest = nestOf(V, Index, By);
  if (!Nest || V.Facts.isInIssueOrder() || !V.Launched.Grid ||
      V.Launched.Cluster.count() != 1)
    return std::nullopt;
  const bool Meet = !hasIndependentThreads(V.Facts, V.Launched);
  if (Meet && (By != ShareBy::Blocks || !meetBehind(V, *Nest)))
    return std::nullopt;
  const Carried C = carriedBy(V.Facts, Chains(V.Facts, L.Blocks), L);
  if (C.IsInOrder ||
      (C.Results != 0 && (HasLoops || C.Combine == InstClass::Unknown)))
    return std::nullopt;
  // What an iteration finds that needs nothing of those before it, and stores
  // nothing, is good for ending the loop only.
  const bool IsSearch = C.Results == 0 && !writes(V.Facts, L);
  if (IsSearch ? By != ShareBy::Lanes || L.Parent != NoIndex : !isCounted(V, L))
    return std::nullopt;
  const bool IsRunning = !movesApart(V.Facts, L);
  if (IsRunning && (C.Results == 0 || By != ShareBy::Lanes ||
                    !movesApart(V.Facts, L, /*IsRunning=*/true)))
    return std::nullopt;
  const LoopProfile &P = V.Profile.Loops[Index];
  SharedLoop Out;
  Out.Loop = Index;
  Out.Nest = *Nest;
  Out.By = By;
  Out.Values = P.TripCount * P.LaneBalance;
  Out.Results = C.Results;
  Out.Combine = C.Combine;
  Out.IsRunning = IsRunning;
  Out.IsSearch = IsSearch;
  if (By == ShareBy::Warps) {
    Out.Values *= double(iterationsOfPass(V.Facts, L));
    if (C.Results == 0 || !mayGoApart(V.Facts, L))
      return std::nullopt;
    return Out;
  }
  if (!findSteps(V, L, Out))
    return std::nullopt;
  const bool ByBlocks = By == ShareBy::Blocks;
  if (ByBlocks ? (C.Results != 0) != Meet : Out.Values < FewestLanes)
    return std::nullopt;
  return Out;
}

/// Each \p Sharers lanes of a warp, or all, then take iterations \p Step bytes
/// apart, and the others those of further threads.
static void layLanes(AccessProfile &P, const MemoryAccess &A, int64_t Step,
                     double Sharers = LanesPerWarp) {
  const double Bytes = double(A.BytesPerLane);
  const double Lanes = std::min(Sharers, LanesPerWarp);
  const double Most = LanesPerWarp * std::ceil(Bytes / SectorBytes);
  const double Span = (Lanes - 1) * double(std::abs(Step)) + Bytes;
  P.IdealSectorsPerRequest =
      std::min(Most, LanesPerWarp / Lanes * std::ceil(Span / SectorBytes));
  P.IdealWavefrontsPerRequest =
      std::max(std::ceil(Bytes / 4), P.IdealSectorsPerRequest / 4);
  P.LaneStrideBytes = Step;
}

/// Lanes that met on a word then add to words \p Step bytes apart, which L2
/// takes sector by sector.
static void layAtomic(AccessProfile &P, const MemoryAccess &A, int64_t Step) {
  const double Moved = P.SectorsPerRequest * (1 - P.L2HitFraction);
  layLanes(P, A, Step);
  const bool IsOneWord = Step == 0;
  P.SectorsPerRequest = P.IdealSectorsPerRequest;
  P.WavefrontsPerRequest = P.IdealWavefrontsPerRequest;
  P.LinesPerRequest = std::ceil(P.SectorsPerRequest * SectorBytes / LineBytes);
  P.DistinctAddressesPerRequest = IsOneWord ? 1 : LanesPerWarp;
  P.LanesPerAddress = IsOneWord ? LanesPerWarp : 1;
  P.SerializedPasses = IsOneWord ? LanesPerWarp : P.SectorsPerRequest;
  P.L2HitFraction = 1 - std::min(1.0, Moved / P.SectorsPerRequest);
}

/// Iterations of each of \p Sharers that share the \p Values of one, in the
/// mean. The last one of each is as rare as it happens where threads differ.
static double iterationsOfEach(const LoopProfile &P, double Values,
                               double Sharers) {
  constexpr double Alike = 0.999;
  if (P.LaneBalance < Alike)
    return Values / Sharers + (Sharers - 1) / (2 * Sharers);
  // Warps may differ all the same: some have one value more.
  const double Fewer = std::floor(Values);
  return std::lerp(std::ceil(Fewer / Sharers), std::ceil((Fewer + 1) / Sharers),
                   Values - Fewer);
}

static void shareBody(KernelVariant &V, const SharedLoop &Shared,
                      unsigned Sharers, std::vector<AccessList> &Groups) {
  const gpuocc::Loop &L = V.Facts.Loops[Shared.Loop];
  LoopProfile &P = V.Profile.Loops[Shared.Loop];
  const bool ByLanes = Shared.By == ShareBy::Lanes;
  const double Full =
      LanesPerWarp /
      std::min(LanesPerWarp, double(V.Launched.threadsPerBlock()));
  const double Factor = (ByLanes ? P.LaneBalance : 1) *
                        iterationsOfEach(P, Shared.Values, Sharers) /
                        Shared.Values;
  P.TripCount = std::max(1.0, P.TripCount * Factor);
  if (ByLanes)
    P.LaneBalance = 1;
  for (uint32_t Block : L.Blocks) {
    V.Profile.Blocks[Block].ExecutionsPerWarp *= Factor;
    if (ByLanes)
      V.Profile.Blocks[Block].ActiveLaneFraction = 1;
    for (WarpSample &Sample : V.Profile.Samples)
      if (Block < Sample.BlockExecutions.size())
        Sample.BlockExecutions[Block] *= Factor;
    if (const uint32_t Branch = V.Facts.Blocks[Block].Branch; Branch != NoIndex)
      V.Profile.Branches[Branch].ExecutionsPerWarp *= Factor;
  }
  std::vector<Operand> Bases;
  for (uint32_t I = 0; I != V.Facts.Accesses.size(); ++I) {
    const MemoryAccess &Access = V.Facts.Accesses[I];
    if (!is_contained(L.Blocks, V.Facts.Operations[Access.Op].Block))
      continue;
    AccessProfile &A = V.Profile.Accesses[I];
    A.ExecutionsPerWarp *= Factor;
    A.RequestsPerWarp *= Factor;
    if (!ByLanes)
      continue;
    A.ActiveLanes = LanesPerWarp;
    if (!Shared.StepBytes[I])
      continue;
    // What a request moves is told of full warps.
    A.SectorsPerRequest *= Full;
    if (isAtomic(Access.Kind)) {
      layAtomic(A, Access, *Shared.StepBytes[I]);
      continue;
    }
    layLanes(A, Access, *Shared.StepBytes[I], Sharers);
    const auto Known = find(Bases, Access.Base);
    if (Known == Bases.end()) {
      Bases.push_back(Access.Base);
      Groups.push_back({I});
    } else {
      Groups[size_t(Known - Bases.begin())].push_back(I);
    }
  }
}

/// Outside the loops a warp acts for one of the threads that were, or for as
/// many as share it, and each becomes \p Warps.
static void keepOneThread(KernelVariant &V, ArrayRef<SharedLoop> Shared,
                          unsigned Sharers, double Warps) {
  // Threads that a warp acts for.
  const double Threads = std::max(1.0, LanesPerWarp / Sharers);
  auto IsShared = [&](uint32_t Block) {
    return any_of(Shared, [&](const SharedLoop &S) {
      return is_contained(V.Facts.Loops[S.Loop].Blocks, Block);
    });
  };
  for (uint32_t I = 0; I != V.Facts.Accesses.size(); ++I) {
    const MemoryAccess &Access = V.Facts.Accesses[I];
    AccessProfile &A = V.Profile.Accesses[I];
    if (!isArray(Access) || A.SectorsPerRequest <= 0 ||
        IsShared(V.Facts.Operations[Access.Op].Block))
      continue;
    const double Moved = A.SectorsPerRequest * (1 - A.L2HitFraction) / Warps;
    const double Sectors = std::ceil(std::min(
        A.SectorsPerRequest, Threads * Access.BytesPerLane / SectorBytes));
    A.L2HitFraction = 1 - std::min(1.0, Moved / Sectors);
    A.SectorsPerRequest = A.IdealSectorsPerRequest = Sectors;
    A.LinesPerRequest = A.WavefrontsPerRequest = 1;
    A.IdealWavefrontsPerRequest = 1;
    A.DistinctAddressesPerRequest = A.ActiveLanes = Threads;
    A.LanesPerAddress = A.SerializedPasses = 1;
  }
}

/// Outside the loops one of the warps writes for all of \p Sharers.
static void keepOneWarp(KernelVariant &V, unsigned Sharers) {
  for (uint32_t I = 0; I != V.Facts.Accesses.size(); ++I) {
    const MemoryAccess &Access = V.Facts.Accesses[I];
    const uint32_t Block = V.Facts.Operations[Access.Op].Block;
    if (!isWrite(Access) || V.Facts.Blocks[Block].Loop != NoIndex)
      continue;
    V.Profile.Accesses[I].ExecutionsPerWarp /= Sharers;
    V.Profile.Accesses[I].RequestsPerWarp /= Sharers;
  }
}

/// The shuffles with which the lanes of a warp find what was combined up to
/// each: those of a lane before it, and the last lane's for the next pass,
/// which alone the next pass waits for.
static void addRunningSums(KernelVariant &V, const SharedLoop &Shared) {
  const gpuocc::Loop &L = V.Facts.Loops[Shared.Loop];
  const std::vector<bool> Needs = behindCarried(V.Facts, L);
  constexpr float Rounds = 5;
  for (uint32_t Block : L.Blocks) {
    const BasicBlock &B = V.Facts.Blocks[Block];
    for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I) {
      Operation &Op = V.Facts.Operations[I];
      if (!Needs[I] || Op.Emits.empty() ||
          Op.Emits.front().Class != Shared.Combine)
        continue;
      Op.Emits.push_back({InstClass::Shfl, Rounds + 1, 1});
      Op.Emits.push_back({Shared.Combine, Rounds, 0});
      Op.Emits.push_back({InstClass::Sel, Rounds, 0});
    }
  }
}

/// The vote by which lanes tell in each pass who has found something, and what
/// the first of them is found by.
static void addVotes(KernelVariant &V, const SharedLoop &Shared) {
  const BasicBlock &Header = V.Facts.Blocks[V.Facts.Loops[Shared.Loop].Header];
  if (Header.NumOps == 0)
    return;
  Operation &Op = V.Facts.Operations[Header.FirstOp + Header.NumOps - 1];
  Op.Emits.push_back({InstClass::Vote, 1, 1});
  Op.Emits.push_back({InstClass::ISetp, 1, 1});
}

/// The shuffles that combine the lanes of a warp, and those of the warps'
/// results, where the loop ends; of warps that share, a store to shared memory
/// and for each warp a load.
static void addCombination(KernelVariant &V, const SharedLoop &Shared,
                           unsigned Sharers) {
  // Blocks add up what each has come to by an atomic of its last thread.
  if (Shared.IsSearch)
    return addVotes(V, Shared);
  if (Shared.Results == 0 || Shared.By == ShareBy::Blocks)
    return;
  if (Shared.IsRunning)
    return addRunningSums(V, Shared);
  const gpuocc::Loop &L = V.Facts.Loops[Shared.Nest];
  const bool ByLanes = Shared.By == ShareBy::Lanes;
  const float StepsPerRound =
      std::log2(std::min(float(Sharers), float(LanesPerWarp)));
  const float Steps =
      ByLanes ? StepsPerRound * (Sharers > LanesPerWarp ? 2.0f : 1.0f) : 2.0f;
  const float All = Steps * float(Shared.Results);
  for (uint32_t Block : L.Blocks)
    for (uint32_t To : V.Facts.Blocks[Block].Successors) {
      const BasicBlock &After = V.Facts.Blocks[To];
      if (is_contained(L.Blocks, To) || After.NumOps == 0)
        continue;
      Operation &Op = V.Facts.Operations[After.FirstOp + After.NumOps - 1];
      if (!ByLanes)
        Op.Emits.push_back({InstClass::Barrier, 1, 1});
      Op.Emits.push_back(
          {ByLanes ? InstClass::Shfl : InstClass::LdShared, All, Steps});
      Op.Emits.push_back({Shared.Combine, All, Steps});
      return;
    }
}

/// Warps that a warp becomes where \p Sharers threads of a block do what one
/// did: blocks of few threads have one that is not full.
static double warpsOfOne(const Launch &L, unsigned Sharers) {
  return std::min(double(L.threadsPerBlock()), LanesPerWarp) / LanesPerWarp *
         Sharers;
}

static void enlargeLaunch(KernelVariant &V, ShareBy By, unsigned Sharers) {
  Launch &L = V.Launched;
  const bool GrowsBlock =
      By == ShareBy::Lanes && double(L.threadsPerBlock()) < LanesPerWarp;
  const double Warps = GrowsBlock ? warpsOfOne(L, Sharers) : Sharers;
  for (WarpSample &Sample : V.Profile.Samples) {
    Sample.Weight *= Warps;
    for (double &Weight : Sample.WeightOfTurn)
      Weight *= Warps;
  }
  if (GrowsBlock) {
    L.Block.Value.X *= Sharers;
    return;
  }
  Sourced<Dim3> Grid = *L.Grid;
  Grid.Value.X *= Sharers;
  L.Grid = std::move(Grid);
}

Change gpuocc::shareLoops(std::vector<SharedLoop> Loops, unsigned Sharers) {
  auto Apply = [Loops = std::move(Loops),
                Sharers](KernelVariant V) -> Expected<KernelVariant> {
    std::vector<AccessList> Groups;
    for (const SharedLoop &Shared : Loops)
      shareBody(V, Shared, Sharers, Groups);
    Expected<KernelVariant> Laid =
        coalesceAccesses(std::move(Groups), MemoryGeometry())
            .Apply(std::move(V));
    if (!Laid)
      return Laid.takeError();
    const ShareBy By = Loops.front().By;
    if (By == ShareBy::Lanes)
      keepOneThread(*Laid, Loops, Sharers, warpsOfOne(Laid->Launched, Sharers));
    else if (By == ShareBy::Warps)
      keepOneWarp(*Laid, Sharers);
    for (const SharedLoop &Shared : Loops)
      addCombination(*Laid, Shared, Sharers);
    enlargeLaunch(*Laid, By, Sharers);
    return std::move(*Laid);
  };
  return {ChangeKind::ShareLoop, Apply};
}
