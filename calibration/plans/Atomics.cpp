//===- Atomics.cpp - Atomics in shared memory and in L2 -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools.h"
#include "kernels/Memory.h"

using namespace llvm;

namespace gpuocc::calibration {

/// Lanes of \p Lanes on one word, each of the others on its own.
static Error setWords(Session &S, unsigned Lanes) {
  return setLaneTable(S, [&](unsigned Lane) -> uint64_t {
    return Lane < Lanes ? 0 : Lane * 4;
  });
}

static Error measureSharedAtomics(Session &S, Table &Contention) {
  static constexpr unsigned Unroll = 32;
  Expected<CuFunction> Chase = S.entry(sharedAtomicChase(1, Unroll));
  Expected<CuFunction> Four = S.entry(sharedAtomicChase(4, Unroll));
  if (!Chase)
    return Chase.takeError();
  if (!Four)
    return Four.takeError();
  for (CuFunction F : {*Chase, *Four})
    if (Error E = allowShared(S, F, 160 * 1024))
      return E;
  std::vector<std::pair<double, double>> Points;
  for (unsigned Lanes : {1u, 2u, 4u, 8u, 16u, 32u}) {
    if (Error E = setWords(S, Lanes))
      return E;
    Launch L;
    L.Function = *Chase;
    L.SharedBytes = 4096;
    Expected<std::vector<double>> Samples =
        S.perIteration(L, S.repeats(), Clock::Warp);
    if (!Samples)
      return Samples.takeError();
    Summary Latency = summarize(perUnit(*Samples, Unroll));
    L = S.fillSms(*Four, 32, S.sms());
    Expected<std::vector<double>> Full =
        S.perIteration(L, S.curveRepeats(), Clock::Sm);
    if (!Full)
      return Full.takeError();
    std::vector<double> PerInstruction = perUnit(*Full, Unroll * 32);
    Contention.Rows.push_back(
        {0, double(Lanes), Latency.Minimum, summarize(PerInstruction).Median});
    Points.push_back({Lanes, Latency.Minimum});
    if (Lanes != 1)
      continue;
    S.Db.set("memory", "atomic_shared_latency_cycles",
             measured(Latency, Take::Minimum, "cycle",
                      "dependent atom.shared.add, one word a lane"));
    S.Db.setInstruction("atom.shared", "pipe", "lsu");
    S.Db.setInstruction(
        "atom.shared", "latency_cycles",
        measured(Latency, Take::Minimum, "cycle", "dependent atom.shared.add"));
    S.Db.setInstruction("atom.shared", "throughput_per_cycle_sm",
                        measured(summarize(rates(PerInstruction, 1)),
                                 Take::Mean, "warp_inst/cycle/SM",
                                 "all SMs, 32 warps, 4 chains"));
  }
  if (std::optional<Line> Fit = fitLine(Points))
    S.Db.set("memory", "atomic_shared_conflict_cycles",
             derived(Fit->Slope, "cycle",
                     "slope of latency over 1 to 32 lanes on one word"));
  return Error::success();
}

static constexpr unsigned GlobalUnroll = 16;
// Lines of the warps, far enough apart to lie in all slices of L2 alike.
static constexpr unsigned BytesApart = 33 * 128;

/// Which slices of L2 the words lie in depends on where they are in
/// \p Buffer: one sample at each of many places.
static Expected<std::vector<double>> overPlaces(Session &S, CuDevicePtr Buffer,
                                                Launch L, uint64_t N, Clock C) {
  std::vector<double> Samples;
  for (unsigned Place = 0; Place < S.repeats(); ++Place) {
    // Pages, and lines within them.
    L.X = Buffer + Place % 25 * ((2 << 20) + 4224);
    Expected<std::vector<double>> One = S.perIteration(L, N, 1, C);
    if (!One)
      return One;
    Samples.push_back(One->front());
  }
  return Samples;
}

static Error measureGlobalAtomics(Session &S, CuFunction Global,
                                  CuDevicePtr Buffer, Table &Contention) {
  for (unsigned Lanes : {1u, 2u, 4u, 8u, 16u, 32u}) {
    if (Error E = setWords(S, Lanes))
      return E;
    Launch L;
    L.Function = Global;
    L.X = Buffer;
    L.Y = 128;
    L.Z = 0;
    Expected<std::vector<double>> Samples =
        overPlaces(S, Buffer, L, 8, Clock::Warp);
    if (!Samples)
      return Samples.takeError();
    Summary Latency = summarize(perUnit(*Samples, GlobalUnroll));
    L = S.fillSms(Global, 32, S.sms());
    L.SharedBytes = 0;
    L.X = Buffer;
    L.Y = BytesApart;
    L.Z = 0;
    Expected<std::vector<double>> Full =
        overPlaces(S, Buffer, L, 12, Clock::SmMax);
    if (!Full)
      return Full.takeError();
    std::vector<double> PerInstruction = perUnit(*Full, GlobalUnroll * 32);
    Contention.Rows.push_back(
        {1, double(Lanes), Latency.Minimum, summarize(PerInstruction).Median});
    if (Lanes == 1) {
      S.Db.set("memory", "atomic_global_latency_cycles",
               measured(Latency, Take::Mean, "cycle",
                        "dependent 32-bit atom.global.add, one word a lane"));
      S.Db.setInstruction("atom.global", "pipe", "lsu");
      S.Db.setInstruction("atom.global", "latency_cycles",
                          measured(Latency, Take::Mean, "cycle",
                                   "dependent 32-bit atom.global.add"));
      S.Db.set("memory", "atomic_global_distinct_per_cycle_sm",
               measured(summarize(rates(PerInstruction, 32)), Take::Mean,
                        "op/cycle/SM",
                        "lane atomics on distinct words, all SMs, 32 warps"));
    }
  }
  return Error::success();
}

/// Reductions on distinct words.
static Error measureReductions(Session &S, CuFunction Reduction,
                               CuDevicePtr Buffer) {
  if (Error E = setWords(S, 1))
    return E;
  Launch L = S.fillSms(Reduction, 32, S.sms());
  L.SharedBytes = 0;
  L.X = Buffer;
  L.Y = BytesApart;
  L.Z = 0;
  Expected<std::vector<double>> Distinct =
      overPlaces(S, Buffer, L, 100, Clock::SmMax);
  if (!Distinct)
    return Distinct.takeError();
  S.Db.set("memory", "red_global_distinct_per_cycle_sm",
           measured(summarize(rates(*Distinct, GlobalUnroll * 32 * 32)),
                    Take::Mean, "op/cycle/SM",
                    "lane reductions on distinct words, all SMs, 32 warps"));
  return Error::success();
}

Error measureAtomics(Session &S) {
  Table Contention;
  Contention.Columns = {"space", "lanes_on_one_word", "latency",
                        "cycles_per_instruction_sm"};
  Contention.Units = {"0: shared, 1: global", "count", "cycle", "cycle"};
  Contention.Source = "atomic add of zero, one warp; 32 warps per SM";
  if (Error E = measureSharedAtomics(S, Contention))
    return E;
  S.OnProgress(0.5);
  Expected<CuDevicePtr> Buffer = S.zeros(96 << 20);
  if (!Buffer)
    return Buffer.takeError();
  Expected<CuFunction> Global = S.entry(globalAtomicChase(GlobalUnroll));
  Expected<CuFunction> Reduction = S.entry(globalReduction(GlobalUnroll));
  if (!Global)
    return Global.takeError();
  if (!Reduction)
    return Reduction.takeError();
  if (Error E = measureGlobalAtomics(S, *Global, *Buffer, Contention))
    return E;
  if (Error E = measureReductions(S, *Reduction, *Buffer))
    return E;
  S.Db.setTable("atomics", Contention.toJson());
  return Error::success();
}

} // namespace gpuocc::calibration
