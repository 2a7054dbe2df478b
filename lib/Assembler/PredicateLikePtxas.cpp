//===- PredicateLikePtxas.cpp - Branches that ptxas makes predicates ------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/Support/InstTraits.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace gpuocc;
using namespace llvm;

/// Sides of up to this many instructions are predicated.
///
/// Source: ptxas 13.0 for sm_90, with sides of 0 to 40 instructions, arithmetic
/// alone or before a load or store of global or shared memory, under conditions
/// by thread, by block and by loaded data. Of 40 kinds of one-sided branches in
/// public suites, those with 8 instructions or fewer were predicated except
/// one.
static constexpr float MaxPredicatedInstructions = 8;
/// Of them where a side loads from global memory, and what is before it loads
/// or what follows it uses memory meanwhile. Where nothing does, no such side
/// is predicated.
///
/// Source: the same sides before loads of global memory (predicated up to 18 to
/// 20) and before loads and stores of shared memory (up to 20); before stores
/// to global memory, barriers, shuffles, atomics and arithmetic none was.
/// Behind loads of global or shared memory, or behind another side with one,
/// all were up to 18 and none of 22, also before stores; behind stores, atomics
/// and loops that load none was.
static constexpr float MaxPredicatedBesideLoads = 20;
/// Of each of two sides, where neither loads.
///
/// Source: ptxas 13.0 for sm_90, all pairs of sides of 1 to 10, 12, 14, 16 and
/// 20 FFMA and of FADD and FMNMX, under conditions by thread and by loaded
/// data: those of 7 and fewer are predicated, of 8 and more none. With a load
/// in one side they are with up to 18 in that side and 9 in the other, with a
/// load in each up to 18 in both.
static constexpr float MaxPredicatedOfTwo = 7;
static constexpr float MaxPredicatedBesideLoadingSide = 9;
/// What further conditions of one side may take to compute together ("if (a &&
/// b)", whose side is left for one place whichever does not hold). Those that
/// compute anything that is used later are left to their branches.
///
/// Source: ptxas 13.0 for sm_90, two to four conditions of 0 to 12 integer
/// operations and a comparison each, before sides of 1 to 18 FFMA with and
/// without a load: one branch is left of two conditions whose second takes 7
/// instructions, none where it takes 5; of three none where both further ones
/// take 2 each, one where they take 3; of four none where each takes 1, one
/// where each takes 2.
static constexpr float MaxConditionInstructions = 5;

namespace {

class Predicator {
public:
  explicit Predicator(KernelFacts &Facts)
      : Facts(Facts), Predecessors(Facts.Blocks.size()),
        UsesMemory(Facts.Blocks.size()) {
    for (uint32_t B = 0; B != Facts.Blocks.size(); ++B)
      for (uint32_t S : Facts.Blocks[B].Successors)
        Predecessors[S].push_back(B);
    for (uint32_t B = 0; B != Facts.Blocks.size(); ++B)
      UsesMemory[B] = usesMemory(B);
  }

  void run() {
    // What is predicated becomes a part of the block before it, and that of
    // what follows the branch before that: from the last to the first.
    for (gpuocc::Branch &B : reverse(Facts.Branches))
      if (!B.Indexed && B.Targets.size() == 2 && !predicateOne(B) &&
          !predicateCondition(B))
        predicateBoth(B);
  }

private:
  KernelFacts &Facts;
  std::vector<SmallVector<uint32_t, 2>> Predecessors;
  /// By block: does it use memory while a load before it is under way? Blocks
  /// have what was predicated into them, and what follows that.
  std::vector<bool> UsesMemory;

  const MemoryAccess *accessOf(const Operation &Op) const {
    return Op.Access < Facts.Accesses.size() ? &Facts.Accesses[Op.Access]
                                             : nullptr;
  }

  bool loadsGlobal(const Operation &Op) const {
    const MemoryAccess *A = accessOf(Op);
    return A && A->Kind == AccessKind::Load && A->Space == MemorySpace::Global;
  }

  bool loadsGlobal(uint32_t Block) {
    return any_of(operationsOf(Block),
                  [&](const Operation &Op) { return loadsGlobal(Op); });
  }

  bool loads(uint32_t Block) {
    return any_of(operationsOf(Block), [&](const Operation &Op) {
      const MemoryAccess *A = accessOf(Op);
      return A && A->Kind == AccessKind::Load &&
             (A->Space == MemorySpace::Global ||
              A->Space == MemorySpace::Shared);
    });
  }

