//===- Memory.cpp - L2 and DRAM: latency, bandwidth, contention -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernels/Memory.h"
#include "Tools.h"
#include <cmath>

using namespace llvm;

namespace gpuocc::calibration {

static constexpr uint64_t MiB = 1 << 20, GiB = 1 << 30;
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
  std::vector<uint64_t> Cycles(Steps);
  if (Error E = S.G.download(Cycles.data(), Out->address(), Steps * 8))
    return std::move(E);
  return std::vector<double>(Cycles.begin(), Cycles.end());
}

static Error measureL2Latency(Session &S, CuFunction Walk, CuFunction Timed,
                              CuDevicePtr Buffer, Table &Percentiles) {
  Table Sizes;
  Sizes.Columns = {"footprint", "latency"};
  Sizes.Units = {"byte", "cycle"};
  Sizes.Source = "random walk over every 128-byte line, all four sectors, "
                 "ld.global.cg, one warp";
  double Overhead = 0;
  unsigned MaxMiB = unsigned(S.G.facts().L2Bytes / MiB * 3 / 2);
  for (unsigned M : {1u, 4u, 8u, 16u, 20u, 24u, 28u, 32u, 36u, 40u, 44u, 48u,
                     52u, 56u, 60u, 64u, 80u, 96u}) {
    if (M > MaxMiB || (S.Options.Quick && M != 16 && M != 40))
      continue;
    std::vector<uint64_t> Places = randomPlaces(M * MiB, 128, M * MiB / 128);
    size_t Lines = Places.size();
    Expected<CuDevicePtr> First = buildRing(S, Buffer, std::move(Places), 4);
    if (!First)
      return First.takeError();
    // A round over whole lines to warm up, then one round a sample: a part of
    // a round would hit what the sample before has just read.
    if (Expected<double> Warm = walk(S, Walk, *First, Lines, 4); !Warm)
      return Warm.takeError();
    std::vector<double> Samples;
    unsigned Repeats = M == 16 || M == 40 ? S.repeats() : 2;
    for (unsigned R = 0; R < Repeats; ++R) {
      Expected<double> Cycles = walk(S, Walk, *First, Lines, 4);
      if (!Cycles)
        return Cycles.takeError();
      Samples.push_back(*Cycles);
    }
    Summary Latency = summarize(Samples);
    Sizes.Rows.push_back({double(M * MiB), Latency.Mean});
    if (M == 16)
      S.Db.set("memory", "l2_hit_latency_cycles",
               measured(Latency, Take::Mean, "cycle",
                        "random walk over 16 MiB, ld.global.cg"));
    // What one partition holds no more comes from the other one.
    if (M == 40)
      S.Db.set("memory", "l2_far_latency_cycles",
               measured(Latency, Take::Mean, "cycle",
                        "random walk over 40 MiB, more than the near partition "
                        "keeps, ld.global.cg"));
    if (M != 16 && M != 40)
      continue;
    // Single loads: the timing adds a constant, found from the mean.
    Expected<std::vector<double>> Single =
        singleLatencies(S, Timed, *First, 16384);
    if (!Single)
      return Single.takeError();
    double Mean = 0;
    for (double X : *Single)
      Mean += X / Single->size();
    if (M == 16) {
      Expected<double> Same = walk(S, Walk, *First, 16384);
      if (!Same)
        return Same.takeError();
      Overhead = Mean - *Same;
    }
    std::vector<double> Row = {M == 16 ? 0.0 : 1.0};
    for (double P : {0.0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0})
      Row.push_back(*percentile(*Single, P) - Overhead);
    Percentiles.Rows.push_back(Row);
    if (M != 16)
      continue;
    double Edge = *percentile(*Single, 0.05);
    std::vector<double> Nearest;
    for (double X : *Single)
      if (X <= Edge)
        Nearest.push_back(X - Overhead);
    S.Db.set("memory", "l2_near_latency_cycles",
             measured(summarize(Nearest), Take::Mean, "cycle",
                      "fastest 5 % of single loads over 16 MiB"));
  }
  S.Db.setTable("latency_by_footprint", Sizes.toJson());
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
      bool Number = Main || Order == 1;
      for (unsigned R = 0; R < (Number ? S.repeats() : 5); ++R) {
        Expected<double> Cycles = walk(S, Walk, *First, Steps);
        if (!Cycles)
          return Cycles.takeError();
        Samples.push_back(*Cycles);
      }
      Summary Latency = summarize(Samples);
      Sizes.Rows.push_back({double(Bytes), double(Order), Latency.Mean});
      if (Order == 1)
        S.Db.set("memory", "dram_sequential_latency_cycles",
                 measured(Latency, Take::Mean, "cycle",
                          "walk over 8192 lines in a row"));
      if (!Main)
        continue;
      S.Db.set("memory", "dram_latency_cycles",
               measured(Latency, Take::Mean, "cycle",
                        "walk over 8192 random lines of 1 GiB, L2 flushed"));
      Expected<std::vector<double>> Single =
          singleLatencies(S, Timed, *First, Steps);
      if (!Single)
        return Single.takeError();
      double Mean = 0;
      for (double X : *Single)
        Mean += X / Single->size();
      double Overhead = Mean - Latency.Mean;
      std::vector<double> Row = {2};
      for (double P : {0.0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0})
        Row.push_back(*percentile(*Single, P) - Overhead);
      Percentiles.Rows.push_back(Row);
    }
  S.Db.setTable("dram_latency_by_footprint", Sizes.toJson());
  return Error::success();
}

