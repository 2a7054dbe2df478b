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
    S.OnProgress(Blocks / 24.0);
  }
  S.Db.setTable("distributed_shared", T.toJson());
  return Error::success();
}

namespace {
/// How the lanes of a warp lie in the shared memory of other blocks.
struct ClusterLanes {
  unsigned BytesApart;
  bool AllBlocks; ///< Lanes in turns over all other blocks of the cluster.
};
} // namespace

static constexpr ClusterLanes Spread = {36, false}, OneWord = {0, false},
                              FourSectors = {4, false};
/// Lanes of 36 bytes apart are in 32 sectors and in 32 banks.
static constexpr ClusterLanes LaneRows[] = {
    Spread,      OneWord,   FourSectors, {8, false},
    {16, false}, {4, true}, {36, true}};

namespace {
/// Cycles that requests of one kind take, summed up over sizes of clusters.
struct ClusterRequests {
  double Spread = 0, OneWord = 0, FourSectors = 0, NumSizes = 0;

  void add(const ClusterLanes &Lanes, double Cycles) {
    if (&Lanes == &LaneRows[0]) {
      Spread += Cycles;
      ++NumSizes;
    } else if (&Lanes == &LaneRows[1]) {
      OneWord += Cycles;
    } else if (&Lanes == &LaneRows[2]) {
      FourSectors += Cycles;
    }
  }
};
} // namespace

/// Lanes in one and in four sectors of a line tell the sectors of loads from
/// the line.
static void setLoads(Session &S, const ClusterRequests &R) {
  const std::string Source =
      "loads of 4 bytes whose lanes are in 1 and in 4 sectors of a line of "
      "another block, 32 warps a block, all SMs; mean of clusters of 2, 4 and "
      "8";
  const double Sector = (R.FourSectors - R.OneWord) / 3 / R.NumSizes;
  S.Db.set("memory", "dsm_load_lane_cycles",
           derived(Sector, "cycle/lane", Source));
  S.Db.set("memory", "dsm_load_line_cycles",
           derived(R.OneWord / R.NumSizes - Sector, "cycle/line", Source));
}

static Error measureClusterAccesses(Session &S) {
  static constexpr unsigned Unroll = 8, Threads = 1024;
  static constexpr const char *Names[NumClusterAccesses] = {
      nullptr, "dsm_store_lane_cycles", "dsm_reduction_lane_cycles",
      "dsm_atomic_lane_cycles"};
  static constexpr const char *Does[NumClusterAccesses] = {
      nullptr, "stores", "atomics without a result", "atomics with a result"};
  Table T;
  T.Columns = {"access", "blocks", "bytes_apart", "all_blocks", "cycles"};
  T.Units = {"0: load, 1: store, 2: atomic without a result, 3: with one",
             "blocks of a cluster", "byte from lane to lane",
             "1: lanes in turns over all other blocks, 0: over the next",
             "cycle/request"};
  T.Source = "8 accesses of 4 bytes a lane in a row to shared memory of other "
             "blocks, 32 warps a block, all SMs";
  for (unsigned Kind = 0; Kind < NumClusterAccesses; ++Kind) {
    ClusterRequests OfSizes;
    for (unsigned Blocks : {2u, 4u, 8u}) {
      Expected<CuFunction> F =
          S.entry(clusterAccesses(ClusterAccess(Kind), Blocks, Unroll));
      if (!F)
        return F.takeError();
      for (const ClusterLanes &Lanes : LaneRows) {
        if (Lanes.AllBlocks && Blocks == 2)
          continue;
        if (Error E = setLaneTable(S, [&](unsigned Lane) -> uint64_t {
              const uint64_t Distance =
                  Lanes.AllBlocks ? Lane % (Blocks - 1) + 1 : 1;
              return Distance << 32 | Lane * Lanes.BytesApart;
            }))
          return E;
        Launch L;
        L.Function = *F;
        L.Threads = Threads;
        L.Blocks = S.sms() / Blocks * Blocks;
        Expected<std::vector<double>> Samples =
            S.perIteration(L, S.curveRepeats(), Clock::Warp, 60e3);
        if (!Samples)
          return Samples.takeError();
        const Summary Request =
            summarize(perUnit(*Samples, Unroll * Threads / 32));
        T.Rows.push_back({double(Kind), double(Blocks),
                          double(Lanes.BytesApart), double(Lanes.AllBlocks),
                          Request.Median});
        OfSizes.add(Lanes, Request.Median);
      }
    }
    if (ClusterAccess(Kind) == ClusterAccess::Load)
      setLoads(S, OfSizes);
    else
      S.Db.set("memory", Names[Kind],
               derived(OfSizes.Spread / 32 / OfSizes.NumSizes, "cycle/lane",
                       std::string(Does[Kind]) +
                           " of 4 bytes whose lanes are in 32 sectors of "
                           "another block, 32 warps a block, all SMs; mean of "
                           "clusters of 2, 4 and 8"));
    S.OnProgress(0.4 + 0.1 * Kind);
  }
  S.Db.setTable("distributed_shared_words", T.toJson());
  return Error::success();
}

static Error measureClusterExchanges(Session &S) {
  static constexpr unsigned Unroll = 64;
  Expected<CuFunction> F = S.entry(clusterExchanges(2, Unroll));
  if (!F)
    return F.takeError();
  Launch L;
  L.Function = *F;
  L.Blocks = 2;
  L.X = 1;
  Expected<std::vector<double>> Samples =
      S.perIteration(L, S.repeats(), Clock::Warp);
  if (!Samples)
    return Samples.takeError();
  S.Db.set("memory", "dsm_atomic_latency_cycles",
           measured(summarize(perUnit(*Samples, Unroll)), Take::Mean, "cycle",
                    "dependent 64-bit exchanges with the other block of a "
                    "cluster of two, generic address, one warp a block"));
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
  if (Error E = measureClusterAccesses(S))
    return E;
  if (Error E = measureClusterExchanges(S))
    return E;
  return measureClusterBarriers(S);
}

} // namespace gpuocc::calibration
