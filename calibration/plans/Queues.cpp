//===- Queues.cpp - Queues between schedulers and pipes -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools.h"
#include "kernels/Bursts.h"
#include "stats/IssueQueue.h"
#include <cmath>

using namespace llvm;

namespace gpuocc::calibration {

/// Warps of a block that issues loads in a row: four of each scheduler.
static constexpr unsigned BurstWarps = 16;

/// The clocks before and behind the burst of each of \p Warps warps of a block,
/// in pairs. There is one burst: behind the barrier of a second one, the first
/// warps that go on keep their schedulers from the others.
static Expected<std::vector<uint64_t>> clocksOf(Session &S, CuFunction F,
                                                unsigned Warps,
                                                unsigned SharedBytes,
                                                CuDevicePtr Clocks) {
  Launch L;
  L.Function = F;
  L.Threads = Warps * 32;
  L.SharedBytes = SharedBytes;
  L.X = Clocks;
  L.Z = 0;
  if (Expected<WarpTimes> T = S.time(L); !T)
    return T.takeError();
  std::vector<uint64_t> Words(size_t(Warps) * 2);
  if (Error E = S.G.download(Words.data(), Clocks, Words.size() * 8))
    return std::move(E);
  return Words;
}

/// What the pipe takes for a special function of a warp, where the group
/// `instructions` was not run: eight cycles of four lanes.
static constexpr double UsualSpecialCycles = 8;

static Error measureSpecialQueue(Session &S, CuDevicePtr Clocks) {
  static constexpr unsigned Warps = 32, Schedulers = 4;
  Expected<CuFunction> F = S.entry(burst(BurstKind::SpecialFunction, 1));
  if (!F)
    return F.takeError();
  const double PipeCycles = S.Db.instructionValue("mufu.ex2", "issue_cycles")
                                .value_or(UsualSpecialCycles);
  std::vector<double> Entries, Delays;
  for (unsigned R = 0; R != S.repeats(); ++R) {
    Expected<std::vector<uint64_t>> Words = clocksOf(S, *F, Warps, 0, Clocks);
    if (!Words)
      return Words.takeError();
    for (unsigned Scheduler = 0; Scheduler != Schedulers; ++Scheduler) {
      std::vector<double> Ends;
      for (unsigned Warp = Scheduler; Warp < Warps; Warp += Schedulers)
        Ends.push_back(double((*Words)[2 * Warp + 1]));
      if (std::optional<IssueQueue> Q =
              queueOfOneEach(std::move(Ends), PipeCycles)) {
        Entries.push_back(Q->Entries);
        Delays.push_back(Q->DelayCycles);
      }
    }
  }
  if (Entries.empty())
    return Error::success();
  S.Db.set("chip", "special_queue_entries",
           derived(summarize(Entries).Median, "count",
                   "warps of a scheduler that issue a special function each "
                   "before one waits; median"));
  S.Db.set(
      "chip", "special_queue_delay_cycles",
      derived(std::round(summarize(Delays).Median), "cycle",
              "from the first such warp to the first that waits, less what "
              "a special function takes; median"));
  return Error::success();
}

/// What warps of a block take for \p Loads loads of \p Kind each in a row,
/// whose lanes are \p BytesApart: from the first clock to the last, or, where
/// \p ToFirst, until the first warp has issued its loads. Median.
static Expected<double> sharedBurst(Session &S, BurstKind Kind, unsigned Loads,
                                    unsigned BytesApart, bool ToFirst,
                                    CuDevicePtr Clocks) {
  Expected<CuFunction> F = S.entry(burst(Kind, Loads));
  if (!F)
    return F.takeError();
  if (Error E = setLaneTable(S, [&](unsigned Lane) -> uint64_t {
        return uint64_t(Lane) * BytesApart;
      }))
    return std::move(E);
  std::vector<double> Cycles;
  for (unsigned R = 0; R != S.repeats(); ++R) {
    Expected<std::vector<uint64_t>> Words =
        clocksOf(S, *F, BurstWarps, 32 * BytesApart + 16, Clocks);
    if (!Words)
      return Words.takeError();
    std::vector<uint64_t> Begins, Ends;
    for (size_t I = 0; I + 1 < Words->size(); I += 2) {
      Begins.push_back((*Words)[I]);
      Ends.push_back((*Words)[I + 1]);
    }
    Cycles.push_back(
        double((ToFirst ? *min_element(Ends) : *max_element(Ends)) -
               *min_element(Begins)));
  }
  return summarize(Cycles).Median;
}

static Error measureMemoryQueue(Session &S, CuDevicePtr Clocks) {
  static constexpr unsigned Schedulers = 4, Loads = 20;
  struct Row {
    BurstKind Kind;
    unsigned Bytes, BytesApart, Wavefronts;
  };
  static constexpr Row Rows[] = {
      {BurstKind::SharedLoad32, 4, 4, 1},
      {BurstKind::SharedLoad64, 8, 8, 2},
      {BurstKind::SharedLoad128, 16, 16, 4},
      {BurstKind::SharedLoad32, 4, 8, 2},
      {BurstKind::SharedLoad32, 4, 16, 4},
      {BurstKind::SharedLoad32, 4, 32, 8},
  };
  Table T;
  T.Columns = {"bytes", "bytes_apart", "loads", "cycles", "cycles_of_one"};
  T.Units = {"byte", "byte", "count", "cycle", "cycle"};
  T.Source = "16 warps of a block that issue so many loads of shared memory in "
             "a row, from the first clock to the last; one each, to the first "
             "that has issued its load";
  std::vector<Burst> Bursts;
  for (const Row &R : Rows) {
    Expected<double> All = sharedBurst(S, R.Kind, Loads, R.BytesApart,
                                       /*ToFirst=*/false, Clocks);
    if (!All)
      return All.takeError();
    Expected<double> One =
        sharedBurst(S, R.Kind, 1, R.BytesApart, /*ToFirst=*/true, Clocks);
    if (!One)
      return One.takeError();
    const double Accesses = double(BurstWarps) * Loads;
    T.Rows.push_back(
        {double(R.Bytes), double(R.BytesApart), Accesses, *All, *One});
    // Loads of one wavefront are issued no faster than the pipe takes them.
    if (R.Wavefronts > 1)
      Bursts.push_back({double(R.Wavefronts), Accesses, *All - *One});
  }
  S.Db.setTable("shared_bursts", T.toJson());
  std::optional<IssueQueue> Queue = queueOfBursts(Bursts);
  // What a stand-in answers gives no queue.
  if (!Queue || Queue->Entries < Schedulers || Queue->DelayCycles < 0)
    return Error::success();
  S.Db.set(
      "chip", "memory_queue_entries",
      derived(std::round(Queue->Entries / Schedulers), "count",
              "loads of a row that are issued before the pipe is done with "
              "the rest, of 2 to 8 wavefronts; a quarter of the SM's "
              "(shared_bursts)"));
  S.Db.set("chip", "memory_queue_delay_cycles",
           derived(std::round(Queue->DelayCycles), "cycle",
                   "what rows of loads of 2 to 8 wavefronts take beside the "
                   "pipe (shared_bursts)"));
  return Error::success();
}

Error measureQueues(Session &S) {
  Expected<CuDevicePtr> Clocks = S.zeros(4096);
  if (!Clocks)
    return Clocks.takeError();
  if (Error E = measureSpecialQueue(S, *Clocks))
    return E;
  return measureMemoryQueue(S, *Clocks);
}

} // namespace gpuocc::calibration