/// One L2-resident line in each 2 MiB page: latency beyond an L2 hit is the
/// cost of address translation.
static Error measureTlb(Session &S, CuFunction Walk, CuDevicePtr Buffer,
                        uint64_t BufferBytes) {
  static constexpr uint64_t Page = 2 * MiB;
  Table Reach;
  Reach.Columns = {"footprint", "latency"};
  Reach.Units = {"byte", "cycle"};
  Reach.Source = "walk over one L2-resident line in each 2 MiB";
  std::vector<double> Latencies;
  for (uint64_t Bytes = 32 * MiB; Bytes <= BufferBytes;
       Bytes = Bytes * 5 / 4 / Page * Page) {
    std::vector<uint64_t> Places = randomPlaces(Bytes, Page, Bytes / Page);
    // Different lines of the pages, so that they spread over the L2 sets.
    for (size_t I = 0; I < Places.size(); ++I)
      Places[I] += I * 37 % (Page / 128) * 128;
    size_t Pages = Places.size();
    Expected<CuDevicePtr> First = buildRing(S, Buffer, std::move(Places));
    if (!First)
      return First.takeError();
    size_t Steps = std::max<size_t>(Pages, 4096);
    if (Expected<double> Warm = walk(S, Walk, *First, Steps); !Warm)
      return Warm.takeError();
    std::vector<double> Samples;
    for (unsigned R = 0; R < S.curveRepeats(); ++R) {
      Expected<double> Cycles = walk(S, Walk, *First, Steps);
      if (!Cycles)
        return Cycles.takeError();
      Samples.push_back(*Cycles);
    }
    Latencies.push_back(summarize(Samples).Median);
    Reach.Rows.push_back({double(Bytes), Latencies.back()});
  }
  S.Db.setTable("tlb_reach", Reach.toJson());
  if (std::optional<size_t> Step = changePoint(Latencies)) {
    double Before = 0, After = 0;
    for (size_t I = 0; I < Latencies.size(); ++I)
      (I < *Step ? Before : After) += Latencies[I];
    Before /= *Step;
    After /= Latencies.size() - *Step;
    if (After > Before) {
      S.Db.set("memory", "tlb_reach_bytes",
               derived(Reach.Rows[*Step - 1][0], "byte",
                       "largest footprint before the latency step"));
      S.Db.set("memory", "tlb_miss_latency_cycles",
               derived(After - Before, "cycle",
                       "mean latency after the step less that before it"));
    }
  }
  return Error::success();
}

