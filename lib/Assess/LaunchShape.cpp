//===- LaunchShape.cpp - Blocks of another shape --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Geometry.h"
#include "OtherBlocks.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "gpuocc/Kernel/Barriers.h"
#include "gpuocc/Kernel/Copies.h"
#include "gpuocc/Kernel/OperationsBehind.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/WhatIf/IndependentThreads.h"
#include "gpuocc/WhatIf/MergeLaunches.h"
#include "gpuocc/WhatIf/PackBlocks.h"
#include "gpuocc/WhatIf/PackThreads.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

static constexpr uint64_t LanesPerWarp = 32;

/// Shapes that touch the same lines are not told apart.
static constexpr double WorthwhileLaunchShape = 1.1;

/// True when the kernel takes the extent of its block along x and y as it finds
/// it, and the rows of blocks are too short for a warp.
static bool mayBeReshaped(const Case &C) {
  const Dim3 &Block = C.Launched.Block.Value;
  return !C.Facts.isInIssueOrder() && Block.X < LanesPerWarp && Block.Y > 1 &&
         Block.Z == 1 && readsRegister(C.Facts, SpecialReg::NTidX) &&
         readsRegister(C.Facts, SpecialReg::NTidY) && hasIndependentThreads(C);
}

static Launch reshaped(const Case &C, uint64_t X, uint64_t Y) {
  Launch L = C.Launched;
  const Dim3 Own = L.Block.Value;
  Dim3 &Block = L.Block.Value;
  Block.X = X;
  Block.Y = Y;
  if (!L.Grid)
    return L;
  Sourced<Dim3> Grid = *L.Grid;
  auto Blocks = [](uint64_t Count, uint64_t Old, uint64_t New) {
    return (Count * Old + New - 1) / New;
  };
  Grid.Value.X = Blocks(Grid.Value.X, Own.X, Block.X);
  Grid.Value.Y = Blocks(Grid.Value.Y, Own.Y, Block.Y);
  L.Grid = std::move(Grid);
  return L;
}

/// Blocks of so many threads end soon, and start one after the other.
static constexpr uint64_t Few = 64;

/// The same threads in rows of one, two or four warps; of few threads, as many
/// as are usual.
static std::optional<OtherBlocks> bestShape(const Case &C) {
  std::optional<OtherBlocks> Best;
  auto Try = [&](uint64_t X, uint64_t Y) {
    std::optional<OtherBlocks> Other = launchedAs(C, reshaped(C, X, Y));
    if (Other && (!Best || Other->Gain.Gain > Best->Gain.Gain))
      Best = std::move(Other);
  };
  const uint64_t Threads = C.Launched.Block.Value.count();
  for (uint64_t X = LanesPerWarp; X <= 4 * LanesPerWarp; X *= 2)
    if (Threads % X == 0)
      Try(X, Threads / X);
  if (Threads > Few)
    return Best;
  constexpr uint64_t Usual = 256;
  for (uint64_t X : {LanesPerWarp / 2, LanesPerWarp})
    Try(X, Usual / X);
  return Best;
}

/// Blocks of few threads that adapt to more.
static std::optional<OtherBlocks> bestSize(const Case &C) {
  std::optional<OtherBlocks> Best;
  if (C.Launched.Block.Value.X > Few || !adaptsToBlocks(C))
    return Best;
  for (uint64_t Threads : {128, 256}) {
    std::optional<OtherBlocks> Other = inBlocksOf(C, Threads);
    if (Other && (!Best || Other->Gain.Gain > Best->Gain.Gain))
      Best = std::move(Other);
  }
  return Best;
}

