//===- AtomicChanges.cpp - Atomics that are combined ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/AtomicChanges.h"
#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "gpuocc/Kernel/SwapTest.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/WhatIf/AssumeNoAlias.h"
#include "gpuocc/WhatIf/ScaleBlock.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

using namespace gpuocc;
using namespace llvm;

static constexpr double LanesPerWarp = 32;

/// What combines two values as \p A combines one with memory.
static InstClass combinationOf(const MemoryAccess &A) {
  constexpr unsigned Double = 8;
  if (A.AtomicOp == "min" || A.AtomicOp == "max")
    return A.OnFloats ? InstClass::FMnMx : InstClass::IMnMx;
  if (A.AtomicOp != "add" && A.AtomicOp != "sub")
    return InstClass::Lop3;
  if (!A.OnFloats)
    return InstClass::IAdd3;
  return A.BytesPerLane == Double ? InstClass::DAdd : InstClass::FAdd;
}

/// Lanes of the longest run in a warp of \p Lanes, mean over the lanes of a run
/// of \p Run at which it may begin.
static double longestRun(double Lanes, double Run) {
  const int64_t Length = std::max<int64_t>(1, std::llround(Run));
  const int64_t All = std::max<int64_t>(1, std::llround(Lanes));
  double Sum = 0;
  const int64_t Shifted = std::min(Length, All - 1);
  for (int64_t Left = 1; Left <= Shifted; ++Left) {
    // Left lanes go on with the run of the warp before.
    const int64_t Others = All - std::min(Left, All);
    Sum += double(std::max(std::min(Left, All), std::min(Others, Length)));
  }
  // All others begin with as much of a run as they have lanes.
  Sum += double(Length - Shifted) * double(All);
  return Sum / double(Length);
}

AccessProfile gpuocc::inRuns(AccessProfile P, double Run, unsigned BytesPerLane,
                             double LanesOfWave, const MemoryGeometry &G) {
  const double Words = 1 + std::max(0.0, P.ActiveLanes - 1) / Run;
  const double Further = (Words - 1) * BytesPerLane;
  P.DistinctAddressesPerRequest = Words;
  P.LanesPerAddress = longestRun(P.ActiveLanes, Run);
  P.SectorsPerRequest = P.IdealSectorsPerRequest = 1 + Further / G.SectorBytes;
  P.LinesPerRequest = 1 + Further / G.LineBytes;
  P.SerializedPasses = P.LanesPerAddress * P.SectorsPerRequest;
  const double Sectors =
      std::max(1.0, LanesOfWave / Run * BytesPerLane / G.SectorBytes);
  if (P.GridSectors && Sectors < *P.GridSectors) {
    P.WaveSectors = Sectors;
    P.WaveSpanBytes = Sectors * G.SectorBytes;
  }
  return P;
}

/// A round of shuffles for each power of two below the lanes of a warp: of the
/// word and of what is for it, a comparison and a sum.
static void addRounds(KernelVariant &V, const MemoryAccess &Access) {
  constexpr float Rounds = 5, BytesOfRegister = 4;
  const float Registers =
      1 + std::ceil(float(Access.BytesPerLane) / BytesOfRegister);
  auto &Emits = V.Facts.Operations[Access.Op].Emits;
  Emits.push_back({InstClass::Shfl, Rounds * Registers, Rounds});
  Emits.push_back({InstClass::ISetp, Rounds, Rounds});
  Emits.push_back({combinationOf(Access), Rounds, Rounds});
}

static void combine(KernelVariant &V, const CombinedAtomic &How) {
  AccessProfile &A = V.Profile.Accesses[How.Access];
  const MemoryAccess &Access = V.Facts.Accesses[How.Access];
  if (How.Warps > 1) {
    A.RequestsPerWarp /= How.Warps;
    if (Access.Kind == AccessKind::Store) {
      // The block meets before, and no other warp of it stores beside.
      V.Facts.Operations[Access.Op].Emits.push_back({InstClass::Barrier, 1, 1});
      A.MergedStoreFraction = 0;
    }
    return;
  }
  if (Access.Combining == LaneCombining::Retried) {
    const double Turns = A.SerializedPasses;
    scaleBlock(V.Facts, V.Profile, V.Facts.Operations[Access.Op].Block,
               1 / How.Lanes);
    A.SerializedPasses = Turns;
    A.LanesPerAddress = 1;
    return;
  }
  if (How.InRuns) {
    addRounds(V, Access);
    A.ActiveLanes = A.DistinctAddressesPerRequest;
    A.SerializedPasses = A.SectorsPerRequest;
    A.LanesPerAddress = 1;
    return;
  }
  A.ActiveLanes /= A.LanesPerAddress;
  A.SerializedPasses /= A.LanesPerAddress;
  A.LanesPerAddress = 1;
  A.WavefrontsPerRequest = A.IdealWavefrontsPerRequest;
}

