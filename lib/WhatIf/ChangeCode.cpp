//===- ChangeCode.cpp - Operations that a change of the source saves ------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/ChangeCode.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/WhatIf/ScaleBlock.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

namespace {

class Dropper {
public:
  explicit Dropper(KernelVariant &V)
      : V(V), Users(V.Facts.Operations.size()), Dropped(Users.size()) {
    forEachOperand([&](const Operand &O) {
      if (O.isValue())
        ++Users[O.Index];
    });
  }

  void drop(ArrayRef<uint32_t> Ops) {
    SmallVector<uint32_t, 16> Work(Ops.begin(), Ops.end());
    while (!Work.empty()) {
      const uint32_t I = Work.pop_back_val();
      if (Dropped[I])
        continue;
      Dropped[I] = true;
      for (const Operand &O : inputsOf(I))
        if (O.isValue() && --Users[O.Index] == 0 && isFreeOfEffects(O.Index))
          Work.push_back(O.Index);
      Operation &Op = V.Facts.Operations[I];
      Op.Emits.clear();
      Op.Operands.clear();
      Op.PhiBlocks.clear();
      Op.Guard = Operand();
      Op.What = Semantics::Opaque;
    }
    dropAccesses();
  }

private:
  KernelVariant &V;
  /// Operands that refer to each operation.
  std::vector<unsigned> Users;
  std::vector<bool> Dropped;

  /// Each operand of an operation and of its access once.
  SmallVector<Operand, 6> inputsOf(uint32_t I) const {
    const Operation &Op = V.Facts.Operations[I];
    SmallVector<Operand, 6> Inputs(Op.Operands.begin(), Op.Operands.end());
    Inputs.push_back(Op.Guard);
    if (Op.Access == NoIndex)
      return Inputs;
    const MemoryAccess &A = V.Facts.Accesses[Op.Access];
    Inputs.push_back(A.Base);
    Inputs.push_back(A.SharedBase);
    append_range(Inputs, A.Stored);
    return Inputs;
  }

  template <typename Function> void forEachOperand(Function F) const {
    for (uint32_t I = 0; I != V.Facts.Operations.size(); ++I)
      for (const Operand &O : inputsOf(I))
        F(O);
    for (const gpuocc::Branch &B : V.Facts.Branches)
      F(B.Condition);
  }

  bool isFreeOfEffects(uint32_t I) const {
    const Operation &Op = V.Facts.Operations[I];
    return Op.What != Semantics::Opaque && Op.NumResults != 0 &&
           Op.Access == NoIndex;
  }

  void dropAccesses() {
    std::vector<MemoryAccess> Accesses;
    std::vector<AccessProfile> Profiles;
    std::vector<uint32_t> NewOf(V.Facts.Accesses.size(), NoIndex);
    for (uint32_t I = 0; I != V.Facts.Accesses.size(); ++I) {
      Operation &Op = V.Facts.Operations[V.Facts.Accesses[I].Op];
      if (Dropped[V.Facts.Accesses[I].Op]) {
        Op.Access = NoIndex;
        continue;
      }
      Op.Access = NewOf[I] = uint32_t(Accesses.size());
      Accesses.push_back(std::move(V.Facts.Accesses[I]));
      Profiles.push_back(std::move(V.Profile.Accesses[I]));
    }
    for (AccessProfile &P : Profiles)
      if (P.AwaitedAccess < NewOf.size())
        P.AwaitedAccess = NewOf[P.AwaitedAccess];
    V.Facts.Accesses = std::move(Accesses);
    V.Profile.Accesses = std::move(Profiles);
  }
};

/// Calls \p Change with every operand of \p Facts.
template <typename Function>
void changeOperands(KernelFacts &Facts, Function Change) {
  for (Operation &Op : Facts.Operations) {
    for_each(Op.Operands, Change);
    Change(Op.Guard);
  }
  for (MemoryAccess &A : Facts.Accesses) {
    Change(A.Base);
    Change(A.SharedBase);
    for_each(A.Stored, Change);
  }
  for (gpuocc::Branch &B : Facts.Branches)
    Change(B.Condition);
}

/// Where an operation goes: its block, the place in it, and among those of one
/// place the index that it had.
using Place = std::tuple<uint32_t, uint32_t, uint32_t>;

} // namespace

