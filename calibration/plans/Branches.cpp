//===- Branches.cpp - Barriers and branches -------------------------------===//
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

/// Barriers of as many blocks as fit: the rate at which an SM takes warps.
static Error measureBarrierRates(Session &S, CuFunction F, unsigned Unroll) {
  static constexpr unsigned MostBlocks = 32, MostWarps = 64;
  Table Rates;
  Rates.Columns = {"warps_per_block", "blocks", "warps_per_cycle"};
  Rates.Units = {"warp", "block/SM", "warp_inst/cycle/SM"};
  Rates.Source = "bar.sync in a row, an SM full of blocks, all SMs";
  for (unsigned Warps : {1u, 2u, 4u, 8u, 16u, 32u}) {
    unsigned Blocks = std::min(MostBlocks, MostWarps / Warps);
    Launch L;
    L.Function = F;
    L.Threads = Warps * 32;
    L.Blocks = Blocks * S.sms();
    Expected<std::vector<double>> Samples =
        S.perIteration(L, S.repeats(), Clock::Sm, 30e3);
    if (!Samples)
      return Samples.takeError();
    Summary Rate = summarize(rates(*Samples, Unroll * Blocks * Warps));
    Rates.Rows.push_back({double(Warps), double(Blocks), Rate.Mean});
    if (Warps == 8)
      S.Db.setInstruction("barrier", "throughput_per_cycle_sm",
                          measured(Rate, Take::Mean, "warp_inst/cycle/SM",
                                   "bar.sync in a row, 8 blocks of 8 warps an "
                                   "SM, all SMs"));
  }
  S.Db.setTable("barrier_rates", Rates.toJson());
  return Error::success();
}

Error measureBarriers(Session &S) {
  static constexpr unsigned Unroll = 64;
  Expected<CuFunction> F = S.entry(barriers(Unroll));
  if (!F)
    return F.takeError();
  Table Costs;
  Costs.Columns = {"warps", "cycles"};
  Costs.Units = {"warp", "cycle"};
  Costs.Source = "bar.sync in a row, one block";
  std::vector<std::pair<double, double>> Points;
  for (unsigned Warps : {1u, 2u, 4u, 6u, 8u, 12u, 16u, 20u, 24u, 28u, 32u}) {
    Launch L;
    L.Function = *F;
    L.Threads = Warps * 32;
    Expected<std::vector<double>> Samples =
        S.perIteration(L, S.repeats(), Clock::Warp);
    if (!Samples)
      return Samples.takeError();
    Summary Cycles = summarize(perUnit(*Samples, Unroll));
    Costs.Rows.push_back({double(Warps), Cycles.Minimum});
    Points.push_back({Warps, Cycles.Minimum});
    if (Warps != 1)
      continue;
    S.Db.setInstruction("barrier", "pipe", "barrier");
    S.Db.setInstruction("barrier", "latency_cycles",
                        measured(Cycles, Take::Minimum, "cycle",
                                 "bar.sync in a row, block of one warp"));
    S.Db.setInstruction("barrier", "issue_cycles",
                        measured(Cycles, Take::Minimum, "cycle",
                                 "bar.sync in a row, block of one warp"));
  }
  S.Db.setTable("barriers", Costs.toJson());
  if (std::optional<Line> Fit = fitLine(Points)) {
    S.Db.set("runtime", "barrier_base_cycles",
             derived(Fit->Intercept, "cycle",
                     "cycles per bar.sync over 1 to 32 warps, intercept"));
    S.Db.set("runtime", "barrier_per_warp_cycles",
             derived(Fit->Slope, "cycle",
                     "cycles per bar.sync over 1 to 32 warps, slope"));
  }
  return measureBarrierRates(S, *F, Unroll);
}

namespace {

/// Branches over additions, by shape.
class BranchKernels {
public:
  static constexpr unsigned Unroll = 6, Adds = 24;

  explicit BranchKernels(Session &S) : S(S) {}

  Error load() {
    for (BranchShape Shape : {BranchShape::None, BranchShape::Skip,
                              BranchShape::UniformSkip, BranchShape::IfElse}) {
      Expected<CuFunction> F = S.entry(branches(Shape, Unroll, Adds));
      if (!F)
        return F.takeError();
      Functions[Shape] = *F;
    }
    return Error::success();
  }

  /// Of a branch and its additions, for one warp whose lanes take turns of
  /// \p RunLength to enter: 64 all, 128 none, 16 half.
  Expected<double> cycles(BranchShape Shape, unsigned RunLength) {
    Launch L;
    L.Function = Functions[Shape];
    L.X = RunLength;
    L.Z = 0;
    Expected<std::vector<double>> Samples =
        S.perIteration(L, S.repeats(), Clock::Warp);
    if (!Samples)
      return Samples.takeError();
    return summarize(perUnit(*Samples, Unroll)).Minimum;
  }

  /// Of an iteration that no lane enters, on SMs of \p Warps warps.
  Expected<std::vector<double>> cyclesOfFullSm(BranchShape Shape,
                                               unsigned Warps) {
    Launch L = S.fillSms(Functions[Shape], Warps, S.sms());
    L.SharedBytes = 0;
    L.X = 128;
    L.Z = 0;
    return S.perIteration(L, S.repeats(), Clock::Sm);
  }

private:
  Session &S;
  std::map<BranchShape, CuFunction> Functions;
};

} // namespace