Change gpuocc::combineAtomics(std::vector<CombinedAtomic> Atomics) {
  return makeChange(ChangeKind::CombineLanes,
                    [Atomics = std::move(Atomics)](KernelVariant &V) {
                      for (const CombinedAtomic &How : Atomics)
                        combine(V, How);
                    });
}

/// What a block does once for its words, as \p OfWarp does it for those of a
/// request; mean over \p Warps.
static AccessProfile updateOfBlock(const AccessProfile &OfWarp, double Words,
                                   unsigned BytesPerLane, double Warps,
                                   const MemoryGeometry &G) {
  AccessProfile P = OfWarp;
  P.ExecutionsPerWarp = P.RequestsPerWarp =
      std::ceil(Words / LanesPerWarp) / Warps;
  P.ActiveLanes = P.DistinctAddressesPerRequest = std::min(Words, LanesPerWarp);
  const double Bytes = P.ActiveLanes * BytesPerLane;
  P.SectorsPerRequest = P.IdealSectorsPerRequest = P.SerializedPasses =
      std::ceil(Bytes / G.SectorBytes);
  P.LinesPerRequest = P.WavefrontsPerRequest = std::ceil(Bytes / G.LineBytes);
  P.LanesPerAddress = 1;
  return P;
}

/// An operation for the place of \p Access that issues nothing of its own.
static Operation silentOperation(const KernelFacts &Facts,
                                 const MemoryAccess &Access) {
  Operation Op;
  Op.Block = Facts.Operations[Access.Op].Block;
  Op.Location = Facts.Operations[Access.Op].Location;
  return Op;
}

/// The loops in which the threads of a block, \p Times in each execution of
/// the code, clear a word and add one to that of the grid, and the barriers
/// between them and the work, \p Barriers each execution. Compilers unroll the
/// one that clears.
static void addLoopsOfBlock(Operation &Op, float Times, float Barriers) {
  constexpr float Unrolled = 4;
  for (InstClass Class : {InstClass::StShared, InstClass::IAdd3})
    Op.Emits.push_back({Class, Times, Times / Unrolled});
  for (InstClass Class : {InstClass::ISetp, InstClass::Branch})
    Op.Emits.push_back({Class, Times / Unrolled, Times / Unrolled});
  for (InstClass Class : {InstClass::IAdd3, InstClass::LdShared,
                          InstClass::ISetp, InstClass::Branch})
    Op.Emits.push_back({Class, Times, Times});
  Op.Emits.push_back({InstClass::Barrier, Barriers, Barriers});
}

/// Adds the update of the block to \p V, which does so once in \p Turns.
static void addUpdate(KernelVariant &V, uint32_t Like, AccessProfile Profile,
                      double Turns) {
  const MemoryAccess First = V.Facts.Accesses[Like];
  MemoryAccess Update = First;
  Operation Op = silentOperation(V.Facts, First);
  Op.Access = uint32_t(V.Facts.Accesses.size());
  // Once when cleared, and once when counted.
  constexpr double Barriers = 2;
  if (const double Executions = V.Profile.Blocks[Op.Block].ExecutionsPerWarp;
      Executions > 0)
    addLoopsOfBlock(Op, float(Profile.RequestsPerWarp / Executions),
                    float(Barriers / Turns / Executions));
  Update.Op = uint32_t(V.Facts.Operations.size());
  V.Facts.Operations.push_back(std::move(Op));
  V.Facts.Accesses.push_back(std::move(Update));
  V.Profile.Accesses.push_back(std::move(Profile));
}

/// Turns that the lanes of a request of \p A take on one of \p Words words of
/// a block in shared memory, mean over the \p Times that a warp makes it. A
/// warp loses half of those in which another one of its block, which may be on
/// any of the words, is on its word (guess SwapTurns).
///
/// Heuristic: warps that begin together meet the first time, and have drifted
/// apart the next. Evidence: an H200 counts 16 sums of floats of 256 threads in
/// 20.8 us where each block does so once (20.1 predicted), and in 10.5 us where
/// it does four times (8.2 predicted where none meet, 18.4 where all do); an
/// H100 counts ten in 19.0 us where it does 15 times (17 and 55). Tested by
/// CountInBlocks.SumsOfFloatsAreRetried.
static double turnsInShared(const AccessProfile &A, double Words, double Times,
                            double WarpsOfBlock) {
  constexpr double Lost = 0.5;
  const double Share =
      std::min(1.0, A.DistinctAddressesPerRequest / std::max(1.0, Words));
  return A.LanesPerAddress *
         (1 + Lost * (WarpsOfBlock - 1) * Share / std::max(1.0, Times));
}

