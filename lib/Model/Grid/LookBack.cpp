//===- LookBack.cpp - Blocks that wait for those before them --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Grid/LookBack.h"
#include "gpuocc/Kernel/PolledLoops.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <queue>

using namespace gpuocc;
using namespace llvm;

/// \p P of a warp that goes round loop \p Index once more each time that it
/// comes there.
static ExecutionProfile withOneMorePass(ExecutionProfile P, uint32_t Index,
                                        const KernelFacts &Facts) {
  const Loop &L = Facts.Loops[Index];
  const double More = 1 + 1 / std::max(1.0, P.Loops[Index].TripCount);
  for (uint32_t B : L.Blocks)
    P.Blocks[B].ExecutionsPerWarp *= More;
  for (auto [A, Access] : zip(Facts.Accesses, P.Accesses))
    if (A.Op < Facts.Operations.size() &&
        is_contained(L.Blocks, Facts.Operations[A.Op].Block)) {
      Access.ExecutionsPerWarp *= More;
      Access.RequestsPerWarp *= More;
    }
  return P;
}

/// How often a warp that does \p P comes to \p Of, loop \p Index.
static double timesAt(const LookBackLoop &Of, uint32_t Index,
                      const ExecutionProfile &P, const KernelFacts &Facts) {
  double Passes = 0;
  for (uint32_t Load : Of.Loads)
    Passes = std::max(Passes,
                      P.Blocks[Facts.Operations[Load].Block].ExecutionsPerWarp);
  return Passes / std::max(1.0, P.Loops[Index].TripCount);
}

std::optional<LookBack> gpuocc::lookBackOf(const KernelFacts &Facts,
                                           const GridSegment &Segment,
                                           unsigned WarpsPerBlock,
                                           double BlockCycles, Numbers &N) {
  // A block that goes on to further parts of the array looks back for each.
  constexpr double MostTimes = 1.5;
  LookBack Out;
  double Most = 0;
  for (uint32_t I = 0; I != Facts.Loops.size(); ++I) {
    const std::optional<LookBackLoop> Found =
        lookBackLoop(Facts, Facts.Loops[I]);
    if (!Found)
      continue;
    // Of the warps of a block, those that look back.
    const ExecutionProfile *Looks = &Segment.Slowest.Profile;
    for (const WarpKind &Kind : Segment.OtherKinds)
      if (timesAt(*Found, I, Kind.Profile, Facts) >
          timesAt(*Found, I, *Looks, Facts))
        Looks = &Kind.Profile;
    const double Times = timesAt(*Found, I, *Looks, Facts);
    if (Times > MostTimes)
      return std::nullopt;
    if (Times <= Most)
      continue;
    Most = Times;
    const WarpLatency Warp(Facts, *Looks, WarpsPerBlock, N);
    const ExecutionProfile Further = withOneMorePass(*Looks, I, Facts);
    const WarpLatency Longer(Facts, Further, WarpsPerBlock, N);
    const WarpLatency::OnePass Pass = Warp.onePass();
    double First = Pass.Cycles;
    for (uint32_t Load : Found->Loads)
      if (Pass.IssueCycle[Load] >= 0)
        First = std::min(First, Pass.IssueCycle[Load]);
    Out.Window = Found->BlocksPerIteration;
    Out.LookCycles =
        (Longer.cycles(MemoryDelay()) - Warp.cycles(MemoryDelay())) / Times;
    const double Before = Pass.Cycles > 0 ? First / Pass.Cycles : 1;
    Out.BeforeCycles = Before * BlockCycles;
    Out.BehindCycles =
        std::max(0.0, BlockCycles - Out.BeforeCycles - Out.LookCycles);
  }
  return Out.LookCycles > 0 ? std::optional(Out) : std::nullopt;
}

namespace {

/// When blocks end that start in order.
class Chain {
public:
  Chain(const LookBack &Of, const LookBackGrid &Grid, bool Waits)
      : Of(Of), Grid(Grid), Waits(Waits) {}

  /// Cycles until the first \p Blocks have ended; asked for more each time.
  double end(size_t Blocks) {
    while (Whole.size() < Blocks)
      addBlock();
    return End;
  }

private:
  const LookBack &Of;
  const LookBackGrid &Grid;
  const bool Waits;
  /// When others see the sum of each block, and that of all up to it.
  std::vector<double> Part, Whole;
  std::priority_queue<double, std::vector<double>, std::greater<>> Ends;
  double Started = 0, Served = 0, End = 0;

  void addBlock() {
    if (!Whole.empty())
      Started += Grid.StartCycles;
    if (double(Ends.size()) >= Grid.Slots) {
      Started = std::max(Started, Ends.top());
      Ends.pop();
    }
    Served = std::max(Served, Started) + Grid.ServiceCycles;
    const double Ready = Served + Of.BeforeCycles;
    // Half of a round trip: what is written has to get there.
    const double Way = Of.LookCycles / 2;
    Part.push_back(Ready + Way);
    const double Done = Waits ? lookFrom(Ready) : Ready + Of.LookCycles;
    Whole.push_back(Whole.empty() ? Ready + Way : Done + Way);
    Ends.push(Done + Of.BehindCycles);
    End = std::max(End, Done + Of.BehindCycles);
  }

  /// When the newest block has met a sum of all before it.
  double lookFrom(double At) const {
    const double Way = Of.LookCycles / 2;
    for (size_t Behind = Part.size() - 1; Behind != 0;) {
      const size_t First = Behind - std::min<size_t>(Behind, Of.Window);
      // It asks again until all have published something.
      double Seen = At + Way;
      for (size_t I = First; I != Behind; ++I)
        Seen = std::max(Seen, Part[I]);
      At = Seen + Way;
      for (size_t I = First; I != Behind; ++I)
        if (Whole[I] <= Seen)
          return At;
      Behind = First;
    }
    return At;
  }
};

} // namespace

double gpuocc::lookBackCycles(const LookBack &Of, const LookBackGrid &Grid) {
  if (Grid.Slots < 1 || Grid.Blocks < 1)
    return 0;
  // Behind a few waves each block adds what those before it did.
  constexpr double WavesWalked = 4;
  const auto Walked =
      size_t(std::min(Grid.Blocks, WavesWalked * std::ceil(Grid.Slots)));
  const size_t Half = (Walked + 1) / 2;
  Chain Waiting(Of, Grid, /*Waits=*/true), Free(Of, Grid, /*Waits=*/false);
  const double OfHalf = Waiting.end(Half) - Free.end(Half);
  const double OfAll = Waiting.end(Walked) - Free.end(Walked);
  const double EachMore =
      Walked > Half ? std::max(0.0, OfAll - OfHalf) / double(Walked - Half) : 0;
  return std::max(0.0, OfAll + EachMore * (Grid.Blocks - double(Walked)));
}
