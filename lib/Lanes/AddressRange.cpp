//===- AddressRange.cpp - Which bytes accesses reach ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory/Requests.h"
#include "Slice/Slice.h"
#include "Walk/LaunchInputs.h"
#include "Walk/WarpWalker.h"
#include "gpuocc/Kernel/Coordinates.h"
#include "gpuocc/Lanes/WalkedLaunch.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <numeric>

using namespace gpuocc;
using namespace llvm;

void AddressRange::add(uint64_t Address, uint64_t Bytes) {
  if (!isEmpty()) {
    const uint64_t Apart = Address > Low ? Address - Low : Low - Address;
    if (Step == 0 || Apart % Step != 0)
      Step = std::gcd(Step, Apart);
  }
  Low = std::min(Low, Address);
  High = std::max(High, Address + Bytes);
  Width = Bytes;
}

double AddressRange::bytes(unsigned SectorBytes) const {
  double All = isEmpty() ? 0 : double(High - Low);
  uint64_t Piece = (Width + SectorBytes - 1) / SectorBytes * SectorBytes;
  return Step > Piece ? (All / double(Step) + 1) * double(Piece) : All;
}

namespace {

class RangeFinder final : public WalkObserver {
public:
  explicit RangeFinder(const KernelFacts &Facts)
      : Ranges(Facts.Accesses.size()), Facts(Facts) {}

  /// What was reached with each access.
  std::vector<AddressRange> take() {
    for (const auto &[Access, Tensor] : Tensors)
      Ranges[Access] = rangeOf(Facts.Accesses[Access], Tensor);
    return std::move(Ranges);
  }

  void onAccess(const AccessEvent &E) override {
    const MemoryAccess &M = Facts.Accesses[E.Access];
    RequestAddresses R = requestAddresses(E, M.BytesPerLane);
    if (M.Rank != 0)
      return addPlaces(E.Access, M, R);
    if (resolvedSpace(M.Space, R) != MemorySpace::Global)
      return;
    AddressRange &Into = Ranges[E.Access];
    for (LaneMask Lanes = R.Active; Lanes; Lanes &= Lanes - 1) {
      uint64_t A = R.Address[unsigned(std::countr_zero(Lanes))];
      // An access that reaches two objects counts for the first.
      if (!Into.isEmpty() &&
          A >> ObjectWindowLog2 != Into.Low >> ObjectWindowLog2)
        continue;
      Into.add(A, M.BytesPerLane);
    }
  }

private:
  /// The coordinates in a tensor or texture, by dimension.
  struct ReachedPlaces {
    uint64_t Object = 0;
    std::array<AddressRange, MostDimensions> Along;
  };

  static ArrayRef<CoordinatePiece> piecesOf(const MemoryAccess &M) {
    return M.Bulk ? tensorPieces(M.Rank) : texturePieces(M.Rank);
  }

  void addPlaces(uint32_t Access, const MemoryAccess &M,
                 const RequestAddresses &R) {
    ReachedPlaces &Into = Tensors[Access];
    for (LaneMask Lanes = R.Active; Lanes; Lanes &= Lanes - 1) {
      const uint64_t Place = R.Address[unsigned(std::countr_zero(Lanes))];
      Into.Object = Place >> ObjectWindowLog2 << ObjectWindowLog2;
      for (unsigned D = 0; D != M.Rank; ++D)
        // The first coordinate of a texture counts bytes.
        Into.Along[D].add(coordinateOf(Place, piecesOf(M), D),
                          !M.Bulk && D == 0 ? M.BytesPerLane : 1);
    }
  }

  /// As many bytes as there are places, one behind the other.
  static AddressRange rangeOf(const MemoryAccess &M, const ReachedPlaces &P) {
    double Bytes = M.Bulk ? M.BytesPerLane : 1;
    for (unsigned D = 0; D != M.Rank; ++D) {
      const AddressRange &Along = P.Along[D];
      if (Along.isEmpty())
        return AddressRange();
      Bytes *= !M.Bulk && D == 0
                   ? double(Along.High - Along.Low)
                   : double((Along.High - 1 - Along.Low) /
                                std::max<uint64_t>(1, Along.Step) +
                            1);
    }
    AddressRange Range;
    const double Most = double(uint64_t(1) << (ObjectWindowLog2 - 1));
    Range.add(P.Object, uint64_t(std::clamp(Bytes, 1.0, Most)));
    Range.Width = M.BytesPerLane;
    return Range;
  }

