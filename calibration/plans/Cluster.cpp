//===- Cluster.cpp - Distributed shared memory, barriers of clusters ------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernels/Cluster.h"
#include "Tools.h"

using namespace llvm;

namespace gpuocc::calibration {

static Error measureDistributedShared(Session &S) {
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

static Error measureClusterBarriers(Session &S) {
  static constexpr unsigned Unroll = 16;
  Table T;
  T.Columns = {"blocks", "warps", "fenced", "cycles"};
  T.Units = {"blocks of a cluster", "warps of a block",
             "1: orders accesses to memory, as cluster.sync()", "cycle"};
  T.Source = "barrier.cluster.arrive and wait in a row, one cluster";
  for (unsigned Blocks : {2u, 4u, 8u})
    for (bool Fenced : {true, false}) {
      Expected<CuFunction> F = S.entry(clusterBarriers(Blocks, Fenced, Unroll));
      if (!F)
        return F.takeError();
      for (unsigned Warps : {1u, 8u, 32u}) {
        Launch L;
        L.Function = *F;
        L.Blocks = Blocks;
        L.Threads = Warps * 32;
        Expected<std::vector<double>> Samples =
            S.perIteration(L, S.repeats(), Clock::Warp);
        if (!Samples)
          return Samples.takeError();
        Summary Cycles = summarize(perUnit(*Samples, Unroll));
        T.Rows.push_back(
            {double(Blocks), double(Warps), double(Fenced), Cycles.Median});
        if (Blocks == 2 && Warps == 1 && Fenced)
          S.Db.set("runtime", "cluster_barrier_cycles",
                   measured(Cycles, Take::Mean, "cycle",
                            "barrier.cluster in a row, with its fence, two "
                            "blocks of one warp"));
      }
    }
  S.Db.setTable("cluster_barriers", T.toJson());
  return Error::success();
}

Error measureCluster(Session &S) {
  if (Error E = measureDistributedShared(S))
    return E;
  return measureClusterBarriers(S);
}

} // namespace gpuocc::calibration
