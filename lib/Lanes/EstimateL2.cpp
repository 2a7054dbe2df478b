//===- EstimateL2.cpp - Footprints, and hits in L2 ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CacheEstimate.h"
#include "Recorder.h"
#include "WarpWalker.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Share of L2 that still holds written data when a kernel ends; that much of
/// what it wrote does not reach DRAM in its time.
///
/// Source: written less what DRAM received, on an H200 with 60 MB of L2:
/// 12 to 20 MB in popcount, babelstream copy and triad, 2dconv, fdtd2d and
/// transpose.
constexpr double DirtyShareOfL2 = 0.25;

/// The bytes that an access reaches: runs of Width at multiples of Step from
/// Low to High.
struct Range {
  uint64_t Low = ~uint64_t(0), High = 0;
  uint64_t Step = 0, Width = 1;
  bool isEmpty() const { return Low >= High; }

  void add(uint64_t Address, uint64_t Bytes) {
    if (!isEmpty())
      Step = std::gcd(Step, Address > Low ? Address - Low : Low - Address);
    Low = std::min(Low, Address);
    High = std::max(High, Address + Bytes);
    Width = Bytes;
  }

  /// Distinct bytes of sectors.
  double bytes(unsigned SectorBytes) const {
    double All = isEmpty() ? 0 : double(High - Low);
    uint64_t Piece = (Width + SectorBytes - 1) / SectorBytes * SectorBytes;
    return Step > Piece ? (All / double(Step) + 1) * double(Piece) : All;
  }
};

class RangeFinder final : public WalkObserver {
public:
  explicit RangeFinder(const KernelFacts &Facts)
      : Ranges(Facts.Accesses.size()), Facts(Facts) {}

  std::vector<Range> Ranges;

  void onBlock(uint32_t, LaneMask, double) override {}
  void onBranch(const BranchEvent &) override {}
  void onLoop(const LoopEvent &) override {}
  void onAccess(const AccessEvent &E) override {
    const MemoryAccess &M = Facts.Accesses[E.Access];
    RequestAddresses R = requestAddresses(E, M.BytesPerLane);
    if (resolvedSpace(M.Space, R) != MemorySpace::Global)
      return;
    Range &Into = Ranges[E.Access];
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
  const KernelFacts &Facts;
};

/// Accesses whose reuse is judged together.
struct Group {
  uint64_t Low = ~uint64_t(0), High = 0;
  /// Bytes of sectors asked for, and those that leave L1.
  double Asked = 0, Missed = 0;
  /// Of the missed: what loaded indices ask for, in no order.
  double Random = 0;
  /// Sum over accesses of the distinct bytes of each.
  double Single = 0;

  /// No more than the range, what is asked for, and what the accesses reach.
  double distinct() const {
    return High > Low ? std::min({double(High - Low), Asked, Single}) : 0;
  }
};

/// An object (pointer argument, global variable) read or written.
struct Object {
  Group All;
  /// By innermost loop: reuse within a loop is near in time, reuse between
  /// loops is as far as their data is large.
  std::map<uint32_t, Group> ByLoop;
};

} // namespace

static std::vector<Range> findRanges(const KernelFacts &Facts, const Slice &S,
                                     LaunchInputs &Inputs,
                                     const LanesOptions &Options) {
  WalkLimits Limits;
  Limits.MaxIterations = 4;
  Limits.MaxSteps = std::max<uint64_t>(1, Options.MaxSteps / 64);
  WarpWalker Walker(Facts, S, Inputs, Limits);
  RangeFinder Finder(Facts);
  const Dim3 Grid = Inputs.grid();
  auto WalkBlock = [&](Dim3 Block) {
    const unsigned Last = Inputs.warpsPerBlock() - 1;
    for (unsigned Warp : {0u, Last / 2, Last})
      if (Warp == 0 || Warp == Last || (Last > 1 && Warp == Last / 2))
        Walker.walk(Block, Warp, 1, Finder);
  };
  WalkBlock({Grid.X / 2, Grid.Y / 2, Grid.Z / 2});
  for (unsigned Corner = 0; Corner < 8; ++Corner) {
    auto At = [&](unsigned D, uint64_t Extent) {
      return (Corner >> D) & 1 ? Extent - 1 : 0;
    };
    if (((Corner & 1) && (Grid.X == 1 || !S.UsesCtaId[0])) ||
        ((Corner & 2) && (Grid.Y == 1 || !S.UsesCtaId[1])) ||
        ((Corner & 4) && (Grid.Z == 1 || !S.UsesCtaId[2])))
      continue;
    WalkBlock({At(0, Grid.X), At(1, Grid.Y), At(2, Grid.Z)});
  }
  return std::move(Finder.Ranges);
}