/// Blocks for every place on the SMs where those of the launch leave some empty
/// and threads share the work, however many there are.
static std::optional<OtherBlocks> fullGrid(const Case &C) {
  const Known<double> SmCount = C.Device.get(Quantity::SmCount);
  const Known<Sourced<Dim3>> &Own = C.Launched.Grid;
  if (C.IsFixed || C.Facts.isInIssueOrder() || !Own || !SmCount ||
      Own->Value.Y != 1 || Own->Value.Z != 1 ||
      C.Launched.Cluster.count() != 1 ||
      !readsRegister(C.Facts, SpecialReg::NCtaIdX))
    return std::nullopt;
  const uint64_t Places =
      uint64_t(*SmCount) * occupancy(C.Limits, C.Block).BlocksPerSm;
  if (Own->Value.X >= Places)
    return std::nullopt;
  Launch L = C.Launched;
  Sourced<Dim3> Grid = *Own;
  Grid.Value.X = Places;
  L.Grid = std::move(Grid);
  return launchedAs(C, std::move(L));
}

/// True if what a block does follows from its index, and how many threads it
/// has does not: no product of the two, nor with the extent of the grid.
static bool hasWorkOfBlocks(const Case &C) {
  auto IsExtent = [&](const Operand &O) {
    const Operation *Op = C.Facts.operationOf(behindWidths(C.Facts, O));
    return Op && Op->SReg == SpecialReg::NTidX;
  };
  return readsRegister(C.Facts, SpecialReg::NTidX) &&
         readsRegister(C.Facts, SpecialReg::CtaIdX) &&
         !readsRegister(C.Facts, SpecialReg::NCtaIdX) &&
         none_of(C.Facts.Operations, [&](const Operation &Op) {
           switch (Op.What) {
           case Semantics::Mul:
           case Semantics::MulWideS:
           case Semantics::MulWideU:
           case Semantics::Mad:
           case Semantics::MadWideS:
           case Semantics::MadWideU:
             return (IsExtent(Op.Operands[0]) &&
                     !Op.Operands[1].isImmediate()) ||
                    (IsExtent(Op.Operands[1]) && !Op.Operands[0].isImmediate());
           default:
             return false;
           }
         });
}

/// True where blocks of one row of threads share loops, however many threads
/// they have.
static bool mayHaveOtherThreads(const Case &C) {
  const Dim3 &Own = C.Launched.Block.Value;
  return !C.IsFixed && !C.Facts.isInIssueOrder() && C.Launched.Grid &&
         Own.X % LanesPerWarp == 0 && Own.Y == 1 && Own.Z == 1 &&
         C.Launched.Cluster.count() == 1 && !C.Facts.Loops.empty() &&
         C.Launched.DynamicSharedBytes.Value == 0 &&
         C.Facts.Bounds.RequiredBlock[0] == 0 && hasWorkOfBlocks(C);
}

/// Of blocks of, step by step, \p Times as many threads, as long as \p Fits,
/// what gains most: the first of those that are about as good.
template <typename Predicate>
static std::optional<OtherBlocks> bestThreads(const Case &C, double Times,
                                              Predicate Fits) {
  constexpr double More = 1.05;
  std::optional<OtherBlocks> Best;
  for (double Threads = Times * double(C.Launched.Block.Value.X);
       Fits(uint64_t(Threads)); Threads *= Times) {
    Launch L = C.Launched;
    L.Block.Value.X = uint64_t(Threads);
    std::optional<OtherBlocks> Other = launchedAs(C, std::move(L));
    if (Other && (!Best || Other->Gain.Gain > More * Best->Gain.Gain))
      Best = std::move(Other);
  }
  return Best;
}

/// Blocks of more threads, each of which does what one of few does now, where
/// the SMs have places for their warps.
static std::optional<OtherBlocks> widerBlocks(const Case &C) {
  const Known<double> SmCount = C.Device.get(Quantity::SmCount);
  if (!SmCount || !mayHaveOtherThreads(C))
    return std::nullopt;
  const double Warps = double(C.Launched.Grid->Value.count()) *
                       double(C.Launched.warpsPerBlock());
  const double Places =
      *SmCount * double(occupancy(C.Limits, C.Block).WarpsPerSm);
  constexpr uint64_t Most = 1024;
  return bestThreads(C, 2, [&](uint64_t Threads) {
    const double Times = double(Threads) / double(C.Launched.Block.Value.X);
    return Threads <= Most && Warps * Times <= 2 * Places &&
           (C.Facts.Bounds.MaxThreads == 0 ||
            Threads <= C.Facts.Bounds.MaxThreads) &&
           fitSharedWords(C.Facts, C.Launched, Threads);
  });
}

