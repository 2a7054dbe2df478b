//===- PartSectors.cpp - Sectors that stores fill in parts ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PartSectors.h"
#include "llvm/ADT/ArrayRef.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

using namespace gpuocc;
using namespace llvm;

/// Share of sectors written in part that L2 of \p Room bytes has let go of,
/// behind which stores have reached \p Bytes of lines.
///
/// Source: an H200 with 60 MiB, 4 bytes stored in one, two or four sectors of
/// each line (Nsight Compute, part-sectors.csv of 2026-11-30T1605): of 8, 12,
/// 16, 24, 32, 48, 64 and 128 MiB of lines 5, 27, 40, 68, 80, 92, 94 and 99 %
/// of the sectors are read from DRAM, whether a line has one or four. Of
/// sectors that a thread fills word by word (128 words of 2^14 to 2^18 rows): 0
/// at 2 MiB of lines that all threads have under way, 10 % at 4, 18 % at 8,
/// 28 % at 16 and 52 % at 32, as of half as many.
static double shareLetGo(double Bytes, double Room) {
  constexpr double HalfAt = 0.29, Steepness = 2.6, Least = 0.01;
  if (Bytes <= 0)
    return 0;
  const double Share = 1 / (1 + std::pow(HalfAt * Room / Bytes, Steepness));
  return Share < Least ? 0 : Share;
}

/// The sets of L2 fill unevenly.
///
/// Source: H100, 50 MB, ten sweeps over 20 to 256 MB that read, or read and
/// write (Nsight Compute, 2026-11-26): lost are 5 % at 0.8 times what L2 holds,
/// 12 to 25 % at 0.96, 60 to 86 % at 1.12, 93 to 96 % at 1.28, and all beyond.
double gpuocc::shareDrivenOut(double Between, double Room) {
  constexpr double From = 0.85, To = 1.3;
  return std::clamp((Between / Room - From) / (To - From), 0.0, 1.0);
}

namespace {

/// Stores to one object.
struct Stores {
  /// Bytes that lanes store, of the whole grid.
  double Bytes = 0;
  /// Lines that the requests of one warp have under way.
  double LinesOfWarp = 0;
  /// Bytes from lane to lane, the least of all stores.
  double LaneStride = std::numeric_limits<double>::infinity();
  bool AreKnown = true;
};

} // namespace

static std::map<ObjectKey, Stores> collect(const WalkedLaunch &L,
                                           const ExecutionProfile &Profile,
                                           ArrayRef<ObjectKey> ObjectOf,
                                           double WarpsOfGrid) {
  std::map<ObjectKey, Stores> Found;
  for (size_t I = 0; I < ObjectOf.size(); ++I) {
    const MemoryAccess &A = L.facts().Accesses[I];
    const AccessProfile &P = Profile.Accesses[I];
    if (A.Kind != AccessKind::Store || A.Bulk || P.IsHostMemory ||
        P.RequestsPerWarp <= 0)
      continue;
    Stores &S = Found[ObjectOf[I]];
    S.Bytes += P.RequestsPerWarp * P.ActiveLanes * A.BytesPerLane * WarpsOfGrid;
    S.LinesOfWarp = std::max(S.LinesOfWarp, P.LinesPerRequest);
    S.LaneStride =
        std::min(S.LaneStride, std::abs(double(P.LaneStrideBytes.valueOr(0))));
    S.AreKnown &= P.IsInOrder;
  }
  return Found;
}

namespace {

/// Bytes of sectors that stores to an object reach: all of the grid, those of
/// the blocks that run together, and those of one block.
struct ReachedBytes {
  const ReuseGroup &OfGrid;
  double Distinct, OfWave, OfBlock;

  /// The share of what is said to be reached that \p Stored bytes can be.
  double shareOf(double Stored) const {
    return std::min(Distinct, Stored) / Distinct;
  }
  /// Of the lines that the grid reaches.
  double lines(const MemoryGeometry &G) const {
    return std::min(double(OfGrid.High - OfGrid.Low), linesOf(Distinct, G));
  }
  static double linesOf(double Bytes, const MemoryGeometry &G) {
    return Bytes / G.SectorBytes * G.LineBytes;
  }
};

} // namespace

/// Heuristic: stores fill what they reach if a word in twelve is left out at
/// most, as at the borders of an image. Where warps come back to their sectors,
/// what is reached is an upper bound.
static constexpr double Filled = 11.0 / 12;

static bool areFilled(const Stores &S, const ReachedBytes &Reached) {
  constexpr double InTurns = 0.55, Turns = 2;
  return S.Bytes >= Filled * Reached.Distinct ||
         (S.Bytes >= InTurns * Reached.Distinct &&
          Reached.OfGrid.Missed >= Turns * Reached.Distinct);
}

