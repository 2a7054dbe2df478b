//===- SharedMemory.cpp - Shared memory: latency and banks ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools.h"
#include "kernels/Memory.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuocc::calibration {

static constexpr unsigned SharedUnroll = 64;
static constexpr unsigned SharedBytes = 64 * 1024;

/// Byte offsets that put \p Ways lanes in bank 0, in different rows, and every
/// other lane in a row beyond those, \p Bytes from its neighbour.
static uint64_t conflictOffset(unsigned Lane, unsigned Ways, unsigned Bytes) {
  return Lane < Ways ? Lane * 128 : 32 * 128 + Lane * Bytes;
}

static Expected<CuFunction> chaseOf(Session &S, unsigned Bytes,
                                    unsigned Chains) {
  Expected<CuFunction> F = S.entry(sharedChase(Bytes, Chains, SharedUnroll));
  if (!F)
    return F;
  if (Error E = allowShared(S, *F, 160 * 1024))
    return std::move(E);
  return F;
}

namespace {

/// Loads of one width by lanes in every pattern.
class SharedLoads {
public:
  SharedLoads(Session &S, unsigned Bytes, CuFunction One, CuFunction Four)
      : S(S), Bytes(Bytes), One(One), Four(Four) {}

  /// \p N ways, or lanes \p N accesses apart.
  enum class Pattern : uint8_t { Ways, Stride };
  Error measure(Pattern P, unsigned N);

  std::vector<std::vector<double>> Rows;
  /// Over conflict ways of 4 bytes: latency, and cycles of the SM for a load.
  std::vector<std::pair<double, double>> Latencies, Costs;
  double BestBytes = 0;
  Summary BestBandwidth;

private:
  Error setNumbers(const Summary &Latency, const std::vector<double> &Full);

  Session &S;
  const unsigned Bytes;
  CuFunction One, Four;
};

} // namespace

Error SharedLoads::measure(Pattern P, unsigned N) {
  const bool IsWays = P == Pattern::Ways;
  if (Error E = setLaneTable(S, [&](unsigned Lane) {
        return IsWays ? conflictOffset(Lane, N, Bytes)
                      : uint64_t(Lane) * N * Bytes;
      }))
    return E;
  const bool IsPlain = N == 1 && IsWays == (Bytes == 4);
  Launch L;
  L.Function = One;
  L.SharedBytes = SharedBytes;
  Expected<std::vector<double>> Chain =
      S.perIteration(L, S.repeats(), Clock::Warp);
  if (!Chain)
    return Chain.takeError();
  Summary Latency = summarize(perUnit(*Chain, SharedUnroll));
  L = S.fillSms(Four, 32, S.sms());
  Expected<std::vector<double>> Full =
      S.perIteration(L, IsPlain ? S.repeats() : S.curveRepeats(), Clock::Sm);
  if (!Full)
    return Full.takeError();
  std::vector<double> PerLoad = perUnit(*Full, SharedUnroll * 32);
  Summary Cost = summarize(PerLoad);
  Rows.push_back({double(Bytes), IsWays ? 0.0 : 1.0, double(N), Latency.Minimum,
                  Cost.Median});
  if (IsWays && Bytes == 4) {
    Latencies.push_back({N, Latency.Minimum});
    Costs.push_back({N, Cost.Median});
  }
  if (N == 1 && Bytes * 32 / Cost.Median > BestBytes) {
    BestBytes = Bytes * 32 / Cost.Median;
    BestBandwidth = summarize(rates(PerLoad, Bytes * 32));
  }
  return IsPlain ? setNumbers(Latency, *Full) : Error::success();
}

