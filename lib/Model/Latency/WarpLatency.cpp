//===- WarpLatency.cpp - How long one warp takes alone --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/WarpLatency.h"
#include "Latency/IssuePairs.h"
#include "Numbers/Numbers.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

/// Of each block of code, by the kind of warps that executes it most.
static std::vector<double> mostExecutions(const ExecutionProfile &First,
                                          ArrayRef<WarpKind> Others) {
  std::vector<double> Most;
  for (const BlockProfile &B : First.Blocks)
    Most.push_back(B.ExecutionsPerWarp);
  for (const WarpKind &Kind : Others)
    for (size_t I = 0; I != Most.size(); ++I)
      Most[I] = std::max(Most[I], Kind.Profile.Blocks[I].ExecutionsPerWarp);
  return Most;
}

WarpLatency::WarpLatency(const KernelFacts &Facts,
                         const ExecutionProfile &Profile,
                         unsigned WarpsPerBlock, Numbers &N)
    : Code(Facts, Profile, mostExecutions(Profile, {}), WarpsPerBlock,
           WarpsPerBlock, N),
      N(N) {
  noteUses(Code);
}

WarpLatency::WarpLatency(const KernelFacts &Facts, const WarpKind &Slowest,
                         ArrayRef<WarpKind> OtherKinds, unsigned WarpsPerBlock,
                         Numbers &N)
    : Code(Facts, Slowest.Profile, mostExecutions(Slowest.Profile, OtherKinds),
           Slowest.Warps, WarpsPerBlock, N),
      N(N) {
  noteUses(Code);
  Others.reserve(OtherKinds.size());
  for (const WarpKind &Kind : OtherKinds)
    noteUses(Others.emplace_back(Facts, Kind.Profile, Code.MostExecutions,
                                 Kind.Warps, WarpsPerBlock, N));
}

void WarpLatency::noteUses(const WarpCode &Of) {
  for (const LatencyNode &Node : Of.Graph.nodes()) {
    UsedPipes[Node.Pipe] = true;
    SomeWaitForL2 |= Node.Latency.L2Share != 0;
    SomeWaitForDram |= Node.Latency.DramShare != 0;
  }
}

template <typename Function>
auto WarpLatency::walk(WalkOptions Options, Function Read) const {
  Meetings Kinds;
  if (!Others.empty())
    Options.Kinds = &Kinds;
  WalkOptions OfOthers = Options;
  OfOthers.Path = nullptr;
  OfOthers.Producers = nullptr;
  for (const WarpCode &Other : Others)
    WarpWalk(Other, OfOthers).run();
  WarpWalk Walk(Code, Options);
  const double Cycles = Walk.run();
  return Read(Walk, Cycles);
}

static double cyclesOf(const WarpWalk & /*Walk*/, double Cycles) {
  return Cycles;
}

double WarpLatency::cycles(const MemoryDelay &Delay) const {
  WalkOptions Options;
  Options.Delay = Delay;
  return walk(Options, cyclesOf);
}

double WarpLatency::spreadOfBlock() const {
  WalkOptions Options;
  Options.OnlyLoopsVary = true;
  return walk(Options, [&](const WarpWalk &Walk, double) {
    return Code.LastOfBlock * Walk.deviation();
  });
}

std::optional<WarpLatency::WholeBlock>
WarpLatency::wholeBlock(const ExecutionProfile &Mean) const {
  if (!N.has(Mechanism::BarrierStretches))
    return std::nullopt;
  bool Meet = false;
  for (uint32_t Op = 0; Op != Code.Facts.Operations.size(); ++Op)
    Meet |=
        Code.Graph[Op].IsBarrier &&
        Code.Profile.Blocks[Code.Facts.Operations[Op].Block].ExecutionsPerWarp >
            0;
  if (!Meet || Code.WarpsPerBlock <= 1)
    return std::nullopt;
  WalkOptions Options;
  Options.MeanOfBlock = &Mean;
  return walk(Options, [&](const WarpWalk &Walk, double Cycles) {
    return WholeBlock{Code.WarpsPerBlock, Cycles,
                      std::min(Cycles, Walk.heldByBlock())};
  });
}

PerInstClass<double>
WarpLatency::issuedTogether(const ExecutionProfile &Mean) const {
  return gpuocc::issuedTogether(Code.Facts, Mean, Code.Graph, Code.Schedule);
}

WarpLatency::Unloaded WarpLatency::unloaded() const {
  return walk(WalkOptions(), [](const WarpWalk &Walk, double Cycles) {
    return Unloaded{Cycles, Walk.waitAfterBack(), Walk.atBarriers()};
  });
}

double WarpLatency::cyclesOnSm(std::optional<Resource> Instant) const {
  WalkOptions Options;
  // Cancels the unloaded latencies.
  Options.Delay = {-N.l2HitLatency(), -N.dramLatency()};
  Options.Instant = Instant;
  return walk(Options, cyclesOf);
}

WarpLatency::OnePass WarpLatency::onePass() const {
  WalkOptions Options;
  Options.OncePerLoop = true;
  return walk(Options, [](const WarpWalk &Walk, double Cycles) {
    return OnePass{Cycles, Walk.issueCycles()};
  });
}

std::optional<SteadyLoop> WarpLatency::steadyLoop() const {
  if (!N.has(Mechanism::SteadyLoops))
    return std::nullopt;
  return busiestSteadyLoop(Code, N);
}

std::vector<double> WarpLatency::cyclesBetweenPasses(const SteadyLoop &Loop,
                                                     unsigned MaxWarps,
                                                     double LeastCycles) const {
  // More are of kernels that are done with.
  constexpr size_t MostKept = 256;
  std::vector<double> Key = identityOf(Loop.Body);
  Key.insert(Key.end(), {double(Loop.Schedulers), double(Loop.AreInStep),
                         double(MaxWarps), LeastCycles});
  auto &Kept = N.betweenPasses();
  if (auto Known = Kept.find(Key); Known != Kept.end())
    return Known->second;
  if (Kept.size() == MostKept)
    Kept.clear();
  return Kept[std::move(Key)] = gpuocc::cyclesBetweenPasses(
             Loop.Body, Loop.Schedulers, Loop.AreInStep, MaxWarps, LeastCycles);
}

std::vector<LatencyStep> WarpLatency::criticalPath() const {
  std::vector<LatencyStep> Path;
  WalkOptions Options;
  Options.Path = &Path;
  walk(Options, cyclesOf);
  return Path;
}
