//===- ShuffledTree.cpp - A tree in shared memory as shuffles -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/ShuffledTree.h"
#include "AddressAt.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/WhatIf/ChangeCode.h"
#include "gpuocc/WhatIf/ScaleBlock.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

using namespace gpuocc;
using namespace llvm;

/// Steps that the lanes of a warp make among themselves: 2^5 = 32.
static constexpr double StepsPerRound = 5;

static uint32_t blockOf(const KernelVariant &V, const TreeStep &Step) {
  return V.Facts.Operations[Step.Store].Block;
}

double gpuocc::stepsOf(const KernelVariant &V, const SharedTree &Tree) {
  return Tree.Loop == NoIndex
             ? double(Tree.Steps.size())
             : std::max(1.0, V.Profile.Loops[Tree.Loop].TripCount);
}

/// Times that a warp gets to \p Tree.
static double entriesOf(const KernelVariant &V, const SharedTree &Tree) {
  if (Tree.Loop != NoIndex)
    return V.Profile.Blocks[V.Facts.Loops[Tree.Loop].Header].ExecutionsPerWarp /
           stepsOf(V, Tree);
  const uint32_t L = V.Facts.Blocks[blockOf(V, Tree.Steps.front())].Loop;
  return L == NoIndex
             ? 1
             : V.Profile.Blocks[V.Facts.Loops[L].Header].ExecutionsPerWarp;
}

/// Lanes that take part in the steps of \p Tree, per warp that gets there.
static double lanesOf(const KernelVariant &V, const SharedTree &Tree) {
  constexpr double LanesPerWarp = 32;
  double Lanes = 0;
  uint32_t Before = NoIndex;
  for (const TreeStep &Step : Tree.Steps) {
    const uint32_t Block = blockOf(V, Step);
    // Steps of one block are those of one warp: all of its lanes may take part,
    // where what the upper half makes is not used.
    if (Block != Before)
      Lanes += V.Profile.Blocks[Block].ExecutionsPerWarp *
               V.Profile.Blocks[Block].ActiveLaneFraction * LanesPerWarp;
    Before = Block;
  }
  // Steps of a loop belong to as many trees.
  const double Trees = Tree.Loop == NoIndex ? 1 : double(Tree.Steps.size());
  return Lanes / std::max(Trees * entriesOf(V, Tree), 1e-9);
}

bool gpuocc::thinsOut(const KernelVariant &V, const SharedTree &Tree) {
  // A sum of n words takes n - 1 additions, a prefix sum some n log n.
  constexpr double LanesPerWarp = 32, Rounding = 1.1;
  return lanesOf(V, Tree) <= LanesPerWarp * Rounding;
}

bool gpuocc::endsInOneWord(const KernelVariant &V, const SharedTree &Tree) {
  if (Tree.Loop != NoIndex) {
    // n - 1 additions of n words leave one.
    constexpr double AboutOne = 1.5;
    return lanesOf(V, Tree) * double(V.Launched.warpsPerBlock()) >=
           double(V.Launched.Block.Value.count()) - AboutOne;
  }
  return any_of(Tree.Steps, [&](const TreeStep &Step) {
    const uint32_t Access = V.Facts.Operations[Step.Store].Access;
    // The last step may be computed where its result is used.
    return Step.DistanceBytes <=
           2 * int64_t(V.Facts.Accesses[Access].BytesPerLane);
  });
}

namespace {

/// Changes one tree of a kernel.
class Shuffler {
public:
  Shuffler(KernelVariant &V, const SharedTree &Tree)
      : V(V), Tree(Tree), Steps(stepsOf(V, Tree)), Entries(entriesOf(V, Tree)),
        Rounds(std::ceil(Steps / StepsPerRound - 0.01)),
        Warps(double(V.Launched.warpsPerBlock())) {}

  void run() {
    if (Tree.Loop != NoIndex)
      changeLoop();
    else
      changeCode();
    dropOperations(V, Unneeded);
    dropEmptySides(V);
  }

private:
  KernelVariant &V;
  const SharedTree &Tree;
  const double Steps, Entries, Rounds, Warps;
  std::vector<uint32_t> Unneeded;

