//===- MemoryRequests.cpp - Sectors, spread and number of loads -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryLatency.h"
#include "Tools.h"
#include "kernels/Memory.h"
#include "stats/Plausible.h"
#include <cmath>

using namespace llvm;

namespace gpuocc::calibration {

/// From the sector of one lane to that of the next: in lines, and at places of
/// them, of their own.
static constexpr uint64_t BytesApart = 4224;

/// Mean latency of a request to \p Sectors lines that L2 has, over several
/// bases: an L2 hit depends on the slice.
static Expected<double> divergentL2(Session &S, CuFunction Chase,
                                    CuDevicePtr Buffer, unsigned Sectors,
                                    unsigned Unroll) {
  static constexpr unsigned Bases = 16;
  double Latency = 0;
  for (unsigned Base = 0; Base < Bases; ++Base) {
    if (Error E = setLaneTable(S, [&](unsigned Lane) -> uint64_t {
          return (Lane % Sectors) * BytesApart + Base * 142464;
        }))
      return std::move(E);
    Launch L;
    L.Function = Chase;
    L.X = Buffer;
    Expected<std::vector<double>> Samples =
        S.perIteration(L, 2, 2, Clock::Warp);
    if (!Samples)
      return Samples.takeError();
    Latency += summarize(perUnit(*Samples, Unroll)).Mean / Bases;
  }
  return Latency;
}

/// Median latency of a request to \p Sectors lines that L2 does not have: one
/// ring a lane group, through the same random 256 KiB places.
static Expected<double> divergentDram(Session &S, CuFunction Walk,
                                      CuDevicePtr Buffer, unsigned Sectors) {
  static constexpr unsigned Steps = 1024;
  std::vector<CuDevicePtr> Firsts;
  std::vector<uint64_t> Places = randomPlaces(GiB, 256 * 1024, Steps);
  for (unsigned Lane = 0; Lane < Sectors; ++Lane) {
    std::vector<uint64_t> Mine = Places;
    for (uint64_t &Place : Mine)
      Place += Lane * BytesApart;
    Expected<CuDevicePtr> First = buildRing(S, Buffer, std::move(Mine));
    if (!First)
      return First.takeError();
    Firsts.push_back(*First);
  }
  std::vector<double> Samples;
  for (unsigned R = 0; R < S.repeats(); ++R) {
    if (Error E = setLaneTable(
            S, [&](unsigned Lane) { return Firsts[Lane % Sectors]; }))
      return std::move(E);
    Launch L;
    L.Function = Walk;
    L.Iterations = Steps;
    Expected<WarpTimes> T = S.time(L);
    if (!T)
      return T.takeError();
    Samples.push_back(T->WarpCycles / Steps);
  }
  return summarize(Samples).Median;
}

Error measureDivergence(Session &S, CuDevicePtr Buffer) {
  static constexpr unsigned Unroll = 64;
  Table Increments;
  Increments.Columns = {"level", "sectors", "latency"};
  Increments.Units = {"2: L2, 3: DRAM", "count", "cycle"};
  Increments.Source = "dependent 64-bit loads, one warp";
  Expected<CuFunction> Chase = S.entry(globalChase("cg", Unroll));
  if (!Chase)
    return Chase.takeError();
  Expected<CuFunction> Walk = S.entry(ringWalk("global.cg", Unroll));
  if (!Walk)
    return Walk.takeError();
  std::vector<std::pair<double, double>> AtL2, AtDram;
  for (unsigned N : {1u, 2u, 4u, 8u, 12u, 16u, 24u, 32u}) {
    Expected<double> Latency = divergentL2(S, *Chase, Buffer, N, Unroll);
    if (!Latency)
      return Latency.takeError();
    Increments.Rows.push_back({2, double(N), *Latency});
    AtL2.push_back({N, *Latency});
  }
  BeforeEachLaunch Flush(S, [&] { return S.flushL2(); });
  for (unsigned N : {1u, 2u, 4u, 8u, 16u, 32u}) {
    Expected<double> Latency = divergentDram(S, *Walk, Buffer, N);
    if (!Latency)
      return Latency.takeError();
    Increments.Rows.push_back({3, double(N), *Latency});
    AtDram.push_back({N, *Latency});
  }
  S.Db.setTable("sector_increments", Increments.toJson());
  if (std::optional<Line> Fit = fitLine(AtL2))
    S.Db.set("memory", "sector_increment_cycles",
             derived(Fit->Slope, "cycle",
                     "slope of L2 hit latency over 1 to 32 sectors in lines of "
                     "their own"));
  if (std::optional<Line> Fit = fitLine(AtDram))
    S.Db.set("memory", "dram_sector_increment_cycles",
             derived(Fit->Slope, "cycle",
                     "slope of DRAM latency over 1 to 32 sectors in lines of "
                     "their own"));
  return Error::success();
}

Error measureDeviation(Session &S, CuDevicePtr Buffer, uint64_t BufferBytes) {
  static constexpr uint64_t Loads = 400;
  Expected<CuFunction> F = S.entry(lineLatencies());
  if (!F)
    return F.takeError();
  struct Row {
    const char *Key;
    std::string Source;
    uint64_t Bytes;
    unsigned Warps;
  };
  const Row Rows[] = {
      {"l2_latency_deviation_cycles",
       "loads of random lines of " + megabytes(partOfL2(S)) +
           " by 32 lanes, one at a time, 4 warps on each SM: standard "
           "deviation",
       partOfL2(S), 4},
      {"dram_latency_deviation_cycles",
       "loads of random lines of 8 GiB by 32 lanes, one at a time, 16 warps on "
       "each SM: standard deviation",
       std::min(8 * GiB, BufferBytes), 16}};
  for (const Row &R : Rows) {
    size_t Warps = size_t(R.Warps) * S.sms();
    Expected<DeviceBuffer> Out = S.G.allocate(Warps * 16);
    if (!Out)
      return Out.takeError();
    Launch L;
    L.Function = *F;
    L.Blocks = S.sms();
    L.Threads = R.Warps * 32;
    L.X = Buffer;
    L.Y = R.Bytes / 128 - 1;
    L.Z = Out->address();
    L.Iterations = R.Bytes > GiB ? Loads : 10 * Loads;
    std::vector<double> Deviations;
    // The first launch brings what L2 can hold.
    for (unsigned Repeat = 0; Repeat <= S.repeats(); ++Repeat) {
      if (Expected<WarpTimes> T = S.time(L); !T)
        return T.takeError();
      std::vector<uint64_t> Sums(Warps * 2);
      if (Error E = S.G.download(Sums.data(), Out->address(), Warps * 16))
        return E;
      double Sum = 0, Squares = 0, Count = double(Warps) * L.Iterations;
      for (size_t W = 0; W < Warps; ++W) {
        Sum += double(Sums[2 * W]);
        Squares += double(Sums[2 * W + 1]);
      }
      double Mean = Sum / Count;
      if (Repeat > 0)
        Deviations.push_back(
            std::sqrt(std::max(0.0, Squares / Count - Mean * Mean)));
    }
    S.Db.set("memory", R.Key,
             measured(summarize(Deviations), Take::Mean, "cycle", R.Source));
  }
  return Error::success();
}

Error measureLoadIssue(Session &S, CuDevicePtr Buffer) {
  static constexpr unsigned Loads = 96, Clocks = Loads / 2 + 1;
  Expected<CuFunction> F = S.entry(issueLoads(Loads, 65536 + 128));
  if (!F)
    return F.takeError();
  Expected<DeviceBuffer> Out = S.G.allocate(Clocks * 8);
  if (!Out)
    return Out.takeError();
  BeforeEachLaunch Flush(S, [&] { return S.flushL2(); });
  Launch L;
  L.Function = *F;
  L.X = Buffer;
  L.Y = Out->address();
  L.Z = 65536 + 128;
  std::vector<std::vector<double>> Gaps(Clocks - 1);
  for (unsigned R = 0; R < S.repeats(); ++R) {
    if (Expected<WarpTimes> T = S.time(L); !T)
      return T.takeError();
    std::vector<uint64_t> Times(Clocks);
    if (Error E = S.G.download(Times.data(), Out->address(), Clocks * 8))
      return E;
    for (unsigned I = 0; I + 1 < Clocks; ++I) {
      if (Times[I + 1] < Times[I] || Times[I + 1] - Times[I] > MostCycles)
        return createStringError("the clock of an SM says %llu, then %llu",
                                 (unsigned long long)Times[I],
                                 (unsigned long long)Times[I + 1]);
      Gaps[I].push_back(double(Times[I + 1] - Times[I]));
    }
  }
  Table Issue;
  Issue.Columns = {"load", "cycles_for_two"};
  Issue.Units = {"count", "cycle"};
  Issue.Source = "one warp, independent 32-bit loads that miss L2; median";
  for (unsigned I = 0; I < Gaps.size(); ++I)
    Issue.Rows.push_back({2.0 * I, summarize(Gaps[I]).Median});
  S.Db.setTable("load_issue", Issue.toJson());
  // The gaps of the first loads are what one load's issue takes.
  std::vector<double> Early;
  for (unsigned I = 1; I < 8; ++I)
    Early.push_back(summarize(Gaps[I]).Median / 2);
  S.Db.setInstruction("ld.global", "issue_cycles",
                      measured(summarize(Early), Take::Minimum, "cycle",
                               "one warp, independent loads in a row"));
  return Error::success();
}

} // namespace gpuocc::calibration