/// Warps of which at least half find nothing to do in any loop that loads.
static bool hasIdleWarps(const Case &C) {
  constexpr double Half = 0.5;
  bool HasLoads = false;
  for (const MemoryAccess &A : C.Facts.Accesses) {
    const uint32_t Block = C.Facts.Operations[A.Op].Block;
    if (A.Kind != AccessKind::Load || !isInArrays(A.Space) ||
        C.Facts.Blocks[Block].Loop == NoIndex)
      continue;
    HasLoads = true;
    if (C.Profile.Blocks[Block].ExecutionsPerWarp > Half)
      return false;
  }
  return HasLoads;
}

/// Blocks of fewer threads where a loop that they share is too short for all.
static std::optional<OtherBlocks> narrowerBlocks(const Case &C) {
  if (!mayHaveOtherThreads(C) || !hasIdleWarps(C))
    return std::nullopt;
  return bestThreads(C, 0.5, [](uint64_t Threads) {
    return Threads >= LanesPerWarp && Threads % LanesPerWarp == 0;
  });
}

static void writeFullGrid(const Case &C, const OtherBlocks &Full,
                          Findings &Out) {
  FindingWriter W(RuleId::LaunchShape, kernelLocation(C.Facts));
  W << "the SMs have room for "
    << named("Places",
             formatCount(double(Full.Launched.Grid->Value.X), "block"))
    << " at a time, and the grid has "
    << named("Grid", Twine(C.Launched.Grid->Value.X))
    << "; threads share the work among the blocks of the grid, so launch "
    << named("GridAfter", Twine(Full.Launched.Grid->Value.X));
  addPrice(W, Full.Gain);
  Out.push_back(std::move(W.finding()));
}

/// \p How: what else is to do.
static void writeShape(const Case &C, const Launch &Then, const Price &Gain,
                       const Twine &Why, Findings &Out, const Twine &How = "") {
  FindingWriter W(RuleId::LaunchShape, kernelLocation(C.Facts));
  W << Why << "; launch blocks of "
    << named("BlockAfter", formatDim(Then.Block.Value)) << " instead of "
    << named("Block", formatDim(C.Launched.Block.Value));
  if (Then.Grid)
    W << " in a grid of " << named("GridAfter", formatDim(Then.Grid->Value));
  W << How;
  addPrice(W, Gain);
  Out.push_back(std::move(W.finding()));
}

namespace {

/// The launch of a change, and what it brings.
struct PricedShape {
  Launch Launched;
  Price Gain;
};

} // namespace

/// Of the shapes that \p Make gives for \p Sizes, the one that gains most,
/// where it is worthwhile.
static std::optional<PricedShape>
bestShape(const Case &C, ArrayRef<unsigned> Sizes,
          function_ref<std::optional<KernelVariant>(unsigned)> Make) {
  std::optional<PricedShape> Best;
  for (unsigned Size : Sizes) {
    std::optional<KernelVariant> V = Make(Size);
    if (!V)
      continue;
    Launch Then = V->Launched;
    Price P = priceVariant(C, std::move(*V));
    if (!Best || P.Gain > Best->Gain.Gain)
      Best = PricedShape{std::move(Then), std::move(P)};
  }
  if (Best && Best->Gain.Gain < WorthwhileLaunchShape)
    Best.reset();
  return Best;
}

