//===- RecordTurns.cpp - Branches that the best value so far takes --------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/RecordTurns.h"
#include "Analysis/ReachedBlocks.h"
#include "gpuocc/Kernel/Copies.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

/// Operations that are looked at behind one operand.
static constexpr size_t MaxOperations = 64;

/// Values that are kept in order, at most: a sorted list is short.
static constexpr unsigned MaxRank = 64;

static const Operation *operationBehind(const KernelFacts &Facts,
                                        const Operand &O) {
  return Facts.operationOf(behindCopies(Facts, O));
}

namespace {

/// Looks for what one branch keeps.
class RecordFinder {
public:
  RecordFinder(const KernelFacts &Facts, const LoopNest &Nest, const Branch &B)
      : Facts(Facts), Nest(Nest), B(B) {}

  std::optional<RecordTurns> find(const Operation &Compare) const {
    // What an insertion into a list in memory displaces is kept in a register.
    for (auto Find : {&RecordFinder::inMemory, &RecordFinder::inRegister})
      for (unsigned Kept : {0u, 1u})
        if (std::optional<RecordTurns> Found = (this->*Find)(
                Compare.Operands[1 - Kept], Compare.Operands[Kept]))
          return Found;
    return std::nullopt;
  }

private:
  const KernelFacts &Facts;
  const LoopNest &Nest;
  const Branch &B;

  bool isSame(const Operand &A, const Operand &Other) const {
    const Operation *Behind = operationBehind(Facts, A);
    return Behind && Behind == operationBehind(Facts, Other);
  }

  /// The target of the branch that alone leads to \p Block before both sides
  /// meet.
  std::optional<unsigned> sideOf(uint32_t Block) const {
    const uint32_t Around[] = {Facts.Blocks[B.Block].PostDominator, B.Block};
    bool Leads[2];
    for (unsigned Target : {0u, 1u})
      Leads[Target] = reachedBlocks(Facts, B.Targets[Target], Around)[Block];
    if (Leads[0] == Leads[1])
      return std::nullopt;
    return Leads[0] ? 0 : 1;
  }

  /// Is \p O the same in all turns of loop \p L, as far as arithmetic tells?
  bool staysIn(uint32_t L, const Operand &O) const {
    SmallVector<uint32_t, 16> Work, Seen;
    auto Enter = [&](const Operand &Of) {
      const Operation *Op = Facts.operationOf(Of);
      if (Op && Nest.contains(L, Op->Block) && !is_contained(Seen, Of.Index)) {
        Seen.push_back(Of.Index);
        Work.push_back(Of.Index);
      }
    };
    Enter(O);
    while (!Work.empty()) {
      const Operation &Op = Facts.Operations[Work.pop_back_val()];
      const bool IsPhiOfLoop =
          Op.What == Semantics::Phi && Op.Block == Facts.Loops[L].Header;
      if (IsPhiOfLoop || Op.Access < Facts.Accesses.size() ||
          Op.What == Semantics::Opaque || Seen.size() > MaxOperations)
        return false;
      for (const Operand &Of : Op.Operands)
        Enter(Of);
    }
    return true;
  }

  /// Is \p O what was loaded from the place of \p Store?
  bool isLoadedFrom(const MemoryAccess &Store, const Operand &O) const {
    const Operation *Op = operationBehind(Facts, O);
    if (!Op || Op->Access >= Facts.Accesses.size())
      return false;
    const MemoryAccess &A = Facts.Accesses[Op->Access];
    return A.Kind == AccessKind::Load && A.Base == Store.Base &&
           A.OffsetBytes == Store.OffsetBytes;
  }

  std::optional<RecordTurns> inMemory(const Operand &Value,
                                      const Operand &Kept) const {
    for (const MemoryAccess &A : Facts.Accesses) {
      if (A.Kind != AccessKind::Store ||
          none_of(A.Stored,
                  [&](const Operand &O) { return isSame(O, Value); }) ||
          !isLoadedFrom(A, Kept))
        continue;
      const std::optional<unsigned> Side = sideOf(Facts.Operations[A.Op].Block);
      if (!Side)
        continue;
      RecordTurns Turns;
      Turns.Side = *Side;
      for (uint32_t L = Nest.innermost(B.Block); L != NoIndex;
           L = Nest.parent(L))
        if (staysIn(L, A.Base))
          Turns.Loops.push_back(L);
      if (Turns.Loops.empty())
        continue;
      countStores(A, Turns);
      addRank(Value, Turns);
      return Turns;
    }
    return std::nullopt;
  }

