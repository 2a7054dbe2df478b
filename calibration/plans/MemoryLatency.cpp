//===- MemoryLatency.cpp - L2 and DRAM ------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryLatency.h"
#include "Tools.h"
#include "kernels/Memory.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuocc::calibration {

static constexpr unsigned WalkUnroll = 64;

/// Cycles per load of \p Steps steps of a walk that starts at \p First.
static Expected<double> walk(Session &S, CuFunction F, CuDevicePtr First,
                             uint64_t Steps, unsigned Sectors = 1) {
  if (Error E = setLaneTable(
          S, [&](unsigned Lane) { return First + Lane % Sectors * 32; }))
    return std::move(E);
  Launch L;
  L.Function = F;
  L.Iterations = Steps;
  Expected<WarpTimes> T = S.time(L);
  if (!T)
    return T.takeError();
  uint64_t Rounded = (Steps + WalkUnroll - 1) / WalkUnroll * WalkUnroll;
  return T->WarpCycles / Rounded;
}

/// Latencies of single loads of a walk, in cycles, less the cost of timing.
static Expected<std::vector<double>>
singleLatencies(Session &S, CuFunction F, CuDevicePtr First, unsigned Steps) {
  Expected<DeviceBuffer> Out = S.G.allocate(Steps * 8);
  if (!Out)
    return Out.takeError();
  if (Error E = setLaneTable(S, [&](unsigned) { return First; }))
    return std::move(E);
  Launch L;
  L.Function = F;
  L.Threads = 1;
  L.Iterations = Steps;
  L.X = Out->address();
  if (Expected<WarpTimes> T = S.time(L); !T)
    return T.takeError();
  Expected<std::vector<uint64_t>> Cycles =
      S.cyclesAt(Out->address(), Steps, 1, Steps);
  if (!Cycles)
    return Cycles.takeError();
  return std::vector<double>(Cycles->begin(), Cycles->end());
}

static double meanOf(ArrayRef<double> Values) {
  double Mean = 0;
  for (double X : Values)
    Mean += X / Values.size();
  return Mean;
}

/// A row of the table of percentiles: those of \p Single less \p Overhead.
static std::vector<double> percentileRow(double Level,
                                         const std::vector<double> &Single,
                                         double Overhead) {
  std::vector<double> Row = {Level};
  for (double P : {0.0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0})
    Row.push_back(*percentile(Single, P) - Overhead);
  return Row;
}

/// Mean of the fastest 5 % of \p Single less \p Overhead.
static void setNearLatency(Session &S, const std::vector<double> &Single,
                           double Overhead) {
  double Edge = *percentile(Single, 0.05);
  std::vector<double> Nearest;
  for (double X : Single)
    if (X <= Edge)
      Nearest.push_back(X - Overhead);
  S.Db.set(
      "memory", "l2_near_latency_cycles",
      measured(summarize(Nearest), Take::Mean, "cycle",
               "fastest 5 % of single loads over " + megabytes(partOfL2(S))));
}

/// A round over whole lines to warm up, then one round a sample: a part of a
/// round would hit what the sample before has just read.
static Expected<Summary> walkWholeLines(Session &S, CuFunction Walk,
                                        CuDevicePtr First, size_t Lines,
                                        unsigned Repeats) {
  static constexpr unsigned Sectors = 4;
  if (Expected<double> Warm = walk(S, Walk, First, Lines, Sectors); !Warm)
    return Warm.takeError();
  std::vector<double> Samples;
  for (unsigned R = 0; R < Repeats; ++R) {
    Expected<double> Cycles = walk(S, Walk, First, Lines, Sectors);
    if (!Cycles)
      return Cycles.takeError();
    Samples.push_back(*Cycles);
  }
  return summarize(Samples);
}

/// Footprint of which one of two partitions of L2 holds less than all, and L2
/// as a whole more: in 64ths of L2.
static constexpr unsigned FarShare = 45;

/// How much longer the mean latency of a walk is where a part of its lines is
/// in another partition.
///
/// Heuristic: on an H100 (latency_by_footprint of 2026-11-23T0639) walks take
/// 279 cycles up to 20 MiB of 50, 335 at 24, 494 at 28 and 535 from 32 on; on
/// an H200, 290 up to 24 MiB of 60, 296 at 28 and 474 at 32. A unit test reads
/// both.
static constexpr double BeyondPartition = 1.3;

