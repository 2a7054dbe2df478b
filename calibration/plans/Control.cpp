//===- Control.cpp - Loops, exits and divergent sides ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernels/Control.h"
#include "Tools.h"

using namespace llvm;

namespace gpuocc::calibration {

static Expected<std::vector<double>> warpCycles(Session &S, TimedKernel K,
                                                uint64_t X = 0) {
  Expected<CuFunction> F = S.entry(K);
  if (!F)
    return F.takeError();
  Launch L;
  L.Function = *F;
  L.X = X;
  L.Z = 0;
  return S.perIteration(L, S.repeats(), Clock::Warp);
}

/// Samples of \p X, each less \p Other, over \p Divisor.
static std::vector<double> less(std::vector<double> X, double Other,
                                double Divisor = 1) {
  for (double &Each : X)
    Each = (Each - Other) / Divisor;
  return X;
}

static Error measureLoops(Session &S) {
  // Additions of a short loop take 4 cycles; those of the long chains behind
  // the latency of their class also wait for instructions now and then.
  Expected<std::vector<double>> Long = warpCycles(S, tightLoop(64));
  if (!Long)
    return Long.takeError();
  Expected<std::vector<double>> Middle = warpCycles(S, tightLoop(32));
  if (!Middle)
    return Middle.takeError();
  double Addition =
      (summarize(*Long).Minimum - summarize(*Middle).Minimum) / 32;
  Summary Jump = summarize(less(*Middle, 32 * Addition));
  S.Db.set("runtime", "loop_branch_cycles",
           measured(Jump, Take::Minimum, "cycle",
                    "loop of 32 dependent additions, not unrolled, one warp: "
                    "an iteration less 32 times what 32 more additions take "
                    "each"));
  // The additions of the shortest loops end before the condition is there. How
  // long it takes differs by some cycles with where the loop's code lies.
  static constexpr unsigned Shortest[] = {1, 2, 3, 4};
  Table T;
  T.Columns = {"additions", "cycles"};
  T.Units = {"count", "cycle"};
  T.Source = "iteration of a loop of dependent additions, not unrolled, one "
             "warp";
  double Iteration = 0;
  for (unsigned Adds : Shortest) {
    Expected<std::vector<double>> Short = warpCycles(S, tightLoop(Adds));
    if (!Short)
      return Short.takeError();
    double Cycles = summarize(*Short).Minimum;
    T.Rows.push_back({double(Adds), Cycles});
    Iteration += Cycles / std::size(Shortest);
  }
  T.Rows.push_back({32, summarize(*Middle).Minimum});
  T.Rows.push_back({64, summarize(*Long).Minimum});
  S.Db.setTable("short_loops", T.toJson());
  double Count = S.Db.instructionValue("int.add", "latency_cycles").value_or(4);
  S.Db.set("dependences", "int.setp -> branch.predicate",
           derived(std::max(0.0, Iteration - Count - Jump.Minimum), "cycle",
                   "loops of 1 to 4 additions, not unrolled, one warp: mean "
                   "of the iterations less int.add and loop_branch_cycles"));
  return Error::success();
}

static Error measureExits(Session &S) {
  static constexpr unsigned Groups = 5, Adds = 8;
  static constexpr unsigned DenseGroups = 6, FullWarps = 32;
  Expected<std::vector<double>> Without =
      warpCycles(S, exits(false, Groups, Adds));
  if (!Without)
    return Without.takeError();
  Expected<std::vector<double>> With = warpCycles(S, exits(true, Groups, Adds));
  if (!With)
    return With.takeError();
  Summary Each = summarize(less(*With, summarize(*Without).Minimum, Groups));
  const char *Source = "5 conditional exits that no lane takes beside 40 "
                       "dependent additions: what one adds, one warp";
  S.Db.setInstruction("exit", "pipe", "cbu");
  S.Db.setInstruction("exit", "latency_cycles",
                      measured(Each, Take::Minimum, "cycle", Source));
  S.Db.setInstruction("exit", "issue_cycles",
                      measured(Each, Take::Minimum, "cycle", Source));
  Expected<CuFunction> Dense = S.entry(exits(true, DenseGroups, 1));
  if (!Dense)
    return Dense.takeError();
  if (Error E = allowShared(S, *Dense, 160 * 1024))
    return E;
  Launch Full = S.fillSms(*Dense, FullWarps, S.sms());
  Full.Z = 0;
  return measureThroughput(S, "exit", Full, DenseGroups * FullWarps,
                           "6 conditional exits that no lane takes, each after "
                           "an addition, all SMs, 32 warps",
                           12e3);
}

/// Latencies of instructions that take no operand, by what waits for them.
static Error measureReads(Session &S) {
  static constexpr unsigned Groups = 16;
  Expected<std::vector<double>> Sum =
      warpCycles(S, awaitedReads(ReadFrom::Sum, Groups));
  if (!Sum)
    return Sum.takeError();
  double Addition =
      S.Db.instructionValue("int.add", "latency_cycles").value_or(4);
  double Rest = summarize(*Sum).Minimum - Groups * Addition;
  for (auto [From, Key] : {std::pair{ReadFrom::Lane, "s2r"},
                           std::pair{ReadFrom::Uniform, "s2ur"}}) {
    Expected<std::vector<double>> Read =
        warpCycles(S, awaitedReads(From, Groups));
    if (!Read)
      return Read.takeError();
    S.Db.setInstruction(Key, "latency_cycles",
                        measured(summarize(less(*Read, Rest, Groups)),
                                 Take::Minimum, "cycle",
                                 "16 reads in a row, each compared and an exit "
                                 "behind it, less the same with int.add, one "
                                 "warp"));
    static constexpr unsigned Few = 2, Many = 8;
    Expected<std::vector<double>> Short = warpCycles(S, readsInARow(From, Few));
    if (!Short)
      return Short.takeError();
    Expected<std::vector<double>> Long = warpCycles(S, readsInARow(From, Many));
    if (!Long)
      return Long.takeError();
    S.Db.setInstruction(
        Key, "issue_cycles",
        measured(summarize(less(*Long, summarize(*Short).Minimum, Many - Few)),
                 Take::Minimum, "cycle",
                 "8 reads and then their uses less 2 of them, one warp"));
  }
  return Error::success();
}

static Error measureUniformMoves(Session &S) {
  static constexpr unsigned Groups = 16;
  Expected<CuDevicePtr> Buffer = S.zeros(4096);
  if (!Buffer)
    return Buffer.takeError();
  Expected<std::vector<double>> Address =
      warpCycles(S, policyLoads(false, Groups), *Buffer);
  if (!Address)
    return Address.takeError();
  Expected<std::vector<double>> Policy =
      warpCycles(S, policyLoads(true, Groups), *Buffer);
  if (!Policy)
    return Policy.takeError();
  S.Db.setInstruction(
      "r2ur", "latency_cycles",
      measured(summarize(less(*Policy, summarize(*Address).Minimum, Groups)),
               Take::Minimum, "cycle",
               "dependent loads that hit L1, each needing the "
               "one before as its cache policy, less the same "
               "through the address, one warp"));
  return Error::success();
}

static Error measureSides(Session &S) {
  static constexpr unsigned Adds = 24;
  Table Sides;
  Sides.Columns = {"sides", "width", "cycles"};
  Sides.Units = {"count", "lanes in a row on one side", "cycle"};
  Sides.Source = "switch of 24 dependent additions a side, one warp (Thoman et "
                 "al., branch penalty)";
  for (unsigned Count : {1u, 2u, 4u, 8u, 16u, 32u})
    for (unsigned Width : {1u, 2u, 4u, 8u, 16u, 32u}) {
      Expected<std::vector<double>> Cycles =
          warpCycles(S, branchSides(Count, Adds), Width);
      if (!Cycles)
        return Cycles.takeError();
      Sides.Rows.push_back(
          {double(Count), double(Width), summarize(*Cycles).Minimum});
    }
  S.Db.setTable("branch_sides", Sides.toJson());
  return Error::success();
}

Error measureControl(Session &S) {
  if (Error E = setLaneTable(S, [](unsigned) -> uint64_t { return 0; }))
    return E;
  if (Error E = measureLoops(S))
    return E;
  if (Error E = S.unlessAbsent(measureExits(S)))
    return E;
  if (Error E = measureReads(S))
    return E;
  if (Error E = measureUniformMoves(S))
    return E;
  S.OnProgress(0.3);
  return measureSides(S);
}

} // namespace gpuocc::calibration
