//===- SharedTree.cpp - Reductions by halves in shared memory -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/SharedTree.h"
#include "MergeDependence.h"
#include "gpuocc/Kernel/Barriers.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <optional>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

/// Operations whose operands can change places and be grouped at will (of
/// floating-point numbers, as a tree does already).
static bool combines(const Operation &Op) {
  constexpr Semantics Rows[] = {
      Semantics::FAdd, Semantics::Add,  Semantics::FMul, Semantics::Mul,
      Semantics::FMin, Semantics::FMax, Semantics::MinS, Semantics::MinU,
      Semantics::MaxS, Semantics::MaxU, Semantics::And,  Semantics::Or,
      Semantics::Xor};
  return is_contained(Rows, Op.What);
}

static const MemoryAccess *sharedAccess(const KernelFacts &Facts, uint32_t Op,
                                        AccessKind Kind) {
  const uint32_t I = Facts.Operations[Op].Access;
  if (I == NoIndex || Facts.Accesses[I].Space != MemorySpace::Shared ||
      Facts.Accesses[I].Kind != Kind)
    return nullptr;
  return &Facts.Accesses[I];
}

/// The step that ends with the store \p Op.
static std::optional<TreeStep> stepOf(const KernelFacts &Facts, uint32_t Op) {
  const MemoryAccess *To = sharedAccess(Facts, Op, AccessKind::Store);
  if (!To || To->Stored.size() != 1 || !To->Stored.front().isValue())
    return std::nullopt;
  TreeStep Step;
  Step.Store = Op;
  Step.Combine = To->Stored.front().Index;
  const Operation &Combine = Facts.Operations[Step.Combine];
  if (!combines(Combine) || Combine.Block != Facts.Operations[Op].Block)
    return std::nullopt;
  for (const Operand &O : Combine.Operands) {
    if (!O.isValue())
      return std::nullopt;
    const MemoryAccess *From = sharedAccess(Facts, O.Index, AccessKind::Load);
    if (!From)
      continue;
    const bool IsOwn =
        From->Base == To->Base && From->OffsetBytes == To->OffsetBytes;
    uint32_t &Load = IsOwn ? Step.Own : Step.Other;
    if (Load != NoIndex || From->BytesPerLane != To->BytesPerLane)
      return std::nullopt;
    Load = O.Index;
    if (!IsOwn && From->Base == To->Base)
      Step.DistanceBytes = From->OffsetBytes - To->OffsetBytes;
  }
  if (Step.Other == NoIndex)
    return std::nullopt;
  return Step;
}

namespace {

/// Values of one iteration of a loop.
class LoopValues {
public:
  LoopValues(const KernelFacts &Facts, uint32_t L)
      : Facts(Facts), L(Facts.Loops[L]) {}

  /// True if \p Address is computed from a number that each iteration doubles
  /// or halves.
  bool isByHalves(Operand Address) const {
    return any_of(sliceOf(Address), [&](uint32_t I) {
      return Facts.Operations[I].What == Semantics::Phi &&
             Facts.Operations[I].Block == L.Header && halves(I);
    });
  }

private:
  const KernelFacts &Facts;
  const gpuocc::Loop &L;

  /// Operations of the iteration that \p O is computed from, up to the phis at
  /// its begin.
  std::vector<uint32_t> sliceOf(Operand O) const {
    std::vector<uint32_t> Slice;
    SmallVector<Operand, 8> Work = {O};
    while (!Work.empty()) {
      const Operand Next = Work.pop_back_val();
      if (!Next.isValue() || is_contained(Slice, Next.Index))
        continue;
      const Operation &Op = Facts.Operations[Next.Index];
      if (!is_contained(L.Blocks, Op.Block))
        continue;
      Slice.push_back(Next.Index);
      if (Op.What != Semantics::Phi)
        append_range(Work, Op.Operands);
    }
    return Slice;
  }

