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
#include "gpuocc/Kernel/Extents.h"
#include "gpuocc/Lanes/WalkedLaunch.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
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

void AddressRange::add(const AddressRange &Other) {
  if (Other.isEmpty())
    return;
  if (isEmpty()) {
    *this = Other;
    return;
  }
  const uint64_t Apart = Other.Low > Low ? Other.Low - Low : Low - Other.Low;
  Step = std::gcd(std::gcd(Step, Other.Step), Apart);
  Low = std::min(Low, Other.Low);
  High = std::max(High, Other.High);
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

BlockRun gpuocc::middleRun(Dim3 Grid, uint64_t Count) {
  return {(Grid.count() - Count) / 2, Count};
}

std::vector<Dim3> gpuocc::farthestOf(Dim3 Grid, BlockRun Run) {
  const uint64_t Last = Run.First + Run.Count - 1;
  std::vector<Dim3> Blocks = {blockAt(Grid, Run.First), blockAt(Grid, Last)};
  const uint64_t RowEnd = Run.First / Grid.X * Grid.X + Grid.X - 1;
  if (RowEnd < Last) {
    Blocks.push_back(blockAt(Grid, RowEnd));
    Blocks.push_back(blockAt(Grid, RowEnd + 1));
  }
  return Blocks;
}

/// Limits of walks that look for the ends of ranges.
static WalkLimits limitsOfRanges(const LanesOptions &Options) {
  WalkLimits Limits;
  Limits.MaxIterations = 4;
  Limits.MaxSteps = std::max<uint64_t>(1, Options.MaxSteps / 64);
  Limits.ReachesEnds = true;
  return Limits;
}

std::vector<AddressRange> WalkedLaunch::findRanges(ArrayRef<Dim3> Blocks,
                                                   ArrayRef<unsigned> Warps,
                                                   bool WholeBlock) const {
  WarpWalker Walker(Facts, S, Inputs, limitsOfRanges(Options));
  Walker.setInFirstWave(true);
  RangeFinder Finder(Facts);
  for (Dim3 Block : Blocks)
    for (unsigned Warp : Warps)
      Walker.walk(Block, Warp, 1, Finder);
  for (unsigned Warp = 0; WholeBlock && Warp < Inputs.warpsPerBlock(); ++Warp)
    if (!llvm::is_contained(Warps, Warp))
      Walker.walk(Blocks.front(), Warp, 1, Finder);
  return Finder.take();
}

/// The \p K-th of numbers below \p Count that lie evenly whatever period the
/// addresses have: multiples of the golden ratio.
static uint64_t drawnEvenly(unsigned K, uint64_t Count) {
  constexpr double GoldenRatio = 0.6180339887498949;
  const double Turns = (K + 1) * GoldenRatio;
  return std::min(Count - 1, uint64_t((Turns - std::floor(Turns)) * Count));
}

/// Whether the first address that \p Access reaches grows evenly with the
/// numbers of three blocks, as far as they all reach one.
static bool
areInLine(ArrayRef<std::pair<uint64_t, std::vector<AddressRange>>> Blocks,
          size_t Access) {
  SmallVector<std::pair<double, double>, 3> Points;
  for (const auto &[Block, Ranges] : Blocks)
    if (!Ranges[Access].isEmpty())
      Points.push_back({double(Block), double(Ranges[Access].Low)});
  if (Points.size() < 3)
    return true;
  const auto [X0, Y0] = Points[0];
  const auto [X1, Y1] = Points[1];
  const auto [X2, Y2] = Points[2];
  return (Y1 - Y0) * (X2 - X0) == (Y2 - Y0) * (X1 - X0);
}

std::vector<bool>
WalkedLaunch::addBetween(BlockRun Run, ArrayRef<unsigned> Warps,
                         const ExecutionProfile &Profile,
                         std::vector<AddressRange> &Ranges) const {
  // With three blocks, an access that leaves the ends is missed where it does
  // so in a small part of the grid only. 64 blocks drawn evenly reach 97 % of a
  // range.
  constexpr unsigned FewBlocks = 3, ManyBlocks = 64;
  WarpWalker Walker(Facts, S, Inputs, limitsOfRanges(Options));
  Walker.setInFirstWave(true);
  std::vector<bool> Beyond(Ranges.size()), Uneven(Ranges.size());
  uint64_t Steps = 0;
  const Dim3 Grid = Inputs.grid();
  const bool HasOneDimension = Grid.Y * Grid.Z == 1;
  // What the first blocks reach, by number of the block.
  SmallVector<std::pair<uint64_t, std::vector<AddressRange>>, 4> First;
  auto AddBlock = [&](unsigned K) {
    const uint64_t Block = Run.First + drawnEvenly(K, Run.Count);
    RangeFinder Finder(Facts);
    Walker.walk(blockAt(Grid, Block),
                Warps[K < FewBlocks ? 0 : K % Warps.size()], 1, Finder);
    Steps += Walker.steps();
    std::vector<AddressRange> Reached = Finder.take();
    for (size_t I = 0; I < Ranges.size(); ++I) {
      const AddressRange &R = Reached[I];
      AddressRange &Into = Ranges[I];
      if (R.isEmpty() || !Profile.Accesses[I].IsInOrder ||
          (!Into.isEmpty() &&
           R.Low >> ObjectWindowLog2 != Into.Low >> ObjectWindowLog2))
        continue;
      if (R.Low < Into.Low || R.High > Into.High)
        Beyond[I] = true;
      Into.add(R);
    }
    if (K < FewBlocks && HasOneDimension)
      First.push_back({Block, std::move(Reached)});
  };
  for (unsigned K = 0; K < std::min<uint64_t>(ManyBlocks, Run.Count); ++K)
    if (K < FewBlocks ||
        (llvm::is_contained(Beyond, true) && Steps < Options.MaxSteps / 8))
      AddBlock(K);
  for (size_t I = 0; I < Ranges.size(); ++I)
    Uneven[I] =
        Beyond[I] || (First.size() == FewBlocks &&
                      Profile.Accesses[I].IsInOrder && !areInLine(First, I));
  return Uneven;
}
