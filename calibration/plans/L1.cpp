//===- L1.cpp - L1: latency, lines and strides ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "L1.h"
#include "Tools.h"
#include "kernels/Memory.h"

using namespace llvm;

namespace gpuocc::calibration {

/// Latency of a hit over the lines of a request.
static Error measureLines(Session &S, CuDevicePtr Buffer) {
  static constexpr unsigned Unroll = 64;
  Expected<CuFunction> Chase = S.entry(globalChase("ca", Unroll));
  if (!Chase)
    return Chase.takeError();
  if (Error E = setCarveout(S, *Chase, 0))
    return E;

  Table Lines;
  Lines.Columns = {"lines", "sectors_per_line", "latency"};
  Lines.Units = {"count", "count", "cycle"};
  Lines.Source = "dependent 64-bit ld.global that hits L1";
  std::vector<std::pair<double, double>> ByLines;
  Launch L;
  L.Function = *Chase;
  L.X = Buffer;
  for (unsigned N = 1; N <= 32; ++N) {
    for (unsigned Sectors : {1u, 4u}) {
      if (Sectors == 4 && N > 8)
        continue;
      if (Error E = setLaneTable(S, [&](unsigned Lane) -> uint64_t {
            return Lane % N * 128 + Lane / N % Sectors * 32;
          }))
        return E;
      Expected<std::vector<double>> Samples =
          S.perIteration(L, S.repeats(), Clock::Warp);
      if (!Samples)
        return Samples.takeError();
      Summary Latency = summarize(perUnit(*Samples, Unroll));
      Lines.Rows.push_back({double(N), double(Sectors), Latency.Minimum});
      if (Sectors == 1)
        ByLines.push_back({N, Latency.Minimum});
      if (N == 1 && Sectors == 1) {
        S.Db.set("memory", "l1_hit_latency_cycles",
                 measured(Latency, Take::Minimum, "cycle",
                          "dependent 64-bit ld.global, one sector, address to "
                          "address"));
        S.Db.setInstruction("ld.global", "pipe", "lsu");
        S.Db.setInstruction("ld.global", "latency_cycles",
                            measured(Latency, Take::Minimum, "cycle",
                                     "L1 hit, dependent chain, one warp"));
      }
    }
    S.OnProgress(N / 64.0);
  }
  S.Db.setTable("l1_lines", Lines.toJson());
  if (std::optional<Line> Fit = fitLine(ByLines))
    S.Db.set("memory", "l1_increment_cycles",
             derived(Fit->Slope, "cycle",
                     "slope of L1 hit latency over 1 to 32 lines"));
  return Error::success();
}

/// Throughput of hits over the distance between lanes.
static Error measureStrides(Session &S, CuDevicePtr Buffer) {
  Table Strides;
  Strides.Columns = {"bytes", "stride", "cycles_per_load_sm"};
  Strides.Units = {"byte", "elements", "cycle"};
  Strides.Source = "L1-resident ld.global, 32 warps per SM, 16 in a row";
  double BestLines = 0;
  for (unsigned Bytes : {4u, 8u, 16u}) {
    unsigned MaxStride = Bytes == 16 ? 8 : 32;
    Expected<CuFunction> F =
        S.entry(stridedLoads(Bytes, "ca", Bytes * 32 * MaxStride));
    if (!F)
      return F.takeError();
    if (Error E = setCarveout(S, *F, 0))
      return E;
    for (unsigned Stride = 0; Stride <= MaxStride; ++Stride) {
      Launch L;
      L.Function = *F;
      L.Blocks = S.sms();
      L.Threads = 1024;
      L.X = Buffer;
      L.Y = Stride * Bytes;
      L.Z = 0;
      bool Unit = Stride == 1;
      Expected<std::vector<double>> Samples =
          S.perIteration(L, Unit ? S.repeats() : S.curveRepeats(), Clock::Sm);
      if (!Samples)
        return Samples.takeError();
      std::vector<double> PerLoad = perUnit(*Samples, 16 * 32);
      Summary Cost = summarize(PerLoad);
      Strides.Rows.push_back({double(Bytes), double(Stride), Cost.Median});
      if (Bytes == 4)
        BestLines = std::max(BestLines, Stride / Cost.Median);
      if (!Unit)
        continue;
      if (Bytes == 16)
        S.Db.set("memory", "l1_bytes_per_cycle_sm",
                 measured(summarize(rates(PerLoad, 512)), Take::Mean,
                          "byte/cycle/SM", "unit stride, 16 bytes a lane"));
      if (Bytes == 4) {
        S.Db.set(
            "memory", "l1_wavefront_cycles",
            measured(Cost, Take::Mean, "cycle", "unit stride, 4 bytes a lane"));
        S.Db.setInstruction("ld.global", "throughput_per_cycle_sm",
                            measured(summarize(rates(PerLoad, 1)), Take::Mean,
                                     "warp_inst/cycle/SM",
                                     "L1 hits, unit stride, 32 warps"));
      }
    }
    S.OnProgress(0.5 + Bytes / 32.0);
  }
  S.Db.setTable("l1_strides", Strides.toJson());
  S.Db.set(
      "memory", "l1_tag_lines_per_cycle",
      derived(BestLines, "line/cycle/SM",
              "most lines per cycle over strides 1 to 32 of 4-byte loads"));
  return Error::success();
}

Error measureL1(Session &S) {
  Expected<CuDevicePtr> Buffer = S.zeros(1 << 20);
  if (!Buffer)
    return Buffer.takeError();
  if (Error E = measureLines(S, *Buffer))
    return E;
  if (Error E = measureStrides(S, *Buffer))
    return E;
  if (Error E = measureTagBanks(S))
    return E;
  S.Db.set(
      "memory", "l1_line_bytes",
      vendor(128, "byte", "CUDA C++ Programming Guide, compute 7.x to 9.0"));
  S.Db.set(
      "memory", "l1_sector_bytes",
      vendor(32, "byte", "CUDA C++ Programming Guide, compute 7.x to 9.0"));
  return Error::success();
}

} // namespace gpuocc::calibration