  bool halves(uint32_t Phi) const {
    const Operation &Op = Facts.Operations[Phi];
    for (auto [O, From] : zip(Op.Operands, Op.PhiBlocks)) {
      if (!is_contained(L.Blocks, From))
        continue;
      const std::vector<uint32_t> Slice = sliceOf(O);
      if (!is_contained(Slice, Phi) ||
          none_of(Slice, [&](uint32_t I) { return byTwo(I); }))
        return false;
    }
    return true;
  }

  /// x << 1, x >> 1, x / 2, x * 2, x + x.
  bool byTwo(uint32_t I) const {
    const Operation &Op = Facts.Operations[I];
    if (Op.Operands.size() < 2)
      return false;
    const Operand &By = Op.Operands[1];
    switch (Op.What) {
    case Semantics::Shl:
    case Semantics::ShrU:
    case Semantics::ShrS:
      return By.isImmediate() && By.Imm == 1;
    case Semantics::DivS:
    case Semantics::DivU:
    case Semantics::Mul:
      return By.isImmediate() && By.Imm == 2;
    case Semantics::Add:
      return Op.Operands[0] == By;
    default:
      return false;
    }
  }
};

} // namespace

/// True if \p L waits at a barrier and touches nothing but shared memory.
static bool isLoopOfTree(const KernelFacts &Facts, uint32_t L) {
  bool HasBarrier = false;
  for (uint32_t B : Facts.Loops[L].Blocks)
    for (uint32_t I = Facts.Blocks[B].FirstOp, End = I + Facts.Blocks[B].NumOps;
         I != End; ++I) {
      const Operation &Op = Facts.Operations[I];
      HasBarrier |= meetsAtBarrier(Op);
      if (Op.Access != NoIndex &&
          Facts.Accesses[Op.Access].Space != MemorySpace::Shared)
        return false;
    }
  return HasBarrier;
}

namespace {

/// A step of a prefix sum: what its store hands on is one of the words that the
/// step loads, or their combination, whichever way the condition goes.
class ScanStep {
public:
  ScanStep(const KernelFacts &Facts, uint32_t Store)
      : Facts(Facts), To(sharedAccess(Facts, Store, AccessKind::Store)) {
    Step.Store = Store;
  }

  std::optional<TreeStep> find() {
    if (!To || To->Stored.size() != 1 || !walk(To->Stored.front()) ||
        Step.Combine == NoIndex)
      return std::nullopt;
    for (const Operand &O : Facts.Operations[Step.Combine].Operands)
      if (!walk(O))
        return std::nullopt;
    if (Step.Other == NoIndex)
      return std::nullopt;
    return Step;
  }

private:
  const KernelFacts &Facts;
  const MemoryAccess *To;
  TreeStep Step;
  std::vector<uint32_t> Seen;

  bool isAtHeader(const Operation &Op) const {
    const uint32_t L = Facts.Blocks[Op.Block].Loop;
    return L != NoIndex && Facts.Loops[L].Header == Op.Block;
  }

  bool walk(const Operand &O) {
    if (!O.isValue())
      return O.isImmediate() || O.K == Operand::Kind::Undef;
    if (is_contained(Seen, O.Index))
      return true;
    Seen.push_back(O.Index);
    const Operation &Op = Facts.Operations[O.Index];
    switch (Op.What) {
    case Semantics::Phi:
      // What the step before left in a register.
      return isAtHeader(Op) ||
             all_of(Op.Operands, [&](const Operand &In) { return walk(In); });
    case Semantics::Copy:
      return walk(Op.Operands[0]);
    case Semantics::Select:
      return walk(Op.Operands[0]) && walk(Op.Operands[1]);
    case Semantics::Load:
      return isWord(O.Index);
    default:
      break;
    }
    if (combines(Op) && Step.Combine == NoIndex) {
      Step.Combine = O.Index;
      return true;
    }
    // Unrolled, a register holds the sum of the step before.
    return combines(Op) && O.Index < Step.Combine &&
           Op.What == Facts.Operations[Step.Combine].What;
  }

