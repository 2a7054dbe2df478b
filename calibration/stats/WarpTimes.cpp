//===- WarpTimes.cpp - Records of warps to times of an SM -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpTimes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace llvm;

namespace gpuocc::calibration {

namespace {
/// The warps of an SM in a launch.
struct SmTimes {
  uint64_t First = ~uint64_t(0), Last = 0;
  uint64_t LastStart = 0, FirstEnd = ~uint64_t(0);
  SmallVector<const WarpRecord *, 64> Warps;
};
} // namespace

/// Most warps of \p S at the same time. Ends come before starts of the same
/// time.
static unsigned mostAtOnce(const SmTimes &S) {
  // Nearly all launches: every warp starts before one ends.
  if (S.LastStart < S.FirstEnd)
    return S.Warps.size();
  // +1 and -1 at the clocks of starts and ends.
  std::vector<std::pair<uint64_t, int>> Changes;
  for (const WarpRecord *R : S.Warps) {
    Changes.push_back({R->StartClock, 1});
    Changes.push_back({R->EndClock, -1});
  }
  llvm::sort(Changes);
  int Now = 0, Most = 0;
  for (const auto &[Time, Change] : Changes) {
    Now += Change;
    Most = std::max(Most, Now);
  }
  return unsigned(Most);
}

void OccupancyCheck::add(unsigned WantedWarps, const WarpTimes &Times) {
  if (WantedWarps == 0 || Times.Sms == 0)
    return;
  if (Groups.empty())
    begin("");
  ++Groups.back().Launches;
  if (Times.MinResident == WantedWarps && Times.MaxResident == WantedWarps)
    return;
  ++Groups.back().Apart;
  auto Distance = [](unsigned A, unsigned B) { return A > B ? A - B : B - A; };
  for (unsigned Resident : {Times.MinResident, Times.MaxResident})
    if (Distance(Resident, WantedWarps) > Distance(Found, Wanted)) {
      Wanted = WantedWarps;
      Found = Resident;
      Cycles = Times.SmCyclesMax;
    }
}

std::string OccupancyCheck::text() const {
  unsigned Launches = 0, Apart = 0;
  std::string Where;
  for (const GroupCount &G : Groups) {
    Launches += G.Launches;
    Apart += G.Apart;
    if (G.Apart != 0)
      Where += formatv("{0}{1} {2} of {3}", Where.empty() ? "" : ", ", G.Name,
                       G.Apart, G.Launches)
                   .str();
  }
  if (Launches == 0)
    return "";
  std::string Text =
      formatv("{0} of {1} launches had the warps per SM that they "
              "asked for",
              Launches - Apart, Launches);
  if (Apart != 0)
    Text += formatv("; apart: {0}; furthest: {1} asked for, {2} found in a "
                    "launch of {3:f0} cycles",
                    Where, Wanted, Found, Cycles)
                .str();
  return Text;
}

WarpTimes reduceWarps(ArrayRef<WarpRecord> Records) {
  WarpTimes T;
  if (Records.empty())
    return T;
  std::vector<SmTimes> Sms;
  // Indices of SMs are small on all GPUs; others go by way of the map.
  std::vector<unsigned> SlotOfSm;
  std::map<uint64_t, unsigned> SlotOfOther;
  auto SlotOf = [&](uint64_t Sm) -> SmTimes & {
    static constexpr uint64_t MostSms = 1024;
    unsigned *Slot = nullptr;
    if (Sm < MostSms) {
      if (Sm >= SlotOfSm.size())
        SlotOfSm.resize(Sm + 1);
      Slot = &SlotOfSm[Sm];
    } else {
      Slot = &SlotOfOther[Sm];
    }
    // Slots count from 1; 0 stands for an SM that was not met.
    if (*Slot == 0) {
      Sms.emplace_back();
      *Slot = Sms.size();
    }
    return Sms[*Slot - 1];
  };
  uint64_t FirstNs = ~uint64_t(0), LastNs = 0;
  double Cycles = 0, Ns = 0;
  for (const WarpRecord &R : Records) {
    SmTimes &S = SlotOf(R.Sm);
    S.First = std::min(S.First, R.StartClock);
    S.Last = std::max(S.Last, R.EndClock);
    S.LastStart = std::max(S.LastStart, R.StartClock);
    S.FirstEnd = std::min(S.FirstEnd, R.EndClock);
    S.Warps.push_back(&R);
    FirstNs = std::min(FirstNs, R.StartTime);
    LastNs = std::max(LastNs, R.EndTime);
    Cycles += double(R.EndClock - R.StartClock);
    Ns += double(R.EndTime - R.StartTime);
  }
  T.WarpCycles = Cycles / Records.size();
  T.CyclesPerNs = Ns > 0 ? Cycles / Ns : 0;
  T.Ns = double(LastNs - FirstNs);
  T.Sms = Sms.size();
  T.MinWarpsPerSm = T.MinResident = ~0u;
  for (const SmTimes &S : Sms) {
    const unsigned Resident = mostAtOnce(S);
    T.MinResident = std::min(T.MinResident, Resident);
    T.MaxResident = std::max(T.MaxResident, Resident);
    double SmCycles = double(S.Last - S.First);
    T.SmCycles += SmCycles / Sms.size();
    T.SmCyclesMax = std::max(T.SmCyclesMax, SmCycles);
    const unsigned Warps = S.Warps.size();
    T.MinWarpsPerSm = std::min(T.MinWarpsPerSm, Warps);
    T.MaxWarpsPerSm = std::max(T.MaxWarpsPerSm, Warps);
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
          double(int64_t(Sm.Starts[J + ResidentBlocks] - Sm.Ends[J])));
  }
  return Result;
}

} // namespace gpuocc::calibration
