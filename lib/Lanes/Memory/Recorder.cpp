//===- Recorder.cpp - Sum what walks see into a profile -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory/Recorder.h"
#include "Analysis/GatherSources.h"
#include "Memory/Pattern.h"
#include "gpuocc/Lanes/WalkedLaunch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace gpuocc;
using namespace llvm;

/// Divergent share of executions from which a branch is called divergent.
static constexpr double MostlyDivergent = 0.5;

/// Share of the steps from lane to lane that lead back up to which loaded
/// indices are in order; half of them do where indices are drawn.
static constexpr double MostlyInOrder = 0.25;
/// Lanes of a request on lines of their own, as a share, where a hash chooses
/// their addresses.
static constexpr double MostLanes = 0.75;

/// Share of warps up to which divergence is an edge effect.
static constexpr double EdgeShare = 0.05;

Recorder::Recorder(const KernelFacts &Facts, const MemoryGeometry &Geometry,
                   bool Confirmed)
    : Facts(&Facts), Geometry(&Geometry), Confirmed(Confirmed),
      BlockExecutions(Facts.Blocks.size()), BlockLanes(Facts.Blocks.size()),
      Accesses(Facts.Accesses.size()), Branches(Facts.Branches.size()),
      Loops(Facts.Loops.size()), Current(Facts.Blocks.size()),
      CurrentRequests(Facts.Accesses.size()) {
  for (uint32_t B = 0; B < Facts.Blocks.size(); ++B)
    Instructions.push_back(Facts.instructionsOf(B));
}

void Recorder::beginWarp(const PlannedWarp &W, double Weight) {
  CurrentClass = W.Class;
  if (WalkedBlocks.empty() || WalkedBlocks.back().Class != W.Class ||
      WalkedBlocks.back().Index != W.BlockIndex)
    WalkedBlocks.push_back(
        {W.Class, W.BlockIndex, W.IsOfMixed, Weight / W.NumAlike, {}});
  CurrentSample.BlockIndex = W.BlockIndex;
  CurrentSample.WarpInBlock = W.WarpInBlock;
  CurrentSample.Weight = Weight;
  CurrentSample.WeightOfTurn = {};
  for (unsigned I = 0; I < W.NumAlike; ++I)
    CurrentSample.WeightOfTurn[(W.FirstAlike + I) % WarpSample::NumTurns] +=
        Weight / W.NumAlike;
  std::fill(Current.begin(), Current.end(), 0);
  std::fill(CurrentRequests.begin(), CurrentRequests.end(), 0);
  CurrentFigures.Accesses.assign(Accesses.size(), {0, 0});
}

/// Equal up to the rounding of sums of weights.
static bool nearlyEqual(double A, double B) {
  return std::fabs(A - B) <= 1e-5 * std::max(std::fabs(A), std::fabs(B));
}

std::vector<double> Recorder::requestShares() const {
  std::vector<double> Shares = CurrentRequests;
  for (size_t I = 0; I < Shares.size(); ++I) {
    const uint32_t Op = Facts->Accesses[I].Op;
    const uint32_t Block =
        Op < Facts->Operations.size() ? Facts->Operations[Op].Block : NoIndex;
    if (Shares[I] > 0 && Block < Current.size())
      Shares[I] = std::min(1.0, Shares[I] / Current[Block]);
  }
  return Shares;
}

/// The one of \p Samples that executes as many blocks of code in all as one
/// that executes them \p Executions times.
static std::vector<WarpSample>::iterator
mostAlike(std::vector<WarpSample> &Samples, ArrayRef<double> Executions) {
  auto SumOf = [](ArrayRef<double> All) {
    return std::accumulate(All.begin(), All.end(), 0.0);
  };
  const double Own = SumOf(Executions);
  return llvm::min_element(Samples,
                           [&](const WarpSample &A, const WarpSample &B) {
                             return std::fabs(SumOf(A.BlockExecutions) - Own) <
                                    std::fabs(SumOf(B.BlockExecutions) - Own);
                           });
}