  void changeLoop() {
    const std::vector<uint32_t> Blocks = V.Facts.Loops[Tree.Loop].Blocks;
    for (uint32_t B : Blocks) {
      scaleBlock(V.Facts, V.Profile, B, Rounds / Steps);
      const uint32_t First = V.Facts.Blocks[B].FirstOp;
      for (uint32_t I = First; I != First + V.Facts.Blocks[B].NumOps; ++I)
        dropEmissions(V.Facts, I, InstClass::Barrier);
    }
    V.Profile.Loops[Tree.Loop].TripCount = Rounds;
    for (const TreeStep &Step : Tree.Steps) {
      // One warp makes the rounds behind the first.
      walk(blockOf(V, Step), Entries * (1 + (Rounds - 1) / Warps));
      shuffle(Step);
    }
  }

  void changeCode() {
    const size_t Kept = size_t(Rounds);
    for (size_t I = 0; I != Tree.Steps.size(); ++I) {
      const TreeStep &Step = Tree.Steps[I];
      const uint32_t After = I + 1 == Tree.Steps.size()
                                 ? uint32_t(V.Facts.Operations.size())
                                 : Tree.Steps[I + 1].Store;
      dropBarrier(Step.Store, After);
      if (I < Kept) {
        walk(blockOf(V, Step), I == 0 ? Entries : Entries / Warps);
        shuffle(Step);
        continue;
      }
      Unneeded.push_back(Step.Store);
      Unneeded.push_back(Step.Combine);
      Unneeded.push_back(Step.Other);
      if (Step.Own != NoIndex)
        Unneeded.push_back(Step.Own);
    }
  }

  /// Lets \p Block, unless it issues with another, run \p Times per warp.
  void walk(uint32_t Block, double Times) {
    const double Before = V.Profile.Blocks[Block].ExecutionsPerWarp;
    if (V.Facts.Blocks[Block].PredicatedInto == NoIndex && Before > 0)
      scaleBlock(V.Facts, V.Profile, Block, Times / Before);
  }

  void shuffle(const TreeStep &Step) {
    const float PerRound = float(Steps / Rounds);
    Operation &Combine = V.Facts.Operations[Step.Combine];
    for (Emission &E : Combine.Emits) {
      E.Count *= PerRound;
      E.OnPath *= PerRound;
    }
    const MemoryAccess &To =
        V.Facts.Accesses[V.Facts.Operations[Step.Store].Access];
    // A shuffle moves 4 bytes of a lane.
    const float Shuffles = PerRound * float((To.BytesPerLane + 3) / 4);
    Combine.Emits.push_back({InstClass::Shfl, Shuffles, PerRound});
    Unneeded.push_back(Step.Other);
    for (uint32_t Op : {Step.Own, Step.Store})
      if (Op != NoIndex) {
        AccessProfile &P = V.Profile.Accesses[V.Facts.Operations[Op].Access];
        P.WavefrontsPerRequest = P.IdealWavefrontsPerRequest;
      }
  }

  /// The first barrier in the operations from \p First to \p End.
  void dropBarrier(uint32_t First, uint32_t End) {
    for (uint32_t I = First; I != End; ++I) {
      const size_t Before = V.Facts.Operations[I].Emits.size();
      dropEmissions(V.Facts, I, InstClass::Barrier);
      if (V.Facts.Operations[I].Emits.size() != Before)
        return;
    }
  }
};

} // namespace

Change gpuocc::shuffleTrees(std::vector<SharedTree> Trees) {
  return makeChange(ChangeKind::ShuffleTrees,
                    [Trees = std::move(Trees)](KernelVariant &V) {
                      for (const SharedTree &Tree : Trees)
                        Shuffler(V, Tree).run();
                    });
}

