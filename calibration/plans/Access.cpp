//===- Access.cpp - Strided, unaligned and random accesses ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools.h"
#include "kernels/Memory.h"

using namespace llvm;

namespace gpuocc::calibration {

static constexpr unsigned Ilp = 4;
/// Two blocks of 32 warps on each SM.
static constexpr unsigned WarpsPerSm = 64;

/// Cycles of an SM for each warp request of \p F, all SMs busy, over
/// \p Footprint bytes that one iteration's warps take \p BytesPerLane each of.
/// One sample a repeat.
static Expected<std::vector<double>>
requestCycles(Session &S, CuFunction F, CuDevicePtr At, uint64_t Footprint,
              unsigned BytesPerLane, unsigned Repeats, bool Flush) {
  Launch L;
  L.Function = F;
  L.Blocks = S.sms() * 2;
  L.Threads = 1024;
  L.X = At;
  L.Y = Footprint;
  uint64_t PerIteration =
      uint64_t(S.sms()) * WarpsPerSm * 32 * Ilp * BytesPerLane;
  uint64_t N =
      Flush ? std::clamp<uint64_t>(Footprint / 2 / PerIteration, 2, 200) : 64;
  std::optional<BeforeEachLaunch> Before;
  if (Flush)
    Before.emplace(S, [&] { return S.flushL2(); });
  Expected<std::vector<double>> Samples =
      S.perIteration(L, N, Repeats, Clock::SmMax);
  if (!Samples)
    return Samples.takeError();
  return perUnit(*Samples, WarpsPerSm * Ilp);
}

/// Bytes between the lone sectors of the numbers that stand for strides.
static constexpr unsigned LoneSectorStride = 256;

/// Neighbouring bytes that DRAM delivers together: loads that are further apart
/// bring all of them for one sector, and loads that are closer share them.
/// \p CyclesByStride is by words between lanes, from a sector on in powers of
/// two.
///
/// Heuristic: strides of 8 and 16 words take 87 and 174 cycles a request on an
/// H100 and 58 and 117 on an H200, those of 32 words 190 and 141: a fetch is 64
/// bytes on both. DRAM pages that are opened for less make longer strides
/// somewhat slower, so that twice as long is taken from 1.6 on.
static double fetchBytes(const std::map<unsigned, double> &CyclesByStride) {
  static constexpr double Twice = 1.6;
  static constexpr unsigned SectorWords = 8, MostWords = 64;
  unsigned Words = SectorWords;
  while (Words < MostWords && CyclesByStride.count(2 * Words) &&
         CyclesByStride.at(2 * Words) >= Twice * CyclesByStride.at(Words))
    Words *= 2;
  return 4.0 * Words;
}

/// What strides of \p Kind cost at L2 and in DRAM; a number for each.
static Error measureStrides(Session &S, StreamKind Kind, CuDevicePtr Buffer,
                            uint64_t Part) {
  const bool Reads = Kind == StreamKind::Read;
  Table T;
  T.Columns = {"level", "stride", "cycles_per_request_sm",
               "sectors_per_cycle_sm"};
  T.Units = {"2: L2, 3: DRAM", "elements of 4 bytes", "cycle",
             "sector/cycle/SM"};
  T.Source = Reads ? "grid-stride loads of 4 bytes a lane, ld.global.cg, 64 "
                     "warps per SM, every sector once"
                   : "grid-stride stores of 4 bytes a lane, 64 warps per SM, "
                     "every sector once";
  static constexpr unsigned ReadStrides[] = {
      1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 48, 64, 128, 256};
  static constexpr unsigned WriteStrides[] = {1, 2, 4, 8, 16, 32, 64, 128, 256};
  for (bool Dram : {false, true}) {
    // Cycles of a request and sectors a cycle, by stride.
    std::map<unsigned, double> RequestCycles, SectorRates;
    for (unsigned Stride :
         Reads ? ArrayRef(ReadStrides) : ArrayRef(WriteStrides)) {
      if (S.Options.Quick && !isPowerOf2_32(Stride))
        continue;
      Expected<CuFunction> F =
          S.entry(stream(Kind, 4, Ilp, Reads ? "cg" : "", Stride * 4));
      if (!F)
        return F.takeError();
      bool Lone = Dram && Stride * 4 == LoneSectorStride;
      bool Main = Lone || (Reads && Stride == 32);
      Expected<std::vector<double>> Samples =
          requestCycles(S, *F, Buffer, Dram ? Part : partOfL2(S), Stride * 4,
                        Main ? S.repeats() : S.curveRepeats(), Dram);
      if (!Samples)
        return Samples.takeError();
      double Sectors = std::min(32.0, 4.0 * Stride);
      double Cycles = summarize(*Samples).Median, Rate = Sectors / Cycles;
      T.Rows.push_back({Dram ? 3.0 : 2.0, double(Stride), Cycles, Rate});
      RequestCycles[Stride] = Cycles;
      SectorRates[Stride] = Rate;
      if (Lone)
        S.Db.set("memory",
                 Reads ? "dram_strided_sectors_per_cycle_sm"
                       : "dram_strided_write_sectors_per_cycle_sm",
                 measured(summarize(rates(*Samples, Sectors)), Take::Mean,
                          "sector/cycle/SM",
                          Reads ? "loads of 4 bytes a lane, 256 bytes apart, "
                                  "all SMs, 64 warps"
                                : "stores of 4 bytes a lane, 256 bytes apart, "
                                  "all SMs, 64 warps"));
    }
    if (Dram && Reads)
      S.Db.set("memory", "dram_fetch_bytes",
               derived(fetchBytes(RequestCycles), "byte",
                       "longest stride that still takes twice as long as half "
                       "of it, loads of 4 bytes from DRAM (strides)"));
    if (!Dram && !Reads)
      S.Db.set("memory", "l2_partial_write_sectors_per_cycle_sm",
               derived((SectorRates[2] + SectorRates[4] + SectorRates[8]) / 3,
                       "sector/cycle/SM",
                       "stores 2, 4 and 8 words apart to what L2 holds "
                       "(write_strides); mean"));
  }
  S.Db.setTable(Reads ? "strides" : "write_strides", T.toJson());
  return Error::success();
}

static Error measureUnaligned(Session &S, CuDevicePtr Buffer, uint64_t Part) {
  Table T;
  T.Columns = {"level", "shift", "cycles_per_request_sm"};
  T.Units = {"1: L1, 2: L2, 3: DRAM", "bytes from the line's start", "cycle"};
  T.Source = "loads of 4 bytes a lane, side by side; all SMs";
  Expected<CuFunction> Hits = S.entry(stridedLoads(4, "ca", 4 * 32));
  if (!Hits)
    return Hits.takeError();
  if (Error E = setCarveout(S, *Hits, 0))
    return E;
  Table Stores = T;
  Stores.Units[0] = "2: L2, 3: DRAM";
  Stores.Source = "stores of 4 bytes a lane, side by side; all SMs";
  Expected<CuFunction> Reads = S.entry(stream(StreamKind::Read, 4, Ilp, "cg"));
  if (!Reads)
    return Reads.takeError();
  Expected<CuFunction> Writes = S.entry(stream(StreamKind::Write, 4, Ilp, ""));
  if (!Writes)
    return Writes.takeError();
  for (unsigned Shift : {0u, 4u, 8u, 16u, 32u, 64u}) {
    Launch L;
    L.Function = *Hits;
    L.Blocks = S.sms();
    L.Threads = 1024;
    L.X = Buffer + Shift;
    L.Y = 4;
    L.Z = 0;
    Expected<std::vector<double>> Samples =
        S.perIteration(L, S.curveRepeats(), Clock::Sm);
    if (!Samples)
      return Samples.takeError();
    T.Rows.push_back(
        {1, double(Shift), summarize(*Samples).Median / (16 * 32)});
    for (bool Dram : {false, true})
      for (bool Reading : {true, false}) {
        Expected<std::vector<double>> Cycles =
            requestCycles(S, Reading ? *Reads : *Writes, Buffer + Shift,
                          Dram ? Part : partOfL2(S), 4, S.curveRepeats(), Dram);
        if (!Cycles)
          return Cycles.takeError();
        (Reading ? T : Stores)
            .Rows.push_back(
                {Dram ? 3.0 : 2.0, double(Shift), summarize(*Cycles).Median});
      }
  }
  S.Db.setTable("unaligned_writes", Stores.toJson());
  S.Db.setTable("unaligned", T.toJson());
  return Error::success();
}

static Error measureRandomStores(Session &S, CuDevicePtr Buffer,
                                 uint64_t Part) {
  static constexpr unsigned Stores = 8;
  Expected<CuFunction> F = S.entry(randomStores(Stores));
  if (!F)
    return F.takeError();
  Table T;
  T.Columns = {"footprint", "sectors_per_cycle_sm"};
  T.Units = {"byte", "sector/cycle/SM"};
  T.Source = "all SMs, 64 warps, each lane stores 4 bytes to a random sector";
  const uint64_t InL2 = partOfL2(S);
  for (uint64_t Bytes : {InL2, 512 * MiB, Part}) {
    Launch L;
    L.Function = *F;
    L.Blocks = S.sms() * 2;
    L.Threads = 1024;
    L.X = Buffer;
    L.Y = PowerOf2Ceil(Bytes) / 32 - 1;
    Expected<std::vector<double>> Samples =
        S.perIteration(L, 32, S.repeats(), Clock::SmMax);
    if (!Samples)
      return Samples.takeError();
    Summary Rate = summarize(rates(*Samples, 2.0 * 1024 * Stores));
    T.Rows.push_back({double(Bytes), Rate.Median});
    if (Bytes == InL2)
      S.Db.set("memory", "l2_random_write_sectors_per_cycle_sm",
               measured(Rate, Take::Mean, "sector/cycle/SM",
                        "random sectors of " + megabytes(InL2) +
                            ", 4 bytes each, all SMs, 64 warps"));
    if (Bytes == Part)
      S.Db.set("memory", "dram_random_write_sectors_per_cycle_sm",
               measured(Rate, Take::Mean, "sector/cycle/SM",
                        "random sectors of 4 GiB, 4 bytes each, all SMs, 64 "
                        "warps"));
  }
  S.Db.setTable("random_write_sectors", T.toJson());
  return Error::success();
}

/// What the address of a load adds when an instruction computes it.
static Error measureAddresses(Session &S, CuDevicePtr Zeros) {
  static constexpr unsigned Unroll = 64;
  struct Row {
    AddressProducer Producer;
    const char *Key;
  };
  static constexpr Row Rows[] = {
      {AddressProducer::Add, "int.add -> ld.shared.address"},
      {AddressProducer::Mad, "int.mad -> ld.shared.address"},
      {AddressProducer::Logic, "int.logic -> ld.shared.address"},
      {AddressProducer::MadWide, "int.mad_wide -> ld.global.address"},
  };
  if (Error E = setLaneTable(S, [](unsigned) -> uint64_t { return 0; }))
    return E;
  auto Cycles = [&](AddressProducer P) -> Expected<std::vector<double>> {
    Expected<CuFunction> F = S.entry(addressChain(P, Unroll));
    if (!F)
      return F.takeError();
    Launch L;
    L.Function = *F;
    L.X = Zeros;
    L.Z = 0;
    Expected<std::vector<double>> Samples =
        S.perIteration(L, S.repeats(), Clock::Warp);
    if (!Samples)
      return Samples.takeError();
    return perUnit(*Samples, Unroll);
  };
  Expected<std::vector<double>> None = Cycles(AddressProducer::None);
  if (!None)
    return None.takeError();
  double Shared = summarize(*None).Minimum;
  std::optional<double> Global = S.Db.value("memory", "l1_hit_latency_cycles");
  for (const Row &R : Rows) {
    bool Wide = R.Producer == AddressProducer::MadWide;
    // Kernels are loaded whatever is known by then.
    Expected<std::vector<double>> Chain = Cycles(R.Producer);
    if (!Chain)
      return Chain.takeError();
    if (Wide && !Global)
      continue;
    std::vector<double> Own = *Chain;
    for (double &X : Own)
      X -= Wide ? *Global : Shared;
    S.Db.set("dependences", R.Key,
             measured(summarize(Own), Take::Minimum, "cycle",
                      Wide ? "chain of both less l1_hit_latency_cycles"
                           : "chain of both less the chain of loads alone"));
  }
  return Error::success();
}

Error measureAccess(Session &S) {
  Expected<uint64_t> Part = S.halvedToFit(uint64_t(4) << 30, 2);
  if (!Part)
    return Part.takeError();
  Expected<CuDevicePtr> Zeros = S.zeros(4 * MiB);
  if (!Zeros)
    return Zeros.takeError();
  if (Error E = measureAddresses(S, *Zeros))
    return E;
  // Shifted stores end behind their part.
  Expected<CuDevicePtr> Buffer = S.noise(2 * *Part + MiB);
  if (!Buffer)
    return Buffer.takeError();
  for (StreamKind Kind : {StreamKind::Read, StreamKind::Write})
    if (Error E = measureStrides(S, Kind, *Buffer, *Part))
      return E;
  S.OnProgress(0.5);
  if (Error E = measureUnaligned(S, *Buffer, *Part))
    return E;
  S.OnProgress(0.8);
  return measureRandomStores(S, *Buffer, *Part);
}

} // namespace gpuocc::calibration
