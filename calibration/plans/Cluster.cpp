//===- Cluster.cpp - Distributed shared memory and bulk copies ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernels/Cluster.h"
#include "Tools.h"
#include "kernels/Memory.h"

using namespace llvm;

namespace gpuocc::calibration {

static constexpr uint64_t MiB = 1 << 20, GiB = 1 << 30;

Error measureCluster(Session &S) {
  if (S.G.facts().Architecture < 90)
    return Error::success();
  static constexpr unsigned Unroll = 64, Loads = 8, Threads = 1024;
  Table T;
  T.Columns = {"blocks", "distance", "latency", "bytes_per_cycle_sm"};
  T.Units = {"blocks of a cluster", "ranks between reader and owner", "cycle",
             "byte/cycle/SM"};
  T.Source = "dependent 64-bit ld of generic addresses, one warp a block; 8 "
             "loads of 16 bytes in a row, 32 warps a block, all SMs";
  for (unsigned Blocks : {2u, 4u, 8u}) {
    Expected<CuFunction> Chase = S.entry(clusterChase(Blocks, Unroll));
    if (!Chase)
      return Chase.takeError();
    Expected<CuFunction> Stream = S.entry(clusterLoads(Blocks, Loads));
    if (!Stream)
      return Stream.takeError();
    for (unsigned Distance = 0; Distance < Blocks; ++Distance) {
      Launch L;
      L.Function = *Chase;
      L.Blocks = Blocks;
      L.X = Distance;
      Expected<std::vector<double>> Samples =
          S.perIteration(L, S.repeats(), Clock::Warp);
      if (!Samples)
        return Samples.takeError();
      Summary Latency = summarize(perUnit(*Samples, Unroll));
      L.Function = *Stream;
      L.Threads = Threads;
      L.Blocks = S.sms() / Blocks * Blocks;
      bool Main = Blocks == 2 && Distance == 1;
      Expected<std::vector<double>> Full = S.perIteration(
          L, Main ? S.repeats() : S.curveRepeats(), Clock::Warp, 30e3);
      if (!Full)
        return Full.takeError();
      // Blocks of a cluster wait for one another, so that each warp's time is
      // the time of its SM.
      Summary Rate = summarize(rates(*Full, 16.0 * Loads * Threads));
      T.Rows.push_back(
          {double(Blocks), double(Distance), Latency.Minimum, Rate.Median});
      if (!Main)
        continue;
      S.Db.set("memory", "dsm_latency_cycles",
               measured(Latency, Take::Mean, "cycle",
                        "dependent 64-bit loads from the other block of a "
                        "cluster of two, generic address, one warp a block"));
      S.Db.set("memory", "dsm_bytes_per_cycle_sm",
               measured(Rate, Take::Mean, "byte/cycle/SM",
                        "16 bytes a lane, 32 warps a block, clusters of two "
                        "on all SMs"));
    }
    S.OnProgress(Blocks / 8.0);
  }
  S.Db.setTable("distributed_shared", T.toJson());
  return Error::success();
}

/// Latency of one copy over its size, from L2 and from DRAM.
static Error measureBulkLatency(Session &S, CuDevicePtr Buffer) {
  static constexpr uint64_t Apart = 65536 + 128, Footprint = 16 * MiB;
  Table T;
  T.Columns = {"level", "bytes", "latency"};
  T.Units = {"2: L2, 3: DRAM", "byte", "cycle"};
  T.Source =
      "one bulk copy to shared memory and its wait at a time, one thread";
  Expected<CuFunction> Read = S.entry(stream(StreamKind::Read, 16, 4, "cg"));
  if (!Read)
    return Read.takeError();
  auto ReadAll = [&] {
    Launch L;
    L.Function = *Read;
    L.Blocks = S.sms();
    L.Threads = 1024;
    L.X = Buffer;
    L.Y = 2 * Footprint;
    L.Iterations = 2 * Footprint / (uint64_t(L.Blocks) * L.Threads * 64) + 1;
    return S.G.start(L);
  };
  for (bool Dram : {false, true})
    for (unsigned Bytes : {16u, 64u, 256u, 1024u, 4096u, 16384u}) {
      Expected<CuFunction> F = S.entry(bulkCopy(Bytes));
      if (!F)
        return F.takeError();
      BeforeEachLaunch Prepare(
          S, [&]() -> Error { return Dram ? S.flushL2() : ReadAll(); });
      Launch L;
      L.Function = *F;
      L.SharedBytes = Bytes;
      L.X = Buffer;
      L.Y = Apart;
      L.Z = (Dram ? GiB : Footprint) - 1;
      Expected<std::vector<double>> Samples = S.perIteration(
          L, 64, Bytes == 1024 ? S.repeats() : S.curveRepeats(), Clock::Warp);
      if (!Samples)
        return Samples.takeError();
      Summary Latency = summarize(*Samples);
      T.Rows.push_back({Dram ? 3.0 : 2.0, double(Bytes), Latency.Mean});
      if (Bytes == 1024)
        S.Db.set("memory",
                 Dram ? "bulk_copy_dram_latency_cycles"
                      : "bulk_copy_l2_latency_cycles",
                 measured(Latency, Take::Mean, "cycle",
                          "bulk copy of 1 KiB and its wait, one thread"));
    }
  S.Db.setTable("bulk_copy_latency", T.toJson());
  return Error::success();
}

static Error measureBulkThroughput(Session &S, CuDevicePtr Buffer,
                                   uint64_t BufferBytes) {
  Table T;
  T.Columns = {"level", "bytes", "stages", "bytes_per_cycle_sm"};
  T.Units = {"2: L2, 3: DRAM", "byte", "copies in flight per SM",
             "byte/cycle/SM"};
  T.Source = "bulk copies to shared memory, one thread of one block on each SM";
  for (bool Dram : {false, true})
    for (unsigned Bytes : {1024u, 4096u, 16384u})
      for (unsigned Stages : {1u, 2u, 4u, 8u}) {
        Expected<CuFunction> F = S.entry(bulkStream(Bytes, Stages));
        if (!F)
          return F.takeError();
        if (Error E = allowShared(S, *F, 160 * 1024))
          return E;
        Launch L;
        L.Function = *F;
        L.Blocks = S.sms();
        L.SharedBytes = Bytes * Stages;
        L.X = Buffer;
        L.Y = Bytes;
        L.Z = (Dram ? BufferBytes / 2 : 32 * MiB) - 1;
        uint64_t PerIteration = uint64_t(L.Blocks) * Bytes * Stages;
        uint64_t N = std::clamp<uint64_t>(L.Z / PerIteration / 2, 8, 100);
        bool Main = Dram && Bytes == 16384 && Stages == 8;
        Expected<std::vector<double>> Samples = S.perIteration(
            L, N, Main ? S.repeats() : S.curveRepeats(), Clock::SmMax);
        if (!Samples)
          return Samples.takeError();
        Summary Rate = summarize(rates(*Samples, double(Bytes) * Stages));
        T.Rows.push_back(
            {Dram ? 3.0 : 2.0, double(Bytes), double(Stages), Rate.Median});
        if (Main)
          S.Db.set("memory", "bulk_copy_dram_bytes_per_cycle_sm",
                   measured(Rate, Take::Mean, "byte/cycle/SM",
                            "8 bulk copies of 16 KiB in flight on each SM"));
      }
  S.Db.setTable("bulk_copy_throughput", T.toJson());
  return Error::success();
}

Error measureBulk(Session &S) {
  if (S.G.facts().Architecture < 90)
    return Error::success();
  Expected<uint64_t> Bytes = S.halvedToFit(4 * GiB);
  if (!Bytes)
    return Bytes.takeError();
  Expected<CuDevicePtr> Buffer = S.noise(*Bytes);
  if (!Buffer)
    return Buffer.takeError();
  if (Error E = measureBulkLatency(S, *Buffer))
    return E;
  S.OnProgress(0.5);
  return measureBulkThroughput(S, *Buffer, *Bytes);
}

} // namespace gpuocc::calibration