/// One warp at one branch.
static Error measureBranchCosts(Session &S, BranchKernels &Kernels) {
  Expected<double> Plain = Kernels.cycles(BranchShape::None, 1);
  Expected<double> UniformSkipped =
      Kernels.cycles(BranchShape::UniformSkip, 128);
  Expected<double> UniformEntered =
      Kernels.cycles(BranchShape::UniformSkip, 64);
  Expected<double> Skipped = Kernels.cycles(BranchShape::Skip, 128);
  Expected<double> Entered = Kernels.cycles(BranchShape::Skip, 64);
  Expected<double> Divergent = Kernels.cycles(BranchShape::Skip, 16);
  for (Expected<double> *E : {&Plain, &UniformSkipped, &UniformEntered,
                              &Skipped, &Entered, &Divergent})
    if (!*E)
      return E->takeError();
  // Loop control is what the additions alone take beyond their latency.
  double Addition =
      S.Db.instructionValue("fp32.add", "latency_cycles").value_or(4);
  double Loop = *Plain - BranchKernels::Adds * Addition;
  auto Set = [&](const char *Key, double Value, const char *Source) {
    S.Db.set("runtime", Key, derived(std::max(0.0, Value), "cycle", Source));
  };
  double Taken = *UniformSkipped - Loop;
  Set("branch_taken_cycles", Taken,
      "branch over 24 additions on a uniform condition, taken, one warp");
  Set("branch_not_taken_cycles", *UniformEntered - *Plain,
      "branch over 24 additions on a uniform condition, not taken, less the "
      "additions, one warp");
  Set("branch_divergent_cycles", *Divergent - *Plain,
      "branch over 24 additions that half of the lanes take, with its "
      "convergence barrier, less the additions, one warp");
  double Converge = *Entered - *UniformEntered;
  S.Db.setInstruction("branch", "pipe", "cbu");
  S.Db.setInstruction("converge", "pipe", "cbu");
  S.Db.setInstruction(
      "branch", "latency_cycles",
      derived(Taken, "cycle", "uniform condition, taken, one warp"));
  S.Db.setInstruction(
      "branch", "issue_cycles",
      derived(Taken, "cycle", "uniform condition, taken, one warp"));
  S.Db.setInstruction("converge", "latency_cycles",
                      derived(std::max(0.0, Converge) / 2, "cycle",
                              "half of what BSSY and BSYNC add to a branch "
                              "that no lane takes, one warp"));
  Table Costs;
  Costs.Columns = {"case", "cycles"};
  Costs.Units = {"0: additions alone, 1: uniform taken, 2: uniform not taken, "
                 "3: taken by all, 4: taken by none, 5: taken by half",
                 "cycle"};
  Costs.Source = "branch over 24 dependent additions, one warp, loop control "
                 "included";
  double Case = 0;
  for (double C : {*Plain, *UniformSkipped, *UniformEntered, *Skipped, *Entered,
                   *Divergent})
    Costs.Rows.push_back({Case++, C});
  S.Db.setTable("branches", Costs.toJson());
  return Error::success();
}

/// SMs full of warps that branch.
static Error measureBranchRates(Session &S, BranchKernels &Kernels) {
  static constexpr unsigned Warps = 32, Unroll = BranchKernels::Unroll;
  Expected<std::vector<double>> Busy =
      Kernels.cyclesOfFullSm(BranchShape::UniformSkip, Warps);
  if (!Busy)
    return Busy.takeError();
  S.Db.setInstruction("branch", "throughput_per_cycle_sm",
                      measured(summarize(rates(*Busy, Warps * (Unroll + 1))),
                               Take::Mean, "warp_inst/cycle/SM",
                               "6 branches that are taken and that of the "
                               "loop, all SMs, 32 warps"));
  Expected<std::vector<double>> Both =
      Kernels.cyclesOfFullSm(BranchShape::Skip, Warps);
  if (!Both)
    return Both.takeError();
  double Longer = summarize(*Both).Mean - summarize(*Busy).Mean;
  if (Longer > 0)
    S.Db.setInstruction(
        "converge", "throughput_per_cycle_sm",
        derived(2.0 * Warps * Unroll / Longer, "warp_inst/cycle/SM",
                "BSSY and BSYNC: what 6 branches that are taken take longer "
                "with them, all SMs, 32 warps"));
  return Error::success();
}

/// Both sides of a branch, over the lanes in a row that take the same.
static Error measureBranchRuns(Session &S, BranchKernels &Kernels) {
  Table Runs;
  Runs.Columns = {"run_length", "cycles"};
  Runs.Units = {"lanes with the same side", "cycle"};
  Runs.Source = "if/else with 24 additions a side (Lemeire et al., Fig. 5)";
  for (unsigned Run : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u}) {
    Expected<double> C = Kernels.cycles(BranchShape::IfElse, Run);
    if (!C)
      return C.takeError();
    Runs.Rows.push_back({double(Run), *C});
  }
  S.Db.setTable("divergence_by_run_length", Runs.toJson());
  return Error::success();
}

Error measureBranches(Session &S) {
  BranchKernels Kernels(S);
  if (Error E = Kernels.load())
    return E;
  if (Error E = measureBranchCosts(S, Kernels))
    return E;
  if (Error E = measureBranchRates(S, Kernels))
    return E;
  return measureBranchRuns(S, Kernels);
}

} // namespace gpuocc::calibration