/// Lets \p S be the mean of itself and of warps of \p Weight.
static void weighIn(WarpSample &S, ArrayRef<double> Executions,
                    ArrayRef<double> Shares, double Weight) {
  const double Part = Weight / (Weight + S.Weight);
  for (size_t I = 0; I != Executions.size(); ++I)
    S.BlockExecutions[I] += (Executions[I] - S.BlockExecutions[I]) * Part;
  for (size_t I = 0; I != Shares.size(); ++I)
    S.RequestShares[I] += (Shares[I] - S.RequestShares[I]) * Part;
}

void Recorder::endWarp() {
  // Walks that took the same way are kept once; if there are many, also those
  // that differ in their requests alone. All warps that are usually walked may
  // differ: of more, those that work alike are one.
  constexpr size_t MaxSamples = 256, MaxByRequests = 32;
  const std::vector<double> Shares = requestShares();
  auto AreEqual = [](const std::vector<double> &A,
                     const std::vector<double> &B) {
    return std::equal(A.begin(), A.end(), B.begin(), B.end(), nearlyEqual);
  };
  auto Same =
      std::find_if(Samples.begin(), Samples.end(), [&](const WarpSample &S) {
        return AreEqual(Current, S.BlockExecutions) &&
               AreEqual(Shares, S.RequestShares);
      });
  if (Same == Samples.end() && Samples.size() >= MaxByRequests) {
    Same =
        std::find_if(Samples.begin(), Samples.end(), [&](const WarpSample &S) {
          return AreEqual(Current, S.BlockExecutions);
        });
    if (Same == Samples.end() && Samples.size() >= MaxSamples)
      Same = mostAlike(Samples, Current);
    if (Same != Samples.end())
      weighIn(*Same, Current, Shares, CurrentSample.Weight);
  }
  if (Same != Samples.end()) {
    Same->Weight += CurrentSample.Weight;
    for (unsigned I = 0; I < WarpSample::NumTurns; ++I)
      Same->WeightOfTurn[I] += CurrentSample.WeightOfTurn[I];
  } else {
    CurrentSample.BlockExecutions = Current;
    CurrentSample.RequestShares = Shares;
    Samples.push_back(CurrentSample);
  }
  for (BranchSum &B : Branches) {
    if (B.WarpExecutions > 0) {
      B.Warps += CurrentSample.Weight;
      B.DivergentWarps += B.WarpDiverged ? CurrentSample.Weight : 0;
      if (!B.Seen) {
        B.FirstExecutions = B.WarpExecutions;
        B.FirstTaken = B.WarpTaken;
        B.Seen = true;
      } else if (!nearlyEqual(B.FirstExecutions, B.WarpExecutions) ||
                 !nearlyEqual(B.FirstTaken, B.WarpTaken)) {
        B.WarpsDiffer = true;
      }
    }
    B.WarpExecutions = B.WarpTaken = 0;
    B.WarpDiverged = false;
  }
  CurrentFigures.Blocks.assign(Current.begin(), Current.end());
  auto [It, New] = ClassFigures.try_emplace(
      {CurrentClass, CurrentSample.WarpInBlock}, CurrentFigures);
  if (New)
    return;
  const WarpFigures &Other = It->second;
  for (size_t I = 0; I < Current.size(); ++I)
    WarpsDiffer |= !nearlyEqual(Other.Blocks[I], CurrentFigures.Blocks[I]);
  for (size_t I = 0; I < Accesses.size(); ++I) {
    auto [Sectors, Wavefronts] = CurrentFigures.Accesses[I];
    if (nearlyEqual(Other.Accesses[I].first, Sectors) &&
        nearlyEqual(Other.Accesses[I].second, Wavefronts))
      continue;
    Accesses[I].WarpsDiffer = true;
    WarpsDiffer = true;
  }
}