/// Notes how many sectors the atomics of the grid meet on.
static void countAtomicSectors(const KernelFacts &Facts, ArrayRef<Range> Ranges,
                               const MemoryGeometry &Geometry,
                               ExecutionProfile &Profile) {
  for (size_t I = 0; I < Ranges.size(); ++I) {
    const AccessKind Kind = Facts.Accesses[I].Kind;
    AccessProfile &A = Profile.Accesses[I];
    if (Ranges[I].isEmpty() ||
        (Kind != AccessKind::Atomic && Kind != AccessKind::Reduction))
      continue;
    if (A.Exact == Exactness::DataDependent)
      A.GridSectors = Known<double>::unknown(A.Reason);
    else
      A.GridSectors = std::ceil(Ranges[I].bytes(Geometry.SectorBytes) /
                                Geometry.SectorBytes);
  }
}

static bool isWrite(AccessKind K) { return K == AccessKind::Store; }

void gpuocc::estimateL2(const KernelFacts &Facts, const Slice &S,
                        LaunchInputs &Inputs, const MemoryGeometry &Geometry,
                        const LanesOptions &Options,
                        ExecutionProfile &Profile) {
  std::vector<Range> Ranges = findRanges(Facts, S, Inputs, Options);
  countAtomicSectors(Facts, Ranges, Geometry, Profile);
  const double NumWarps =
      double(Inputs.grid().count()) * Inputs.warpsPerBlock();
  // Atomics are read and written in L2; they count with the loads.
  using ObjectKey = std::pair<bool, uint64_t>;
  std::map<ObjectKey, Object> Objects;
  auto KeyOf = [&](size_t I) {
    return ObjectKey(isWrite(Facts.Accesses[I].Kind),
                     Ranges[I].Low >> ObjectWindowLog2);
  };
  for (size_t I = 0; I < Ranges.size(); ++I) {
    const AccessProfile &A = Profile.Accesses[I];
    if (Ranges[I].isEmpty() || A.RequestsPerWarp == 0)
      continue;
    double Asked = A.RequestsPerWarp * A.SectorsPerRequest *
                   Geometry.SectorBytes * NumWarps;
    bool Passes = Facts.Accesses[I].Kind != AccessKind::Load;
    double Missed = Passes ? Asked : Asked * (1 - A.L1HitFraction);
    uint32_t Op = Facts.Accesses[I].Op;
    uint32_t Block =
        Op < Facts.Operations.size() ? Facts.Operations[Op].Block : NoIndex;
    uint32_t Loop =
        Block < S.InnermostLoop.size() ? S.InnermostLoop[Block] : NoIndex;
    Object &O = Objects[KeyOf(I)];
    for (Group *G : {&O.All, &O.ByLoop[Loop]}) {
      G->Low = std::min(G->Low, Ranges[I].Low);
      G->High = std::max(G->High, Ranges[I].High);
      G->Single += std::min(Asked, Ranges[I].bytes(Geometry.SectorBytes));
      G->Asked += Asked;
      G->Missed += Missed;
      if (A.Exact == Exactness::DataDependent)
        G->Random += Missed;
    }
  }
  double Read = 0, Written = 0;
  for (const auto &[Key, O] : Objects)
    (Key.first ? Written : Read) += O.All.distinct();
  Profile.FootprintReadBytes = Read;
  Profile.FootprintWrittenBytes = Written;

  const double L2 = double(Geometry.L2Bytes);
  // A thread finds again what it touched in an earlier loop if the blocks that
  // run with it have not filled L2 meanwhile.
  const double AtOnce =
      std::min(1.0, double(Geometry.SmCount) * Geometry.ResidentBlocksPerSm /
                        double(Inputs.grid().count()));
  const bool Fits = (Read + Written) * AtOnce <= L2;
  // Bytes that go to DRAM for an object.
  auto ThroughL2 = [&](const Object &O) {
    double Bytes = O.All.distinct();
    if (!Fits) {
      double PerLoop = 0;
      for (const auto &[Loop, G] : O.ByLoop)
        PerLoop += G.distinct();
      Bytes = std::max(Bytes, PerLoop);
    }
    // In no order, a byte is found again if what L2 holds of the object has it.
    double Held = L2 / Geometry.L2Partitions;
    if (double Distinct = O.All.distinct(); Distinct > Held)
      Bytes += std::max(0.0, O.All.Random - Distinct) * (1 - Held / Distinct);
    return std::min(Bytes, O.All.Missed);
  };
  double Stored = 0;
  for (const auto &[Key, O] : Objects)
    Stored += Key.first ? ThroughL2(O) : 0;
  const double Evicted =
      Stored > 0 ? std::max(0.0, 1 - DirtyShareOfL2 * L2 / Stored) : 1;
  for (size_t I = 0; I < Ranges.size(); ++I) {
    auto It = Objects.find(KeyOf(I));
    if (Ranges[I].isEmpty() || It == Objects.end() ||
        It->second.All.Missed <= 0)
      continue;
    AccessProfile &A = Profile.Accesses[I];
    double ToDram = ThroughL2(It->second) * (It->first.first ? Evicted : 1);
    A.L2HitFraction = 1 - ToDram / It->second.All.Missed;
    raw_string_ostream OS(A.ReuseReason);
    OS << (A.ReuseReason.empty() ? "" : "; ");
    OS << format("%.3g MB distinct of %.3g MB at L2",
                 It->second.All.distinct() / 1e6, It->second.All.Missed / 1e6);
  }
}