  bool isWord(uint32_t Load) {
    const MemoryAccess *From = sharedAccess(Facts, Load, AccessKind::Load);
    if (!From)
      // The first step may have its word from elsewhere.
      return Facts.Operations[Load].Access != NoIndex;
    if (From->BytesPerLane != To->BytesPerLane)
      return false;
    const bool IsOwn =
        From->Base == To->Base && From->OffsetBytes == To->OffsetBytes;
    uint32_t &Word = IsOwn ? Step.Own : Step.Other;
    if (Word != NoIndex && Word != Load)
      return false;
    Word = Load;
    if (!IsOwn && From->Base == To->Base)
      Step.DistanceBytes = To->OffsetBytes - From->OffsetBytes;
    return true;
  }
};

} // namespace

/// Runs of \p Steps whose distance doubles or halves from one to the next.
static void addRuns(ArrayRef<TreeStep> Steps, std::vector<SharedTree> &Out) {
  constexpr size_t FewestSteps = 3;
  auto Follows = [](int64_t Before, int64_t After, bool Grows) {
    return Grows ? After == 2 * Before : Before == 2 * After;
  };
  for (size_t First = 0; First + 1 < Steps.size();) {
    const bool Grows =
        Steps[First + 1].DistanceBytes > Steps[First].DistanceBytes;
    size_t End = First + 1;
    while (End != Steps.size() && Follows(Steps[End - 1].DistanceBytes,
                                          Steps[End].DistanceBytes, Grows))
      ++End;
    if (End - First >= FewestSteps)
      Out.push_back({{Steps.begin() + First, Steps.begin() + End}, NoIndex});
    First = End - First >= FewestSteps ? End : First + 1;
  }
}

namespace {

/// Where a step of a tree lies.
class StepPlace {
public:
  StepPlace(const KernelFacts &Facts, const TreeStep &Step)
      : Facts(Facts),
        Other(Facts.Accesses[Facts.Operations[Step.Other].Access]),
        Loop(Facts.Blocks[Facts.Operations[Step.Store].Block].Loop) {}

  /// The loop around it and the variables of its other word: steps of one
  /// unrolled tree have both alike.
  using Key = std::tuple<uint32_t, std::vector<uint32_t>>;
  Key key() const { return {Loop, symbolsOf(Facts, Other.Base)}; }

  /// The loop around it, if that goes over the levels of a tree; else NoIndex.
  uint32_t loopOfLevels() const {
    return Loop != NoIndex && isLoopOfTree(Facts, Loop) &&
                   LoopValues(Facts, Loop).isByHalves(Other.Base)
               ? Loop
               : NoIndex;
  }

private:
  const KernelFacts &Facts;
  const MemoryAccess &Other;
  uint32_t Loop;
};

} // namespace

std::vector<SharedTree> gpuocc::sharedTrees(const KernelFacts &Facts) {
  std::vector<SharedTree> Trees;
  std::map<uint32_t, size_t> OfLoop;
  // Of the steps of one array, by the loop around them.
  std::map<StepPlace::Key, std::vector<TreeStep>> Unrolled;
  for (uint32_t I = 0; I != Facts.Operations.size(); ++I) {
    std::optional<TreeStep> Step = stepOf(Facts, I);
    if (!Step)
      continue;
    const StepPlace Place(Facts, *Step);
    if (const uint32_t L = Place.loopOfLevels(); L != NoIndex) {
      auto [At, IsNew] = OfLoop.insert({L, Trees.size()});
      if (IsNew)
        Trees.push_back({{}, L});
      Trees[At->second].Steps.push_back(*Step);
    } else if (Step->DistanceBytes > 0) {
      Unrolled[Place.key()].push_back(*Step);
    }
  }
  for (const auto &[Where, Steps] : Unrolled)
    addRuns(Steps, Trees);
  return Trees;
}

