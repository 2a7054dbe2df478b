//===- LoopTurns.cpp - Turns of loops while a grid runs -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopTurns.h"
#include "State.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gpuocc;
using namespace gpuocc::execute;
using namespace llvm;

/// Of a loop in another one, by a warp.
static constexpr uint32_t MostFollowed = 32;

/// Blocks that turn most.
static constexpr size_t MostLongest = 16;

BlockTurns::BlockTurns(ArrayRef<TurnedLoop> Loops, unsigned NumThreads)
    : NumWarps((NumThreads + WarpLanes - 1) / WarpLanes) {
  FirstEntry.push_back(0);
  for (const TurnedLoop &L : Loops)
    FirstEntry.push_back(FirstEntry.back() + (L.IsNested ? MostFollowed : 1));
}

void BlockTurns::start(uint64_t BlockNumber) {
  Number = BlockNumber;
  AllLanes.assign(size_t(NumWarps) * numLoops(), {});
  Followed.assign(size_t(NumWarps) * FirstEntry.back(), {});
}

void BlockTurns::leave(uint32_t Rank, uint32_t Loop, uint64_t Turns,
                       uint32_t Key) {
  const uint32_t Warp = Rank / WarpLanes;
  Lanes &Of = AllLanes[Warp * numLoops() + Loop];
  ++Of.Entries;
  Of.Turns += Turns;
  const uint32_t Count = FirstEntry[Loop + 1] - FirstEntry[Loop];
  Entry &E = Followed[size_t(Warp) * FirstEntry.back() + FirstEntry[Loop] +
                      Key % Count];
  if (E.NumLanes == 0)
    E.Key = Key;
  else if (E.Key != Key)
    return;
  ++E.NumLanes;
  E.Most = std::max(E.Most, Turns);
  E.Sum += Turns;
}

std::vector<TurnCount> BlockTurns::counts() const {
  std::vector<TurnCount> Out;
  for (unsigned W = 0; W != NumWarps; ++W)
    for (size_t L = 0; L != numLoops(); ++L) {
      const Lanes &Of = AllLanes[W * numLoops() + L];
      TurnCount &T = Out.emplace_back();
      if (Of.Entries == 0)
        continue;
      double NumFollowed = 0, NumLanes = 0, Most = 0, Sum = 0, Means = 0;
      for (uint32_t I = FirstEntry[L]; I != FirstEntry[L + 1]; ++I) {
        const Entry &E = Followed[size_t(W) * FirstEntry.back() + I];
        if (E.NumLanes == 0)
          continue;
        ++NumFollowed;
        // A loop that is entered again without one around it.
        NumLanes += double(E.NumLanes);
        Most += double(E.Most);
        Sum += double(E.Sum);
        Means += double(E.Sum) / double(E.NumLanes);
      }
      const double LanesPerEntry =
          std::min(NumLanes / NumFollowed, double(WarpLanes));
      T.Entries = double(Of.Entries) / LanesPerEntry;
      const double Scale = Sum > 0
                               ? double(Of.Turns) / Sum *
                                     (NumLanes / NumFollowed) / LanesPerEntry
                               : 0;
      T.Turns = Most * Scale;
      T.MeanLaneTurns = Means * Scale;
    }
  return Out;
}

LoopTurns::LoopTurns(ArrayRef<TurnedLoop> Loops, unsigned NumThreads,
                     std::vector<uint64_t> Spread)
    : Loops(Loops), NumThreads(NumThreads), Spread(std::move(Spread)),
      All(Loops.size()), NumWarpsIn(Loops.size()) {}

BlockTurns *LoopTurns::start(uint64_t Number) {
  std::unique_lock<std::mutex> Held(Lock);
  if (Free.empty()) {
    Blocks.push_back(std::make_unique<BlockTurns>(Loops, NumThreads));
    Free.push_back(Blocks.back().get());
  }
  BlockTurns *Block = Free.back();
  Free.pop_back();
  Held.unlock();
  Block->start(Number);
  return Block;
}

/// Instructions of the counted loops.
double LoopTurns::workOf(ArrayRef<TurnCount> Turns) const {
  double Work = 0;
  for (const auto &[I, T] : enumerate(Turns))
    Work += T.Turns * Loops[I % Loops.size()].Instructions;
  return Work;
}

void LoopTurns::end(BlockTurns &Block) {
  std::vector<TurnCount> Turns = Block.counts();
  const double Work = workOf(Turns);
  auto WorksMore = [](const LongBlock &A, const LongBlock &B) {
    return A.Work > B.Work;
  };
  std::lock_guard<std::mutex> Held(Lock);
  Free.push_back(&Block);
  for (const auto &[I, T] : enumerate(Turns)) {
    All[I % All.size()] += T;
    NumWarpsIn[I % All.size()] += T.Entries > 0;
  }
  if (std::binary_search(Spread.begin(), Spread.end(), Block.number())) {
    Kept.push_back({Block.number(), false, std::move(Turns)});
    return;
  }
  if (Longest.size() == MostLongest) {
    if (Work <= Longest.front().Work)
      return;
    std::pop_heap(Longest.begin(), Longest.end(), WorksMore);
    Longest.pop_back();
  }
  Longest.push_back({Work, {Block.number(), true, std::move(Turns)}});
  std::push_heap(Longest.begin(), Longest.end(), WorksMore);
}

/// Gives all warps of \p Counted that took any as many turns of the loops that
/// are handed out: on a GPU who is done with one thing draws the next, here
/// each draws in turn.
void LoopTurns::shareOut(CountedTurns &Counted) const {
  for (size_t L = 0; L != Loops.size(); ++L) {
    if (!Loops[L].IsHandedOut || NumWarpsIn[L] == 0)
      continue;
    const double NumWarps = double(NumWarpsIn[L]);
    const TurnCount &OfAll = All[L];
    for (CountedBlock &B : Counted.Blocks)
      for (size_t I = L; I < B.Turns.size(); I += Loops.size())
        if (B.Turns[I].Entries > 0)
          B.Turns[I] = {OfAll.Entries / NumWarps, OfAll.Turns / NumWarps,
                        OfAll.MeanLaneTurns / NumWarps};
  }
}

CountedTurns LoopTurns::take(Dim3 Grid, Dim3 Block) {
  CountedTurns Out;
  Out.Grid = Grid;
  Out.Block = Block;
  for (const auto &[L, T] : zip(Loops, All))
    Out.Loops.push_back({L.Places, T});
  Out.Blocks = std::move(Kept);
  for (LongBlock &L : Longest)
    Out.Blocks.push_back(std::move(L.Block));
  shareOut(Out);
  llvm::sort(Out.Blocks, [](const CountedBlock &A, const CountedBlock &B) {
    return A.Number < B.Number;
  });
  return Out;
}