/// Blocks of one warp that start slower than they end, as warps of larger ones.
/// Those that leave lanes empty and do not meet are packed by threads.
static void findPackedBlocks(const Case &C, Findings &Out) {
  const KernelVariant Own{C.Facts, C.Profile, C.Launched};
  const uint64_t Threads = C.Launched.threadsPerBlock();
  const bool Meets = any_of(C.Facts.Operations, meetsAtBarrier);
  if (adaptsToBlocks(C) || !canPackBlocks(Own) ||
      (Threads < LanesPerWarp && !Meets))
    return;
  const std::optional<PricedShape> Best = bestShape(C, {4, 8}, [&](unsigned N) {
    std::optional<KernelVariant> V = changed(C, packBlocks(N));
    return V && canBeLaunched(C, *V) ? V : std::nullopt;
  });
  if (!Best)
    return;
  writeShape(
      C, Best->Launched, Best->Gain,
      "blocks of one warp end soon and start one after the other", Out,
      ", and let each warp (threadIdx.y) do the work of a block" +
          (Threads < LanesPerWarp
               ? " with its first " + formatCount(double(Threads), "lane")
               : "") +
          (Meets ? ", in shared arrays of its own and with __syncwarp() "
                   "for __syncthreads()"
                 : ""));
}

/// Blocks of fewer threads than a warp has lanes, as lanes of larger ones.
static void findPackedThreads(const Case &C, Findings &Out) {
  const uint64_t Own = C.Launched.Block.Value.X;
  if (Own >= LanesPerWarp || adaptsToBlocks(C))
    return;
  const std::optional<PricedShape> Best =
      bestShape(C, {128, 256}, [&](unsigned Threads) {
        return changedAndWalked(C, packThreads(Threads));
      });
  if (!Best)
    return;
  const std::string Blocks = std::to_string(Best->Launched.Block.Value.X / Own),
                    Threads = std::to_string(Own);
  writeShape(
      C, Best->Launched, Best->Gain,
      "a block of " + formatCount(double(Own), "thread") +
          " leaves the other lanes of its warp empty, and blocks start one "
          "after the other",
      Out,
      Own == 1 ? ", and let each thread do the work of a block: blockIdx.x * "
                 "blockDim.x + threadIdx.x instead of blockIdx.x"
               : ", and let each " + Threads +
                     " threads do the work of a block: blockIdx.x * " + Blocks +
                     " + threadIdx.x / " + Threads +
                     " instead of blockIdx.x, and threadIdx.x % " + Threads +
                     " instead of threadIdx.x");
}

/// The place in host code that launches the kernel; that of the kernel where it
/// is not known.
static SourceLocation launchLocation(const Case &C) {
  SourceLocation Out = kernelLocation(C.Facts);
  if (C.Launched.Grid->Source.by() != GivenBy::HostCode || !Out.isValid())
    return Out;
  auto [File, Line] = C.Launched.Grid->Source.place().rsplit(':');
  unsigned Number = 0;
  SourcePlace &Place = Out.Places.front();
  if (sys::path::filename(Place.File) == File &&
      !Line.getAsInteger(10, Number)) {
    Place.Line = Number;
    Place.Column = 0;
    Place.Function.clear();
  }
  return Out;
}

/// What each of many launches takes, one behind the other: L2 has what they
/// read in common, and most likely the rest, too, which something has written
/// just before. A launch starts when the one before it has ended.
static double eachLaunchNs(const Case &C, const TimeEstimate &Alone) {
  ExecutionProfile Warm = C.Profile;
  for (size_t I = 0; I != Warm.Accesses.size(); ++I)
    if (C.Facts.Accesses[I].Kind == AccessKind::Load) {
      Warm.Accesses[I].L2HitFraction = 1;
      Warm.Accesses[I].L2WaitFraction = 0;
    }
  const Prediction Then =
      C.Model.predict(C.Facts, Warm, C.Launched, PredictDetail::Comparison);
  const TimeEstimate &Time = Then.Time ? *Then.Time : Alone;
  return Time.Ns - Time.LaunchNs +
         C.Device.get(Quantity::LaunchGap).valueOr(Time.LaunchNs);
}

