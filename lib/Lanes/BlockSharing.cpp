//===- BlockSharing.cpp - Sectors that neighbouring blocks share ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory/Requests.h"
#include "Slice/Slice.h"
#include "Walk/LaunchInputs.h"
#include "Walk/WarpWalker.h"
#include "gpuocc/Kernel/Extents.h"
#include "gpuocc/Lanes/WalkedLaunch.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

using SectorList = SmallVector<uint64_t, 64>;

/// The sectors of global memory that the request \p E of \p M asks for.
static SectorList globalSectors(const AccessEvent &E, const MemoryAccess &M,
                                unsigned SectorBytes) {
  SectorList Sectors;
  if (!E.Active)
    return Sectors;
  const RequestAddresses R = requestAddresses(E, M);
  if (resolvedSpace(M.Space, R) == MemorySpace::Global)
    collectPieces(R, SectorBytes, Sectors);
  return Sectors;
}

namespace {

/// Collects the sectors of each group that the first block asks for, and which
/// of the others ask for them too.
class SharingCounter final : public WalkObserver {
public:
  SharingCounter(const KernelFacts &Facts, const MemoryGeometry &Geometry,
                 const AccessGroups &Groups)
      : Facts(Facts), SectorBytes(Geometry.SectorBytes), Groups(Groups),
        Sharers(Groups.Count), Asked(Groups.Count) {}

  /// The next walks are of block number \p Block.
  void beginBlock(unsigned Block) { Current = Block; }

  void onAccess(const AccessEvent &E) override {
    if (Groups.OfAccess[E.Access].empty())
      return;
    const SectorList Sectors =
        globalSectors(E, Facts.Accesses[E.Access], SectorBytes);
    for (unsigned Group : Groups.OfAccess[E.Access])
      for (uint64_t Sector : Sectors)
        note(Group, Sector);
  }

  std::vector<double> shares() const {
    std::vector<double> Shares(Groups.Count, 1);
    for (unsigned G = 0; G != Groups.Count; ++G) {
      double Own = 0;
      for (const auto &[Sector, Blocks] : Sharers[G])
        Own += 1.0 / double(llvm::popcount(Blocks));
      if (Asked[G] > 0)
        Shares[G] = Own / Asked[G];
    }
    return Shares;
  }

private:
  void note(unsigned Group, uint64_t Sector) {
    if (Current == 0) {
      ++Asked[Group];
      Sharers[Group][Sector] |= 1;
    } else if (auto It = Sharers[Group].find(Sector);
               It != Sharers[Group].end()) {
      It->second |= 1u << Current;
    }
  }

  const KernelFacts &Facts;
  unsigned SectorBytes;
  const AccessGroups &Groups;
  unsigned Current = 0;
  std::vector<DenseMap<uint64_t, uint32_t>> Sharers;
  std::vector<double> Asked;
};

/// Counts the sectors that each access of \p Wanted asks for, and distinct
/// ones.
class DistinctCounter final : public WalkObserver {
public:
  DistinctCounter(const KernelFacts &Facts, unsigned SectorBytes,
                  const std::vector<bool> &Wanted)
      : Facts(Facts), SectorBytes(SectorBytes), Wanted(Wanted),
        Reached(Facts.Accesses.size()), Asked(Facts.Accesses.size()) {}

  void onAccess(const AccessEvent &E) override {
    const MemoryAccess &M = Facts.Accesses[E.Access];
    if (M.Rank != 0 || !Wanted[E.Access])
      return;
    const SectorList Sectors = globalSectors(E, M, SectorBytes);
    Asked[E.Access] += double(Sectors.size());
    Reached[E.Access].insert_range(Sectors);
  }

  std::vector<double> shares() const {
    std::vector<double> Shares(Asked.size(), 1);
    for (size_t I = 0; I != Asked.size(); ++I)
      if (Asked[I] > 0)
        Shares[I] = double(Reached[I].size()) / Asked[I];
    return Shares;
  }

private:
  const KernelFacts &Facts;
  unsigned SectorBytes;
  const std::vector<bool> &Wanted;
  std::vector<DenseSet<uint64_t>> Reached;
  std::vector<double> Asked;
};

} // namespace

/// A block in the middle of the grid, and those next to it in each dimension
/// that the code reads.
static SmallVector<Dim3, 7> middleAndNeighbours(const Slice &S, Dim3 Grid) {
  const Dim3 Middle = {Grid.X / 2, Grid.Y / 2, Grid.Z / 2};
  SmallVector<Dim3, 7> Blocks = {Middle};
  auto Add = [&](unsigned Dimension, uint64_t Extent, uint64_t Dim3::*At) {
    for (int Side : {-1, 1})
      if (S.UsesCtaId[Dimension] && Middle.*At + Side < Extent) {
        Blocks.push_back(Middle);
        Blocks.back().*At += Side;
      }
  };
  Add(0, Grid.X, &Dim3::X);
  Add(1, Grid.Y, &Dim3::Y);
  Add(2, Grid.Z, &Dim3::Z);
  return Blocks;
}

std::vector<double>
WalkedLaunch::distinctShares(const AccessGroups &Groups) const {
  const SmallVector<Dim3, 7> Blocks = middleAndNeighbours(S, Inputs.grid());
  WalkLimits Limits;
  Limits.MaxIterations = 4;
  Limits.MaxSteps = std::max<uint64_t>(
      1, Options.MaxSteps / (Blocks.size() * Inputs.warpsPerBlock()));
  WarpWalker Walker(Facts, S, Inputs, Limits);
  SharingCounter Counter(Facts, Geometry, Groups);
  for (unsigned B = 0; B != Blocks.size(); ++B) {
    Counter.beginBlock(B);
    for (unsigned Warp = 0; Warp != Inputs.warpsPerBlock(); ++Warp)
      Walker.walk(Blocks[B], Warp, 1, Counter);
  }
  return Counter.shares();
}

std::vector<double>
WalkedLaunch::distinctSharesAlong(BlockRun Run,
                                  const std::vector<bool> &Wanted) const {
  constexpr uint64_t MostBlocks = 256;
  WalkLimits Limits;
  Limits.MaxIterations = 4;
  Limits.MaxSteps = std::max<uint64_t>(1, Options.MaxSteps / MostBlocks);
  WarpWalker Walker(Facts, S, Inputs, Limits);
  DistinctCounter Counter(Facts, Geometry.SectorBytes, Wanted);
  const uint64_t Count = std::min(MostBlocks, Run.Count);
  const uint64_t First = Run.First + (Run.Count - Count) / 2;
  for (uint64_t B = First; B != First + Count; ++B)
    Walker.walk(blockAt(Inputs.grid(), B), 0, 1, Counter);
  return Counter.shares();
}
