//===- Parallelism.cpp - What one warp has in execution at once -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/LoopChains.h"
#include "Latency/WarpWalk.h"
#include "Numbers/Numbers.h"
#include "Numbers/WarpTraffic.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Model/Predict.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include <algorithm>
#include <utility>

using namespace gpuocc;
using namespace llvm;

const LoopParallelism *Parallelism::loop(uint32_t Loop) const {
  for (const LoopParallelism &L : Loops)
    if (L.Loop == Loop)
      return &L;
  return nullptr;
}

/// Latencies of all results of \p Block, over its executions.
static double latencies(const WarpCode &Code, uint32_t Block) {
  const BasicBlock &B = Code.Facts.Blocks[Block];
  double Cycles = 0;
  for (uint32_t Op = B.FirstOp; Op != B.FirstOp + B.NumOps; ++Op)
    if (const Operation &O = Code.Facts.Operations[Op];
        !O.Emits.empty() && O.NumResults > 0)
      Cycles += Code.Graph[Op].Latency.Cycles;
  return Cycles * Code.Profile.Blocks[Block].ExecutionsPerWarp;
}

static bool isLoad(const KernelFacts &Facts, uint32_t Op) {
  const uint32_t Access = Facts.Operations[Op].Access;
  return Access != NoIndex && Facts.Accesses[Access].Kind == AccessKind::Load &&
         isCached(Facts.Accesses[Access].Space);
}

/// The most loads that are under way when the first of them is awaited.
static unsigned loadsBeforeWait(const WarpCode &Code,
                                ArrayRef<IssueSlot> Turns) {
  SmallSet<std::pair<uint32_t, uint32_t>, 16> UnderWay;
  size_t Most = 0;
  for (const IssueSlot &T : Turns) {
    const bool Waits =
        any_of(Code.Graph.inputsOf(T.Op), [&](const LatencyInput &In) {
          return UnderWay.contains({In.Op, T.Copy});
        });
    if (Waits)
      UnderWay.clear();
    if (isLoad(Code.Facts, T.Op))
      UnderWay.insert({T.Op, T.Copy});
    Most = std::max<size_t>(Most, UnderWay.size());
  }
  return unsigned(Most);
}

static unsigned loadsBeforeWait(const WarpCode &Code, uint32_t Block) {
  if (Code.Profile.Blocks[Block].ExecutionsPerWarp <= 0)
    return 0;
  ArrayRef<IssueSlot> Turns = Code.Schedule.slotsOfPass(Block);
  return loadsBeforeWait(Code,
                         Turns.empty() ? Code.Schedule.turns(Block) : Turns);
}

static LoopParallelism ofLoop(const WarpCode &Code, uint32_t L, double Period) {
  LoopParallelism Out;
  Out.Loop = L;
  Out.CyclesPerIteration = Period;
  const Loop &Of = Code.Facts.Loops[L];
  const double Iterations = Code.Profile.Blocks[Of.Header].ExecutionsPerWarp;
  double Latencies = 0;
  for (uint32_t Block : Of.Blocks) {
    Latencies += latencies(Code, Block);
    Out.LoadsBeforeWait =
        std::max(Out.LoadsBeforeWait, loadsBeforeWait(Code, Block));
  }
  if (Period > 0)
    Out.Ilp = Latencies / (Iterations * Period);
  for (const LoopChain &C : loopChains(Code.Facts, Code.Graph, L)) {
    if (C.IsInduction || C.Cycles <= 0)
      continue;
    if (Out.Chains == 0) {
      Out.ChainCycles = C.Cycles;
      Out.ChainLoads = C.Loads;
    }
    Out.Chains += C.Cycles >= Out.ChainCycles / 2;
  }
  return Out;
}

/// Waits of the same two operations are one link, at the place of the first.
static std::vector<ChainLink> links(ArrayRef<LatencyStep> Path,
                                    ArrayRef<uint32_t> Producers) {
  std::vector<ChainLink> Out;
  DenseMap<std::pair<uint32_t, uint32_t>, size_t> IndexOf;
  for (const auto &[Step, Producer] : zip_equal(Path, Producers)) {
    if (Producer == NoIndex)
      continue;
    auto [At, IsNew] = IndexOf.try_emplace({Producer, Step.Op}, Out.size());
    if (IsNew)
      Out.push_back({Producer, Step.Op, 0});
    Out[At->second].Cycles += Step.CyclesTotal;
  }
  return Out;
}

Parallelism gpuocc::parallelism(const KernelFacts &Facts,
                                const ExecutionProfile &Profile,
                                const Launch &L, const DeviceModel &Device) {
  return Predictor(Device).parallelism(Facts, Profile, L);
}

Parallelism Predictor::parallelism(const KernelFacts &Facts,
                                   const ExecutionProfile &Profile,
                                   const Launch &L) {
  Numbers N(*Shared);
  const unsigned Warps = unsigned(L.warpsPerBlock());
  // A side that some warps take, one of them takes.
  std::vector<double> Most;
  for (const BlockProfile &B : Profile.Blocks)
    Most.push_back(B.ExecutionsPerWarp * Warps);
  const WarpCode Code(Facts, Profile, std::move(Most), Warps, Warps, N);
  std::vector<LatencyStep> Path;
  std::vector<uint32_t> Producers;
  std::vector<double> Periods(Facts.Loops.size());
  WalkOptions Options;
  Options.Path = &Path;
  Options.Producers = &Producers;
  Options.CyclesOfIteration = &Periods;
  const double Cycles = WarpWalk(Code, Options).run();

  Parallelism Out;
  double Latencies = 0;
  for (uint32_t B = 0; B != Facts.Blocks.size(); ++B) {
    Latencies += latencies(Code, B);
    Out.LoadsBeforeWait =
        std::max(Out.LoadsBeforeWait, loadsBeforeWait(Code, B));
  }
  if (Cycles > 0)
    Out.Ilp = Latencies / Cycles;
  for (uint32_t I = 0; I != Facts.Loops.size(); ++I)
    if (Profile.Blocks[Facts.Loops[I].Header].ExecutionsPerWarp > 0)
      Out.Loops.push_back(ofLoop(Code, I, Periods[I]));
  Out.Chain = links(Path, Producers);
  return Out;
}
