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

std::map<ObjectKey, PartSectors>
gpuocc::findPartSectors(const WalkedLaunch &L, const ExecutionProfile &Profile,
                        ArrayRef<ObjectKey> ObjectOf, const L2Objects &OfGrid,
                        const RunningBlocks &Running) {
  const MemoryGeometry &G = L.geometry();
  const double LineBytes = G.LineBytes, Room = double(G.L2Bytes);
  // Heuristic: stores fill what they reach if a word in twelve is left out at
  // most, as at the borders of an image. What is reached is an upper bound
  // where warps come back to their sectors.
  constexpr double Filled = 11.0 / 12, FilledInTurns = 0.55, Turns = 2;
  std::map<ObjectKey, PartSectors> Out;
  if (!L.options().Used.has(Mechanism::PartSectors) || Room <= 0)
    return Out;
  for (const auto &[Key, S] :
       collect(L, Profile, ObjectOf, Running.Waves * Running.Warps)) {
    auto Grid = OfGrid.find(Key), Wave = Running.OfAll.find(Key),
         Block = Running.OfOne.find(Key);
    if (!S.AreKnown || Grid == OfGrid.end() || Wave == Running.OfAll.end() ||
        Block == Running.OfOne.end())
      continue;
    const double OfAll = Grid->second.All.distinct();
    const double OfWave = Wave->second.All.distinct();
    const double OfBlock = Block->second.All.distinct();
    const double LinesOfAll =
        std::min(double(Grid->second.All.High - Grid->second.All.Low),
                 OfAll / G.SectorBytes * LineBytes);
    PartSectors Part;
    Part.AreFilled =
        S.Bytes >= Filled * OfAll || (S.Bytes >= FilledInTurns * OfAll &&
                                      Grid->second.All.Missed >= Turns * OfAll);
    if (!Part.AreFilled) {
      // The rates of lone sectors hold what is fetched.
      if (OfAll * LineBytes <= 2 * G.SectorBytes * LinesOfAll)
        continue;
      Part.Fetched = shareLetGo(LinesOfAll, Room);
      Out[Key] = Part;
      continue;
    }
    // Heuristic: what a block leaves out of sectors that it fills by half or
    // more, its neighbors fill at the same time. Later blocks fill what blocks
    // that run together do not.
    constexpr double Half = 0.5;
    const double Reached = std::min(OfAll, S.Bytes) / OfAll;
    const bool Later =
        S.Bytes / double(L.grid().count()) < Half * Reached * OfBlock &&
        S.Bytes / Running.Waves < Filled * Reached * OfWave;
    const double UnderWay =
        Later ? LinesOfAll
              : std::min({LinesOfAll, OfWave / G.SectorBytes * LineBytes,
                          Running.Warps * S.LinesOfWarp * LineBytes});
    Part.Fetched = Reached * shareLetGo(UnderWay / 2, Room);
    // Lanes that leave lines out between them come to those another time.
    if (Later)
      Part.FetchedAgain = shareDrivenOut(
          LinesOfAll * std::min(1.0, LineBytes / std::max(1.0, S.LaneStride)),
          Room);
    Out[Key] = Part;
  }
  return Out;
}