  /// Counts the stores to the place of \p Store in one turn, in the order of
  /// the code.
  void countStores(const MemoryAccess &Store, RecordTurns &Turns) const {
    Turns.ValuesPerTurn = 0;
    for (const MemoryAccess &A : Facts.Accesses)
      if (A.Kind == AccessKind::Store && A.Base == Store.Base &&
          A.OffsetBytes == Store.OffsetBytes &&
          Nest.contains(Turns.Loops.front(), Facts.Operations[A.Op].Block)) {
        Turns.ValuesBefore += A.Op < Store.Op;
        ++Turns.ValuesPerTurn;
      }
  }

  /// Is \p O what a store to the same place replaced, of which an operand says
  /// that it is \p Other?
  bool isReplacedBy(const Operand &O, const Operand &Other) const {
    return any_of(Facts.Accesses, [&](const MemoryAccess &A) {
      return A.Kind == AccessKind::Store && isLoadedFrom(A, O) &&
             any_of(A.Stored,
                    [&](const Operand &Of) { return isSame(Of, Other); });
    });
  }

  /// What \p Value is where an earlier branch did not replace it, if it is a
  /// phi of that and of what a place held.
  const Operand *beforeReplacing(const Operand &Value) const {
    const Operation *Op = operationBehind(Facts, Value);
    if (!Op || Op->What != Semantics::Phi || Op->Operands.size() != 2)
      return nullptr;
    for (unsigned I : {0u, 1u})
      if (isReplacedBy(Op->Operands[I], Op->Operands[1 - I]))
        return &Op->Operands[1 - I];
    return nullptr;
  }

  /// Goes from \p Value to what came first, and counts what was replaced.
  unsigned countReplaced(const Operand *&Value) const {
    unsigned Count = 0;
    while (Count < MaxRank) {
      const Operand *Before = beforeReplacing(*Value);
      if (!Before)
        break;
      Value = Before;
      ++Count;
    }
    return Count;
  }

  void addRank(const Operand &Value, RecordTurns &Turns) const {
    const Operand *First = &Value;
    Turns.Rank += countReplaced(First);
    const Operation *Phi = operationBehind(Facts, *First);
    const uint32_t L = Phi ? Nest.innermost(Phi->Block) : NoIndex;
    if (L == NoIndex || Phi->What != Semantics::Phi ||
        Facts.Loops[L].Header != Phi->Block || is_contained(Turns.Loops, L))
      return;
    for (const Operand &From : Phi->Operands) {
      const Operand *Start = &From;
      const unsigned Count = countReplaced(Start);
      if (Count && operationBehind(Facts, *Start) == Phi) {
        Turns.RankLoop = L;
        Turns.RanksPerTurn = Count;
      }
    }
  }

  /// A phi of loop \p L in its header, of what is kept when the loop is entered
  /// and at the end of a turn.
  struct KeptPhi {
    const Operation *Phi;
    Operand AtEntry, AtEnd;
  };

  std::optional<KeptPhi> keptPhi(uint32_t L, const Operation *Phi) const {
    if (!Phi || Phi->What != Semantics::Phi ||
        Phi->Block != Facts.Loops[L].Header || Phi->Operands.size() != 2 ||
        Phi->PhiBlocks.size() != 2)
      return std::nullopt;
    const unsigned End = Nest.contains(L, Phi->PhiBlocks[1]) ? 1 : 0;
    if (Nest.contains(L, Phi->PhiBlocks[1 - End]))
      return std::nullopt;
    return KeptPhi{Phi, Phi->Operands[1 - End], Phi->Operands[End]};
  }

  /// The operand of \p Merge that goes on with what was kept, which is a phi as
  /// well; the other is the value that beats it.
  std::optional<unsigned> keptOperand(uint32_t L,
                                      const Operation &Merge) const {
    if (Merge.What != Semantics::Phi || Merge.Operands.size() != 2 ||
        Merge.PhiBlocks.size() != 2 || !Nest.contains(L, Merge.Block))
      return std::nullopt;
    std::optional<unsigned> Kept;
    for (unsigned I : {0u, 1u}) {
      const Operation *Of = operationBehind(Facts, Merge.Operands[I]);
      if (!Of || Of->What != Semantics::Phi || !Nest.contains(L, Of->Block))
        continue;
      if (Kept)
        return std::nullopt;
      Kept = I;
    }
    return Kept;
  }

