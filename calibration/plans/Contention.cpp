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
  S.Db.set("contention", Dram ? "dram_read" : "l2_read",
           json::Object{{"a", Fitted(A, Fit->A, "cycle")},
                        {"b", Fitted(B, Fit->B, "cycle")},
                        {"c", Fitted(C, Fit->C, "byte/cycle/SM")},
                        {"residual", derived(Fit->Residual, "cycle",
                                             "root mean square error of the "
                                             "latency at the concurrency of "
                                             "each point")}});
}

Error measureContention(Session &S) {
  Expected<CuDevicePtr> Buffer = S.noise(2 * GiB);
  if (!Buffer)
    return Buffer.takeError();
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