/// Writes what loads without conflicts take.
Error SharedLoads::setNumbers(const Summary &Latency,
                              const std::vector<double> &Full) {
  if (Bytes != 4) {
    std::string Bits = std::to_string(Bytes * 8);
    S.Db.set("memory", "shared_latency_" + Bits + "_cycles",
             measured(Latency, Take::Minimum, "cycle",
                      "dependent " + Bits + "-bit ld.shared"));
    return Error::success();
  }
  S.Db.set("memory", "shared_latency_cycles",
           measured(Latency, Take::Minimum, "cycle",
                    "dependent 32-bit ld.shared, address to address"));
  S.Db.setInstruction("ld.shared", "pipe", "lsu");
  S.Db.setInstruction(
      "ld.shared", "latency_cycles",
      measured(Latency, Take::Minimum, "cycle", "dependent chain, one warp"));
  Expected<CuFunction> Eight = chaseOf(S, Bytes, 8);
  if (!Eight)
    return Eight.takeError();
  Launch L;
  L.Function = *Eight;
  L.SharedBytes = SharedBytes;
  Expected<std::vector<double>> Issue =
      S.perIteration(L, S.repeats(), Clock::Warp);
  if (!Issue)
    return Issue.takeError();
  S.Db.setInstruction("ld.shared", "issue_cycles",
                      measured(summarize(perUnit(*Issue, SharedUnroll)),
                               Take::Minimum, "cycle",
                               "one warp, 8 independent chains"));
  S.Db.setInstruction("ld.shared", "throughput_per_cycle_sm",
                      measured(summarize(rates(Full, SharedUnroll * 32)),
                               Take::Mean, "warp_inst/cycle/SM",
                               "all SMs, 32 warps, 4 chains"));
  return Error::success();
}

Error measureShared(Session &S) {
  using Pattern = SharedLoads::Pattern;
  Table Conflicts;
  Conflicts.Columns = {"bytes", "pattern", "ways_or_stride", "latency",
                       "cycles_per_load_sm"};
  Conflicts.Units = {"byte", "0: ways, 1: lane stride in words of the access",
                     "count", "cycle", "cycle"};
  Conflicts.Source = "dependent ld.shared; 32 warps with 4 chains per SM";
  std::vector<std::pair<double, double>> Latencies, Costs;
  double BestBytes = 0;
  Summary BestBandwidth;
  for (unsigned Bytes : {4u, 8u, 16u}) {
    Expected<CuFunction> One = chaseOf(S, Bytes, 1);
    if (!One)
      return One.takeError();
    Expected<CuFunction> Four = chaseOf(S, Bytes, 4);
    if (!Four)
      return Four.takeError();
    SharedLoads Loads(S, Bytes, *One, *Four);
    for (Pattern P : {Pattern::Ways, Pattern::Stride})
      for (unsigned N = 1; N <= 32; ++N)
        if (isPowerOf2_32(N) ||
            (!S.Options.Quick && (P == Pattern::Stride || Bytes == 4)))
          if (Error E = Loads.measure(P, N))
            return E;
    append_range(Conflicts.Rows, Loads.Rows);
    append_range(Latencies, Loads.Latencies);
    append_range(Costs, Loads.Costs);
    if (Loads.BestBytes > BestBytes) {
      BestBytes = Loads.BestBytes;
      BestBandwidth = Loads.BestBandwidth;
    }
    S.OnProgress(Bytes / 16.0);
  }
  S.Db.set("memory", "shared_bytes_per_cycle_sm",
           measured(BestBandwidth, Take::Mean, "byte/cycle/SM",
                    "conflict-free ld.shared, 32 warps, best of 4, 8, 16 bytes "
                    "a lane"));
  if (std::optional<Line> Fit = fitLine(Latencies))
    S.Db.set("memory", "shared_conflict_increment_cycles",
             derived(Fit->Slope, "cycle",
                     "slope of latency over 1 to 32 conflict ways"));
  if (std::optional<Line> Fit = fitLine(Costs))
    S.Db.set("memory", "shared_wavefront_cycles",
             derived(Fit->Slope, "cycle",
                     "slope of SM cycles per load over 1 to 32 conflict ways"));
  S.Db.setTable("shared_conflicts", Conflicts.toJson());
  return Error::success();
}

} // namespace gpuocc::calibration