/// \p Factor times as many requests that bring what they did.
static void changeRequests(AccessProfile &P, double Factor) {
  P.ExecutionsPerWarp *= Factor;
  P.RequestsPerWarp *= Factor;
  auto Keep = [&](double &Missing) {
    Missing = std::min(1.0, Missing / Factor);
  };
  double MissL1 = 1 - P.L1HitFraction;
  Keep(MissL1);
  // What missed L1 misses L2 as often; stores do not look into L1.
  P.L1HitFraction = 1 - MissL1;
  Keep(P.L1WaitFraction);
  Keep(P.LineVisitFraction);
}

/// In front of the operations that end \p Block.
static uint32_t endOf(const KernelFacts &Facts, uint32_t Block) {
  const BasicBlock &B = Facts.Blocks[Block];
  uint32_t End = B.FirstOp + B.NumOps;
  auto IsControl = [](const Emission &E) {
    return E.Class == InstClass::Branch || E.Class == InstClass::Exit ||
           E.Class == InstClass::BranchIndexed;
  };
  while (End != B.FirstOp && any_of(Facts.Operations[End - 1].Emits, IsControl))
    --End;
  return End;
}

/// Behind the phis of \p Block.
static uint32_t beginOf(const KernelFacts &Facts, uint32_t Block) {
  const BasicBlock &B = Facts.Blocks[Block];
  uint32_t Begin = B.FirstOp;
  while (Begin != B.FirstOp + B.NumOps &&
         Facts.Operations[Begin].What == Semantics::Phi)
    ++Begin;
  return Begin;
}

static void moveAccess(KernelVariant &V, const MoveOperation &Move) {
  const Operation &Op = V.Facts.Operations[Move.Op];
  if (Op.Access == NoIndex)
    return;
  const double Before = V.Profile.Blocks[Op.Block].ExecutionsPerWarp;
  AccessProfile &P = V.Profile.Accesses[Op.Access];
  const double Factor =
      Before > 0 ? V.Profile.Blocks[Move.To].ExecutionsPerWarp / Before : 1;
  const double MissedL2 = 1 - P.L2HitFraction;
  changeRequests(P, Factor);
  if (V.Facts.Accesses[Op.Access].Kind == AccessKind::Store)
    P.L2HitFraction = 1 - std::min(1.0, MissedL2 / Factor);
}

/// Puts the operations of \p Facts where \p Places says and numbers them anew.
static void arrange(KernelFacts &Facts, ArrayRef<Place> Places) {
  std::vector<uint32_t> Order(Places.size()), NewOf(Places.size());
  for (uint32_t I = 0; I != Order.size(); ++I)
    Order[I] = I;
  llvm::sort(Order,
             [&](uint32_t A, uint32_t B) { return Places[A] < Places[B]; });
  std::vector<Operation> Operations;
  for (gpuocc::BasicBlock &B : Facts.Blocks)
    B.NumOps = 0;
  for (uint32_t I : Order) {
    NewOf[I] = uint32_t(Operations.size());
    Operations.push_back(std::move(Facts.Operations[I]));
    Operations.back().Block = std::get<0>(Places[I]);
    ++Facts.Blocks[Operations.back().Block].NumOps;
  }
  Facts.Operations = std::move(Operations);
  uint32_t Next = 0;
  for (gpuocc::BasicBlock &B : Facts.Blocks) {
    B.FirstOp = Next;
    Next += B.NumOps;
  }
  changeOperands(Facts, [&](Operand &O) {
    if (O.isValue())
      O.Index = NewOf[O.Index];
  });
  for (MemoryAccess &A : Facts.Accesses)
    A.Op = NewOf[A.Op];
  for (gpuocc::Branch &B : Facts.Branches)
    if (B.Op != NoIndex)
      B.Op = NewOf[B.Op];
}

