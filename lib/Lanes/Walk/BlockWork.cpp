//===- BlockWork.cpp - What each block of a grid does ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/BlockWork.h"
#include "Walk/WarpWalker.h"
#include "gpuocc/Kernel/Extents.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>
#include <numeric>

using namespace gpuocc;
using namespace llvm;

/// Marks the operations of \p Facts that follow from those in \p Rests.
static void markUsers(const KernelFacts &Facts, std::vector<bool> &Rests) {
  // Values only come to rest on others, so this ends.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (size_t I = 0; I < Rests.size(); ++I)
      if (!Rests[I] &&
          any_of(Facts.Operations[I].Operands, [&](const Operand &O) {
            return O.isValue() && O.Index < Rests.size() && Rests[O.Index];
          }))
        Rests[I] = Changed = true;
  }
}

bool gpuocc::isDecidedByRecord(const KernelFacts &Facts, const Slice &S) {
  std::vector<bool> Rests(Facts.Operations.size());
  for (const SliceOp &Op : S.Ops)
    if (Op.IsRecorded)
      Rests[Op.Op] = true;
  markUsers(Facts, Rests);
  auto IsMarked = [&](const Operand &O) {
    return O.isValue() && O.Index < Rests.size() && Rests[O.Index];
  };
  // What is looked up in followed memory is what was written there, and where.
  const bool Writes = any_of(enumerate(S.Accesses), [&](auto Of) {
    const MemoryAccess &A = Facts.Accesses[Of.index()];
    return Of.value().IsFollowed &&
           (IsMarked(A.Base) || any_of(writtenValues(Facts, A), IsMarked));
  });
  if (Writes) {
    for (const SliceOp &Op : S.Ops)
      if (Op.IsFollowed)
        Rests[Op.Op] = true;
    markUsers(Facts, Rests);
  }
  return any_of(Facts.Branches,
                [&](const Branch &B) { return IsMarked(B.Condition); });
}

std::vector<uint32_t> gpuocc::loopsOfBlocks(const KernelFacts &Facts) {
  std::vector<bool> Rests(Facts.Operations.size());
  for (size_t I = 0; I < Rests.size(); ++I) {
    const Operation &Op = Facts.Operations[I];
    Rests[I] = Op.What == Semantics::SReg &&
               (Op.SReg == SpecialReg::CtaIdX ||
                Op.SReg == SpecialReg::CtaIdY || Op.SReg == SpecialReg::CtaIdZ);
  }
  markUsers(Facts, Rests);
  std::vector<uint32_t> Loops;
  for (uint32_t L = 0; L < Facts.Loops.size(); ++L)
    if (any_of(Facts.Branches, [&](const Branch &B) {
          return B.Condition.isValue() && B.Condition.Index < Rests.size() &&
                 Rests[B.Condition.Index] &&
                 is_contained(Facts.Loops[L].Blocks, B.Block);
        }))
      Loops.push_back(L);
  return Loops;
}

namespace {

/// Adds up the instructions of a walk.
class WorkSum final : public WalkObserver {
public:
  explicit WorkSum(const KernelFacts &Facts) {
    for (uint32_t B = 0; B < Facts.Blocks.size(); ++B)
      OfBlock.push_back(Facts.instructionsOf(B));
  }

  double Work = 0;

  void onBlock(uint32_t Block, LaneMask, double Weight) override {
    Work += Weight * OfBlock[Block];
  }

private:
  std::vector<double> OfBlock;
};

/// Looks up what blocks work.
class BlockScan {
public:
  BlockScan(const KernelFacts &Facts, const Slice &S, LaunchInputs &Inputs,
            uint64_t MaxSteps)
      : Inputs(Inputs), Sum(Facts), Walker(Facts, S, Inputs, limits(MaxSteps)) {
  }

