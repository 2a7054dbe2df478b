//===- Bandwidth.cpp - What L2 and DRAM deliver ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bandwidth.h"
#include "Tools.h"
#include "kernels/Memory.h"
#include <cmath>

using namespace llvm;

namespace gpuocc::calibration {

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
  // Writes go to the part behind X.
  const unsigned Warm = 10, Places = *Bytes / Part - 1;
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

/// Accesses that a thread has in flight.
static constexpr unsigned Ilp = 4;

static Error measureStreams(Session &S, CuDevicePtr Buffer, uint64_t Part) {
  uint64_t Small = uint64_t(1) << Log2_64(S.G.facts().L2Bytes);
  const StreamCase Cases[] = {
      {"dram_read_bytes_per_cycle_sm", StreamKind::Read, Part, 16, false,
       "all SMs read once, 16 bytes a lane"},
      {"dram_write_bytes_per_cycle_sm", StreamKind::Write, Part, 16, false,
       "all SMs write once, 16 bytes a lane"},
      {"dram_copy_bytes_per_cycle_sm", StreamKind::Copy, Part, 32, false,
       "all SMs copy, bytes read and written, 16 bytes a lane"},
      {"dram_triad_bytes_per_cycle_sm", StreamKind::Triad, Part, 48, false,
       "all SMs combine two arrays into a third, 16 bytes a lane"},
      {"l2_read_bytes_per_cycle_sm", StreamKind::Read, Small, 16, false,
       "all SMs read a part of L2 again and again, ld.global.cg"},
      {"l2_read_bytes_per_cycle_one_sm", StreamKind::Read, Small, 16, true,
       "one SM reads a part of L2 again and again, ld.global.cg"},
  };
  Table Streams;
  Streams.Columns = {"case", "cycles_per_iteration"};
  Streams.Units = {"0: DRAM read, 1: write, 2: copy, 3: triad, 4: L2 read, 5: "
                   "L2 read by one SM",
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
    L.X = Buffer;
    L.Y = C.PartBytes;
    double PerIteration =
        double(L.Blocks) * L.Threads * Ilp * C.BytesPerElement;
    uint64_t N = C.PartBytes == Part
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
  return Error::success();
}

/// What one SM alone reads.
static Error measureOneSm(Session &S, CuDevicePtr Buffer, uint64_t Part) {
  Expected<CuFunction> F = S.entry(stream(StreamKind::Read, 16, 8, "cg"));
  if (!F)
    return F.takeError();
  BeforeEachLaunch Flush(S, [&] { return S.flushL2(); });
  Launch L;
  L.Function = *F;
  L.Threads = 1024;
  L.X = Buffer;
  L.Y = Part;
  Expected<std::vector<double>> Samples =
      S.perIteration(L, 100, S.repeats(), Clock::SmMax);
  if (!Samples)
    return Samples.takeError();
  Summary Rate = summarize(rates(*Samples, 1024.0 * 8 * 16));
  S.Db.set("memory", "dram_read_bytes_per_cycle_one_sm",
           measured(Rate, Take::Mean, "byte/cycle/SM",
                    "one SM reads once, 16 bytes a lane, 32 warps, 8 loads "
                    "each in flight, L2 flushed"));
  return Error::success();
}

/// L2 reads over footprint.
static Error measureFootprints(Session &S, CuDevicePtr Buffer) {
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
    L.X = Buffer;
    L.Y = M * MiB;
    Expected<std::vector<double>> Samples =
        S.perIteration(L, 400, S.curveRepeats(), Clock::SmMax);
    if (!Samples)
      return Samples.takeError();
    double Bytes = double(L.Threads) * Ilp * 16;
    Sizes.Rows.push_back({double(L.Y), Bytes / summarize(*Samples).Median});
  }
  S.Db.setTable("read_bandwidth_by_footprint", Sizes.toJson());
  return Error::success();
}

/// DRAM reads and copies by bytes a lane.
static Error measureWidths(Session &S, CuDevicePtr Buffer, uint64_t Part) {
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
      L.X = Buffer;
      L.Y = Part;
      uint64_t N = Part / (uint64_t(L.Blocks) * L.Threads * Ilp * Bytes) / 2;
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
  return Error::success();
}

static Error measureRandomSectors(Session &S, CuDevicePtr Buffer,
                                  uint64_t Part) {
  Expected<CuFunction> Random = S.entry(randomLoads(8, "cg"));
  if (!Random)
    return Random.takeError();
  Table Sectors;
  Sectors.Columns = {"footprint", "sectors_per_cycle_sm"};
  Sectors.Units = {"byte", "sector/cycle/SM"};
  Sectors.Source = "all SMs, 64 warps, each lane loads from a random sector";
  const uint64_t InL2 = partOfL2(S);
  for (uint64_t Bytes : {InL2, 256 * MiB, GiB, Part, 2 * Part}) {
    Launch L;
    L.Function = *Random;
    L.Blocks = S.sms() * 2;
    L.Threads = 1024;
    L.X = Buffer;
    L.Y = PowerOf2Ceil(Bytes) / 32 - 1;
    bool Main = Bytes == InL2 || Bytes == Part;
    Expected<std::vector<double>> Samples = S.perIteration(
        L, 32, Main ? S.repeats() : S.curveRepeats(), Clock::SmMax);
    if (!Samples)
      return Samples.takeError();
    Summary Rate = summarize(rates(*Samples, 2.0 * 1024 * 8));
    Sectors.Rows.push_back({double(Bytes), Rate.Median});
    if (Bytes == InL2)
      S.Db.set("memory", "l2_random_sectors_per_cycle_sm",
               measured(Rate, Take::Mean, "sector/cycle/SM",
                        "random sectors of " + megabytes(InL2) +
                            ", all SMs, 64 warps"));
    if (Bytes == Part)
      S.Db.set("memory", "dram_random_sectors_per_cycle_sm",
               measured(Rate, Take::Mean, "sector/cycle/SM",
                        "random sectors of 4 GiB, all SMs, 64 warps"));
  }
  S.Db.setTable("random_sectors", Sectors.toJson());
  return Error::success();
}

/// Bandwidth over the reads of a thread, for the three forms of its loop.
///
/// Source: Lemeire, Cornelis and Segers 2016, section VI.A and Fig. 6.
static Error measureReadLoops(Session &S, CuDevicePtr Buffer, uint64_t Bytes) {
  // All warps are recorded, and the first round fills the SMs several times.
  static constexpr unsigned Threads = 256, Blocks = 1 << 14;
  static constexpr uint64_t BytesARead = uint64_t(Threads) * Blocks * 4;
  Table T;
  T.Columns = {"form", "loads", "bytes_per_cycle_sm"};
  T.Units = {"0: unrolled, 1: loop of a constant, 2: loop of a parameter",
             "count", "byte/cycle/SM"};
  T.Source = "4-byte loads of each of 4194304 threads from DRAM, summed; whole "
             "launches (Lemeire et al., Fig. 6)";
  BeforeEachLaunch Flush(S, [&] { return S.flushL2(); });
  for (ReadLoop Form :
       {ReadLoop::Unrolled, ReadLoop::Constant, ReadLoop::Dynamic})
    for (unsigned Loads : {1u, 2u, 4u, 8u, 16u, 32u, 64u}) {
      if (Loads * BytesARead > Bytes || (S.Options.Quick && Loads % 4 != 0))
        continue;
      Expected<CuFunction> F = S.entry(readLoop(Form, Loads));
      if (!F)
        return F.takeError();
      Launch L;
      L.Function = *F;
      L.Blocks = Blocks;
      L.Threads = Threads;
      L.X = Buffer;
      L.Y = Loads;
      std::vector<double> Rates;
      for (unsigned R = 0; R != S.curveRepeats(); ++R) {
        Expected<WarpTimes> Time = S.time(L);
        if (!Time)
          return Time.takeError();
        Rates.push_back(double(Loads * BytesARead) / S.sms() / Time->SmCycles);
      }
      T.Rows.push_back(
          {double(unsigned(Form)), double(Loads), summarize(Rates).Median});
    }
  S.Db.setTable("read_loops", T.toJson());
  return Error::success();
}

std::optional<MergedReads>
mergedReads(ArrayRef<std::pair<double, double>> RateBySharers) {
  static constexpr double Faster = 1.1;
  if (RateBySharers.empty())
    return std::nullopt;
  double Groups = 0;
  for (auto [Sharers, Rate] : RateBySharers) {
    if (Rate > Faster * RateBySharers.front().second)
      break;
    Groups = std::round(Sharers);
  }
  for (auto [Sharers, Rate] : RateBySharers)
    if (Sharers >= 2 * Groups && Rate > Faster * RateBySharers.front().second)
      return MergedReads{Groups, Rate};
  return std::nullopt;
}

/// Reads of lines of L2 by several SMs at about the same time: what one of them
/// waits for, others need not ask L2 for (the L2 request coalescer of Nsight
/// Compute's memory chart).
static Error measureSharers(Session &S, CuDevicePtr Buffer) {
  Expected<CuFunction> F = S.entry(sharedStream(Ilp));
  if (!F)
    return F.takeError();
  Table T;
  T.Columns = {"sms", "bytes_per_cycle_sm"};
  T.Units = {"count", "byte/cycle/SM"};
  T.Source =
      "all SMs read a quarter of L2 again and again, each line as many of "
      "them, ld.global.cg";
  Launch L;
  L.Function = *F;
  L.Blocks = S.sms();
  L.Threads = 1024;
  L.X = Buffer;
  L.Y = uint64_t(1) << Log2_64(S.G.facts().L2Bytes / 4);
  unsigned Before = 0;
  for (unsigned Sharers : {1u, 2u, 4u, 6u, 8u, 12u, 16u, 32u, 64u, S.sms()}) {
    const unsigned Parts = std::max(1u, S.sms() / Sharers);
    if (Parts == Before)
      continue;
    Before = Parts;
    L.Z = Parts;
    Expected<std::vector<double>> Samples =
        S.perIteration(L, 400, S.curveRepeats(), Clock::SmMax);
    if (!Samples)
      return Samples.takeError();
    T.Rows.push_back(
        {double(S.sms()) / Parts,
         summarize(rates(*Samples, double(L.Threads) * Ilp * 16)).Median});
  }
  S.Db.setTable("l2_read_by_sharers", T.toJson());
  std::vector<std::pair<double, double>> Points;
  for (const std::vector<double> &Row : T.Rows)
    Points.push_back({Row[0], Row[1]});
  std::optional<MergedReads> Merged = mergedReads(Points);
  if (!Merged)
    return Error::success();
  S.Db.set("chip", "l2_coalescers",
           derived(Merged->Groups, "count",
                   "most SMs on each line with which reads of L2 are no "
                   "faster (l2_read_by_sharers)"));
  S.Db.set("memory", "l2_merged_read_bytes_per_cycle_sm",
           derived(Merged->BytesPerCycleSm, "byte/cycle/SM",
                   "all SMs read a quarter of L2 again and again, each line "
                   "twice as many of them as there are groups "
                   "(l2_read_by_sharers)"));
  return Error::success();
}

Error measureBandwidth(Session &S) {
  Expected<uint64_t> Part = S.halvedToFit(4 * GiB, 3);
  if (!Part)
    return Part.takeError();
  Expected<CuDevicePtr> Buffer = S.noise(*Part * 3);
  if (!Buffer)
    return Buffer.takeError();
  if (Error E = measureStreams(S, *Buffer, *Part))
    return E;
  if (!S.Db.value("memory", "l2_write_bytes_per_cycle_sm"))
    if (Error E = measureL2Writes(S))
      return E;
  if (Error E = measureOneSm(S, *Buffer, *Part))
    return E;
  if (Error E = measureFootprints(S, *Buffer))
    return E;
  if (Error E = measureWidths(S, *Buffer, *Part))
    return E;
  if (Error E = measureReadLoops(S, *Buffer, *Part))
    return E;
  if (Error E = measureRandomSectors(S, *Buffer, *Part))
    return E;
  if (Error E = measureSharers(S, *Buffer))
    return E;
  return Error::success();
}

} // namespace gpuocc::calibration