/// Stores leave parts of the sectors out to the end. Nothing where a line has
/// few of them: the rates of lone sectors hold what is fetched.
static std::optional<PartSectors> neverFilled(const ReachedBytes &Reached,
                                              const MemoryGeometry &G) {
  constexpr double Few = 2;
  const double Lines = Reached.lines(G);
  if (Reached.Distinct * G.LineBytes <= Few * G.SectorBytes * Lines)
    return std::nullopt;
  return PartSectors{shareLetGo(Lines, double(G.L2Bytes)), 0, false};
}

/// Heuristic: what a block leaves out of sectors that it fills by half or more,
/// its neighbors fill at the same time.
static bool isFilledByNeighbors(const Stores &S, const ReachedBytes &Reached,
                                double Blocks) {
  constexpr double Half = 0.5;
  return S.Bytes / Blocks >= Half * Reached.shareOf(S.Bytes) * Reached.OfBlock;
}

static bool isFilledByRunning(const Stores &S, const ReachedBytes &Reached,
                              double Waves) {
  return S.Bytes / Waves >= Filled * Reached.shareOf(S.Bytes) * Reached.OfWave;
}

static PartSectors filledTogether(const Stores &S, const ReachedBytes &Reached,
                                  const RunningBlocks &Running,
                                  const MemoryGeometry &G) {
  const double UnderWay =
      std::min({Reached.lines(G), ReachedBytes::linesOf(Reached.OfWave, G),
                Running.Warps * S.LinesOfWarp * G.LineBytes});
  return {Reached.shareOf(S.Bytes) *
              shareLetGo(UnderWay / 2, double(G.L2Bytes)),
          0, true};
}

/// Lanes that leave lines out between them come to those another time.
static PartSectors filledLater(const Stores &S, const ReachedBytes &Reached,
                               const MemoryGeometry &G) {
  const double Room = double(G.L2Bytes), Lines = Reached.lines(G);
  const double OfSweep =
      Lines * std::min(1.0, G.LineBytes / std::max(1.0, S.LaneStride));
  return {Reached.shareOf(S.Bytes) * shareLetGo(Lines / 2, Room),
          shareDrivenOut(OfSweep, Room), true};
}

/// Of what the stores to \p Object ask for, the share that is not asked for
/// again by the blocks behind, the largest of all stores.
static double shareAskedOnce(const WalkedLaunch &L,
                             ArrayRef<ObjectKey> ObjectOf, ObjectKey Object) {
  std::vector<bool> Wanted(ObjectOf.size());
  for (size_t I = 0; I != Wanted.size(); ++I)
    Wanted[I] = ObjectOf[I] == Object;
  const std::vector<double> Shares =
      L.distinctSharesAlong({0, L.grid().count()}, Wanted);
  double Largest = 0;
  for (size_t I = 0; I != Wanted.size(); ++I)
    if (Wanted[I])
      Largest = std::max(Largest, Shares[I]);
  return Largest;
}

std::map<ObjectKey, PartSectors>
gpuocc::findPartSectors(const WalkedLaunch &L, const ExecutionProfile &Profile,
                        ArrayRef<ObjectKey> ObjectOf, const L2Objects &OfGrid,
                        const RunningBlocks &Running) {
  const MemoryGeometry &G = L.geometry();
  std::map<ObjectKey, PartSectors> Out;
  if (!L.options().Used.has(Mechanism::PartSectors) || G.L2Bytes == 0)
    return Out;
  for (const auto &[Key, S] :
       collect(L, Profile, ObjectOf, Running.Waves * Running.Warps)) {
    auto Grid = OfGrid.find(Key), Wave = Running.OfAll.find(Key),
         Block = Running.OfOne.find(Key);
    if (!S.AreKnown || Grid == OfGrid.end() || Wave == Running.OfAll.end() ||
        Block == Running.OfOne.end())
      continue;
    const ReuseGroup &All = Grid->second.All;
    ReachedBytes Reached = {All, All.distinct(), Wave->second.All.distinct(),
                            Block->second.All.distinct()};
    if (Reached.Distinct <= 0)
      continue;
    if (!areFilled(S, Reached)) {
      if (std::optional<PartSectors> Part = neverFilled(Reached, G))
        Out[Key] = *Part;
      continue;
    }
    bool IsTogether =
        isFilledByNeighbors(S, Reached, double(L.grid().count())) ||
        isFilledByRunning(S, Reached, Running.Waves);
    if (!IsTogether) {
      // What the blocks reach together is an upper bound.
      Reached.OfWave =
          std::min(Reached.OfWave,
                   Wave->second.All.Asked * shareAskedOnce(L, ObjectOf, Key));
      IsTogether = isFilledByRunning(S, Reached, Running.Waves);
    }
    Out[Key] = IsTogether ? filledTogether(S, Reached, Running, G)
                          : filledLater(S, Reached, G);
  }
  return Out;
}
