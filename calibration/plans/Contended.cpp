//===- Contended.cpp - Atomics of many warps on few words -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools.h"
#include "kernels/Atomics.h"

using namespace llvm;

namespace gpuocc::calibration {

static constexpr unsigned GlobalUnroll = 8;

/// Lane operations a cycle of all lanes of 32 warps on all SMs, one sample at
/// each of \p Places: how many slices of L2 a few lines lie in depends on where
/// they are. \p LaneMask and \p WarpMask choose the words.
static Expected<Summary> opsPerCycle(Session &S, CuFunction F,
                                     CuDevicePtr Buffer, uint64_t LaneMask,
                                     uint64_t WarpMask, unsigned Places) {
  static constexpr uint64_t BytesApart = (64 << 10) + (4 << 10);
  Launch L = S.fillSms(F, 32, S.sms());
  L.SharedBytes = 0;
  L.Y = LaneMask;
  L.Z = WarpMask;
  std::vector<double> Samples;
  for (unsigned Place = 0; Place < Places; ++Place) {
    L.X = Buffer + Place * BytesApart;
    Expected<std::vector<double>> One = S.perIteration(
        L, std::max(LaneMask, WarpMask) >= 1023 ? 16 : 2, 1, Clock::SmMax);
    if (!One)
      return One.takeError();
    Samples.push_back(One->front());
  }
  return summarize(rates(Samples, double(GlobalUnroll) * 32 * 32 * S.sms()));
}

static Error measureGlobalContention(Session &S, CuDevicePtr Buffer) {
  Table T;
  T.Columns = {"returned", "by_lane", "words", "ops_per_cycle"};
  T.Units = {"0: result not used, 1: used",
             "1: neighbouring lanes on neighbouring words, 0: a warp on one "
             "word",
             "count", "op/cycle"};
  T.Source = "32-bit atomic additions of all lanes of 32 warps on all SMs to "
             "so many words side by side, in turn, over places";
  static constexpr unsigned LineWords = 32;
  for (bool Returned : {true, false}) {
    Expected<CuFunction> F =
        S.entry(contendedGlobal(GlobalAtomic::Add, Returned, GlobalUnroll));
    if (!F)
      return F.takeError();
    double OneLine = 0;
    std::vector<double> SliceBytes;
    for (bool ByLane : {true, false})
      for (uint64_t Words : {1u, 2u, 4u, 8u, 16u, LineWords, 64u, 128u, 256u,
                             512u, 1024u, 2048u, 4096u, 65536u, 1u << 20}) {
        bool IsKey = ByLane && (Words == 1 || Words == LineWords);
        if ((!ByLane && (Words == 1 || Words > 65536)) ||
            (S.Options.Quick && !IsKey && Words > 256))
          continue;
        Expected<Summary> Rate = opsPerCycle(
            S, *F, Buffer, ByLane ? Words - 1 : 0, ByLane ? 0 : Words - 1,
            IsKey ? S.repeats() : S.curveRepeats());
        if (!Rate)
          return Rate.takeError();
        T.Rows.push_back(
            {double(Returned), double(ByLane), double(Words), Rate->Mean});
        if (ByLane && Words == LineWords)
          OneLine = Rate->Mean;
        // Less is one slice or two, by place; more comes near the rate of all.
        if (ByLane && Words >= 256 && Words <= 4096)
          SliceBytes.push_back(Words * 4.0 * OneLine / Rate->Mean);
        if (!IsKey)
          continue;
        std::string Key = Returned ? "atomic_global_" : "red_global_";
        S.Db.set("memory",
                 Key + (Words == 1 ? "same_address" : "one_line") +
                     "_per_cycle",
                 measured(*Rate, Take::Mean, "op/cycle",
                          std::string(Returned ? "lane atomics"
                                               : "lane reductions") +
                              (Words == 1 ? " on one word"
                                          : " on the 32 words of one line") +
                              ", all lanes of all SMs" +
                              (Returned ? ", result used" : "")));
      }
    if (Returned)
      S.Db.set("memory", "l2_slice_bytes",
               derived(summarize(SliceBytes).Median, "byte",
                       "1 to 16 KiB of neighbouring words over how often the "
                       "rate of one line their atomics reach; median"));
    S.OnProgress(Returned ? 0.3 : 0.6);
  }
  S.Db.setTable("contended_global", T.toJson());
  return Error::success();
}

static Error measureGlobalForms(Session &S, CuDevicePtr Buffer) {
  Table T;
  T.Columns = {"form", "returned", "words", "ops_per_cycle"};
  T.Units = {"0: add, 1: add of 64 bits, 2: add of floats, 3: add of doubles, "
             "4: add of two halves, 5: max, 6: xor, 7: exchange, 8: compare "
             "and swap",
             "0: result not used, 1: used", "count", "op/cycle"};
  T.Source = "atomics of all lanes of 32 warps on all SMs, neighbouring lanes "
             "on neighbouring words";
  // Rates by number of words.
  std::map<uint64_t, std::vector<double>> OfFloats, OfDoubles, OfSwaps;
  for (unsigned I = 0; I < NumGlobalAtomics; ++I)
    for (bool Returned : {true, false}) {
      auto Form = GlobalAtomic(I);
      if (!Returned && !hasReduction(Form))
        continue;
      Expected<CuFunction> F =
          S.entry(contendedGlobal(Form, Returned, GlobalUnroll));
      if (!F)
        return F.takeError();
      for (uint64_t Words : {1u, 32u, 65536u}) {
        Expected<Summary> Rate =
            opsPerCycle(S, *F, Buffer, Words - 1, 0, S.Options.Quick ? 1 : 3);
        if (!Rate)
          return Rate.takeError();
        T.Rows.push_back(
            {double(I), double(Returned), double(Words), Rate->Mean});
        if (Form == GlobalAtomic::AddFloat || Form == GlobalAtomic::AddDouble ||
            Form == GlobalAtomic::AddHalf2)
          OfFloats[Words].push_back(Rate->Mean);
        if (Form == GlobalAtomic::AddDouble)
          OfDoubles[Words].push_back(Rate->Mean);
        if (Form == GlobalAtomic::CompareSwap)
          OfSwaps[Words].push_back(Rate->Mean);
      }
    }
  auto Keep = [&](StringRef Key, double Rate, StringRef Unit,
                  StringRef Source) {
    S.Db.set("memory", Key, derived(Rate, Unit, Source));
  };
  Keep("atomic_global_float_same_address_per_cycle",
       summarize(OfFloats[1]).Mean, "op/cycle",
       "additions of floats, doubles and pairs of halves on one word "
       "(contended_forms), result used and not; mean");
  Keep("atomic_global_double_one_line_per_cycle", summarize(OfDoubles[32]).Mean,
       "op/cycle",
       "additions of doubles on 32 words (contended_forms), result used and "
       "not; mean");
  Keep("atomic_global_double_distinct_per_cycle_sm",
       summarize(OfDoubles[65536]).Mean / S.sms(), "op/cycle/SM",
       "additions of doubles on 65536 words (contended_forms), result used "
       "and not; mean");
  Keep("atomic_global_swap_one_line_per_cycle", summarize(OfSwaps[32]).Mean,
       "op/cycle", "compare-and-swaps on 32 words (contended_forms)");
  Keep("atomic_global_swap_distinct_per_cycle_sm",
       summarize(OfSwaps[65536]).Mean / S.sms(), "op/cycle/SM",
       "compare-and-swaps on 65536 words (contended_forms)");
  S.Db.setTable("contended_forms", T.toJson());
  return Error::success();
}

static Error measureSharedContention(Session &S) {
  static constexpr unsigned Unroll = 32, Warps = 32;
  Table T;
  T.Columns = {"form", "lanes_on_one_word", "cycles_alone",
               "cycles_per_instruction_sm"};
  T.Units = {"0: add, 1: add with result, 2: add of 1, 3: max, 4: compare and "
             "swap with result",
             "count", "cycle", "cycle"};
  T.Source = "shared memory atomics in a row, the other lanes on words of "
             "their own; one warp, and 32 warps per SM";
  for (SharedAtomic Form :
       {SharedAtomic::Add, SharedAtomic::Returned, SharedAtomic::Count,
        SharedAtomic::Max, SharedAtomic::Swap}) {
    Expected<CuFunction> F = S.entry(contendedShared(Form, Unroll));
    if (!F)
      return F.takeError();
    if (Error E = allowShared(S, *F, 160 * 1024))
      return E;
    for (unsigned Lanes : {1u, 2u, 4u, 8u, 16u, 32u}) {
      if (Error E = setLaneTable(S, [&](unsigned Lane) -> uint64_t {
            return Lane < Lanes ? 0 : Lane * 4;
          }))
        return E;
      Launch L;
      L.Function = *F;
      Expected<std::vector<double>> Alone =
          S.perIteration(L, S.curveRepeats(), Clock::Warp);
      if (!Alone)
        return Alone.takeError();
      bool Main = Form == SharedAtomic::Count && Lanes == 32;
      Expected<std::vector<double>> Full =
          S.perIteration(S.fillSms(*F, Warps, S.sms()),
                         Main ? S.repeats() : S.curveRepeats(), Clock::Sm);
      if (!Full)
        return Full.takeError();
      Summary Cycles = summarize(perUnit(*Full, Unroll * Warps));
      T.Rows.push_back({double(Form), double(Lanes),
                        summarize(*Alone).Minimum / Unroll, Cycles.Median});
      if (Form == SharedAtomic::Swap && Lanes == 32)
        S.Db.set("memory", "atomic_shared_swap_cycles",
                 derived(Cycles.Median / Lanes, "cycle",
                         "compare-and-swaps of 32 lanes on one word, 32 warps "
                         "(contended_shared); each lane"));
      if (Main)
        S.Db.set("memory", "atomic_shared_count_cycles",
                 measured(Cycles, Take::Mean, "cycle",
                          "additions of 1 to one word a block, 32 warps"));
    }
  }
  S.Db.setTable("contended_shared", T.toJson());
  return Error::success();
}

Error measureContended(Session &S) {
  Expected<CuDevicePtr> Buffer = S.zeros(8 << 20);
  if (!Buffer)
    return Buffer.takeError();
  if (Error E = measureGlobalContention(S, *Buffer))
    return E;
  if (Error E = measureGlobalForms(S, *Buffer))
    return E;
  return measureSharedContention(S);
}

} // namespace gpuocc::calibration
