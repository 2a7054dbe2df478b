//===- Pipes.cpp - Which classes share a pipe; issue slots ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernels/Pipes.h"
#include "Tools.h"
#include <cmath>

using namespace llvm;

namespace gpuocc::calibration {

static constexpr double Schedulers = 4;

/// Cycles of an SM for one group of each of 32 warps, divided by the warps.
static Expected<double> groupCycles(Session &S, const PipeProbe &First,
                                    unsigned FirstCount,
                                    const PipeProbe &Second,
                                    unsigned SecondCount) {
  static constexpr unsigned Warps = 32;
  // Bodies so long that the warps do not crowd at the loop's branch.
  unsigned Groups = std::max(1u, 384 / (FirstCount + SecondCount));
  Expected<CuFunction> F =
      S.entry(pipePair(First, FirstCount, Second, SecondCount, Groups));
  if (!F)
    return F.takeError();
  if (Error E = allowShared(S, *F, 160 * 1024))
    return std::move(E);
  Launch L = S.fillSms(*F, Warps, S.sms());
  Expected<std::vector<double>> Samples =
      S.perIteration(L, S.curveRepeats(), Clock::Sm, 20e3);
  if (!Samples)
    return Samples.takeError();
  return summarize(*Samples).Median / (Groups * Warps);
}

/// Share of the shorter one's time that two pipes cannot overlap: 0 for pipes
/// of their own, 1 for one pipe. Issue, one instruction a cycle and scheduler,
/// is what they may always share.
static double shared(double First, double Second, double Issue, double Both) {
  double Apart = std::max({First, Second, Issue});
  double Together = std::max(First + Second, Issue);
  return Together > Apart * 1.001 ? (Both - Apart) / (Together - Apart) : NAN;
}

/// Takes what \p Slow, a product of 64 bits, adds to \p Count instructions that
/// keep the ALU busy for longer than the product needs, for what it takes of
/// the ALU.
static void setAluCycles(Session &S, const PipeProbe &Slow, unsigned Count,
                         double Logic, double Both) {
  S.Db.setInstruction(
      Slow.Key, "alu_cycles",
      derived((Both - Logic) * Schedulers, "cycle",
              "what it adds to " + std::to_string(Count) + " int.logic"));
}

Error measurePipes(Session &S) {
  static constexpr unsigned Fill = 48;
  if (Error E = S.G.input(std::vector<uint64_t>{5, 3}).takeError())
    return E;
  std::vector<PipeProbe> Probes;
  for (const PipeProbe &Probe : pipeProbes())
    if (!S.lacks(Probe.Key, Probe.Step))
      Probes.push_back(Probe);
  // What each takes alone, and by what pairs are put together.
  std::vector<double> Alone, Weights;
  for (const PipeProbe &Probe : Probes) {
    Expected<double> Cycles = groupCycles(S, Probe, 4, Probe, 0);
    if (!Cycles)
      return Cycles.takeError();
    Alone.push_back(*Cycles / 4);
    Weights.push_back(S.G.facts().Architecture == 90 ? Probe.Cycles90
                                                     : Alone.back());
  }
  json::Array Pairs, Slots;
  auto Rounded = [](double X) -> json::Value {
    return std::isfinite(X) ? json::Value(std::round(X * 1e3) / 1e3)
                            : json::Value(nullptr);
  };
  for (size_t I = 0; I < Probes.size(); ++I)
    for (size_t J = I + 1; J < Probes.size(); ++J) {
      // As many of the faster one as take the time of the slower one.
      bool Swap = Weights[I] > Weights[J];
      size_t Fast = Swap ? J : I, Slow = Swap ? I : J;
      unsigned Count = std::clamp<double>(
          std::round(Weights[Slow] / std::max(Weights[Fast], 0.05)), 1, 8);
      Expected<double> Both =
          groupCycles(S, Probes[Fast], Count, Probes[Slow], 1);
      if (!Both)
        return Both.takeError();
      double First = Alone[Fast] * Count, Second = Alone[Slow];
      Pairs.push_back(json::Array{
          Probes[Fast].Key, Probes[Slow].Key, Count, Rounded(First),
          Rounded(Second), Rounded(*Both),
          Rounded(shared(First, Second, (Count + 1) / Schedulers, *Both))});
      if (Probes[Fast].Key == StringRef("int.logic") &&
          (Probes[Slow].Key == StringRef("int.mad_hi") ||
           Probes[Slow].Key == StringRef("int.mad_wide")))
        setAluCycles(S, Probes[Slow], Count, First, *Both);
      S.OnProgress(0.9 * (I * Probes.size() + J) /
                   (Probes.size() * Probes.size()));
    }
  S.Db.setTable(
      "pipe_pairs",
      json::Object{
          {"columns",
           json::Array{"first", "second", "first_count", "cycles_first",
                       "cycles_second", "cycles_both", "shared"}},
          {"units", json::Array{"", "", "count", "cycle", "cycle", "cycle",
                                "0: pipes of their own, 1: one pipe"}},
          {"rows", std::move(Pairs)},
          {"source", "first_count of the first and one of the second, in four "
                     "chains each, 32 warps, all SMs; cycles of an SM for one "
                     "group of a warp"},
          {"date", today()}});

  // Beside enough of others the schedulers have no cycle left: what a further
  // instruction adds to a group is what it takes of their slots (Volkov 2016,
  // 4.7), and, beside additions, of the ports of registers.
  const PipeProbe Fillers[] = {Probes.front(), emptyProbe()};
  double Without[std::size(Fillers)];
  for (size_t I = 0; I < std::size(Fillers); ++I) {
    Expected<double> Cycles = groupCycles(S, Fillers[I], Fill, Fillers[I], 0);
    if (!Cycles)
      return Cycles.takeError();
    Without[I] = *Cycles;
  }
  for (const PipeProbe &Probe : drop_begin(Probes)) {
    json::Array Row{Probe.Key};
    for (size_t I = 0; I < std::size(Fillers); ++I) {
      std::vector<std::pair<double, double>> Points = {{0, Without[I]}};
      for (unsigned Others : {1u, 2u}) {
        Expected<double> Cycles =
            groupCycles(S, Fillers[I], Fill, Probe, Others);
        if (!Cycles)
          return Cycles.takeError();
        Points.push_back({Others, *Cycles});
      }
      std::optional<Line> Fit = fitLine(Points);
      Row.push_back(Fit ? Rounded(Fit->Slope / Fit->Intercept * Fill)
                        : json::Value(nullptr));
    }
    Slots.push_back(std::move(Row));
  }
  S.Db.setTable(
      "issue_slots",
      json::Object{
          {"columns", json::Array{"class", "beside_fma", "beside_nop"}},
          {"units", json::Array{"", "count", "count"}},
          {"rows", std::move(Slots)},
          {"source", "0 to 2 instructions beside 48 fp32.fma or 48 "
                     "instructions that do nothing, 32 warps, all SMs: what "
                     "each adds, in times of one of these"},
          {"date", today()}});
  return Error::success();
}

} // namespace gpuocc::calibration