double Recorder::sampledError() const {
  double Worst = 0;
  for (size_t Figure = 0; Figure < 2; ++Figure) {
    double Sum = 0, Variance = 0;
    // Strata of one block each tell by how much their neighbours differ.
    const BlockSum *Before = nullptr;
    for (size_t First = 0, End; First < WalkedBlocks.size(); First = End) {
      const BlockSum &Of = WalkedBlocks[First];
      double Blocks = 0, Squares = 0, OfClass = 0;
      for (End = First;
           End < WalkedBlocks.size() && WalkedBlocks[End].Class == Of.Class;
           ++End) {
        const BlockSum &B = WalkedBlocks[End];
        Blocks += B.Weight;
        OfClass += B.Figures[Figure];
        Squares += B.Figures[Figure] * B.Figures[Figure] / B.Weight;
      }
      Sum += OfClass;
      const double Walked = double(End - First);
      const double Unseen = std::max(0.0, 1 - Walked / Blocks);
      if (Walked > 1)
        Variance += Blocks / (Walked - 1) * Unseen *
                    std::max(0.0, Squares - OfClass * OfClass / Blocks);
      if (Walked > 1 || !Of.IsOfMixed || Unseen <= 0)
        continue;
      if (Before) {
        const double Between =
            OfClass / Blocks - Before->Figures[Figure] / Before->Weight;
        Variance += Blocks * Blocks * Unseen * Between * Between / 2;
      }
      Before = &Of;
    }
    if (Sum > 0)
      Worst = std::max(Worst, std::sqrt(Variance) / Sum);
  }
  return Worst;
}

bool Recorder::isIdle() const {
  return std::all_of(Accesses.begin(), Accesses.end(),
                     [](const AccessSum &A) { return A.Requests == 0; });
}

void Recorder::onBlock(uint32_t Block, LaneMask Active, double Weight) {
  BlockExecutions[Block] += Weight;
  BlockLanes[Block] += Weight * numLanes(Active);
  Current[Block] += Weight / CurrentSample.Weight;
  WalkedBlocks.back().Figures[0] += Weight * Instructions[Block];
}

void Recorder::onBranch(const BranchEvent &E) {
  BranchSum &B = Branches[E.Branch];
  unsigned Taken = numLanes(E.Taken), Active = numLanes(E.Active);
  B.Executions += E.Weight;
  B.Lanes += E.Weight * Active;
  B.TakenLanes += E.Weight * Taken;
  B.Taint |= E.Base | E.Shape;
  B.WarpExecutions += E.Weight / CurrentSample.Weight;
  B.WarpTaken += Taken ? E.Weight / CurrentSample.Weight : 0;
  B.Sampled |= !nearlyEqual(E.Weight, CurrentSample.Weight);
  if (Taken && Taken != Active) {
    B.Divergent += E.Weight;
    B.WarpDiverged = true;
  }
}

void Recorder::onLoop(const LoopEvent &E) {
  LoopSum &L = Loops[E.Loop];
  L.Entries += E.Weight;
  L.Trips += E.Weight * E.Trips;
  L.LaneTrips += E.Weight * E.LaneTrips;
  L.MaxLaneTrips += E.Weight * E.Trips * E.Lanes;
  L.Taint |= E.Taint;
  L.IsOpen |= E.IsOpen;
}

void Recorder::onSlowPath(uint32_t Op, bool IsTaken, double Weight) {
  auto &[Executions, Taken] = SlowPaths[Op];
  Executions += Weight;
  Taken += IsTaken ? Weight : 0;
}

void Recorder::onAccess(const AccessEvent &E) {
  AccessSum &A = Accesses[E.Access];
  const std::optional<RequestCost> Cost =
      A.add(E, Facts->Accesses[E.Access], *Geometry);
  if (!Cost)
    return;
  A.Sampled |= !nearlyEqual(E.Weight, CurrentSample.Weight);
  CurrentRequests[E.Access] += E.Weight / CurrentSample.Weight;
  if (isCachedSpace(Facts->Accesses[E.Access].Space))
    WalkedBlocks.back().Figures[1] += E.Weight * Cost->Sectors;
  auto &[Sectors, Wavefronts] = CurrentFigures.Accesses[E.Access];
  Sectors += float(E.Weight / CurrentSample.Weight * Cost->Sectors);
  Wavefronts += float(E.Weight / CurrentSample.Weight * Cost->Wavefronts);
}

/// \p Value without the rounding of sums of weights: ten significant digits.
static double tidy(double Value) {
  if (Value == 0 || !std::isfinite(Value))
    return Value;
  double Scale = std::pow(10.0, 9 - std::floor(std::log10(std::fabs(Value))));
  return std::round(Value * Scale) / Scale;
}

