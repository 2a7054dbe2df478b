//===- Bulk.cpp - Bulk copies, tiles of tensors, multicast ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernels/Bulk.h"
#include "Tools.h"
#include "kernels/Memory.h"

using namespace llvm;

namespace gpuocc::calibration {

/// The map of a tensor that fills \p Bytes at \p Address, cut into tiles as
/// \p Tile. Its shape is that of Bulk.h: words of 32 bits, rows of 64 (all of
/// the tensor for rank 1, 16 KiB for a wide one).
static Expected<TensorMap> tensorMap(Session &S, const BulkTile &Tile,
                                     CuDevicePtr Address, uint64_t Bytes) {
  static constexpr unsigned MaxRank = 5;
  static constexpr int UInt32 = 2, None = 0;
  const Driver &Cuda = S.G.driver();
  unsigned Outer = Tile.Rank - 1;
  uint64_t RowBytes = Tile.Rank == 1 ? Bytes
                      : Tile.Wide    ? WidePitchBytes
                                     : TileRowBytes;
  uint64_t Sizes[MaxRank] = {1, 1, 1, 1, 1}, Strides[MaxRank];
  unsigned Box[MaxRank] = {1, 1, 1, 1, 1}, Steps[MaxRank] = {1, 1, 1, 1, 1};
  std::fill(std::begin(Strides), std::end(Strides), RowBytes);
  Sizes[0] = RowBytes / TensorElementBytes;
  Box[0] = std::min(Tile.Bytes, Tile.Rank == 1 ? Tile.Bytes : TileRowBytes) /
           TensorElementBytes;
  if (Outer > 0) {
    Sizes[Outer] = Bytes / RowBytes;
    Box[Outer] = Tile.Bytes / TileRowBytes;
  }
  TensorMap Map;
  if (Error E =
          check(Cuda,
                Cuda.TensorMapEncodeTiled(
                    &Map, UInt32, Tile.Rank, reinterpret_cast<void *>(Address),
                    Sizes, Strides, Box, Steps, None, None, None, None),
                "cuTensorMapEncodeTiled"))
    return std::move(E);
  return Map;
}

namespace {
/// A loaded kernel of bulk copies, with the map of its buffer.
struct BulkCode {
  Module Code;
  CuFunction Function;
};
} // namespace

/// Loads \p K, whose tiles are of the \p Bytes at \p Buffer.
static Expected<BulkCode> loadBulk(Session &S, const TimedKernel &K,
                                   const BulkTile &Tile, CuDevicePtr Buffer,
                                   uint64_t Bytes) {
  PtxTarget Target = S.G.target();
  // The compiler advises it for multicast.
  Target.ArchitectureSpecific = K.ClusterBlocks > 0;
  Expected<Module> M = S.load(
      {K.Name, {K.Name}, moduleHeader(Target) + timedKernel(K), K.Claim});
  if (!M)
    return joinErrors(createStringError("in kernel '%s'", K.Name.c_str()),
                      M.takeError());
  Expected<CuFunction> F = M->function(K.Name);
  if (!F)
    return F.takeError();
  if (Error E = allowShared(S, *F, 160 * KiB))
    return std::move(E);
  if (Tile.Rank > 0) {
    Expected<TensorMap> Map = tensorMap(S, Tile, Buffer, Bytes);
    if (!Map)
      return Map.takeError();
    Expected<CuDevicePtr> At = M->variable(TensorMapVariable);
    if (!At)
      return At.takeError();
    if (Error E = S.G.upload(*At, Map->Words, sizeof(Map->Words)))
      return std::move(E);
  }
  return BulkCode{std::move(*M), *F};
}

namespace {
/// Device memory that copies read.
struct Source {
  CuDevicePtr At;
  uint64_t Bytes;
};
} // namespace

/// Reads what a latency walk in L2 touches.
static Error warmL2(Session &S, CuFunction Read, CuDevicePtr Buffer) {
  Launch L;
  L.Function = Read;
  L.Blocks = S.sms();
  L.Threads = 1024;
  L.X = Buffer;
  L.Y = 2 * partOfL2(S);
  L.Iterations = 2 * partOfL2(S) / (uint64_t(L.Blocks) * L.Threads * 64) + 1;
  return S.G.start(L);
}

/// Cycles of one copy and its wait, from L2 or from DRAM.
static Expected<Summary> copyLatency(Session &S, const BulkTile &Tile,
                                     Source From, bool Dram, bool Main) {
  // Tiles of wide tensors lie side by side in steps of their size.
  uint64_t Apart = 64 * KiB + (Tile.Wide   ? 3 * Tile.Bytes
                               : Tile.Rank ? TileRowBytes
                                           : 128);
  Expected<CuFunction> Read = S.entry(stream(StreamKind::Read, 16, 4, "cg"));
  if (!Read)
    return Read.takeError();
  Expected<BulkCode> Copy =
      loadBulk(S, bulkCopy(Tile), Tile, From.At, From.Bytes);
  if (!Copy)
    return Copy.takeError();
  BeforeEachLaunch Prepare(S, [&]() -> Error {
    return Dram ? S.flushL2() : warmL2(S, *Read, From.At);
  });
  Launch L;
  L.Function = Copy->Function;
  L.SharedBytes = Tile.Bytes;
  L.X = From.At;
  L.Y = Apart;
  L.Z = (Dram ? std::min(From.Bytes / 4, GiB) : partOfL2(S)) - 1;
  Expected<std::vector<double>> Samples =
      S.perIteration(L, 64, Main ? S.repeats() : S.curveRepeats(), Clock::Warp);
  if (!Samples)
    return Samples.takeError();
  return summarize(*Samples);
}

/// Bytes per cycle and SM of \p K, which keeps \p Stages copies in flight on
/// each.
static Expected<Summary> rateOf(Session &S, const TimedKernel &K,
                                const BulkTile &Tile, unsigned Stages,
                                Source From, bool Dram, bool Main) {
  Expected<BulkCode> Copies = loadBulk(S, K, Tile, From.At, From.Bytes);
  if (!Copies)
    return Copies.takeError();
  Launch L;
  L.Function = Copies->Function;
  L.Blocks = S.sms();
  L.SharedBytes = Tile.Bytes * Stages;
  if (Error E = S.needShared(K.Name, Copies->Function, L.SharedBytes))
    return std::move(E);
  L.X = From.At;
  L.Y = Tile.Bytes;
  L.Z = (Dram ? From.Bytes / 2 : 2 * partOfL2(S)) - 1;
  uint64_t PerIteration = uint64_t(L.Blocks) * Tile.Bytes * Stages;
  uint64_t N = std::clamp<uint64_t>(L.Z / PerIteration / 2, 8, 100);
  Expected<std::vector<double>> Samples =
      S.perIteration(L, N, Main ? S.repeats() : S.curveRepeats(), Clock::SmMax);
  if (!Samples)
    return Samples.takeError();
  return summarize(rates(*Samples, double(Tile.Bytes) * Stages));
}

static Expected<Summary> copyRate(Session &S, const BulkTile &Tile,
                                  unsigned Stages, Source From, bool Dram,
                                  bool Main) {
  return rateOf(S, bulkStream(Tile, Stages), Tile, Stages, From, Dram, Main);
}

/// Memory that bulk copies read, the same in all groups.
static Expected<Source> bulkSource(Session &S) {
  Expected<uint64_t> Bytes = S.halvedToFit(4 * GiB);
  if (!Bytes)
    return Bytes.takeError();
  Expected<CuDevicePtr> Buffer = S.noise(*Bytes);
  if (!Buffer)
    return Buffer.takeError();
  return Source{*Buffer, *Bytes};
}

/// The levels as tables number them.
static double level(bool Dram) { return Dram ? 3 : 2; }
static constexpr const char *LevelUnit = "2: L2, 3: DRAM";

/// Latency of one copy over its size, from L2 and from DRAM.
static Error measureBulkLatency(Session &S, Source From) {
  Table T;
  T.Columns = {"level", "bytes", "latency"};
  T.Units = {LevelUnit, "byte", "cycle"};
  T.Source =
      "one bulk copy to shared memory and its wait at a time, one thread";
  for (bool Dram : {false, true})
    for (unsigned Bytes : {16u, 64u, 256u, 1024u, 4096u, 16384u}) {
      bool Main = Bytes == 1024;
      Expected<Summary> Latency = copyLatency(S, {Bytes}, From, Dram, Main);
      if (!Latency)
        return Latency.takeError();
      T.Rows.push_back({level(Dram), double(Bytes), Latency->Mean});
      if (Main)
        S.Db.set("memory",
                 Dram ? "bulk_copy_dram_latency_cycles"
                      : "bulk_copy_l2_latency_cycles",
                 measured(*Latency, Take::Mean, "cycle",
                          "bulk copy of 1 KiB and its wait, one thread"));
    }
  S.Db.setTable("bulk_copy_latency", T.toJson());
  return Error::success();
}

static Error measureBulkThroughput(Session &S, Source From) {
  Table T;
  T.Columns = {"level", "bytes", "stages", "bytes_per_cycle_sm"};
  T.Units = {LevelUnit, "byte", "copies in flight per SM", "byte/cycle/SM"};
  T.Source = "bulk copies to shared memory, one thread of one block on each SM";
  for (bool Dram : {false, true})
    for (unsigned Bytes : {1024u, 4096u, 16384u})
      for (unsigned Stages : {1u, 2u, 4u, 8u}) {
        bool Main = Dram && Bytes == 16384 && Stages == 8;
        Expected<Summary> Rate = copyRate(S, {Bytes}, Stages, From, Dram, Main);
        if (!Rate) {
          if (Error E = S.unlessAbsent(Rate.takeError()))
            return E;
          continue;
        }
        T.Rows.push_back(
            {level(Dram), double(Bytes), double(Stages), Rate->Median});
        if (Main)
          S.Db.set("memory", "bulk_copy_dram_bytes_per_cycle_sm",
                   measured(*Rate, Take::Mean, "byte/cycle/SM",
                            "8 bulk copies of 16 KiB in flight on each SM"));
      }
  S.Db.setTable("bulk_copy_throughput", T.toJson());
  return Error::success();
}

static Error measureBulkWrites(Session &S, Source To) {
  static constexpr unsigned Bytes = 16384, Stages = 4;
  Table T;
  T.Columns = {"reduces", "level", "bytes_per_cycle_sm"};
  T.Units = {"1: words are added to", LevelUnit, "byte/cycle/SM"};
  T.Source = "4 bulk copies of 16 KiB from shared memory in flight, one thread "
             "of one block on each SM";
  for (bool Reduces : {false, true})
    for (bool Dram : {false, true}) {
      const bool Main = Reduces && !Dram;
      Expected<Summary> Rate = rateOf(S, bulkWrites(Bytes, Stages, Reduces),
                                      {Bytes}, Stages, To, Dram, Main);
      if (!Rate) {
        if (Error E = S.unlessAbsent(Rate.takeError()))
          return E;
        continue;
      }
      T.Rows.push_back({double(Reduces), level(Dram), Rate->Median});
      if (Main)
        S.Db.set("memory", "l2_bulk_reduction_bytes_per_cycle_sm",
                 measured(*Rate, Take::Mean, "byte/cycle/SM",
                          "4 bulk reductions of 16 KiB of integers in flight "
                          "on each SM, to a part of L2"));
    }
  S.Db.setTable("bulk_write_throughput", T.toJson());
  return Error::success();
}

Error measureBulk(Session &S) {
  Expected<Source> From = bulkSource(S);
  if (!From)
    return From.takeError();
  if (Error E = measureBulkLatency(S, *From))
    return E;
  S.OnProgress(0.5);
  if (Error E = measureBulkThroughput(S, *From))
    return E;
  S.OnProgress(0.9);
  return measureBulkWrites(S, *From);
}

/// Tiles by rank and size: the first is the one that numbers stand for.
static constexpr BulkTile Tiles[] = {
    {1024, 2}, {1024, 1},  {1024, 3},       {1024, 4},       {1024, 5},
    {4096, 2}, {16384, 2}, {1024, 2, true}, {4096, 2, true}, {16384, 2, true},
};

static Error measureTensorLatency(Session &S, Source From) {
  Table T;
  T.Columns = {"level", "rank", "wide", "bytes", "latency"};
  T.Units = {LevelUnit, "count", "1: rows of the tile are 16 KiB apart", "byte",
             "cycle"};
  T.Source = "one tile of 32-bit words to shared memory and its wait at a "
             "time, one thread; rows of 256 bytes";
  for (bool Dram : {false, true})
    for (const BulkTile &Tile : Tiles) {
      bool Main = &Tile == Tiles;
      Expected<Summary> Latency = copyLatency(S, Tile, From, Dram, Main);
      if (!Latency)
        return Latency.takeError();
      T.Rows.push_back({level(Dram), double(Tile.Rank), double(Tile.Wide),
                        double(Tile.Bytes), Latency->Mean});
      if (Main)
        S.Db.set("memory",
                 Dram ? "tensor_copy_dram_latency_cycles"
                      : "tensor_copy_l2_latency_cycles",
                 measured(*Latency, Take::Mean, "cycle",
                          "tile of 4 rows of 256 bytes by a tensor map and its "
                          "wait, one thread"));
    }
  S.Db.setTable("tensor_copy_latency", T.toJson());
  return Error::success();
}

static Error measureTensorThroughput(Session &S, Source From) {
  static constexpr unsigned Stages = 8;
  Table T;
  T.Columns = {"level", "rank", "wide", "bytes", "bytes_per_cycle_sm"};
  T.Units = {LevelUnit, "count", "1: rows of the tile are 16 KiB apart", "byte",
             "byte/cycle/SM"};
  T.Source = "8 tiles of 32-bit words in flight on each SM, one thread of one "
             "block; rows of 256 bytes";
  for (bool Dram : {false, true})
    for (const BulkTile &Tile : Tiles) {
      // Other ranks are for the latency.
      if (Tile.Rank > 2)
        continue;
      bool Main = Tile.Bytes == 16384 && !Tile.Wide;
      Expected<Summary> Rate = copyRate(S, Tile, Stages, From, Dram, Main);
      if (!Rate) {
        if (Error E = S.unlessAbsent(Rate.takeError()))
          return E;
        continue;
      }
      T.Rows.push_back({level(Dram), double(Tile.Rank), double(Tile.Wide),
                        double(Tile.Bytes), Rate->Median});
      if (Main)
        S.Db.set("memory",
                 Dram ? "tensor_copy_dram_bytes_per_cycle_sm"
                      : "tensor_copy_l2_bytes_per_cycle_sm",
                 measured(*Rate, Take::Mean, "byte/cycle/SM",
                          "8 tiles of 64 rows of 256 bytes by a tensor map in "
                          "flight on each SM"));
    }
  S.Db.setTable("tensor_copy_throughput", T.toJson());
  return Error::success();
}

/// Copies that arrive in all blocks of a cluster.
static Error measureMulticast(Session &S, Source From) {
  static constexpr unsigned Stages = 8, StageBytes = 16384;
  Table T;
  T.Columns = {"blocks", "rank", "latency", "bytes_per_cycle_sm"};
  T.Units = {"blocks of a cluster", "0: bytes in a row, 2: tiles of a matrix",
             "cycle", "byte/cycle/SM"};
  T.Source = "from L2 to all blocks of a cluster: 1 KiB by one of them, its "
             "wait and a barrier of the cluster without a fence; 8 stages of "
             "16 KiB in flight, "
             "each block brings its part of them, bytes that arrive";
  for (unsigned Blocks : {2u, 4u, 8u})
    for (unsigned Rank : {0u, 2u}) {
      BulkTile Small{1024, Rank}, Part{StageBytes / Blocks, Rank};
      Expected<BulkCode> One =
          loadBulk(S, multicastCopy(Small, Blocks), Small, From.At, From.Bytes);
      if (!One)
        return One.takeError();
      Launch L;
      L.Function = One->Function;
      L.Blocks = Blocks;
      L.SharedBytes = Small.Bytes * Blocks;
      L.X = From.At;
      L.Y = 64 * KiB + TileRowBytes;
      L.Z = partOfL2(S) - 1;
      bool Main = Blocks == 2 && Rank == 2;
      unsigned Repeats = Main ? S.repeats() : S.curveRepeats();
      Expected<std::vector<double>> Latency =
          S.perIteration(L, 64, Repeats, Clock::Warp);
      if (!Latency)
        return Latency.takeError();

      TimedKernel Stream = multicastStream(Part, Blocks, Stages);
      Expected<BulkCode> All = loadBulk(S, Stream, Part, From.At, From.Bytes);
      if (!All)
        return All.takeError();
      if (Error E =
              S.needShared(Stream.Name, All->Function, Stages * StageBytes)) {
        if (Error Failure = S.unlessAbsent(std::move(E)))
          return Failure;
        continue;
      }
      L.Function = All->Function;
      L.Blocks = S.sms() / Blocks * Blocks;
      L.SharedBytes = Stages * StageBytes;
      L.Y = Part.Bytes;
      L.Z = 2 * partOfL2(S) - 1;
      Expected<std::vector<double>> Full =
          S.perIteration(L, 32, Repeats, Clock::Warp);
      if (!Full)
        return Full.takeError();
      Summary Cycles = summarize(*Latency);
      Summary Rate = summarize(rates(*Full, double(StageBytes) * Stages));
      T.Rows.push_back(
          {double(Blocks), double(Rank), Cycles.Median, Rate.Median});
      if (Main)
        S.Db.set("memory", "multicast_l2_bytes_per_cycle_sm",
                 measured(Rate, Take::Mean, "byte/cycle/SM",
                          "tiles of a matrix to both blocks of clusters of "
                          "two, 8 stages of 16 KiB in flight, bytes that "
                          "arrive on each SM"));
    }
  S.Db.setTable("multicast", T.toJson());
  return Error::success();
}

Error measureTensor(Session &S) {
  Expected<Source> From = bulkSource(S);
  if (!From)
    return From.takeError();
  if (Error E = measureTensorLatency(S, *From))
    return E;
  S.OnProgress(0.3);
  if (Error E = measureTensorThroughput(S, *From))
    return E;
  S.OnProgress(0.7);
  return measureMulticast(S, *From);
}

} // namespace gpuocc::calibration