  /// Is a load under way where \p Block ends, from itself or from blocks that
  /// become one with it?
  bool loadsBefore(uint32_t Block) {
    SmallVector<uint32_t, 8> Seen;
    while (!is_contained(Seen, Block)) {
      Seen.push_back(Block);
      if (loads(Block))
        return true;
      uint32_t Head = NoIndex;
      size_t NumSides = 0;
      for (uint32_t P : Predecessors[Block]) {
        if (!joinsAt(P, Block))
          continue;
        if (loads(P))
          return true;
        Head = Predecessors[P].front();
        ++NumSides;
      }
      if (Head == NoIndex)
        return false;
      for (; isCondition(Head, Block); Head = Predecessors[Head].front())
        ++NumSides;
      // A head has one side, or two that do not fall through to their join.
      if (Predecessors[Block].size() - NumSides > 1)
        return false;
      Block = Head;
    }
    return false;
  }

  /// Whether \p Side, which may be predicated as far as it goes, is left to
  /// \p Join alone.
  bool joinsAt(uint32_t Side, uint32_t Join) {
    const gpuocc::BasicBlock &S = Facts.Blocks[Side];
    if (Side == Join || Predecessors[Side].size() != 1 ||
        S.Successors.size() != 1 || S.Successors[0] != Join)
      return false;
    const std::optional<float> Count = instructionsOf(Side);
    return Count &&
           *Count <= (loadsGlobal(Side) ? MaxPredicatedBesideLoads
                                        : MaxPredicatedBesideLoadingSide);
  }

  /// Whether all that \p Side does, with further conditions behind it, is to
  /// decide between \p Join and a side that is left to \p Join alone.
  bool isCondition(uint32_t Side, uint32_t Join) {
    float Count = 0;
    while (Count <= MaxConditionInstructions) {
      const gpuocc::BasicBlock &S = Facts.Blocks[Side];
      if (Side == Join || Predecessors[Side].size() != 1 ||
          S.Successors.size() != 2 || !is_contained(S.Successors, Join) ||
          isUsedBehind(Side, Join))
        return false;
      const uint32_t Inner =
          S.Successors[0] == Join ? S.Successors[1] : S.Successors[0];
      const std::optional<float> Own = instructionsOf(Side);
      if (!Own || Inner == Join || Predecessors[Inner].size() != 1)
        return false;
      Count += *Own;
      if (joinsAt(Inner, Join))
        return Count <= MaxConditionInstructions && !copiesInBulk(Inner);
      // Conditions that are known already would go round in code that nothing
      // reaches.
      Count += *Own == 0;
      Side = Inner;
    }
    return false;
  }

  /// Is a load under way where \p Block, or a condition before it that leads to
  /// \p Join as well, ends?
  bool loadsBeforeConditions(uint32_t Block, uint32_t Join) {
    while (!loadsBefore(Block)) {
      if (Predecessors[Block].size() != 1)
        return false;
      const uint32_t Before = Predecessors[Block].front();
      if (Facts.Blocks[Before].Successors.size() != 2 ||
          !is_contained(Facts.Blocks[Before].Successors, Join))
        return false;
      Block = Before;
    }
    return true;
  }

  /// ptxas 13.0 leaves a branch around copies in bulk, which uniform registers
  /// describe.
  bool copiesInBulk(uint32_t Block) {
    return any_of(operationsOf(Block), [&](const Operation &Op) {
      const MemoryAccess *A = accessOf(Op);
      return A && A->Bulk;
    });
  }

  /// Does \p Side use memory, or is a value of it used where it went to \p
  /// Join?
  bool isUsedBehind(uint32_t Side, uint32_t Join) {
    // Constants are written before.
    auto IsOfSide = [&](const Operand &O) {
      return O.isValue() && Facts.Operations[O.Index].Block == Side &&
             !Facts.Operations[O.Index].Emits.empty();
    };
    return any_of(operationsOf(Side),
                  [](const Operation &Op) { return Op.Access != NoIndex; }) ||
           any_of(operationsOf(Join), [&](const Operation &Op) {
             return any_of(Op.Operands, IsOfSide);
           });
  }

  /// Instructions of \p Side beside its jump; nothing where one cannot be
  /// predicated.
  std::optional<float> instructionsOf(uint32_t Side) {
    float Count = 0;
    for (const Operation &Op : operationsOf(Side)) {
      if (isJump(Op))
        continue;
      for (const Emission &E : Op.Emits) {
        if (hasTrait(E.Class, InstTrait::Unpredicated))
          return std::nullopt;
        Count += E.Count;
      }
    }
    return Count;
  }

  /// Loads of global memory behind a store to it may have to wait for that.
  bool usesMemory(uint32_t Block) {
    bool HasStored = false;
    for (const Operation &Op : operationsOf(Block)) {
      const MemoryAccess *A = accessOf(Op);
      if (!A || isAtomic(A->Kind))
        continue;
      if (A->Space == MemorySpace::Shared || (loadsGlobal(Op) && !HasStored))
        return true;
      HasStored |= A->Kind == AccessKind::Store;
    }
    return false;
  }

  MutableArrayRef<Operation> operationsOf(uint32_t Block) {
    const gpuocc::BasicBlock &B = Facts.Blocks[Block];
    return MutableArrayRef(Facts.Operations).slice(B.FirstOp, B.NumOps);
  }