  /// The best so far is a phi of a loop to which a chain of phis comes back,
  /// each of what was kept before and of a value; \p Kept is one of them.
  std::optional<RecordTurns> inRegister(const Operand &Value,
                                        const Operand &Kept) const {
    for (uint32_t L = Nest.innermost(B.Block); L != NoIndex;
         L = Nest.parent(L)) {
      const BasicBlock &Header = Facts.Blocks[Facts.Loops[L].Header];
      for (uint32_t I = 0; I < Header.NumOps; ++I)
        if (std::optional<KeptPhi> Phi =
                keptPhi(L, &Facts.Operations[Header.FirstOp + I]))
          if (std::optional<RecordTurns> Turns = inChain(L, *Phi, Value, Kept))
            return Turns;
    }
    return std::nullopt;
  }

  std::optional<RecordTurns> inChain(uint32_t L, const KeptPhi &Phi,
                                     const Operand &Value,
                                     const Operand &Kept) const {
    RecordTurns Turns;
    Turns.ValuesPerTurn = 0;
    std::optional<unsigned> Side;
    const Operation *At = operationBehind(Facts, Phi.AtEnd);
    while (At != Phi.Phi && Turns.ValuesPerTurn < MaxOperations) {
      const std::optional<unsigned> Before =
          At ? keptOperand(L, *At) : std::nullopt;
      if (!Before)
        return std::nullopt;
      const Operand &Other = At->Operands[1 - *Before];
      if (Side)
        ++Turns.ValuesBefore;
      else if (isSame(Other, Value) && isSame(At->Operands[*Before], Kept))
        Side = sideInto(At->PhiBlocks[1 - *Before], At->Block);
      ++Turns.ValuesPerTurn;
      At = operationBehind(Facts, At->Operands[*Before]);
    }
    if (!Side)
      return std::nullopt;
    Turns.Side = *Side;
    addLoops(L, Phi, Turns);
    return Turns;
  }

  /// The loops around \p L that go on with what it kept.
  void addLoops(uint32_t L, const KeptPhi &Phi, RecordTurns &Turns) const {
    Turns.Loops.push_back(L);
    KeptPhi Inner = Phi;
    for (uint32_t Outer = Nest.parent(L); Outer != NoIndex;
         Outer = Nest.parent(Outer)) {
      const std::optional<KeptPhi> Around =
          keptPhi(Outer, operationBehind(Facts, Inner.AtEntry));
      if (!Around || (!isSame(Around->AtEnd, Inner.AtEnd) &&
                      operationBehind(Facts, Around->AtEnd) != Inner.Phi))
        return;
      Turns.Loops.push_back(Outer);
      Inner = *Around;
    }
  }

  /// The side that enters block \p To from block \p From.
  std::optional<unsigned> sideInto(uint32_t From, uint32_t To) const {
    return From == B.Block ? targetOf(To) : sideOf(From);
  }

  std::optional<unsigned> targetOf(uint32_t Block) const {
    if (B.Targets[0] == B.Targets[1])
      return std::nullopt;
    return B.Targets[0] == Block ? 0 : 1;
  }
};

} // namespace

/// The comparison for order that decides \p B, through negations.
static const Operation *orderBehind(const KernelFacts &Facts, const Branch &B) {
  const Operation *Op = operationBehind(Facts, B.Condition);
  for (size_t Left = MaxOperations;
       Op && Left && Op->What == Semantics::Not && !Op->Operands.empty();
       --Left)
    Op = operationBehind(Facts, Op->Operands[0]);
  const bool IsOrder =
      Op &&
      (Op->What == Semantics::Compare || Op->What == Semantics::FCompare) &&
      Op->Operands.size() == 2 && isOrder(Op->Compare);
  return IsOrder ? Op : nullptr;
}

std::optional<RecordTurns> gpuocc::recordTurns(const KernelFacts &Facts,
                                               const LoopNest &Nest,
                                               uint32_t Index) {
  const Branch &B = Facts.Branches[Index];
  const bool IsSane =
      B.Targets.size() == 2 && B.Block < Facts.Blocks.size() &&
      all_of(B.Targets, [&](uint32_t T) { return T < Facts.Blocks.size(); });
  if (B.Indexed || !IsSane || Nest.innermost(B.Block) == NoIndex)
    return std::nullopt;
  const Operation *Compare = orderBehind(Facts, B);
  if (!Compare)
    return std::nullopt;
  return RecordFinder(Facts, Nest, B).find(*Compare);
}
