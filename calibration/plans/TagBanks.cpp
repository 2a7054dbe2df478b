//===- TagBanks.cpp - Banks of L1's tags ----------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "stats/TagBanks.h"
#include "L1.h"
#include "Tools.h"
#include "kernels/Memory.h"

using namespace llvm;

namespace gpuocc::calibration {

Error measureTagBanks(Session &S) {
  static constexpr unsigned Unroll = 16, Warps = 32, MostLinesApart = 300,
                            LineBytes = 128;
  Expected<CuDevicePtr> Buffer = S.zeros(2 * MiB);
  if (!Buffer)
    return Buffer.takeError();
  Expected<CuFunction> F = S.entry(wordChase(Unroll));
  if (!F)
    return F.takeError();
  if (Error E = setCarveout(S, *F, 0))
    return E;
  Table T;
  T.Columns = {"stride_lines", "cycles_per_request"};
  T.Units = {"lines", "cycle"};
  T.Source =
      "32 warps of an SM load again and again what L1 has, lane l a word "
      "of its own bank in line l x stride";
  std::vector<std::pair<unsigned, double>> Points;
  for (unsigned Apart = 1; Apart <= MostLinesApart; ++Apart) {
    if (Error E = setLaneTable(S, [&](unsigned Lane) -> uint64_t {
          return uint64_t(Lane) * (Apart * LineBytes + 4);
        }))
      return E;
    Launch L;
    L.Function = *F;
    L.Threads = Warps * 32;
    L.X = *Buffer;
    L.Z = 0;
    Expected<std::vector<double>> Samples = S.perIteration(L, 8, 3, Clock::Sm);
    if (!Samples)
      return Samples.takeError();
    const double Cycles = summarize(*Samples).Median / (Unroll * Warps);
    Points.push_back({Apart, Cycles});
    T.Rows.push_back({double(Apart), Cycles});
  }
  S.Db.setTable("l1_tag_strides", T.toJson());
  if (std::optional<TagBanks> Banks = tagBanks(Points)) {
    static constexpr const char *Source =
        "masks that explain best how long requests take whose lanes are 1 to "
        "300 lines apart (l1_tag_strides)";
    S.Db.set("memory", "l1_tag_bank_low_mask",
             derived(Banks->Low, "mask", Source));
    S.Db.set("memory", "l1_tag_bank_high_mask",
             derived(Banks->High, "mask", Source));
  }
  return Error::success();
}

} // namespace gpuocc::calibration