/// The trust that \p Taint leaves.
static Exactness exactnessOf(TaintMask Taint) {
  if (Taint & (DataTaint | OpaqueTaint))
    return Exactness::DataDependent;
  return Taint ? Exactness::Assumed : Exactness::Exact;
}

bool Recorder::showsAllWaysOf(uint32_t Branch) const {
  const BranchSum &B = Branches[Branch];
  if (B.Taint || B.Sampled || !Confirmed)
    return false;
  // Iterations that an unknown trip count leaves out may take another way.
  const uint32_t Block = Facts->Branches[Branch].Block;
  for (uint32_t L = Facts->Blocks[Block].Loop; L < Loops.size();
       L = Facts->Loops[L].Parent)
    if (Loops[L].Taint)
      return false;
  return true;
}

/// "; 4 to 5 sectors wherever it begins"; empty when other figures change.
static std::string rangeText(const AddendEffect &Sum, double Requests) {
  const bool OfSectors = Sum.LeastSectors != Sum.MostSectors;
  if (!OfSectors && Sum.LeastWavefronts == Sum.MostWavefronts)
    return "";
  const double Least = OfSectors ? Sum.LeastSectors : Sum.LeastWavefronts;
  const double Most = OfSectors ? Sum.MostSectors : Sum.MostWavefronts;
  std::string Text;
  raw_string_ostream OS(Text);
  OS << format("; %g to %g ", tidy(Least / Requests), tidy(Most / Requests))
     << (OfSectors ? "sectors" : "wavefronts") << " wherever it begins";
  return Text;
}

void Recorder::finishAccess(size_t I, double NumWarps,
                            const LaunchInputs &Inputs,
                            AccessProfile &Out) const {
  const AccessSum &A = Accesses[I];
  Out.ExecutionsPerWarp = tidy(A.Executions / NumWarps);
  Out.RequestsPerWarp = tidy(A.Requests / NumWarps);
  if (A.Requests == 0) {
    Out.ActiveLanes = 0;
    Out.Exact = Exactness::Unknown;
    Out.Reason = A.Executions > 0 ? "no lane of a walked warp is active"
                                  : "no walked warp executes it";
    Out.Pattern = "no lane active";
    return;
  }
  Out.ActiveLanes = tidy(A.Lanes / A.Requests);
  Out.SectorsPerRequest = tidy(A.Sectors / A.Requests);
  Out.IdealSectorsPerRequest = tidy(A.IdealSectors / A.Requests);
  Out.LinesPerRequest = tidy(A.Lines / A.Requests);
  Out.WavefrontsPerRequest = tidy(A.Wavefronts / A.Requests);
  Out.IdealWavefrontsPerRequest = tidy(A.IdealWavefronts / A.Requests);
  Out.DistinctAddressesPerRequest = tidy(A.Distinct / A.Requests);
  Out.LanesPerAddress = tidy(A.LanesPerAddress / A.Requests);
  Out.SerializedPasses = tidy(A.Turns / A.Requests);
  Out.OtherBlocksSectorsPerRequest = tidy(A.OtherBlocksSectors / A.Requests);
  Out.OtherBlocksLinesPerRequest = tidy(A.OtherBlocksLines / A.Requests);
  if (A.Drawn.Draws > 0)
    Out.DrawnAddresses = A.Drawn.places();
  // Loaded indices that are known lead to places in order if they ascend or
  // descend from lane to lane.
  const bool Ascends = std::min(A.Ascents, A.Descents) <=
                       MostlyInOrder * (A.Ascents + A.Descents);
  // A hash gives each lane a line of its own.
  const bool IsHashed =
      !isAtomic(Facts->Accesses[I].Kind) &&
      Out.LinesPerRequest > std::max(1.0, MostLanes * Out.ActiveLanes);
  Out.IsInOrder =
      !((A.ShapeTaint | A.AddendTaint) & (DataTaint | OpaqueTaint)) &&
      (Ascends || !(IsHashed || isGathered(*Facts, Facts->Accesses[I])));
  Out.LaneStrideBytes = A.Stride;
  Out.Exact = exactnessOf(A.Taint | A.AddendTaint);
  Out.Reason = Inputs.describe(A.Taint | A.AddendTaint);
  if (Out.Exact == Exactness::Assumed && A.Taint == 0)
    Out.Exact = Exactness::Range;
  if (A.AddendTaint & ~A.Taint && !isDrawn(A.ShapeTaint))
    Out.Reason += rangeText(A.AddendSum, A.Requests);
  if (Out.Exact == Exactness::Exact && A.Differs &&
      (A.Sampled || A.WarpsDiffer || !Confirmed)) {
    Out.Exact = Exactness::Assumed;
    Out.Reason =
        A.Sampled ? "mean over sampled iterations" : "mean over sampled warps";
  }
  if (A.Taint & DataTaint)
    Out.Pattern = "addresses or lanes depend on loaded data; as drawn: ";
  Out.Pattern += describePattern(A.Example, A.Space, A.ExampleCost, *Geometry);
}