/// A loop of host code that launches few blocks at a time, each for an own part
/// of the arrays.
static bool findMergedLaunches(const Case &C, Findings &Out) {
  const Known<TimeEstimate> &Time = C.Predicted.Time;
  const uint64_t Launches = C.Launched.LaunchesInLoop;
  if (C.IsFixed || Launches <= 1 || !Time || C.Launched.Cluster.count() != 1)
    return false;
  const std::optional<KernelVariant> V = changed(C, mergeLaunches());
  if (!V)
    return false;
  const Prediction Once = C.Model.predict(V->Facts, V->Profile, V->Launched,
                                          PredictDetail::Comparison);
  if (!Once.Time || Once.Time->Ns <= 0)
    return false;
  const double EachNs = eachLaunchNs(C, *Time);
  Price P = comparePredictions(C, Once);
  P.Gain = double(Launches) * EachNs / Once.Time->Ns;
  if (P.Gain < WorthwhileLaunchShape)
    return false;
  const Dim3 &Grid = C.Launched.Grid->Value;
  FindingWriter W(RuleId::LaunchShape, launchLocation(C));
  W << "host code launches this grid of "
    << named("Grid", formatCount(double(Grid.count()), "block")) << " "
    << named("Launches", Twine(Launches))
    << " times in a loop, each for other parts of its arrays, in "
    << named("Time", formatTime(double(Launches) * EachNs))
    << "; launch once with a grid of "
    << named("GridAfter", formatDim(V->Launched.Grid->Value))
    << ", and compute in the kernel, from the index of the block, where its "
       "part begins";
  addPrice(W, P);
  Out.push_back(std::move(W.finding()));
  return true;
}

/// What no change of the kernel helps.
static void writeShortLaunch(const Case &C, Findings &Out) {
  constexpr double MostOfIt = 0.5;
  const Known<TimeEstimate> &Time = C.Predicted.Time;
  if (!Time || C.IsFixed || Time->LaunchNs < MostOfIt * Time->Ns)
    return;
  FindingWriter W(RuleId::LaunchShape, kernelLocation(C.Facts));
  W.finding().Remark = RemarkKind::Analysis;
  W << "launching the kernel takes "
    << named("Launch", formatTime(Time->LaunchNs)) << " of its "
    << named("Time", formatTime(Time->Ns))
    << "; do more in one launch, fuse it with the kernels around it, or put "
       "them into a CUDA graph";
  Out.push_back(std::move(W.finding()));
}

void gpuocc::findLaunchShape(const Case &C, Findings &Out) {
  auto WriteIfWorthwhile = [&](const std::optional<OtherBlocks> &Other,
                               StringRef Why) {
    if (Other && Other->Gain.Gain >= WorthwhileLaunchShape)
      writeShape(C, Other->Launched, Other->Gain, Why, Out);
  };
  if (!C.IsFixed && mayBeReshaped(C))
    WriteIfWorthwhile(bestShape(C),
                      "a row of the block is shorter than a warp, whose "
                      "requests touch several rows of memory");
  WriteIfWorthwhile(bestSize(C),
                    "blocks end soon and start one after the other");
  WriteIfWorthwhile(widerBlocks(C),
                    "the threads of a block share a loop, and the grid leaves "
                    "places on the SMs empty");
  WriteIfWorthwhile(narrowerBlocks(C),
                    "the threads of a block share a loop that is over before "
                    "half of its warps have something to do");
  findPackedBlocks(C, Out);
  findPackedThreads(C, Out);
  std::optional<OtherBlocks> Full = fullGrid(C);
  if (Full && Full->Gain.Gain >= WorthwhileLaunchShape)
    writeFullGrid(C, *Full, Out);
  if (!findMergedLaunches(C, Out))
    writeShortLaunch(C, Out);
}
