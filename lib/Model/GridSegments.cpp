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
  double Weight = 0;
  /// Instructions of the mean and of the heaviest warp.
  double MeanWork = 0, MostWork = 0;
  std::vector<double> MeanExecutions, MostExecutions;
};

class Splitter {
public:
  Splitter(const KernelFacts &Facts, const ExecutionProfile &Profile)
      : Facts(Facts), Profile(Profile), WorkOf(Facts.Blocks.size()) {
    for (const Operation &Op : Facts.Operations)
      for (const Emission &E : Op.Emits)
        WorkOf[Op.Block] += E.Count;
  }

  std::vector<GridSegment> run() {
    collect();
    mergeAlike();
    if (Groups.empty())
      return {GridSegment{1, Profile, Profile}};
    double Total = 0;
    for (const Group &G : Groups)
      Total += G.Weight;
    std::vector<GridSegment> Segments;
    for (const Group &G : Groups)
      Segments.push_back({G.Weight / Total, withExecutions(G.MeanExecutions),
                          withExecutions(G.MostExecutions)});
    return Segments;
  }

private:
  const KernelFacts &Facts;
  const ExecutionProfile &Profile;
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
      Group *G = nullptr;
      for (Group &Known : Groups)
        if (Known.Block == S.BlockIndex)
          G = &Known;
      if (!G) {
        Groups.push_back({S.BlockIndex, 0, 0, 0, {}, {}});
        G = &Groups.back();
        G->MeanExecutions.resize(Facts.Blocks.size());
      }
      add(*G, S.Weight, S.BlockExecutions, work(S.BlockExecutions),
          S.BlockExecutions);
    }
  }

  void add(Group &To, double Weight, ArrayRef<double> Executions,
           double MostWork, const std::vector<double> &MostExecutions) {
    double Sum = To.Weight + Weight;
    if (Sum <= 0)
      return;
    for (size_t I = 0; I != Executions.size(); ++I)
      To.MeanExecutions[I] =
          (To.MeanExecutions[I] * To.Weight + Executions[I] * Weight) / Sum;
    To.Weight = Sum;
    To.MeanWork = work(To.MeanExecutions);
    if (To.MostExecutions.empty() || MostWork > To.MostWork) {
      To.MostWork = MostWork;
      To.MostExecutions = MostExecutions;
    }
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
        add(Merged.back(), G.Weight, G.MeanExecutions, G.MostWork,
            G.MostExecutions);
      else
        Merged.push_back(std::move(G));
    }
    Groups = std::move(Merged);
  }

  /// The profile with the execution counts of each block of code replaced, and
  /// what happens in it scaled along.
  ExecutionProfile withExecutions(ArrayRef<double> Executions) const {
    ExecutionProfile P = Profile;
    P.Samples.clear();
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
                                              const ExecutionProfile &Profile) {
  return Splitter(Facts, Profile).run();
}
