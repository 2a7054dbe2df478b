//===- FirstBlocks.cpp - Where the first blocks of a grid go --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"
#include "Tools.h"
#include "kernels/Control.h"
#include <map>

using namespace llvm;

namespace gpuocc::calibration {

Error measureFirstBlocks(Session &S) {
  // Two warps each, as many as records are kept for (WarpRecordLimit).
  static constexpr unsigned Blocks = 100'000;
  // About 100 us, longer than all blocks take to start.
  static constexpr unsigned Iterations = 1600;
  Expected<CuFunction> F = S.entry(stayingBlocks());
  if (!F)
    return F.takeError();
  Table T;
  T.Columns = {"staying_blocks", "on_fullest_sm"};
  T.Units = {"count", "count"};
  T.Source = "of 100000 blocks of two warps the first stay, and the others end "
             "at once";
  std::vector<double> OverMean;
  for (unsigned EachSm : {2u, 4u, 6u}) {
    if (EachSm > S.G.facts().BlocksPerSm * 2 / 3)
      break;
    Launch L;
    L.Function = *F;
    L.Blocks = Blocks;
    L.Threads = 64;
    L.Iterations = Iterations;
    L.Y = uint64_t(EachSm) * S.sms();
    Expected<ArrayRef<WarpRecord>> Records = S.G.run(L);
    if (!Records)
      return Records.takeError();
    std::map<uint64_t, unsigned> StayOn;
    for (const WarpRecord &R : Records->take_front(2 * L.Y))
      ++StayOn[R.Sm];
    unsigned Fullest = 0;
    for (auto [Sm, Warps] : StayOn)
      Fullest = std::max(Fullest, Warps / 2);
    T.Rows.push_back({double(L.Y), double(Fullest)});
    OverMean.push_back(double(Fullest) / EachSm);
  }
  S.Db.setTable("first_blocks", T.toJson());
  if (!OverMean.empty())
    S.Db.set("runtime", "first_blocks_on_fullest_sm",
             derived(summarize(OverMean).Median, "count",
                     "blocks that stay on the fullest SM over those on all in "
                     "the mean, of the first 2, 4 and 6 for each SM; median "
                     "(first_blocks)"));
  return Error::success();
}

} // namespace gpuocc::calibration
