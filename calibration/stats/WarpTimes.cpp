//===- WarpTimes.cpp - Records of warps to times of an SM -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpTimes.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;

namespace gpuocc::calibration {

WarpTimes reduceWarps(ArrayRef<WarpRecord> Records) {
  WarpTimes T;
  if (Records.empty())
    return T;
  struct SmTimes {
    uint64_t First = ~uint64_t(0), Last = 0;
    unsigned Warps = 0;
  };
  std::map<uint64_t, SmTimes> Sms;
  uint64_t FirstNs = ~uint64_t(0), LastNs = 0;
  double Cycles = 0, Ns = 0;
  for (const WarpRecord &R : Records) {
    SmTimes &S = Sms[R.Sm];
    S.First = std::min(S.First, R.StartClock);
    S.Last = std::max(S.Last, R.EndClock);
    ++S.Warps;
    FirstNs = std::min(FirstNs, R.StartTime);
    LastNs = std::max(LastNs, R.EndTime);
    Cycles += double(R.EndClock - R.StartClock);
    Ns += double(R.EndTime - R.StartTime);
  }
  T.WarpCycles = Cycles / Records.size();
  T.CyclesPerNs = Ns > 0 ? Cycles / Ns : 0;
  T.Ns = double(LastNs - FirstNs);
  T.Sms = Sms.size();
  T.MinWarpsPerSm = ~0u;
  for (const auto &[Id, S] : Sms) {
    double SmCycles = double(S.Last - S.First);
    T.SmCycles += SmCycles / Sms.size();
    T.SmCyclesMax = std::max(T.SmCyclesMax, SmCycles);
    T.MinWarpsPerSm = std::min(T.MinWarpsPerSm, S.Warps);
    T.MaxWarpsPerSm = std::max(T.MaxWarpsPerSm, S.Warps);
  }
  return T;
}

BlockGaps blockGaps(ArrayRef<WarpRecord> Records, unsigned WarpsPerBlock,
                    unsigned ResidentBlocks) {
  BlockGaps Result;
  struct Ordered {
    std::vector<uint64_t> Starts, Ends;
  };
  std::map<uint64_t, Ordered> Sms;
  for (size_t I = 0; I + WarpsPerBlock <= Records.size(); I += WarpsPerBlock) {
    uint64_t First = ~uint64_t(0), LastStart = 0, End = 0;
    for (const WarpRecord &R : Records.slice(I, WarpsPerBlock)) {
      First = std::min(First, R.StartClock);
      LastStart = std::max(LastStart, R.StartClock);
      End = std::max(End, R.EndClock);
    }
    Ordered &Sm = Sms[Records[I].Sm];
    Sm.Starts.push_back(First);
    Sm.Ends.push_back(End);
    Result.Skews.push_back(double(LastStart - First));
  }
  for (auto &[Id, Sm] : Sms) {
    llvm::sort(Sm.Starts);
    llvm::sort(Sm.Ends);
    for (size_t J = 0; J + ResidentBlocks < Sm.Starts.size(); ++J)
      Result.Gaps.push_back(
          double(int64_t(Sm.Starts[J + ResidentBlocks]) - int64_t(Sm.Ends[J])));
  }
  return Result;
}

} // namespace gpuocc::calibration