/// True if loop \p L hands sums down a tree: a step stores one word where the
/// other was, and the sum of both where the one was.
static bool handsDown(const KernelFacts &Facts, uint32_t L) {
  if (!isLoopOfTree(Facts, L))
    return false;
  const LoopValues Values(Facts, L);
  bool Moves = false, Sums = false;
  auto IsLoaded = [&](const Operand &O) {
    const Operation *Op = Facts.operationOf(O);
    return Op && Op->Access != NoIndex &&
           sharedAccess(Facts, O.Index, AccessKind::Load);
  };
  for (const MemoryAccess &A : Facts.Accesses) {
    if (A.Kind != AccessKind::Store || A.Stored.size() != 1 ||
        !is_contained(Facts.Loops[L].Blocks, Facts.Operations[A.Op].Block))
      continue;
    const Operation *Stored = Facts.operationOf(A.Stored.front());
    if (!Stored || !Values.isByHalves(A.Base))
      return false;
    Moves |= IsLoaded(A.Stored.front());
    Sums |= combines(*Stored) && all_of(Stored->Operands, IsLoaded);
  }
  return Moves && Sums;
}

/// The loop that goes down the tree that loop \p Up goes up; NoIndex where
/// there is none.
static uint32_t loopDown(const KernelFacts &Facts, uint32_t Up) {
  for (uint32_t L = 0; L != Facts.Loops.size(); ++L)
    if (L != Up && Facts.Loops[L].Parent == Facts.Loops[Up].Parent &&
        handsDown(Facts, L))
      return L;
  return NoIndex;
}

/// Notes which of \p Scans another loop goes down again, and adds the trees of
/// \p Facts of which one does.
static void addUpAndDown(const KernelFacts &Facts,
                         std::vector<SharedTree> &Scans) {
  for (SharedTree &Scan : Scans)
    if (Scan.Loop != NoIndex)
      Scan.Down = loopDown(Facts, Scan.Loop);
  // The second of both is no sum of its own.
  erase_if(Scans, [&](const SharedTree &Scan) {
    return Scan.Loop != NoIndex && handsDown(Facts, Scan.Loop);
  });
  for (SharedTree &Up : sharedTrees(Facts)) {
    if (Up.Loop == NoIndex || any_of(Scans, [&](const SharedTree &Scan) {
          return Scan.Loop == Up.Loop;
        }))
      continue;
    Up.Down = loopDown(Facts, Up.Loop);
    if (Up.Down != NoIndex && !handsDown(Facts, Up.Loop))
      Scans.push_back(std::move(Up));
  }
}

std::vector<SharedTree> gpuocc::sharedScans(const KernelFacts &Facts) {
  std::vector<SharedTree> Scans;
  std::map<StepPlace::Key, std::vector<TreeStep>> Unrolled;
  for (uint32_t I = 0; I != Facts.Operations.size(); ++I) {
    const std::optional<TreeStep> Step = ScanStep(Facts, I).find();
    if (!Step)
      continue;
    const StepPlace Place(Facts, *Step);
    if (const uint32_t L = Place.loopOfLevels(); L != NoIndex) {
      if (none_of(Scans, [&](const SharedTree &T) { return T.Loop == L; }))
        Scans.push_back({{*Step}, L});
    } else if (Step->DistanceBytes > 0) {
      Unrolled[Place.key()].push_back(*Step);
    }
  }
  for (const auto &[Where, Steps] : Unrolled)
    addRuns(Steps, Scans);
  addUpAndDown(Facts, Scans);
  // Lanes of one warp need no barrier, and have shuffles for it already.
  erase_if(Scans, [&](const SharedTree &Scan) {
    return Scan.Loop == NoIndex &&
           none_of(
               ArrayRef(Facts.Operations)
                   .slice(Scan.Steps.front().Store,
                          Scan.Steps.back().Store - Scan.Steps.front().Store),
               meetsAtBarrier);
  });
  return Scans;
}