std::optional<unsigned>
partitionsOfL2(ArrayRef<std::pair<double, double>> LatencyByFootprint,
               double L2Bytes) {
  double Held = 0;
  for (auto [Footprint, Latency] : LatencyByFootprint) {
    if (Latency > BeyondPartition * LatencyByFootprint.front().second)
      break;
    Held = Footprint;
  }
  if (Held <= 0)
    return std::nullopt;
  // Lines that collide leave early: two partitions hold no more than half each,
  // and one is not taken for two where it holds more than 4/7.
  return std::max(1u, unsigned(L2Bytes / Held + 0.25));
}

static Error measureL2Latency(Session &S, CuFunction Walk, CuFunction Timed,
                              CuDevicePtr Buffer, Table &Percentiles) {
  Table Sizes;
  Sizes.Columns = {"footprint", "latency"};
  Sizes.Units = {"byte", "cycle"};
  Sizes.Source = "random walk over every 128-byte line, all four sectors, "
                 "ld.global.cg, one warp";
  double Overhead = 0;
  const double L2Bytes = S.G.facts().L2Bytes;
  const uint64_t NearBytes = partOfL2(S),
                 FarBytes = uint64_t(L2Bytes / 64 * FarShare) / KiB * KiB;
  std::vector<uint64_t> Footprints = {NearBytes, FarBytes};
  if (!S.Options.Quick)
    for (unsigned Share : {2, 8, 22, 26, 28, 30, 32, 34, 36, 40, 52, 60, 72})
      Footprints.push_back(uint64_t(L2Bytes / 64 * Share) / KiB * KiB);
  llvm::sort(Footprints);
  Footprints.erase(llvm::unique(Footprints), Footprints.end());
  std::vector<std::pair<double, double>> Points;
  std::optional<Summary> Far;
  for (uint64_t Bytes : Footprints) {
    const bool IsNear = Bytes == NearBytes, IsFar = Bytes == FarBytes;
    std::vector<uint64_t> Places = randomPlaces(Bytes, 128, Bytes / 128);
    size_t Lines = Places.size();
    Expected<CuDevicePtr> First = buildRing(S, Buffer, std::move(Places), 4);
    if (!First)
      return First.takeError();
    Expected<Summary> Latency = walkWholeLines(
        S, Walk, *First, Lines, IsNear || IsFar ? S.repeats() : 2);
    if (!Latency)
      return Latency.takeError();
    Sizes.Rows.push_back({double(Bytes), Latency->Mean});
    Points.push_back({double(Bytes), Latency->Mean});
    if (IsNear)
      S.Db.set(
          "memory", "l2_hit_latency_cycles",
          measured(*Latency, Take::Mean, "cycle",
                   "random walk over " + megabytes(Bytes) + ", ld.global.cg"));
    if (IsFar)
      Far = *Latency;
    if (!IsNear && !IsFar)
      continue;
    Expected<std::vector<double>> Single =
        singleLatencies(S, Timed, *First, 16384);
    if (!Single)
      return Single.takeError();
    // The timing adds a constant, found from the mean.
    if (IsNear) {
      Expected<double> Same = walk(S, Walk, *First, 16384);
      if (!Same)
        return Same.takeError();
      Overhead = meanOf(*Single) - *Same;
      setNearLatency(S, *Single, Overhead);
    }
    Percentiles.Rows.push_back(
        percentileRow(IsNear ? 0 : 1, *Single, Overhead));
  }
  S.Db.setTable("latency_by_footprint", Sizes.toJson());
  if (S.Options.Quick)
    return Error::success();
  std::optional<unsigned> Partitions = partitionsOfL2(Points, L2Bytes);
  if (!Partitions)
    return Error::success();
  S.Db.set("chip", "l2_partitions",
           derived(*Partitions, "count",
                   "L2 over the largest footprint whose walks hit without a "
                   "way to another partition (latency_by_footprint)"));
  if (*Partitions > 1)
    S.Db.set("memory", "l2_far_latency_cycles",
             measured(*Far, Take::Mean, "cycle",
                      "random walk over " + megabytes(FarBytes) +
                          ", more than the near partition keeps, "
                          "ld.global.cg"));
  return Error::success();
}