void Recorder::finishBranch(size_t I, double NumWarps,
                            const LaunchInputs &Inputs,
                            BranchProfile &Out) const {
  const BranchSum &B = Branches[I];
  Out.ExecutionsPerWarp = tidy(B.Executions / NumWarps);
  if (B.Executions == 0) {
    Out.Exact = Exactness::Unknown;
    Out.Reason = "no walked warp executes it";
    return;
  }
  Out.DivergentFraction = tidy(B.Divergent / B.Executions);
  Out.TakenLaneFraction = tidy(B.TakenLanes / B.Lanes);
  Out.Exact = exactnessOf(B.Taint);
  Out.Reason = Inputs.describe(B.Taint);
  const bool Mixed = B.Divergent > 0 && Out.DivergentFraction < 1;
  if (Out.Exact == Exactness::Exact && B.Sampled && Mixed) {
    Out.Exact = Exactness::Assumed;
    Out.Reason = "mean over sampled iterations";
  }
  if (B.Taint & (DataTaint | OpaqueTaint))
    Out.Class = BranchClass::DataDependent;
  else if (B.Divergent == 0)
    Out.Class = B.WarpsDiffer ? BranchClass::WarpUniform : BranchClass::Uniform;
  else if (B.DivergentWarps <= EdgeShare * NumWarps)
    Out.Class = BranchClass::Guard;
  else if (Out.DivergentFraction >= MostlyDivergent)
    Out.Class = BranchClass::Divergent;
  else
    Out.Class = BranchClass::Partial;
}

void Recorder::finish(double NumWarps, const LaunchInputs &Inputs,
                      ExecutionProfile &Out) const {
  Out.Blocks.resize(BlockExecutions.size());
  for (size_t I = 0; I < BlockExecutions.size(); ++I) {
    Out.Blocks[I].ExecutionsPerWarp = tidy(BlockExecutions[I] / NumWarps);
    Out.Blocks[I].ActiveLaneFraction =
        BlockExecutions[I] > 0
            ? tidy(BlockLanes[I] / BlockExecutions[I] / WarpLanes)
            : 0;
  }
  for (const auto &[Op, Sums] : SlowPaths)
    Out.SlowPaths.push_back({Op, tidy(Sums.second / Sums.first)});
  Out.Accesses.resize(Accesses.size());
  for (size_t I = 0; I < Accesses.size(); ++I)
    finishAccess(I, NumWarps, Inputs, Out.Accesses[I]);
  Out.Branches.resize(Branches.size());
  for (size_t I = 0; I < Branches.size(); ++I)
    finishBranch(I, NumWarps, Inputs, Out.Branches[I]);
  Out.Loops.resize(Loops.size());
  for (size_t I = 0; I < Loops.size(); ++I) {
    const LoopSum &L = Loops[I];
    LoopProfile &P = Out.Loops[I];
    P.TripCount = L.Entries > 0 ? tidy(L.Trips / L.Entries) : 0;
    P.LaneBalance = L.MaxLaneTrips > 0 ? tidy(L.LaneTrips / L.MaxLaneTrips) : 1;
    P.Exact = exactnessOf(L.Taint);
    if (L.Entries > 0)
      P.Basis = Inputs.tripBasis(uint32_t(I));
    P.Reason = L.Entries > 0 ? Inputs.describe(L.Taint) : "never entered";
  }
  Out.Samples = Samples;
  Out.SampledError = sampledError();
}