/// The lanes of atomic \p Index, one of \p Counted, on a word of shared memory
/// succeed one after the other: they load it, combine, and swap. The warp waits
/// for the last, as for a call.
static void retryInShared(KernelVariant &V, uint32_t Index,
                          const CountedWords &Counted) {
  // Of a load and of a swap, for which lanes that fail take two.
  constexpr double PassesOfTurn = 3;
  MemoryAccess &Access = V.Facts.Accesses[Index];
  AccessProfile &A = V.Profile.Accesses[Index];
  const auto Turns = float(
      turnsInShared(A, Counted.Words, A.RequestsPerWarp * Counted.BlocksInTurn,
                    std::max(1.0, V.Launched.warpsPerBlock() * 1.0)));
  Operation Passes = silentOperation(V.Facts, Access);
  Passes.Access = Index;
  Operation &Retried = V.Facts.Operations[Access.Op];
  Retried.Access = NoIndex;
  Retried.Emits.assign(1, {InstClass::Call, 0, 0});
  for (InstClass Class :
       {InstClass::LdShared, combinationOf(Access), InstClass::AtomShared,
        InstClass::ISetp, InstClass::Branch})
    Retried.Emits.push_back({Class, Turns, Turns});
  A.SerializedPasses = A.WavefrontsPerRequest = double(Turns) * PassesOfTurn;
  A.LanesPerAddress = 1;
  Access.Op = uint32_t(V.Facts.Operations.size());
  V.Facts.Operations.push_back(std::move(Passes));
}

static void count(KernelVariant &V, const CountedWords &Counted,
                  const MemoryGeometry &G) {
  const uint32_t First = Counted.Accesses.front();
  const unsigned Bytes = V.Facts.Accesses[First].BytesPerLane;
  const double Warps =
      std::max(1.0, V.Launched.warpsPerBlock() * 1.0) * Counted.BlocksInTurn;
  V.Launched.DynamicSharedBytes.Value += uint64_t(Counted.Words * Bytes);
  addUpdate(
      V, First,
      updateOfBlock(V.Profile.Accesses[First], Counted.Words, Bytes, Warps, G),
      Counted.BlocksInTurn);
  for (uint32_t I : Counted.Accesses) {
    MemoryAccess &Access = V.Facts.Accesses[I];
    Access.Space = MemorySpace::Shared;
    AccessProfile &A = V.Profile.Accesses[I];
    if (isRetriedInShared(Access)) {
      retryInShared(V, I, Counted);
      continue;
    }
    V.Facts.Operations[Access.Op].Emits = {{InstClass::AtomShared, 1, 0}};
    A.SerializedPasses = A.WavefrontsPerRequest = A.LanesPerAddress;
  }
}

/// The loads that nothing in a loop of \p V holds back any more when the
/// atomics of \p Counted, all that loops write with, are in shared memory.
static AliasedAccesses freedLoads(const KernelVariant &V,
                                  ArrayRef<CountedWords> Counted) {
  auto IsCounted = [&](uint32_t I) {
    return any_of(Counted, [&](const CountedWords &Words) {
      return is_contained(Words.Accesses, I);
    });
  };
  for (const auto &[I, A] : enumerate(V.Facts.Accesses))
    if (isInArrays(A.Space) && A.Kind != AccessKind::Load &&
        !IsCounted(uint32_t(I)) &&
        V.Facts.Blocks[V.Facts.Operations[A.Op].Block].Loop != NoIndex)
      return {};
  AliasedAccesses Found = aliasedAccesses(V.Facts, V.Profile);
  Found.Sums.clear();
  return Found;
}

Change gpuocc::countInBlocks(std::vector<CountedWords> Counted,
                             MemoryGeometry G) {
  return makeChange(ChangeKind::CountInBlocks,
                    [=, Counted = std::move(Counted)](KernelVariant &V) {
                      const AliasedAccesses Freed = freedLoads(V, Counted);
                      for (const CountedWords &Words : Counted)
                        count(V, Words, G);
                      if (!Freed.empty())
                        V = cantFail(assumeNoAlias(Freed).Apply(std::move(V)));
                    });
}

/// True if \p A and \p B are one, or copies of one in an unrolled loop.
static bool isSameUpdate(const MemoryAccess &A, const MemoryAccess &B) {
  return A.Kind == B.Kind && A.AtomicOp == B.AtomicOp && A.Base == B.Base &&
         A.OffsetBytes == B.OffsetBytes && A.BytesPerLane == B.BytesPerLane;
}

