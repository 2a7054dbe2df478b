//===- Contention.cpp - Latency of L2 and DRAM under load -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools.h"
#include "kernels/Memory.h"
#include <optional>

using namespace llvm;

namespace gpuocc::calibration {

namespace {

/// Rate and latency under load.
using LoadPoint = std::pair<double, double>;

struct LoadPoints {
  Table Points;
  /// Medians over the repeats, and those of each.
  std::vector<LoadPoint> Medians;
  std::vector<std::vector<LoadPoint>> ByRepeat;
};

} // namespace

/// The loads of \p Warps warps of each SM, \p Bytes a lane, one at a time.
static Error measurePoint(Session &S, CuFunction F, CuDevicePtr Buffer,
                          bool Dram, unsigned Bytes, unsigned Warps,
                          LoadPoints &Out) {
  static constexpr uint64_t Loads = 128;
  Launch L =
      Warps < 4 ? S.fillSms(F, Warps, S.sms()) : S.fillSchedulers(F, Warps / 4);
  L.Z = 0;
  unsigned Row = Bytes * 32;
  // DRAM: sections apart. L2: overlapping sections, few megabytes.
  L.Y = Dram ? (2 * Loads + 8) * Row : 4 * Row;
  std::vector<double> Latency, Rate;
  std::optional<BeforeEachLaunch> Flush;
  if (Dram)
    Flush.emplace(S, [&] { return S.flushL2(); });
  for (unsigned R = 0; R < Out.ByRepeat.size(); ++R) {
    // Places that differ in the slices of L2 they lie in.
    L.X = Buffer + R * 64 * MiB;
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
    Out.ByRepeat[R].push_back({Rate.back(), Latency.back()});
  }
  double MeanLatency = summarize(Latency).Median;
  double MeanRate = summarize(Rate).Median;
  Out.Points.Rows.push_back(
      {double(Bytes), double(Warps), MeanLatency, MeanRate});
  Out.Medians.push_back({MeanRate, MeanLatency});
  return Error::success();
}

static Expected<LoadPoints> measurePoints(Session &S, CuDevicePtr Buffer,
                                          bool Dram) {
  LoadPoints Out;
  Out.Points.Columns = {"bytes", "warps", "latency", "bytes_per_cycle_sm"};
  Out.Points.Units = {"byte", "warp", "cycle", "byte/cycle/SM"};
  Out.Points.Source = "one dependent load per warp at a time, all SMs "
                      "(Volkov 2016, 6.4)";
  Out.ByRepeat.resize(S.Options.Quick ? 2 : S.repeats());
  for (unsigned Bytes : {4u, 8u, 16u}) {
    Expected<CuFunction> F =
        S.entry(loadAddMix(Bytes, 0, 1, "cg", Bytes == 4 ? 16 : 4));
    if (!F)
      return F.takeError();
    if (Error E = allowShared(S, *F, 160 * 1024))
      return std::move(E);
    const unsigned Step = S.Options.Quick ? 12 : 4;
    for (unsigned Warps = 1; Warps <= 64; Warps += Warps < 4 ? 1 : Step)
      if (Error E = measurePoint(S, *F, Buffer, Dram, Bytes, Warps, Out))
        return std::move(E);
  }
  return std::move(Out);
}

/// Fits the points, and for how far a, b and c are from settled those of each
/// repeat.
static void setFit(Session &S, const LoadPoints &Points, bool Dram) {
  std::optional<Contention> Fit = fitContention(Points.Medians);
  if (!Fit)
    return;
  std::vector<double> A, B, C;
  for (const std::vector<LoadPoint> &Repeat : Points.ByRepeat)
    if (std::optional<Contention> One = fitContention(Repeat)) {
      A.push_back(One->A);
      B.push_back(One->B);
      C.push_back(One->C);
    }
  auto Fitted = [](const std::vector<double> &Samples, double Value,
                   const char *Unit) {
    Summary Spread = summarize(Samples);
    Spread.Mean = Value;
    return measured(Spread, Take::Mean, Unit,
                    "fit of a + b x/(c - x) to the points of the table; "
                    "spread of the fits of single repeats");
  };
  json::Object Entry{{"a", Fitted(A, Fit->A, "cycle")},
                     {"b", Fitted(B, Fit->B, "cycle")},
                     {"c", Fitted(C, Fit->C, "byte/cycle/SM")},
                     {"residual", derived(Fit->Residual, "cycle",
                                          "root mean square error of the "
                                          "latency at the concurrency of "
                                          "each point")}};
  const StringRef Rate =
      Dram ? "dram_read_bytes_per_cycle_sm" : "l2_read_bytes_per_cycle_sm";
  if (std::optional<double> Peak = S.Db.value("memory", Rate))
    Entry["peak"] =
        derived(*Peak, "byte/cycle/SM", (Rate + " of the same run").str());
  S.Db.set("contention", Dram ? "dram_read" : "l2_read", std::move(Entry));
}

namespace {

/// What one load of the table of percentiles says.
struct LoadedSamples {
  std::vector<double> Cycles;
  double BytesPerCycle = 0;
};

} // namespace

/// Single latencies while \p Warps warps of each SM read DRAM.
static Expected<LoadedSamples> sampleLoad(Session &S, CuFunction F,
                                          CuDevicePtr Buffer, unsigned Warps) {
  static constexpr uint64_t Loads = 512, RowBytes = 256;
  static constexpr uint64_t Samples = Loads / LoadsPerSample;
  static_assert(Samples <= SamplesPerBlock);
  Launch L = S.fillSms(F, Warps, S.sms());
  Expected<DeviceBuffer> Out =
      S.G.allocate(size_t(L.Blocks) * SamplesPerBlock * 8);
  if (!Out)
    return Out.takeError();
  L.X = Buffer;
  L.Y = (Loads + 8) * RowBytes;
  L.Z = Out->address();
  L.Iterations = Loads;
  LoadedSamples Found;
  std::vector<double> Rates;
  for (unsigned Repeat = 0; Repeat != S.repeats(); ++Repeat) {
    Expected<WarpTimes> T = S.time(L);
    if (!T)
      return T.takeError();
    Rates.push_back(double(Loads) * RowBytes * Warps / T->SmCycles);
    Expected<std::vector<uint64_t>> Kept =
        S.cyclesAt(Out->address(), Samples, L.Blocks, SamplesPerBlock);
    if (!Kept)
      return Kept.takeError();
    append_range(Found.Cycles, *Kept);
  }
  Found.BytesPerCycle = summarize(Rates).Median;
  return Found;
}

/// Percentiles of single latencies at loads up to saturation.
///
/// Source: Volkov 2016, section 6.6 and Table 6.6, which has seven loads.
static Error measureLoadedPercentiles(Session &S, CuDevicePtr Buffer) {
  static constexpr double Shares[] = {0,    0.01, 0.05, 0.25, 0.5,
                                      0.75, 0.95, 0.99, 1};
  Expected<CuFunction> F = S.entry(loadedLatencies());
  if (!F)
    return F.takeError();
  if (Error E = allowShared(S, *F, 160 * 1024))
    return E;
  Table T;
  T.Columns = {"warps", "bytes_per_cycle_sm",
               "min",   "p1",
               "p5",    "p25",
               "p50",   "p75",
               "p95",   "p99",
               "max"};
  T.Units = {"warp", "byte/cycle/SM"};
  T.Units.resize(T.Columns.size(), "cycle");
  T.Source = "single loads of 8 bytes a lane from DRAM while as many warps of "
             "each SM do the same, one in 8 of one warp a block, less the cost "
             "of timing (Volkov 2016, 6.6)";
  BeforeEachLaunch Flush(S, [&] { return S.flushL2(); });
  std::optional<double> Overhead;
  for (unsigned Warps : {1u, 8u, 16u, 24u, 32u, 48u, 64u}) {
    if (!S.fits(Warps))
      continue;
    Expected<LoadedSamples> Load = sampleLoad(S, *F, Buffer, Warps);
    if (!Load)
      return Load.takeError();
    // One warp alone has the unloaded latency on average.
    if (!Overhead) {
      double Mean = 0;
      for (double Cycles : Load->Cycles)
        Mean += Cycles / double(Load->Cycles.size());
      Overhead =
          Mean - S.Db.value("memory", "dram_latency_cycles").value_or(Mean);
    }
    std::vector<double> Row = {double(Warps), Load->BytesPerCycle};
    for (double Share : Shares)
      Row.push_back(*percentile(Load->Cycles, Share) - *Overhead);
    T.Rows.push_back(std::move(Row));
  }
  S.Db.setTable("loaded_latency_percentiles", T.toJson());
  return Error::success();
}

Error measureContention(Session &S) {
  Expected<CuDevicePtr> Buffer = S.noise(2 * GiB);
  if (!Buffer)
    return Buffer.takeError();
  if (Error E = measureLoadedPercentiles(S, *Buffer))
    return E;
  for (bool Dram : {true, false}) {
    Expected<LoadPoints> Points = measurePoints(S, *Buffer, Dram);
    if (!Points)
      return Points.takeError();
    S.Db.setTable(Dram ? "contention_dram_read" : "contention_l2_read",
                  Points->Points.toJson());
    setFit(S, *Points, Dram);
    S.OnProgress(Dram ? 0.5 : 1);
  }
  return Error::success();
}

} // namespace gpuocc::calibration