void gpuocc::moveOperations(KernelVariant &V, ArrayRef<MoveOperation> Moves) {
  std::vector<Place> Places;
  for (uint32_t I = 0; I != V.Facts.Operations.size(); ++I)
    Places.emplace_back(V.Facts.Operations[I].Block, I, NoIndex);
  for (const MoveOperation &Move : Moves) {
    moveAccess(V, Move);
    Places[Move.Op] = {Move.To,
                       Move.ToBegin ? beginOf(V.Facts, Move.To)
                                    : endOf(V.Facts, Move.To),
                       Move.Op};
  }
  arrange(V.Facts, Places);
}

void gpuocc::replaceUses(KernelFacts &Facts, uint32_t Old, const Operand &New) {
  changeOperands(Facts, [&](Operand &O) {
    if (O.isValue() && O.Index == Old)
      O = New;
  });
}

void gpuocc::dropOperations(KernelVariant &V, ArrayRef<uint32_t> Ops) {
  Dropper(V).drop(Ops);
}

/// Nothing but jumps, and where lanes meet again behind them.
static bool isEmpty(const KernelFacts &Facts, uint32_t Block) {
  const BasicBlock &B = Facts.Blocks[Block];
  return all_of(ArrayRef(Facts.Operations).slice(B.FirstOp, B.NumOps),
                [](const Operation &Op) {
                  return all_of(Op.Emits, [](const Emission &E) {
                    return E.Class == InstClass::Branch ||
                           E.Class == InstClass::Converge;
                  });
                });
}

/// True where nothing is executed between branch \p Index of \p Facts and the
/// block where its sides meet, whatever else is decided there.
static bool hasEmptySides(const KernelFacts &Facts, uint32_t Index) {
  const gpuocc::Branch &B = Facts.Branches[Index];
  const uint32_t Loop = Facts.Blocks[B.Block].Loop;
  if (B.Op == NoIndex || B.Targets.size() != 2 ||
      Facts.Blocks[B.Block].PostDominator == NoIndex)
    return false;
  const std::vector<uint32_t> Sides = blocksOfBranch(Facts, Index);
  return !Sides.empty() && all_of(Sides, [&](uint32_t Side) {
    return Facts.Blocks[Side].Loop == Loop && isEmpty(Facts, Side);
  }) && (Loop == NoIndex || !is_contained(Sides, Facts.Loops[Loop].Header));
}

void gpuocc::dropEmptySides(KernelVariant &V) {
  std::vector<uint32_t> Ops;
  for (uint32_t I = 0; I != V.Facts.Branches.size(); ++I) {
    gpuocc::Branch &B = V.Facts.Branches[I];
    if (!hasEmptySides(V.Facts, I))
      continue;
    Ops.push_back(B.Op);
    auto Reads = [&](const Operation &Op) {
      return is_contained(Op.Operands, B.Condition) || Op.Guard == B.Condition;
    };
    // The branch itself is one.
    if (B.Condition.isValue() && count_if(V.Facts.Operations, Reads) <= 1)
      Ops.push_back(B.Condition.Index);
    B.Condition = Operand();
  }
  dropOperations(V, Ops);
}

void gpuocc::dropEmissions(KernelFacts &Facts, uint32_t Op, InstClass Class) {
  erase_if(Facts.Operations[Op].Emits,
           [&](const Emission &E) { return E.Class == Class; });
}

void gpuocc::unrollLoop(KernelVariant &V, uint32_t Index, unsigned Iterations) {
  gpuocc::Loop &L = V.Facts.Loops[Index];
  if (Iterations <= L.UnrolledBy)
    return;
  const float Share = float(L.UnrolledBy) / float(Iterations);
  L.UnrolledBy = Iterations;
  auto Divide = [&](Operation &Op) {
    for (Emission &E : Op.Emits) {
      E.Count *= Share;
      E.OnPath *= Share;
    }
  };
  for (const gpuocc::Branch &B : V.Facts.Branches) {
    if (B.Op == NoIndex || !is_contained(L.Blocks, B.Block) ||
        !is_contained(B.Targets, L.Header))
      continue;
    Divide(V.Facts.Operations[B.Op]);
    if (B.Condition.isValue() &&
        is_contained(L.Blocks, V.Facts.Operations[B.Condition.Index].Block))
      Divide(V.Facts.Operations[B.Condition.Index]);
  }
}