bool gpuocc::goesAlongLanes(const KernelVariant &V, const SharedTree &Scan) {
  // A lane in the middle of a warp, which has all that the first step asks for.
  constexpr int64_t Lane = 20;
  const TreeStep &First = Scan.Steps.front();
  const Dim3 &Block = V.Launched.Block.Value;
  if (int64_t(Block.X) <= Lane)
    return false;
  AddressAt::Place P;
  P.Thread[0] = Lane;
  AddressAt Here(V.Facts, V.Launched, P);
  auto PlaceOf = [&](uint32_t Op) -> std::optional<int64_t> {
    const MemoryAccess &A = V.Facts.Accesses[V.Facts.Operations[Op].Access];
    const std::optional<int64_t> At = Here.of(A.Base);
    return At ? std::optional(*At + A.OffsetBytes) : std::nullopt;
  };
  const std::optional<int64_t> To = PlaceOf(First.Store),
                               From = PlaceOf(First.Other);
  const uint32_t Access = V.Facts.Operations[First.Store].Access;
  return To && From &&
         std::abs(*To - *From) ==
             int64_t(V.Facts.Accesses[Access].BytesPerLane);
}

/// The instructions of \p Scan by shuffles at its first step.
static void addShuffles(KernelVariant &V, const SharedTree &Scan) {
  const TreeStep &Step = Scan.Steps.front();
  Operation &Combine = V.Facts.Operations[Step.Combine];
  const MemoryAccess &To =
      V.Facts.Accesses[V.Facts.Operations[Step.Store].Access];
  const float Warps = float(V.Launched.warpsPerBlock());
  const float Steps = float(StepsPerRound);
  const float Own = std::min(Steps, float(stepsOf(V, Scan)));
  // All warps their lanes, and one warp the sums of all.
  const float Count = Own + (Warps > 1 ? Steps / Warps : 0);
  const float OnPath = Own + (Warps > 1 ? std::log2(Warps) : 0);
  SmallVector<Emission, 4> Sums;
  for (const Emission &E : Combine.Emits)
    Sums.push_back({E.Class, E.Count * Count, E.OnPath * OnPath});
  const float Registers = float((To.BytesPerLane + 3) / 4);
  Sums.push_back({InstClass::Shfl, Registers * Count, OnPath});
  // A lane adds what it got if there is a lane so far in front of it.
  Sums.push_back({InstClass::ISetp, Count, 0});
  Combine.Emits.assign(Sums.begin(), Sums.end());
}

/// Drops all steps of \p Scan but the first, with their barriers.
static void keepFirstStep(KernelVariant &V, const SharedTree &Scan) {
  std::vector<uint32_t> Unneeded;
  for (const TreeStep &Step : ArrayRef(Scan.Steps).drop_front())
    for (uint32_t Op : {Step.Store, Step.Combine, Step.Other, Step.Own})
      if (Op != NoIndex)
        Unneeded.push_back(Op);
  for (uint32_t I = Scan.Steps.front().Store; I < Scan.Steps.back().Store; ++I)
    dropEmissions(V.Facts, I, InstClass::Barrier);
  dropOperations(V, Unneeded);
  dropEmptySides(V);
}

/// One turn is left of the \p Turns of \p Loop.
static void keepOneTurn(KernelVariant &V, uint32_t Loop, double Turns) {
  for (uint32_t B : V.Facts.Loops[Loop].Blocks)
    scaleBlock(V.Facts, V.Profile, B, 1 / Turns);
  V.Profile.Loops[Loop].TripCount = 1;
}

Change gpuocc::shuffleScans(std::vector<SharedTree> Scans) {
  return makeChange(
      ChangeKind::ShuffleScans, [Scans = std::move(Scans)](KernelVariant &V) {
        for (const SharedTree &Scan : Scans) {
          const double Steps = stepsOf(V, Scan);
          addShuffles(V, Scan);
          if (Scan.Loop == NoIndex) {
            keepFirstStep(V, Scan);
            continue;
          }
          const double Entries = entriesOf(V, Scan);
          keepOneTurn(V, Scan.Loop, Steps);
          if (Scan.Down == NoIndex)
            continue;
          // All warps add up their lanes, where few were left of a step.
          const uint32_t Step = blockOf(V, Scan.Steps.front());
          if (const double Times = V.Profile.Blocks[Step].ExecutionsPerWarp;
              Times > 0 && V.Facts.Blocks[Step].PredicatedInto == NoIndex)
            scaleBlock(V.Facts, V.Profile, Step, Entries / Times);
          keepOneTurn(V, Scan.Down,
                      std::max(1.0, V.Profile.Loops[Scan.Down].TripCount));
        }
      });
}