  std::vector<AddressRange> Ranges;
  std::map<uint32_t, ReachedPlaces> Tensors;
  const KernelFacts &Facts;
};

} // namespace

/// Appends the corners of the blocks from \p First to \p Last.
static void appendCorners(const Slice &S, Dim3 First, Dim3 Last,
                          std::vector<Dim3> &Blocks) {
  for (unsigned Corner = 0; Corner < 8; ++Corner) {
    if (((Corner & 1) && (First.X == Last.X || !S.UsesCtaId[0])) ||
        ((Corner & 2) && (First.Y == Last.Y || !S.UsesCtaId[1])) ||
        ((Corner & 4) && (First.Z == Last.Z || !S.UsesCtaId[2])))
      continue;
    Blocks.push_back({Corner & 1 ? Last.X : First.X,
                      Corner & 2 ? Last.Y : First.Y,
                      Corner & 4 ? Last.Z : First.Z});
  }
}

std::vector<Dim3> WalkedLaunch::farthestBlocks() const {
  const Dim3 Grid = Inputs.grid();
  const Dim3 Middle = {Grid.X / 2, Grid.Y / 2, Grid.Z / 2};
  const Dim3 First = {0, 0, 0}, Last = {Grid.X - 1, Grid.Y - 1, Grid.Z - 1};
  std::vector<Dim3> Blocks = {Middle};
  appendCorners(S, First, Last, Blocks);
  auto Around = [&](unsigned D, uint64_t At) {
    const auto End = llvm::upper_bound(Cuts[D], At);
    return std::pair(*std::prev(End), *End - 1);
  };
  const auto [FirstX, LastX] = Around(0, Middle.X);
  const auto [FirstY, LastY] = Around(1, Middle.Y);
  const auto [FirstZ, LastZ] = Around(2, Middle.Z);
  const Dim3 CellFirst = {FirstX, FirstY, FirstZ};
  const Dim3 CellLast = {LastX, LastY, LastZ};
  if (!(CellFirst == First) || !(CellLast == Last))
    appendCorners(S, CellFirst, CellLast, Blocks);
  return Blocks;
}

std::vector<Dim3> gpuocc::farthestOfWave(Dim3 Grid, uint64_t Count) {
  const uint64_t Total = Grid.count();
  const uint64_t First = (Total - Count) / 2, Last = First + Count - 1;
  auto At = [&](uint64_t Linear) {
    return Dim3{Linear % Grid.X, Linear / Grid.X % Grid.Y,
                Linear / (Grid.X * Grid.Y)};
  };
  std::vector<Dim3> Blocks = {At(First), At(Last)};
  const uint64_t RowEnd = First / Grid.X * Grid.X + Grid.X - 1;
  if (RowEnd < Last) {
    Blocks.push_back(At(RowEnd));
    Blocks.push_back(At(RowEnd + 1));
  }
  return Blocks;
}

std::vector<AddressRange> WalkedLaunch::findRanges(ArrayRef<Dim3> Blocks,
                                                   ArrayRef<unsigned> Warps,
                                                   bool WholeBlock) const {
  WalkLimits Limits;
  Limits.MaxIterations = 4;
  Limits.MaxSteps = std::max<uint64_t>(1, Options.MaxSteps / 64);
  Limits.ReachesEnds = true;
  WarpWalker Walker(Facts, S, Inputs, Limits);
  RangeFinder Finder(Facts);
  for (Dim3 Block : Blocks)
    for (unsigned Warp : Warps)
      Walker.walk(Block, Warp, 1, Finder);
  for (unsigned Warp = 0; WholeBlock && Warp < Inputs.warpsPerBlock(); ++Warp)
    if (!llvm::is_contained(Warps, Warp))
      Walker.walk(Blocks.front(), Warp, 1, Finder);
  return Finder.take();
}
