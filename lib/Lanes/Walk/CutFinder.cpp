//===- CutFinder.cpp - Where in a grid the control flow changes -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/CutFinder.h"
#include "Walk/LaneValue.h"
#include <algorithm>
#include <array>
#include <map>
#include <set>

using namespace gpuocc;

namespace {

/// Cuts of one dimension beyond which it is taken for changing everywhere.
constexpr unsigned MaxCuts = 8;

/// Signatures along one dimension, walked once each.
class Axis {
public:
  Axis(Dim3 Grid, unsigned Dimension, BlockSignature Signature)
      : Middle{Grid.X / 2, Grid.Y / 2, Grid.Z / 2}, Dimension(Dimension),
        Signature(Signature) {}

  uint64_t at(uint64_t Index) {
    auto [It, New] = Known.try_emplace(Index, 0);
    if (New) {
      Dim3 Block = Middle;
      (Dimension == 0 ? Block.X : Dimension == 1 ? Block.Y : Block.Z) = Index;
      It->second = Signature(Block);
    }
    return It->second;
  }

private:
  Dim3 Middle;
  unsigned Dimension;
  BlockSignature Signature;
  std::map<uint64_t, uint64_t> Known;
};

} // namespace

/// Adds to \p Cuts the places in (Low, High] where the signature changes.
static void bisect(Axis &A, uint64_t Low, uint64_t High,
                   std::set<uint64_t> &Cuts) {
  while (A.at(Low) != A.at(High) && Cuts.size() <= MaxCuts) {
    uint64_t Same = Low, Other = High;
    while (Other - Same > 1) {
      uint64_t Middle = Same + (Other - Same) / 2;
      (A.at(Middle) == A.at(Low) ? Same : Other) = Middle;
    }
    Cuts.insert(Other);
    Low = Other;
  }
}

GridCuts gpuocc::findCuts(Dim3 Grid, const bool (&Uses)[3],
                          BlockSignature Signature, unsigned InnerProbes,
                          unsigned MaxWays) {
  GridCuts Edges = edgeCuts(Grid, Uses);
  GridCuts Result = Edges;
  const uint64_t Extent[3] = {Grid.X, Grid.Y, Grid.Z};
  for (unsigned D = 0; D < 3; ++D) {
    const uint64_t N = Extent[D];
    if (!Uses[D] || N <= 3)
      continue;
    Axis A(Grid, D, Signature);
    std::set<uint64_t> Probes = {0, 1, N - 2, N - 1}, Signatures, Cuts;
    for (unsigned I = 1; I <= InnerProbes; ++I) {
      uint64_t Probe = N * I / (InnerProbes + 1);
      Probes.insert(Probe);
      Signatures.insert(A.at(Probe));
    }
    if (N > InnerProbes + 1 && Signatures.size() > MaxWays)
      continue;
    for (auto Next = std::next(Probes.begin()); Next != Probes.end(); ++Next)
      bisect(A, *std::prev(Next), *Next, Cuts);
    if (Cuts.size() > MaxCuts)
      continue;
    Cuts.insert(0);
    Cuts.insert(N);
    Result[D].assign(Cuts.begin(), Cuts.end());
  }
  return Result;
}

bool gpuocc::areCellsAlike(Dim3 Grid, const GridCuts &Cuts,
                           BlockSignature Signature) {
  constexpr unsigned NumProbes = 12;
  const uint64_t Extent[3] = {Grid.X, Grid.Y, Grid.Z};
  std::map<std::array<size_t, 3>, uint64_t> Known;
  for (unsigned Probe = 0; Probe < NumProbes; ++Probe) {
    uint64_t Index[3];
    std::array<size_t, 3> Cell;
    for (unsigned D = 0; D < 3; ++D) {
      Index[D] = scramble(3 * Probe + D) % std::max<uint64_t>(1, Extent[D]);
      Cell[D] =
          size_t(std::upper_bound(Cuts[D].begin(), Cuts[D].end(), Index[D]) -
                 Cuts[D].begin());
    }
    const uint64_t Way = Signature({Index[0], Index[1], Index[2]});
    if (Known.try_emplace(Cell, Way).first->second != Way)
      return false;
  }
  return true;
}
