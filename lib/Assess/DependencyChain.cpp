//===- DependencyChain.cpp - A chain of dependent instructions ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Price.h"
#include "gpuocc/Report/Selection.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

/// A line that makes up less of the latency is not worth a remark: even
/// halving it gains under 1.15x.
static constexpr double SmallestShare = 0.25;

namespace {

/// Waits of the operations of one line for results.
struct WaitingLine {
  SourcePlace Place;
  double Cycles = 0;
  /// The longest of them.
  ChainLink Longest;
};

} // namespace

static SourcePlace placeOf(const KernelFacts &Facts, uint32_t Op) {
  const uint32_t Location = Facts.Operations[Op].Location;
  return Location < Facts.Locations.size()
             ? placeToShow(Facts.Locations[Location])
             : SourcePlace();
}

static bool isMemoryLoad(const KernelFacts &Facts, uint32_t Op) {
  const uint32_t Access = Facts.Operations[Op].Access;
  if (Access == NoIndex || Facts.Accesses[Access].Kind != AccessKind::Load)
    return false;
  const MemorySpace Space = Facts.Accesses[Access].Space;
  return Space != MemorySpace::Shared && Space != MemorySpace::Constant &&
         Space != MemorySpace::Param;
}

/// Is \p Op a question in a loop of what others write, which comes when they
/// have written it and no sooner?
static bool isPolled(const KernelFacts &Facts, uint32_t Op) {
  const Operation &Of = Facts.Operations[Op];
  if (Of.What == Semantics::WaitBarrier)
    return true;
  return Of.Access != NoIndex && Facts.Accesses[Of.Access].Volatile &&
         Facts.Blocks[Of.Block].Loop != NoIndex;
}

/// Nothing can be unrolled or loaded ahead where a load and what waits for it
/// are in no loop. More outputs of a thread are priced by other rules.
static bool isLoadWithoutLoop(const KernelFacts &Facts, const ChainLink &Link) {
  auto IsInLoop = [&](uint32_t Op) {
    return Facts.Blocks[Facts.Operations[Op].Block].Loop != NoIndex;
  };
  return isMemoryLoad(Facts, Link.Producer) && !IsInLoop(Link.Producer) &&
         !IsInLoop(Link.Consumer);
}

/// The lines that wait for results, most cycles first; waits for loads apart
/// from those for what was computed, as other changes help.
static std::vector<WaitingLine> waitingLines(const KernelFacts &Facts,
                                             ArrayRef<ChainLink> Chain) {
  std::map<std::tuple<std::string, unsigned, bool>, WaitingLine> Lines;
  for (const ChainLink &Link : Chain) {
    if (Link.Producer < Facts.Operations.size() &&
        isPolled(Facts, Link.Producer))
      continue;
    const SourcePlace Place = placeOf(Facts, Link.Consumer);
    const bool ForLoad = isMemoryLoad(Facts, Link.Producer);
    WaitingLine &Line = Lines[{Place.File, Place.Line, ForLoad}];
    Line.Cycles += Link.Cycles;
    if (Link.Cycles > Line.Longest.Cycles) {
      Line.Place = Place;
      Line.Longest = Link;
    }
  }
  std::vector<WaitingLine> Sorted;
  for (auto &[Key, Line] : Lines)
    Sorted.push_back(std::move(Line));
  llvm::sort(Sorted, [](const WaitingLine &A, const WaitingLine &B) {
    return std::tie(B.Cycles, A.Place.File, A.Place.Line, A.Longest.Producer) <
           std::tie(A.Cycles, B.Place.File, B.Place.Line, B.Longest.Producer);
  });
  return Sorted;
}

/// " at line 12", unless that is the line of \p Here.
static std::string elsewhere(const SourcePlace &There,
                             const SourcePlace &Here) {
  if (!There.isValid() || (There.Line == Here.Line && There.File == Here.File))
    return "";
  return " at line " + std::to_string(There.Line);
}

static const LoopParallelism *loopOf(const Case &C, uint32_t Op) {
  const uint32_t Block = C.Facts.Operations[Op].Block;
  return C.InParallel.loop(C.Facts.Blocks[Block].Loop);
}

/// What the warp waits for, and what would halve the wait.
static void writeAdvice(const Case &C, const WaitingLine &Line,
                        FindingWriter &W) {
  const ChainLink &Link = Line.Longest;
  const LoopParallelism *Loop = loopOf(C, Link.Consumer);
  const std::string Where =
      elsewhere(placeOf(C.Facts, Link.Producer), Line.Place);
  if (isMemoryLoad(C.Facts, Link.Producer)) {
    W << ", waiting for the load" << Where;
    if (Loop && Loop->ChainLoads) {
      W << ", whose address the loop has loaded before; two independent chains "
           "would halve them";
      return;
    }
    const unsigned Loads = std::max(1u, Loop ? Loop->LoadsBeforeWait
                                             : C.InParallel.LoadsBeforeWait);
    W << "; " << named("LoadsBeforeWait", formatCount(Loads, "load"))
      << (Loads == 1 ? " is" : " are")
      << " under way by then, and twice as many would halve them (unroll, or "
         "load ahead)";
    return;
  }
  if (!Where.empty())
    W << ", waiting for the result" << Where;
  const unsigned Chains = std::max(1u, Loop ? Loop->Chains : 1);
  if (Chains == 1)
    W << "; two independent chains would halve them";
  else
    W << "; there are " << named("Chains", Twine(Chains))
      << " independent chains, and " << Twine(2 * Chains)
      << " would halve them";
}

/// Throughput of n warps is n over their latency until a bound is reached
/// (Volkov 2016, section 3.5).
static Price priceHalved(const Case &C, double Cycles) {
  const Prediction &P = C.Predicted;
  const double Latency = P.Latency.CyclesPerWarp;
  const double Warps = P.WarpsPerCycle * Latency;
  const double Faster = Warps / (Latency - std::min(Cycles, Latency) / 2);
  const bool IsBounded =
      !P.Bounds.empty() && P.Bounds.front().CyclesPerWarp > 0;
  const double Bound = IsBounded ? 1 / P.Bounds.front().CyclesPerWarp : Faster;
  Price Price = priceOf(C);
  Price.Gain = std::min(Faster, Bound) / P.WarpsPerCycle;
  if (Faster >= Bound && !P.Bounds.empty())
    Price.BoundAfter = P.Bounds.front().What;
  return Price;
}

void gpuocc::findDependencyChain(const Case &C, Findings &Out) {
  const Prediction &P = C.Predicted;
  const double Latency = P.Latency.CyclesPerWarp;
  if (P.NearBound || Latency <= 0 || P.WarpsPerCycle <= 0)
    return;
  for (const WaitingLine &Line : waitingLines(C.Facts, C.InParallel.Chain)) {
    if (Line.Cycles / Latency < SmallestShare)
      break;
    if (isLoadWithoutLoop(C.Facts, Line.Longest))
      continue;
    FindingWriter W(
        RuleId::DependencyChain,
        locationOrKernel(C.Facts,
                         C.Facts.Operations[Line.Longest.Consumer].Location));
    W << "a chain of dependent instructions passes here: "
      << named("ChainCycles", formatNumber(Line.Cycles)) << " of the "
      << named("Latency", formatNumber(Latency)) << " "
      << plural(formatNumber(Latency), "cycle") << " of a warp";
    writeAdvice(C, Line, W);
    addPrice(W, priceHalved(C, Line.Cycles));
    Out.push_back(std::move(W.finding()));
  }
}
