//===- GridSegments.cpp - Blocks of a grid that do unlike work ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GridSegments.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Samples that were first seen in one block of the grid.
struct Group {
  Dim3 Block;
  std::vector<const WarpSample *> Samples;
  double Weight = 0;
  /// Instructions of the mean warp.
  double MeanWork = 0;
  std::vector<double> MeanExecutions, SlowestExecutions;
  /// Instructions of the slowest warp of the heaviest block.
  double HeaviestWork = 0;
  /// The warp that other blocks do not have; null for none.
  const WarpSample *HeavyWarp = nullptr;
  /// Instructions by the turn of their warps.
  std::array<double, WarpSample::NumTurns> WorkOfTurn = {};
};

class Splitter {
public:
  Splitter(const KernelFacts &Facts, const ExecutionProfile &Profile,
           unsigned WarpsPerBlock)
      : Facts(Facts), Profile(Profile), WarpsPerBlock(WarpsPerBlock),
        WorkOf(Facts.Blocks.size()) {
    for (uint32_t B = 0; B != Facts.Blocks.size(); ++B)
      WorkOf[B] = Facts.instructionsOf(B);
  }

  std::vector<GridSegment> run() {
    collect();
    mergeAlike();
    if (Groups.empty())
      return {GridSegment{1, Profile, Profile, 1, 1}};
    double Total = 0;
    for (const Group &G : Groups)
      Total += G.Weight;
    std::vector<GridSegment> Segments;
    for (const Group &G : Groups) {
      double Slowest = work(G.SlowestExecutions);
      Segments.push_back({G.Weight / Total, withExecutions(G.MeanExecutions),
                          withExecutions(G.SlowestExecutions),
                          Slowest > 0 ? G.HeaviestWork / Slowest : 1,
                          fullestScheduler(G)});
    }
    return Segments;
  }

private:
  const KernelFacts &Facts;
  const ExecutionProfile &Profile;
  unsigned WarpsPerBlock;
  std::vector<double> WorkOf;
  std::vector<Group> Groups;

  double work(ArrayRef<double> Executions) const {
    double Sum = 0;
    for (size_t I = 0; I != Executions.size(); ++I)
      Sum += Executions[I] * WorkOf[I];
    return Sum;
  }

  void collect() {
    for (const WarpSample &S : Profile.Samples) {
      if (S.Weight <= 0)
        continue;
      auto G = find_if(Groups, [&](const Group &Known) {
        return Known.Block == S.BlockIndex;
      });
      if (G == Groups.end())
        G = Groups.insert(Groups.end(),
                          {S.BlockIndex, {}, 0, 0, {}, {}, 0, nullptr, {}});
      G->Samples.push_back(&S);
      G->Weight += S.Weight;
    }
    for (size_t I = 0, Count = Groups.size(); I != Count; ++I)
      while (std::optional<Group> Rare = takeRareBlocks(Groups[I]))
        Groups.push_back(std::move(*Rare));
    for (Group &G : Groups)
      describe(G);
  }

  /// Blocks of \p G that have a warp which most of its blocks do not have and
  /// which works more than twice as much as their others: what one block does
  /// for all. Their other warps are as those of the other blocks.
  std::optional<Group> takeRareBlocks(Group &G) const {
    auto WorkOfWarp = [&](const WarpSample *S) {
      return work(S->BlockExecutions);
    };
    const auto Heaviest =
        llvm::max_element(G.Samples, [&](const auto *A, const auto *B) {
          return WorkOfWarp(A) < WorkOfWarp(B);
        });
    const WarpSample *Heavy = *Heaviest;
    const double Rest = G.Weight - Heavy->Weight;
    const double OfBlocks = Heavy->Weight * WarpsPerBlock;
    double Others = 0;
    for (const WarpSample *S : G.Samples)
      Others += S == Heavy ? 0 : WorkOfWarp(S) * S->Weight;
    if (G.Samples.size() < 2 || OfBlocks > G.Weight / 2 ||
        WorkOfWarp(Heavy) * Rest <= 2 * Others)
      return std::nullopt;
    Group Rare = G;
    Rare.Weight = OfBlocks;
    Rare.HeavyWarp = Heavy;
    G.Samples.erase(Heaviest);
    G.Weight -= OfBlocks;
    return Rare;
  }