/// Latency of a request that touches n sectors, each in a line of its own.
static Error measureDivergence(Session &S, CuDevicePtr Buffer) {
  Table Increments;
  Increments.Columns = {"level", "sectors", "latency"};
  Increments.Units = {"2: L2, 3: DRAM", "count", "cycle"};
  Increments.Source = "dependent 64-bit loads, one warp";
  static constexpr unsigned Unroll = 64;
  Expected<CuFunction> Chase = S.entry(globalChase("cg", Unroll));
  if (!Chase)
    return Chase.takeError();
  Expected<CuFunction> Walk = S.entry(ringWalk("global.cg", WalkUnroll));
  if (!Walk)
    return Walk.takeError();
  std::vector<std::pair<double, double>> AtL2, AtDram;
  for (unsigned N : {1u, 2u, 4u, 8u, 12u, 16u, 24u, 32u}) {
    // Means over several bases: an L2 hit depends on the slice.
    std::vector<double> Cycles;
    for (unsigned Base = 0; Base < 16; ++Base) {
      if (Error E = setLaneTable(S, [&](unsigned Lane) -> uint64_t {
            return (Lane % N) * 4224 + Base * 142464;
          }))
        return E;
      Launch L;
      L.Function = *Chase;
      L.X = Buffer;
      Expected<std::vector<double>> Samples =
          S.perIteration(L, 2, 2, Clock::Warp);
      if (!Samples)
        return Samples.takeError();
      Cycles.push_back(summarize(perUnit(*Samples, Unroll)).Mean);
    }
    double Latency = 0;
    for (double X : Cycles)
      Latency += X / Cycles.size();
    Increments.Rows.push_back({2, double(N), Latency});
    AtL2.push_back({N, Latency});
  }
  BeforeEachLaunch Flush(S, [&] { return S.flushL2(); });
  static constexpr unsigned Steps = 1024;
  for (unsigned N : {1u, 2u, 4u, 8u, 16u, 32u}) {
    // One ring a lane group, through the same random 256 KiB places.
    std::vector<CuDevicePtr> Firsts;
    std::vector<uint64_t> Places = randomPlaces(GiB, 256 * 1024, Steps);
    for (unsigned Lane = 0; Lane < N; ++Lane) {
      std::vector<uint64_t> Mine = Places;
      for (uint64_t &Place : Mine)
        Place += Lane * 4224;
      Expected<CuDevicePtr> First = buildRing(S, Buffer, std::move(Mine));
      if (!First)
        return First.takeError();
      Firsts.push_back(*First);
    }
    std::vector<double> Samples;
    for (unsigned R = 0; R < S.repeats(); ++R) {
      if (Error E =
              setLaneTable(S, [&](unsigned Lane) { return Firsts[Lane % N]; }))
        return E;
      Launch L;
      L.Function = *Walk;
      L.Iterations = Steps;
      Expected<WarpTimes> T = S.time(L);
      if (!T)
        return T.takeError();
      Samples.push_back(T->WarpCycles / Steps);
    }
    double Latency = summarize(Samples).Median;
    Increments.Rows.push_back({3, double(N), Latency});
    AtDram.push_back({N, Latency});
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

/// How far single loads of lines are from their mean, with few loads under way.
static Error measureDeviation(Session &S, CuDevicePtr Buffer,
                              uint64_t BufferBytes) {
  static constexpr uint64_t Loads = 400;
  Expected<CuFunction> F = S.entry(lineLatencies());
  if (!F)
    return F.takeError();
  struct Row {
    const char *Key, *Source;
    uint64_t Bytes;
    unsigned Warps;
  };
  const Row Rows[] = {
      {"l2_latency_deviation_cycles",
       "loads of random lines of 16 MiB by 32 lanes, one at a time, 4 warps on "
       "each SM: standard deviation",
       16 * MiB, 4},
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

/// Loads that one warp issues before it has to wait.
static Error measureOutstanding(Session &S, CuDevicePtr Buffer) {
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
    for (unsigned I = 0; I + 1 < Clocks; ++I)
      Gaps[I].push_back(double(Times[I + 1] - Times[I]));
  }
  Table Issue;
  Issue.Columns = {"load", "cycles_for_two"};
  Issue.Units = {"count", "cycle"};
  Issue.Source = "one warp, independent 32-bit loads that miss L2; median";
  std::optional<unsigned> Stall;
  for (unsigned I = 0; I < Gaps.size(); ++I) {
    double Median = summarize(Gaps[I]).Median;
    Issue.Rows.push_back({2.0 * I, Median});
    if (I > 0 && !Stall && Median > 100)
      Stall = 2 * I;
  }
  S.Db.setTable("load_issue", Issue.toJson());
  // The gaps of the first loads are what one load's issue takes.
  std::vector<double> Early;
  for (unsigned I = 1; I < 8; ++I)
    Early.push_back(summarize(Gaps[I]).Median / 2);
  S.Db.setInstruction("ld.global", "issue_cycles",
                      measured(summarize(Early), Take::Minimum, "cycle",
                               "one warp, independent loads in a row"));
  // Without a stall the limit lies above what the kernel issues: left out.
  if (Stall)
    S.Db.set("memory", "outstanding_loads_per_warp",
             derived(*Stall, "count",
                     "first pair of independent loads that waits 100 cycles"));
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
  Percentiles.Units = {"0: L2 of 16 MiB, 1: L2 of 40 MiB, 2: DRAM",
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
  if (Error E = measureTlb(S, *Walk, At, *BufferBytes))
    return E;
  S.OnProgress(0.8);
  if (Error E = measureDivergence(S, At))
    return E;
  if (Error E = measureDeviation(S, At, *BufferBytes))
    return E;
  if (Error E = measureOutstanding(S, At))
    return E;
  S.Db.setTable("single_latency_percentiles", Percentiles.toJson());
  return Error::success();
}

/// Where a buffer lies decides how its lines spread over the slices of L2, so
/// that each sample writes to another place.
Error measureL2Writes(Session &S) {
  static constexpr unsigned Ilp = 4, BytesPerLane = 16;
  static constexpr uint64_t Iterations = 200;
  const uint64_t Part = uint64_t(1) << Log2_64(S.G.facts().L2Bytes);
  Expected<uint64_t> Bytes = S.halvedToFit(8 * GiB);
  if (!Bytes)
    return Bytes.takeError();
  Expected<CuDevicePtr> Buffer = S.scratch(*Bytes);
  if (!Buffer)
    return Buffer.takeError();
  Expected<CuFunction> F =
      S.entry(stream(StreamKind::Write, BytesPerLane, Ilp, "cg"));
  if (!F)
    return F.takeError();
  Launch L;
  L.Function = *F;
  L.Blocks = S.sms();
  L.Threads = 1024;
  L.Y = Part;
  std::vector<double> Samples;
  // The first ones bring memory and clocks to what they are under load.
  const unsigned Warm = 10, Places = *Bytes / Part;
  for (unsigned I = 0, N = Warm + 2 * S.repeats(); I < N; ++I) {
    // Odd steps, so that all places are met before one is met again.
    L.X = *Buffer + uint64_t(I) * 37 % Places * Part;
    Expected<std::vector<double>> One =
        S.perIteration(L, Iterations, 1, Clock::SmMax);
    if (!One)
      return One.takeError();
    if (I >= Warm)
      Samples.push_back(One->front());
  }
  S.Db.set("memory", "l2_write_bytes_per_cycle_sm",
           measured(summarize(
                        rates(Samples, double(L.Threads) * Ilp * BytesPerLane)),
                    Take::Mean, "byte/cycle/SM",
                    "all SMs write a part of L2 again and again, at places of "
                    "8 GiB"));
  return Error::success();
}

/// What L2 takes in from DRAM: a copy of a part of L2 that is not there yet and
/// whose stores stay there takes longer than its reads and writes of L2. Each
/// sample copies at another place of \p Buffer: how memory and slices of L2 are
/// spread over each other differs from place to place.
static Error measureFills(Session &S, CuDevicePtr Buffer,
                          uint64_t BufferBytes) {
  static constexpr unsigned Ilp = 1, Threads = 1024, BlocksPerSm = 2;
  static constexpr uint64_t Iterations = 2;
  std::optional<double> Reads =
      S.Db.value("memory", "l2_read_bytes_per_cycle_sm");
  std::optional<double> Writes =
      S.Db.value("memory", "l2_write_bytes_per_cycle_sm");
  if (!Reads || !Writes)
    return Error::success();
  Expected<CuFunction> F = S.entry(stream(StreamKind::Copy, 16, Ilp, "cg"));
  if (!F)
    return F.takeError();
  BeforeEachLaunch Flush(S, [&] { return S.flushL2(); });
  Launch L;
  L.Function = *F;
  L.Blocks = S.sms() * BlocksPerSm;
  L.Threads = Threads;
  L.Y = uint64_t(1) << Log2_64(S.G.facts().L2Bytes);
  const uint64_t BytesPerSm = Threads * BlocksPerSm * Ilp * 16;
  if (2 * 2 * Iterations * BytesPerSm * S.sms() > S.G.facts().L2Bytes)
    return Error::success();
  const uint64_t Places = BufferBytes / (2 * L.Y);
  std::vector<double> CyclesPerByte;
  for (uint64_t I = 0, N = 8 * S.repeats(); I < N; ++I) {
    L.X = Buffer + I % Places * 2 * L.Y;
    Expected<std::vector<double>> One =
        S.perIteration(L, Iterations, 1, Clock::SmMax);
    if (!One)
      return One.takeError();
    CyclesPerByte.push_back(One->front() / BytesPerSm - 1 / *Reads -
                            1 / *Writes);
  }
  Summary Fill = summarize(CyclesPerByte);
  if (Fill.Mean <= 0)
    return Error::success();
  Fill.Mean = 1 / Fill.Mean;
  Fill.HalfWidth95 *= Fill.Mean * Fill.Mean;
  S.Db.set("memory", "l2_fill_bytes_per_cycle_sm",
           measured(Fill, Take::Mean, "byte/cycle/SM",
                    "8 to 17 MB copied from DRAM, stores stay in L2, at many "
                    "places; less the read and the write of L2"));
  return Error::success();
}

namespace {
struct StreamCase {
  const char *Key;
  StreamKind Kind;
  uint64_t PartBytes;
  unsigned BytesPerElement; ///< Read and written, per 16 bytes of a lane.
  bool OneSm;
  const char *Source;
};
} // namespace

Error measureBandwidth(Session &S) {
  Expected<uint64_t> Part = S.halvedToFit(4 * GiB, 3);
  if (!Part)
    return Part.takeError();
  Expected<CuDevicePtr> Buffer = S.noise(*Part * 3);
  if (!Buffer)
    return Buffer.takeError();
  uint64_t Small = uint64_t(1) << Log2_64(S.G.facts().L2Bytes);
  const StreamCase Cases[] = {
      {"dram_read_bytes_per_cycle_sm", StreamKind::Read, *Part, 16, false,
       "all SMs read once, 16 bytes a lane"},
      {"dram_write_bytes_per_cycle_sm", StreamKind::Write, *Part, 16, false,
       "all SMs write once, 16 bytes a lane"},
      {"dram_copy_bytes_per_cycle_sm", StreamKind::Copy, *Part, 32, false,
       "all SMs copy, bytes read and written, 16 bytes a lane"},
      {"dram_triad_bytes_per_cycle_sm", StreamKind::Triad, *Part, 48, false,
       "all SMs combine two arrays into a third, 16 bytes a lane"},
      {"l2_read_bytes_per_cycle_sm", StreamKind::Read, Small, 16, false,
       "all SMs read a part of L2 again and again, ld.global.cg"},
      {"l2_read_bytes_per_cycle_one_sm", StreamKind::Read, Small, 16, true,
       "one SM reads a part of L2 again and again, ld.global.cg"},
      {"dram_read_bytes_per_cycle_one_sm", StreamKind::Read, *Part, 16, true,
       "one SM reads once, 16 bytes a lane"},
  };
  static constexpr unsigned Ilp = 4;
  Table Streams;
  Streams.Columns = {"case", "cycles_per_iteration"};
  Streams.Units = {"0: DRAM read, 1: write, 2: copy, 3: triad, 4: L2 read, 5: "
                   "L2 read by one SM, 6: DRAM read by one SM",
                   "cycle"};
  Streams.Source = "samples in order of time; the first ten of a case are not "
                   "counted";
  for (const StreamCase &C : Cases) {
    Expected<CuFunction> F = S.entry(stream(C.Kind, 16, Ilp, "cg"));
    if (!F)
      return F.takeError();
    Launch L;
    L.Function = *F;
    L.Blocks = C.OneSm ? 1 : S.sms();
    L.Threads = 1024;
    L.X = *Buffer;
    L.Y = C.PartBytes;
    double PerIteration =
        double(L.Blocks) * L.Threads * Ilp * C.BytesPerElement;
    uint64_t N = C.PartBytes == *Part
                     ? C.PartBytes / (uint64_t(L.Blocks) * L.Threads * Ilp * 16)
                     : 400;
    N = std::min<uint64_t>(N / 2, 400);
    // Some launches go before, so that memory and clocks are as under load.
    Expected<std::vector<double>> Warm = S.perIteration(L, N, 10, Clock::SmMax);
    if (!Warm)
      return Warm.takeError();
    Expected<std::vector<double>> Samples =
        S.perIteration(L, N, S.repeats(), Clock::SmMax);
    if (!Samples)
      return Samples.takeError();
    for (const std::vector<double> *Each : {&*Warm, &*Samples})
      for (double X : *Each)
        Streams.Rows.push_back({double(&C - Cases), X});
    S.Db.set("memory", C.Key,
             measured(summarize(rates(*Samples, PerIteration / L.Blocks)),
                      Take::Mean, "byte/cycle/SM", C.Source));
    S.OnProgress(0.5 * (&C - Cases + 1) / std::size(Cases));
  }

  S.Raw["stream-samples"] = std::move(Streams);
  if (!S.Db.value("memory", "l2_write_bytes_per_cycle_sm"))
    if (Error E = measureL2Writes(S))
      return E;
  if (Error E = measureFills(S, *Buffer, *Part * 3))
    return E;

  // What one SM can have in flight, by Little's law.
  {
    Expected<CuFunction> F = S.entry(stream(StreamKind::Read, 16, 8, "cg"));
    if (!F)
      return F.takeError();
    BeforeEachLaunch Flush(S, [&] { return S.flushL2(); });
    Launch L;
    L.Function = *F;
    L.Threads = 1024;
    L.X = *Buffer;
    L.Y = *Part;
    Expected<std::vector<double>> Samples =
        S.perIteration(L, 100, S.repeats(), Clock::SmMax);
    if (!Samples)
      return Samples.takeError();
    Summary Rate = summarize(rates(*Samples, 1024.0 * 8 * 16));
    S.Db.set("memory", "dram_read_bytes_per_cycle_one_sm",
             measured(Rate, Take::Mean, "byte/cycle/SM",
                      "one SM reads once, 16 bytes a lane, 32 warps, 8 loads "
                      "each in flight, L2 flushed"));
    if (std::optional<double> Latency =
            S.Db.value("memory", "dram_latency_cycles"))
      S.Db.set("memory", "outstanding_sectors_per_sm",
               derived(Rate.Mean * *Latency / 32, "count",
                       "DRAM read throughput of one SM times the unloaded "
                       "latency"));
  }

  // L2 reads over footprint, and DRAM and L2 reads by bytes a lane.
  Table Sizes;
  Sizes.Columns = {"footprint", "bytes_per_cycle_sm"};
  Sizes.Units = {"byte", "byte/cycle/SM"};
  Sizes.Source = "all SMs read the footprint again and again";
  Expected<CuFunction> Read = S.entry(stream(StreamKind::Read, 16, Ilp, "cg"));
  if (!Read)
    return Read.takeError();
  for (unsigned M : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u, 256u, 512u}) {
    Launch L;
    L.Function = *Read;
    L.Blocks = S.sms();
    L.Threads = 1024;
    L.X = *Buffer;
    L.Y = M * MiB;
    Expected<std::vector<double>> Samples =
        S.perIteration(L, 400, S.curveRepeats(), Clock::SmMax);
    if (!Samples)
      return Samples.takeError();
    double Bytes = double(L.Threads) * Ilp * 16;
    Sizes.Rows.push_back({double(L.Y), Bytes / summarize(*Samples).Median});
  }
  S.Db.setTable("read_bandwidth_by_footprint", Sizes.toJson());

  Table Widths;
  Widths.Columns = {"kind", "bytes", "bytes_per_cycle_sm"};
  Widths.Units = {"0: DRAM read, 1: DRAM copy", "byte", "byte/cycle/SM"};
  Widths.Source = "all SMs, full occupancy, 4 accesses in flight a thread";
  for (StreamKind Kind : {StreamKind::Read, StreamKind::Copy})
    for (unsigned Bytes : {1u, 2u, 4u, 8u, 16u}) {
      Expected<CuFunction> F = S.entry(stream(Kind, Bytes, Ilp, "cg"));
      if (!F)
        return F.takeError();
      Launch L;
      L.Function = *F;
      L.Blocks = S.sms() * (Bytes == 16 ? 1 : 2);
      L.Threads = 1024;
      L.X = *Buffer;
      L.Y = *Part;
      uint64_t N = *Part / (uint64_t(L.Blocks) * L.Threads * Ilp * Bytes) / 2;
      Expected<std::vector<double>> Samples = S.perIteration(
          L, std::min<uint64_t>(N, 300), S.curveRepeats(), Clock::SmMax);
      if (!Samples)
        return Samples.takeError();
      double Moved = double(L.Blocks) / S.sms() * L.Threads * Ilp * Bytes *
                     (Kind == StreamKind::Copy ? 2 : 1);
      Widths.Rows.push_back({Kind == StreamKind::Copy ? 1.0 : 0.0,
                             double(Bytes),
                             Moved / summarize(*Samples).Median});
    }
  S.Db.setTable("stream_by_width", Widths.toJson());

  Expected<CuFunction> Random = S.entry(randomLoads(8, "cg"));
  if (!Random)
    return Random.takeError();
  Table Sectors;
  Sectors.Columns = {"footprint", "sectors_per_cycle_sm"};
  Sectors.Units = {"byte", "sector/cycle/SM"};
  Sectors.Source = "all SMs, 64 warps, each lane loads from a random sector";
  for (uint64_t Bytes : {16 * MiB, 256 * MiB, GiB, *Part, 2 * *Part}) {
    Launch L;
    L.Function = *Random;
    L.Blocks = S.sms() * 2;
    L.Threads = 1024;
    L.X = *Buffer;
    L.Y = PowerOf2Ceil(Bytes) / 32 - 1;
    bool Main = Bytes == 16 * MiB || Bytes == *Part;
    Expected<std::vector<double>> Samples = S.perIteration(
        L, 32, Main ? S.repeats() : S.curveRepeats(), Clock::SmMax);
    if (!Samples)
      return Samples.takeError();
    Summary Rate = summarize(rates(*Samples, 2.0 * 1024 * 8));
    Sectors.Rows.push_back({double(Bytes), Rate.Median});
    if (Bytes == 16 * MiB)
      S.Db.set("memory", "l2_random_sectors_per_cycle_sm",
               measured(Rate, Take::Mean, "sector/cycle/SM",
                        "random sectors of 16 MiB, all SMs, 64 warps"));
    if (Bytes == *Part)
      S.Db.set("memory", "dram_random_sectors_per_cycle_sm",
               measured(Rate, Take::Mean, "sector/cycle/SM",
                        "random sectors of 4 GiB, all SMs, 64 warps"));
  }
  S.Db.setTable("random_sectors", Sectors.toJson());
  S.Db.set("memory", "l2_sector_bytes",
           vendor(32, "byte", "CUDA C++ Programming Guide"));
  S.Db.set("memory", "l2_line_bytes",
           vendor(128, "byte", "CUDA C++ Programming Guide"));
  return Error::success();
}

Error measureContention(Session &S) {
  Expected<CuDevicePtr> Buffer = S.noise(2 * GiB);
  if (!Buffer)
    return Buffer.takeError();
  for (bool Dram : {true, false}) {
    Table Points;
    Points.Columns = {"bytes", "warps", "latency", "bytes_per_cycle_sm"};
    Points.Units = {"byte", "warp", "cycle", "byte/cycle/SM"};
    Points.Source = "one dependent load per warp at a time, all SMs "
                    "(Volkov 2016, 6.4)";
    std::vector<std::pair<double, double>> Pairs;
    std::vector<std::vector<std::pair<double, double>>> ByRepeat(
        S.Options.Quick ? 2 : S.repeats());
    for (unsigned Bytes : {4u, 8u, 16u}) {
      Expected<CuFunction> F =
          S.entry(loadAddMix(Bytes, 0, 1, "cg", Bytes == 4 ? 16 : 4));
      if (!F)
        return F.takeError();
      if (Error E = allowShared(S, *F, 160 * 1024))
        return E;
      for (unsigned Warps = 1; Warps <= 64; Warps += Warps < 4         ? 1
                                                     : S.Options.Quick ? 12
                                                                       : 4) {
        Launch L = Warps < 4 ? S.fillSms(*F, Warps, S.sms())
                             : S.fillSchedulers(*F, Warps / 4);
        L.X = *Buffer;
        L.Z = 0;
        unsigned Row = Bytes * 32;
        // DRAM: sections apart. L2: overlapping sections, few megabytes.
        uint64_t Loads = 128;
        L.Y = Dram ? (2 * Loads + 8) * Row : 4 * Row;
        std::vector<double> Latency, Rate;
        std::optional<BeforeEachLaunch> Flush;
        if (Dram)
          Flush.emplace(S, [&] { return S.flushL2(); });
        for (unsigned R = 0; R < ByRepeat.size(); ++R) {
          // Places that differ in the slices of L2 they lie in.
          L.X = *Buffer + R * 64 * MiB;
          WarpTimes T[2];
          for (unsigned Long : {0u, 1u}) {
            L.Iterations = Loads << Long;
            Expected<WarpTimes> Now = S.time(L);
            if (!Now)
              return Now.takeError();
            T[Long] = *Now;
          }
          Latency.push_back((T[1].WarpCycles - T[0].WarpCycles) / Loads);
          Rate.push_back(double(Loads) * Row * Warps /
                         (T[1].SmCycles - T[0].SmCycles));
          ByRepeat[R].push_back({Rate.back(), Latency.back()});
        }
        double MeanLatency = summarize(Latency).Median;
        double MeanRate = summarize(Rate).Median;
        Points.Rows.push_back(
            {double(Bytes), double(Warps), MeanLatency, MeanRate});
        Pairs.push_back({MeanRate, MeanLatency});
      }
    }
    S.Db.setTable(Dram ? "contention_dram_read" : "contention_l2_read",
                  Points.toJson());
    if (std::optional<Contention> Fit = fitContention(Pairs)) {
      // How far a, b and c are from settled: fits of each repeat.
      std::vector<double> A, B, C;
      for (const auto &Repeat : ByRepeat)
        if (std::optional<Contention> One = fitContention(Repeat)) {
          A.push_back(One->A);
          B.push_back(One->B);
          C.push_back(One->C);
        }
      auto Fitted = [](std::vector<double> Samples, double Value,
                       const char *Unit) {
        Summary Spread = summarize(Samples);
        Spread.Mean = Value;
        return measured(Spread, Take::Mean, Unit,
                        "fit of a + b x/(c - x) to the points of the table; "
                        "spread of the fits of single repeats");
      };
      S.Db.set(
          "contention", Dram ? "dram_read" : "l2_read",
          json::Object{{"a", Fitted(A, Fit->A, "cycle")},
                       {"b", Fitted(B, Fit->B, "cycle")},
                       {"c", Fitted(C, Fit->C, "byte/cycle/SM")},
                       {"residual", derived(Fit->Residual, "cycle",
                                            "root mean square error of the "
                                            "latency at the concurrency of "
                                            "each point")}});
    }
    S.OnProgress(Dram ? 0.5 : 1);
  }
  return Error::success();
}

} // namespace gpuocc::calibration