/// True if an iteration of loop \p L updates by \p A the word that the one
/// before did, and no other access of the loop may be to its array.
static bool isOneWordOf(const KernelFacts &Facts, const gpuocc::Loop &L,
                        const MemoryAccess &A) {
  auto IsInside = [&](const Operand &O) {
    const Operation *Op = Facts.operationOf(O);
    return Op && is_contained(L.Blocks, Op->Block);
  };
  const std::optional<uint64_t> Array = arrayOfAccess(Facts, A);
  return Array && !IsInside(A.Base) &&
         none_of(Facts.Accesses, [&](const MemoryAccess &Other) {
           return !isSameUpdate(Other, A) && isInArrays(Other.Space) &&
                  is_contained(L.Blocks, Facts.Operations[Other.Op].Block) &&
                  arrayOfAccess(Facts, Other).value_or(*Array) == *Array;
         });
}

uint32_t gpuocc::loopOfOneWord(const KernelFacts &Facts, uint32_t Access) {
  const MemoryAccess &A = Facts.Accesses[Access];
  uint32_t Outermost = NoIndex;
  if (A.Kind != AccessKind::Reduction || A.Space == MemorySpace::Shared)
    return Outermost;
  for (uint32_t L = Facts.Blocks[Facts.Operations[A.Op].Block].Loop;
       L != NoIndex && isOneWordOf(Facts, Facts.Loops[L], A);
       L = Facts.Loops[L].Parent)
    Outermost = L;
  return Outermost;
}

/// The lanes of a request that are all on one word become one.
static void combineLanes(AccessProfile &A) {
  A.ActiveLanes = A.DistinctAddressesPerRequest = A.LanesPerAddress = 1;
  A.SerializedPasses = A.SectorsPerRequest = A.IdealSectorsPerRequest = 1;
  A.LinesPerRequest = A.WavefrontsPerRequest = 1;
}

/// What combines the values of the threads of a block: those of each warp by
/// shuffles, whose results one more step in shared memory combines, behind a
/// barrier for all values together.
static void addBlockTree(Operation &Op, const MemoryAccess &Access,
                         bool IsFirst) {
  constexpr float Steps = 5;
  Op.Emits = {{InstClass::Shfl, Steps, Steps},
              {combinationOf(Access), Steps, Steps},
              {InstClass::StShared, 1, 1},
              {InstClass::LdShared, 1, 1}};
  if (IsFirst)
    Op.Emits.push_back({InstClass::Barrier, 1, 1});
}

static void sumInThread(KernelVariant &V, const SummedAtomic &How,
                        bool IsFirst) {
  MemoryAccess &Access = V.Facts.Accesses[How.Access];
  AccessProfile &A = V.Profile.Accesses[How.Access];
  Operation Update = silentOperation(V.Facts, Access);
  Operation &Before = V.Facts.Operations[Access.Op];
  Before.Emits = {{combinationOf(Access), 1, 1}};
  if (How.IsOneWord && How.BlocksInTurn <= 1)
    addBlockTree(Before, Access, IsFirst);
  Before.Access = NoIndex;
  Update.Access = How.Access;
  Access.Op = uint32_t(V.Facts.Operations.size());
  if (How.Loop != NoIndex) {
    const uint32_t Header = V.Facts.Loops[How.Loop].Header;
    const double Entries = V.Profile.Blocks[Header].ExecutionsPerWarp /
                           std::max(1.0, V.Profile.Loops[How.Loop].TripCount);
    Update.Block = Header;
    A.RequestsPerWarp = std::min(A.RequestsPerWarp, Entries);
  }
  A.RequestsPerWarp /= How.BlocksInTurn;
  if (How.IsOneWord) {
    combineLanes(A);
    A.RequestsPerWarp /= double(V.Launched.warpsPerBlock());
  } else if (A.DistinctAddressesPerRequest <= 1) {
    combineLanes(A);
  }
  A.ExecutionsPerWarp = A.RequestsPerWarp;
  V.Facts.Operations.push_back(std::move(Update));
}

static void dropRequests(AccessProfile &A) {
  A.RequestsPerWarp = A.ExecutionsPerWarp = 0;
}

Change gpuocc::sumInThreads(std::vector<SummedAtomic> Atomics) {
  return makeChange(ChangeKind::SumInThreads, [Atomics = std::move(Atomics)](
                                                  KernelVariant &V) {
    AccessList Done;
    for (const SummedAtomic &How : Atomics) {
      sumInThread(V, How, Done.empty());
      // A thread updates once for all copies of an unrolled loop.
      if (How.Loop != NoIndex && any_of(Done, [&](uint32_t Other) {
            return isSameUpdate(V.Facts.Accesses[Other],
                                V.Facts.Accesses[How.Access]);
          }))
        dropRequests(V.Profile.Accesses[How.Access]);
      else
        Done.push_back(How.Access);
    }
  });
}