  /// The mean of the warps of \p G, and that of the slowest warp of each of its
  /// blocks: as likely one of a kind as a block has warps of that kind and none
  /// that work more.
  void describe(Group &G) const {
    llvm::sort(G.Samples, [&](const WarpSample *A, const WarpSample *B) {
      return work(A->BlockExecutions) > work(B->BlockExecutions);
    });
    G.MeanExecutions.resize(Facts.Blocks.size());
    G.SlowestExecutions.resize(Facts.Blocks.size());
    double Sampled = 0;
    for (const WarpSample *S : G.Samples)
      Sampled += S == G.HeavyWarp ? 0 : S->Weight;
    const double OfHeavy = G.HeavyWarp ? G.HeavyWarp->Weight : 0;
    double Seen = 0, Left = 1;
    for (const WarpSample *S : G.Samples) {
      // Beside the heavy warp of a block its others are as everywhere.
      const double Part = S == G.HeavyWarp ? 1 : (G.Weight - OfHeavy) / Sampled;
      for (unsigned I = 0; I != WarpSample::NumTurns; ++I)
        G.WorkOfTurn[I] += Part * S->WeightOfTurn[I] * work(S->BlockExecutions);
      const double Weight = Part * S->Weight;
      double Slowest = std::min(Left, Weight / G.Weight * WarpsPerBlock);
      weighIn(G.MeanExecutions, Seen, S->BlockExecutions, Weight);
      weighIn(G.SlowestExecutions, 1 - Left, S->BlockExecutions, Slowest);
      Seen += Weight;
      Left -= Slowest;
    }
    G.MeanWork = work(G.MeanExecutions);
    G.HeaviestWork = work(G.SlowestExecutions);
  }

  double fullestScheduler(const Group &G) const {
    double Sum = 0;
    for (double Work : G.WorkOfTurn)
      Sum += Work;
    if (Sum <= 0 || WarpsPerBlock % WarpSample::NumTurns)
      return 1;
    return llvm::max_element(G.WorkOfTurn)[0] * WarpSample::NumTurns / Sum;
  }

  /// Weighs \p Executions into \p Mean, which has \p Before of the weight.
  static void weighIn(std::vector<double> &Mean, double Before,
                      ArrayRef<double> Executions, double Weight) {
    double Sum = Before + Weight;
    if (Sum <= 0)
      return;
    for (size_t I = 0; I != Executions.size(); ++I)
      Mean[I] = (Mean[I] * Before + Executions[I] * Weight) / Sum;
  }

  /// Other blocks that run as \p To does.
  void addBlocks(Group &To, const Group &G) const {
    weighIn(To.MeanExecutions, To.Weight, G.MeanExecutions, G.Weight);
    weighIn(To.SlowestExecutions, To.Weight, G.SlowestExecutions, G.Weight);
    To.Weight += G.Weight;
    To.MeanWork = work(To.MeanExecutions);
    To.HeaviestWork = std::max(To.HeaviestWork, G.HeaviestWork);
    for (unsigned I = 0; I != WarpSample::NumTurns; ++I)
      To.WorkOfTurn[I] += G.WorkOfTurn[I];
  }

  /// Groups within a factor of two of each other run as one: edges of a grid,
  /// uneven rows.
  void mergeAlike() {
    llvm::sort(Groups, [](const Group &A, const Group &B) {
      return A.MeanWork > B.MeanWork;
    });
    std::vector<Group> Merged;
    for (Group &G : Groups) {
      if (!Merged.empty() && G.MeanWork * 2 >= Merged.back().MeanWork)
        addBlocks(Merged.back(), G);
      else
        Merged.push_back(std::move(G));
    }
    Groups = std::move(Merged);
  }

  /// The profile with the execution counts of each block of code replaced, and
  /// what happens in it scaled along; without what no formula asks for.
  ExecutionProfile withExecutions(ArrayRef<double> Executions) const {
    ExecutionProfile P;
    P.Blocks = Profile.Blocks;
    P.Accesses = Profile.Accesses;
    P.Branches = Profile.Branches;
    P.Loops = Profile.Loops;
    P.FootprintReadBytes = Profile.FootprintReadBytes;
    P.FootprintWrittenBytes = Profile.FootprintWrittenBytes;
    std::vector<double> Ratio(Facts.Blocks.size());
    for (size_t I = 0; I != Facts.Blocks.size(); ++I) {
      double Before = P.Blocks[I].ExecutionsPerWarp;
      Ratio[I] = Before > 0 ? Executions[I] / Before : 0;
      P.Blocks[I].ExecutionsPerWarp = Executions[I];
    }
    for (size_t I = 0; I != Facts.Accesses.size(); ++I) {
      double R = Ratio[Facts.Operations[Facts.Accesses[I].Op].Block];
      P.Accesses[I].ExecutionsPerWarp *= R;
      P.Accesses[I].RequestsPerWarp *= R;
    }
    for (size_t I = 0; I != Facts.Branches.size(); ++I)
      P.Branches[I].ExecutionsPerWarp *= Ratio[Facts.Branches[I].Block];
    return P;
  }
};

} // namespace

std::vector<GridSegment> gpuocc::gridSegments(const KernelFacts &Facts,
                                              const ExecutionProfile &Profile,
                                              unsigned WarpsPerBlock) {
  return Splitter(Facts, Profile, WarpsPerBlock).run();
}
