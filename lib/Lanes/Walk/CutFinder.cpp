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
#include <tuple>

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

using Place = std::array<uint64_t, 3>;

/// One of the eight corners of \p B, by the bits of \p Corner.
static Place cornerOf(const BlockBox &B, unsigned Corner) {
  Place P;
  for (unsigned D = 0; D < 3; ++D)
    P[D] = (Corner >> D) & 1 ? B.High[D] - 1 : B.Low[D];
  return P;
}

bool gpuocc::areCellsAlike(Dim3 Grid, const GridCuts &Cuts,
                           BlockSignature Signature) {
  constexpr unsigned NumCorners = 8, NumScattered = 12;
  BlockBox All = {{0, 0, 0}, {Grid.X, Grid.Y, Grid.Z}};
  for (uint64_t &Blocks : All.High)
    Blocks = std::max<uint64_t>(1, Blocks);
  std::map<std::array<size_t, 3>, uint64_t> Known;
  auto Agrees = [&](const Place &P) {
    std::array<size_t, 3> Cell;
    for (unsigned D = 0; D < 3; ++D)
      Cell[D] = size_t(std::upper_bound(Cuts[D].begin(), Cuts[D].end(), P[D]) -
                       Cuts[D].begin());
    const uint64_t Way = Signature({P[0], P[1], P[2]});
    return Known.try_emplace(Cell, Way).first->second == Way;
  };
  for (unsigned Corner = 0; Corner < NumCorners; ++Corner)
    if (!Agrees(cornerOf(All, Corner)))
      return false;
  for (unsigned Probe = 0; Probe < NumScattered; ++Probe) {
    Place P;
    for (unsigned D = 0; D < 3; ++D)
      P[D] = scramble(3 * Probe + D) % All.High[D];
    if (!Agrees(P))
      return false;
  }
  return true;
}

namespace {

/// Divides boxes of a grid.
class BoxFinder {
public:
  BoxFinder(Dim3 Grid, BlockSignature Signature, unsigned MaxProbes)
      : Grid(Grid), Signature(Signature), MaxProbes(MaxProbes) {}

  bool isDone() const { return Known.size() >= MaxProbes; }

  /// Do all blocks of \p B that are looked at do the same?
  bool isAlike(const BlockBox &B) {
    const uint64_t First = at(B.Low);
    for (unsigned Corner = 1; Corner < 8; ++Corner)
      if (at(cornerOf(B, Corner)) != First)
        return false;
    for (unsigned Probe = 0; Probe < NumInner; ++Probe) {
      Place P;
      for (unsigned D = 0; D < 3; ++D) {
        const uint64_t Extent = B.High[D] - B.Low[D];
        P[D] = B.Low[D] +
               (Probe == 0 ? Extent / 2 : scramble(3 * Probe + D) % Extent);
      }
      if (at(P) != First)
        return false;
    }
    return true;
  }

  /// Divides \p B, which has two blocks at least, into itself and what is
  /// returned.
  BlockBox split(BlockBox &B) {
    unsigned Widest = 0, Differs = 3, Best = 3;
    uint64_t Where = 0, MostInside = 0;
    auto ExtentOf = [&](unsigned D) { return B.High[D] - B.Low[D]; };
    for (unsigned D = 0; D < 3; ++D) {
      if (ExtentOf(D) > ExtentOf(Widest))
        Widest = D;
      if (ExtentOf(D) == 1)
        continue;
      for (unsigned Corner = 0; Corner < 8; ++Corner) {
        const Place Low = cornerOf(B, Corner & ~(1u << D));
        const Place High = cornerOf(B, Corner | 1u << D);
        if (at(Low) == at(High))
          continue;
        if (Differs == 3 || ExtentOf(D) > ExtentOf(Differs))
          Differs = D;
        const uint64_t Change = changeBetween(Low, High, D);
        const uint64_t Inside = std::min(Change - B.Low[D], B.High[D] - Change);
        if (Inside * Slivers >= ExtentOf(D) && Inside > MostInside) {
          Best = D;
          Where = Change;
          MostInside = Inside;
        }
        break;
      }
    }
    // Halves where nothing else divides it, or near an edge only.
    if (Best == 3) {
      Best = Differs == 3 ? Widest : Differs;
      Where = B.Low[Best] + ExtentOf(Best) / 2;
    }
    BlockBox Behind = B;
    B.High[Best] = Behind.Low[Best] = Where;
    return Behind;
  }

private:
  /// Blocks within a box that are looked at.
  static constexpr unsigned NumInner = 3;
  /// Parts of the extent of a box of which one at least is cut off.
  static constexpr uint64_t Slivers = 8;

  uint64_t at(Place P) {
    auto [It, New] = Known.try_emplace((P[2] * Grid.Y + P[1]) * Grid.X + P[0]);
    if (New)
      It->second = Signature({P[0], P[1], P[2]});
    return It->second;
  }

  /// The first place behind \p Low, towards \p High, whose blocks do something
  /// else.
  uint64_t changeBetween(Place Low, Place High, unsigned D) {
    const uint64_t First = at(Low);
    while (High[D] - Low[D] > 1) {
      Place Middle = Low;
      Middle[D] += (High[D] - Low[D]) / 2;
      (at(Middle) == First ? Low : High) = Middle;
    }
    return High[D];
  }

  Dim3 Grid;
  BlockSignature Signature;
  unsigned MaxProbes;
  std::map<uint64_t, uint64_t> Known;
};

} // namespace

std::vector<BlockBox> gpuocc::findBoxes(Dim3 Grid, const GridCuts &Cuts,
                                        BlockSignature Signature,
                                        unsigned MaxProbes, unsigned MaxBoxes) {
  BoxFinder Finder(Grid, Signature, MaxProbes);
  std::vector<BlockBox> Alike, Mixed;
  // The largest is divided first.
  auto IsSmaller = [](const BlockBox &A, const BlockBox &B) {
    return std::tuple(A.blocks(), B.Low) < std::tuple(B.blocks(), A.Low);
  };
  auto Add = [&](BlockBox B) {
    B.IsAlike = B.blocks() == 1 || (!Finder.isDone() && Finder.isAlike(B));
    std::vector<BlockBox> &Where = B.IsAlike ? Alike : Mixed;
    Where.push_back(B);
    if (!B.IsAlike)
      std::push_heap(Mixed.begin(), Mixed.end(), IsSmaller);
  };
  for (const BlockBox &B : boxesBetween(Cuts))
    Add(B);
  while (!Mixed.empty() && !Finder.isDone() &&
         Alike.size() + Mixed.size() < MaxBoxes) {
    std::pop_heap(Mixed.begin(), Mixed.end(), IsSmaller);
    BlockBox B = Mixed.back();
    Mixed.pop_back();
    const BlockBox Behind = Finder.split(B);
    Add(B);
    Add(Behind);
  }
  Alike.insert(Alike.end(), Mixed.begin(), Mixed.end());
  return Alike;
}