  /// A side that ends the kernel's work becomes a predicated EXIT instead.
  bool onlyReturns(uint32_t Block) {
    if (!Facts.Blocks[Block].Successors.empty())
      return false;
    return all_of(operationsOf(Block), [](const Operation &Op) {
      return Op.Emits.empty() || Op.Emits.front().Class == InstClass::Exit;
    });
  }

  bool isShortSide(const gpuocc::Branch &B, uint32_t Side, uint32_t Join) {
    if (!joinsAt(Side, Join) || onlyReturns(Join))
      return false;
    if (loadsGlobal(Side))
      return UsesMemory[Join] || loadsBeforeConditions(B.Block, Join);
    return *instructionsOf(Side) <= MaxPredicatedInstructions;
  }

  bool predicateOne(gpuocc::Branch &B) {
    for (auto [Side, Join] : {std::pair(B.Targets[0], B.Targets[1]),
                              std::pair(B.Targets[1], B.Targets[0])})
      if (isShortSide(B, Side, Join)) {
        predicate(B, Side, Join);
        UsesMemory[B.Block] =
            UsesMemory[B.Block] || UsesMemory[Side] || UsesMemory[Join];
        return true;
      }
    return false;
  }

  /// Makes a branch that leaves a predicated side's condition alone a part of
  /// that condition.
  bool predicateCondition(gpuocc::Branch &B) {
    for (auto [Side, Join] : {std::pair(B.Targets[0], B.Targets[1]),
                              std::pair(B.Targets[1], B.Targets[0])}) {
      if (!isCondition(Side, Join) || onlyReturns(Join) ||
          none_of(Facts.Blocks[Side].Successors, [&, From = Side](uint32_t S) {
            return Facts.Blocks[S].PredicatedInto == From;
          }))
        continue;
      Facts.Blocks[Side].PredicatedInto = B.Block;
      Facts.Operations[B.Op].Emits.clear();
      dropJump(Side);
      UsesMemory[B.Block] =
          UsesMemory[B.Block] || UsesMemory[Side] || UsesMemory[Join];
      return true;
    }
    return false;
  }

  static float mostOfTwo(bool Loads, bool OtherLoads) {
    if (Loads)
      return MaxPredicatedBesideLoads;
    return OtherLoads ? MaxPredicatedBesideLoadingSide : MaxPredicatedOfTwo;
  }

  void predicateBoth(gpuocc::Branch &B) {
    const uint32_t First = B.Targets[0], Second = B.Targets[1];
    if (First == Second || Facts.Blocks[First].Successors.size() != 1)
      return;
    const uint32_t Join = Facts.Blocks[First].Successors[0];
    if (Join == B.Block || Predecessors[Join].size() != 2 ||
        !joinsAt(First, Join) || !joinsAt(Second, Join) || onlyReturns(Join))
      return;
    const bool FirstLoads = loadsGlobal(First),
               SecondLoads = loadsGlobal(Second);
    if (*instructionsOf(First) > mostOfTwo(FirstLoads, SecondLoads) ||
        *instructionsOf(Second) > mostOfTwo(SecondLoads, FirstLoads))
      return;
    for (uint32_t Side : {First, Second})
      predicate(B, Side, Join);
    UsesMemory[B.Block] = UsesMemory[B.Block] || UsesMemory[First] ||
                          UsesMemory[Second] || UsesMemory[Join];
  }

  void dropJump(uint32_t Side) {
    for (Operation &Op : operationsOf(Side))
      if (isJump(Op))
        Op.Emits.clear();
  }

  void predicate(gpuocc::Branch &B, uint32_t Side, uint32_t Join) {
    Facts.Blocks[Side].PredicatedInto = B.Block;
    dropJump(Side);
    const bool IsEmpty = all_of(operationsOf(Side), [](const Operation &Op) {
      return Op.Emits.empty();
    });
    Operation &Jump = Facts.Operations[B.Op];
    Jump.Emits.clear();
    // A side without instructions only chooses values.
    if (IsEmpty)
      if (float Chosen = valuesChosen(Side, Join))
        Jump.Emits.push_back({InstClass::Sel, Chosen, 1});
  }

  float valuesChosen(uint32_t Side, uint32_t Join) {
    float Count = 0;
    for (const Operation &Op : operationsOf(Join))
      if (Op.What == Semantics::Phi && is_contained(Op.PhiBlocks, Side))
        Count += Op.Bits == 64 && isWide(Op) ? 2 : 1;
    return Count;
  }

  /// Phis do not know their width; it is that of what they choose from.
  bool isWide(const Operation &Phi) {
    return any_of(Phi.Operands, [&](const Operand &O) {
      return O.isValue() && Facts.Operations[O.Index].What != Semantics::Phi &&
             Facts.Operations[O.Index].Bits == 64;
    });
  }
};

} // namespace

void gpuocc::predicateLikePtxas(KernelFacts &Facts) { Predicator(Facts).run(); }