  double look(Dim3 Index) {
    Sum.Work = 0;
    for (unsigned W = 0; W < Inputs.warpsPerBlock(); ++W)
      Walker.walk(Index, W, 1, Sum);
    return Sum.Work;
  }
  BlockWork look(uint64_t Number) {
    const Dim3 Index = blockAt(Inputs.grid(), Number);
    return {Index, look(Index)};
  }
  uint64_t steps() const { return Walker.steps(); }

private:
  static WalkLimits limits(uint64_t MaxSteps) {
    WalkLimits Limits;
    // The fewest that tell how values grow.
    Limits.MaxIterations = 2;
    // A long way of one warp must not take what all others need.
    Limits.MaxSteps = std::max<uint64_t>(1, MaxSteps / 64);
    return Limits;
  }

  LaunchInputs &Inputs;
  WorkSum Sum;
  WarpWalker Walker;
};

} // namespace

std::vector<BlockWork> gpuocc::blocksLookedAt(const LaunchInputs &Inputs) {
  std::map<uint64_t, bool> IsAlone;
  if (const CountedTurns *Turns = Inputs.turns().counted())
    for (const CountedBlock &B : Turns->Blocks)
      if (B.IsLongest || !Inputs.seen())
        IsAlone[B.Number] = B.IsLongest;
  if (const SeenReads *Seen = Inputs.seen()) {
    for (uint64_t Number : Seen->numbers())
      IsAlone[Number] = false;
    // The last blocks of a grid are watched beside those that are spread over
    // it.
    uint64_t Next = Inputs.grid().count();
    for (uint64_t Number : reverse(Seen->numbers())) {
      if (Number != Next - 1)
        break;
      IsAlone[Number] = true;
      --Next;
    }
  }
  // The first does what only one block does.
  if (auto First = IsAlone.find(0);
      First != IsAlone.end() && IsAlone.size() < Inputs.grid().count())
    First->second = true;
  std::vector<BlockWork> Blocks;
  for (const auto &[Number, Alone] : IsAlone)
    Blocks.push_back({blockAt(Inputs.grid(), Number), 0, Alone});
  return Blocks;
}

void gpuocc::lookUpWork(const KernelFacts &Facts, const Slice &S,
                        LaunchInputs &Inputs, uint64_t MaxSteps,
                        std::vector<BlockWork> &Blocks) {
  BlockScan Scan(Facts, S, Inputs, MaxSteps);
  for (BlockWork &B : Blocks)
    B.Work = Scan.look(B.Index);
}

std::vector<BlockWork> gpuocc::workOfBlocks(const KernelFacts &Facts,
                                            const Slice &S,
                                            LaunchInputs &Inputs,
                                            uint64_t MaxSteps) {
  const uint64_t Count = Inputs.grid().count();
  BlockScan Scan(Facts, S, Inputs, MaxSteps);
  const BlockWork Middle = Scan.look(Count / 2);
  const uint64_t StepsPerBlock = std::max<uint64_t>(1, Scan.steps());
  const uint64_t Wanted =
      std::min(Count, std::max<uint64_t>(1, MaxSteps / StepsPerBlock));
  std::vector<BlockWork> Blocks;
  // In golden sections of the grid: however few there is effort for, if others
  // work more than the one in the middle, they are spread over all of it.
  uint64_t Step = std::max<uint64_t>(1, uint64_t(double(Wanted) * 0.618));
  while (std::gcd(Step, Wanted) != 1)
    ++Step;
  uint64_t I = 0;
  for (uint64_t Looked = 0; Looked < Wanted; ++Looked) {
    const uint64_t Low = uint64_t(double(Count) * double(I) / double(Wanted));
    const uint64_t High =
        uint64_t(double(Count) * double(I + 1) / double(Wanted));
    // Somewhere in its share: evenly spaced blocks may all be alike.
    Blocks.push_back(
        Scan.look(Low + (High > Low ? scramble(I) % (High - Low) : 0)));
    if (Scan.steps() > 2 * MaxSteps)
      break;
    I = (I + Step) % Wanted;
  }
  if (Blocks.size() < Wanted)
    Blocks.push_back(Middle);
  return Blocks;
}