static Error measureDramLatency(Session &S, CuFunction Walk, CuFunction Timed,
                                CuDevicePtr Buffer, uint64_t BufferBytes,
                                Table &Percentiles) {
  static constexpr unsigned Steps = 8192;
  Table Sizes;
  Sizes.Columns = {"footprint", "order", "latency"};
  Sizes.Units = {"byte", "0: random lines, 1: lines in a row, 2: 2 MiB apart",
                 "cycle"};
  Sizes.Source = "walk over 8192 lines that are not in L2, one warp";
  BeforeEachLaunch Flush(S, [&] { return S.flushL2(); });
  for (unsigned Order : {0u, 1u, 2u})
    for (uint64_t Bytes = 256 * MiB; Bytes <= BufferBytes; Bytes *= 2) {
      if ((Order == 1 && Bytes > 256 * MiB) ||
          (Order == 2 && Bytes != 16 * GiB) ||
          (S.Options.Quick && Bytes != GiB))
        continue;
      std::vector<uint64_t> Places;
      if (Order == 0)
        Places = randomPlaces(Bytes, 128, Steps);
      else if (Order == 2)
        Places = randomPlaces(Bytes, 2 * MiB, Steps);
      else
        for (unsigned I = 0; I < Steps; ++I)
          Places.push_back(I * 128);
      Expected<CuDevicePtr> First = buildRing(S, Buffer, std::move(Places));
      if (!First)
        return First.takeError();
      bool Main = Order == 0 && Bytes == GiB;
      std::vector<double> Samples;
      for (unsigned R = 0; R < (Main ? S.repeats() : 5); ++R) {
        Expected<double> Cycles = walk(S, Walk, *First, Steps);
        if (!Cycles)
          return Cycles.takeError();
        Samples.push_back(*Cycles);
      }
      Summary Latency = summarize(Samples);
      Sizes.Rows.push_back({double(Bytes), double(Order), Latency.Mean});
      if (!Main)
        continue;
      S.Db.set("memory", "dram_latency_cycles",
               measured(Latency, Take::Mean, "cycle",
                        "walk over 8192 random lines of 1 GiB, L2 flushed"));
      Expected<std::vector<double>> Single =
          singleLatencies(S, Timed, *First, Steps);
      if (!Single)
        return Single.takeError();
      Percentiles.Rows.push_back(
          percentileRow(2, *Single, meanOf(*Single) - Latency.Mean));
    }
  S.Db.setTable("dram_latency_by_footprint", Sizes.toJson());
  return Error::success();
}

Error measureLatencies(Session &S) {
  Expected<uint64_t> BufferBytes = S.halvedToFit(32 * GiB);
  if (!BufferBytes)
    return BufferBytes.takeError();
  Expected<CuDevicePtr> Buffer = S.scratch(*BufferBytes);
  if (!Buffer)
    return Buffer.takeError();
  Expected<CuFunction> Walk = S.entry(ringWalk("global.cg", WalkUnroll));
  if (!Walk)
    return Walk.takeError();
  Expected<CuFunction> Timed = S.entry(ringWalkTimed("global"));
  if (!Timed)
    return Timed.takeError();
  Table Percentiles;
  Percentiles.Columns = {"level", "min", "p1",  "p5",  "p25",
                         "p50",   "p75", "p95", "p99", "max"};
  Percentiles.Units = {"0: part of L2, 1: most of L2, 2: DRAM",
                       "cycle",
                       "cycle",
                       "cycle",
                       "cycle",
                       "cycle",
                       "cycle",
                       "cycle",
                       "cycle",
                       "cycle"};
  Percentiles.Source = "single loads of random walks (Volkov 2016, 6.6)";
  CuDevicePtr At = *Buffer;
  if (Error E = measureL2Latency(S, *Walk, *Timed, At, Percentiles))
    return E;
  S.OnProgress(0.4);
  if (Error E =
          measureDramLatency(S, *Walk, *Timed, At, *BufferBytes, Percentiles))
    return E;
  S.OnProgress(0.6);
  if (Error E = measureDivergence(S, At))
    return E;
  if (Error E = measureDeviation(S, At, *BufferBytes))
    return E;
  if (Error E = measureLoadIssue(S, At))
    return E;
  S.Db.setTable("single_latency_percentiles", Percentiles.toJson());
  return Error::success();
}

} // namespace gpuocc::calibration
