//===- Geometry.cpp - Size, line and sector of caches ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Found by walks over footprints of varying size and stride (Lemeire et al.,
// equation 6), to be compared with what vendors state.
//
//===----------------------------------------------------------------------===//

#include "Tools.h"
#include "kernels/Memory.h"

using namespace llvm;

namespace gpuocc::calibration {

static constexpr unsigned Unroll = 64;

/// Cycles per load of one round over \p Places, after a round in the same
/// launch when \p Warm.
static Expected<double> round(Session &S, CuFunction F, CuDevicePtr Buffer,
                              std::vector<uint64_t> Places, bool Warm) {
  size_t Steps = Places.size() / Unroll * Unroll;
  Expected<CuDevicePtr> First = buildRing(S, Buffer, std::move(Places));
  if (!First)
    return First.takeError();
  if (Error E = setLaneTable(S, [&](unsigned) { return *First; }))
    return std::move(E);
  Launch L;
  L.Function = F;
  L.Iterations = Steps;
  if (!Warm) {
    Expected<WarpTimes> T = S.time(L);
    if (!T)
      return T.takeError();
    return T->WarpCycles / Steps;
  }
  // L1 begins each launch empty: the second round is two less one. A launch
  // before brings the pages' translations.
  if (Expected<WarpTimes> T = S.time(L); !T)
    return T.takeError();
  Expected<std::vector<double>> Samples =
      S.perIteration(L, Steps, 3, Clock::Warp);
  if (!Samples)
    return Samples.takeError();
  return summarize(*Samples).Median;
}

/// Footprint in bytes up to which walks with a stride hit L1.
static Expected<std::optional<double>> reach(Session &S, CuFunction F,
                                             CuDevicePtr Buffer,
                                             unsigned Stride, Table &Sizes) {
  // Beyond the line, only every so many lines are used.
  unsigned Scale = std::max(1u, Stride / 128);
  std::vector<double> Footprints, Latencies;
  for (unsigned Kib :
       {64u,  96u,  112u, 128u, 144u, 160u, 176u, 192u, 200u, 208u,
        216u, 224u, 232u, 240u, 248u, 256u, 272u, 288u, 320u, 384u}) {
    uint64_t Bytes = Kib * KiB * Scale;
    Expected<double> Cycles =
        round(S, F, Buffer, randomPlaces(Bytes, Stride, Bytes / Stride), true);
    if (!Cycles)
      return Cycles.takeError();
    Footprints.push_back(double(Bytes));
    Latencies.push_back(*Cycles);
    Sizes.Rows.push_back({double(Stride), double(Bytes), *Cycles});
  }
  // The first five, up to 144 KiB, are hits of an H200.
  std::optional<size_t> Last = lastFit(Latencies, 5);
  return Last ? std::optional(Footprints[*Last]) : std::nullopt;
}

static Error measureL1Geometry(Session &S, CuDevicePtr Buffer) {
  Expected<CuFunction> F = S.entry(ringWalk("global.ca", Unroll));
  if (!F)
    return F.takeError();
  if (Error E = setCarveout(S, *F, 0))
    return E;
  Table Sizes;
  Sizes.Columns = {"stride", "footprint", "latency"};
  Sizes.Units = {"byte", "byte", "cycle"};
  Sizes.Source = "random walk over one word in each stride, second round, "
                 "ld.global.ca, one warp";
  std::optional<double> Dense;
  unsigned Line = 0;
  for (unsigned Stride : {32u, 64u, 128u, 256u, 512u}) {
    Expected<std::optional<double>> Reach = reach(S, *F, Buffer, Stride, Sizes);
    if (!Reach)
      return Reach.takeError();
    if (Stride == 32)
      Dense = *Reach;
    // Up to the line's size a longer stride reaches as far.
    if (Dense && *Reach && **Reach < 1.5 * *Dense)
      Line = Stride;
  }
  S.Db.setTable("l1_sizes", Sizes.toJson());
  if (Dense)
    S.Db.set("chip", "l1_bytes",
             derived(*Dense, "byte",
                     "largest footprint of a random walk over every sector "
                     "that hits L1, in steps of 8 KiB"));
  if (Line)
    S.Db.set("memory", "l1_line_bytes",
             derived(Line, "byte",
                     "longest stride whose walks still fill L1 at the same "
                     "footprint"));
  return Error::success();
}

/// How much a miss brings: a walk in order with short strides hits what the
/// miss before it has brought.
static Error measureFills(Session &S, CuDevicePtr Buffer) {
  Table Fills;
  Fills.Columns = {"level", "stride", "latency"};
  Fills.Units = {"1: L1 filled from L2, 2: L2 filled from DRAM", "byte",
                 "cycle"};
  Fills.Source = "walk in order over words that the level does not hold, one "
                 "warp";
  for (bool FromDram : {false, true}) {
    Expected<CuFunction> F =
        S.entry(ringWalk(FromDram ? "global.cg" : "global.ca", Unroll));
    if (!F)
      return F.takeError();
    if (!FromDram)
      if (Error E = setCarveout(S, *F, 0))
        return E;
    std::optional<BeforeEachLaunch> Flush;
    if (FromDram)
      Flush.emplace(S, [&] { return S.flushL2(); });
    std::vector<std::pair<unsigned, double>> Points;
    for (unsigned Stride : {8u, 16u, 32u, 64u, 128u, 256u}) {
      std::vector<uint64_t> Places(1024);
      for (size_t I = 0; I < Places.size(); ++I)
        Places[I] = I * Stride;
      std::vector<double> Samples;
      for (unsigned R = 0; R < S.curveRepeats(); ++R) {
        Expected<double> Cycles = round(S, *F, Buffer, Places, false);
        if (!Cycles)
          return Cycles.takeError();
        Samples.push_back(*Cycles);
      }
      double Median = summarize(Samples).Median;
      Fills.Rows.push_back({FromDram ? 2.0 : 1.0, double(Stride), Median});
      Points.push_back({Stride, Median});
    }
    // From the fill's size on, every load misses.
    auto Full = find_if(
        Points, [&](auto &P) { return P.second > 0.9 * Points.back().second; });
    if (!FromDram && Full != Points.end() && Full != Points.begin())
      S.Db.set("memory", "l1_sector_bytes",
               derived(Full->first, "byte",
                       "shortest stride of a walk in order at which every "
                       "load misses L1"));
  }
  S.Db.setTable("fills", Fills.toJson());
  return Error::success();
}

Error measureGeometry(Session &S) {
  Expected<CuDevicePtr> Buffer = S.zeros(4 << 20);
  if (!Buffer)
    return Buffer.takeError();
  if (Error E = measureL1Geometry(S, *Buffer))
    return E;
  S.OnProgress(0.7);
  return measureFills(S, *Buffer);
}

} // namespace gpuocc::calibration
