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

static Error measureGlobalContention(Session &S, CuDevicePtr Buffer) {
  static constexpr unsigned Unroll = 8;
  Table T;
  T.Columns = {"returned", "by_lane", "words", "ops_per_cycle"};
  T.Units = {"0: result not used, 1: used",
             "1: neighbouring lanes on neighbouring words, 0: a warp on one "
             "word",
             "count", "op/cycle"};
  T.Source = "32-bit atomic additions of all lanes of 32 warps on all SMs to "
             "so many words side by side, in turn";
  for (bool Returned : {true, false}) {
    Expected<CuFunction> F = S.entry(contendedGlobal(Returned, Unroll));
    if (!F)
      return F.takeError();
    for (bool ByLane : {true, false})
      for (uint64_t Words : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 256u, 1024u, 4096u,
                             65536u, 1u << 20}) {
        if ((!ByLane && (Words == 1 || Words > 65536)) ||
            (S.Options.Quick && Words > 32))
          continue;
        Launch L = S.fillSms(*F, 32, S.sms());
        L.SharedBytes = 0;
        L.X = Buffer;
        L.Y = ByLane ? Words - 1 : 0;
        L.Z = ByLane ? 0 : Words - 1;
        bool Main = Words == 1;
        Expected<std::vector<double>> Samples =
            S.perIteration(L, Words >= 1024 ? 16 : 2,
                           Main ? S.repeats() : S.curveRepeats(), Clock::SmMax);
        if (!Samples)
          return Samples.takeError();
        Summary Rate =
            summarize(rates(*Samples, double(Unroll) * 32 * 32 * S.sms()));
        T.Rows.push_back(
            {double(Returned), double(ByLane), double(Words), Rate.Median});
        if (Main)
          S.Db.set("memory",
                   Returned ? "atomic_global_same_address_per_cycle"
                            : "red_global_same_address_per_cycle",
                   measured(Rate, Take::Mean, "op/cycle",
                            Returned ? "lane atomics on one word, all lanes of "
                                       "all SMs, result used"
                                     : "lane reductions on one word, all lanes "
                                       "of all SMs"));
      }
    S.OnProgress(Returned ? 0.4 : 0.8);
  }
  S.Db.setTable("contended_global", T.toJson());
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
  return measureSharedContention(S);
}

} // namespace gpuocc::calibration
