//===- AssumeNoAlias.cpp - What __restrict__ would save -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/AssumeNoAlias.h"
#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "gpuocc/Kernel/Dominators.h"
#include "gpuocc/Kernel/OperationTraits.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/WhatIf/ChangeCode.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <optional>
#include <set>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

/// The only block outside of loop \p L from which it is entered; NoIndex where
/// there are several.
static uint32_t blockBefore(const KernelFacts &Facts, uint32_t L) {
  const gpuocc::Loop &Loop = Facts.Loops[L];
  uint32_t Before = NoIndex;
  for (uint32_t B = 0; B != Facts.Blocks.size(); ++B)
    if (!is_contained(Loop.Blocks, B) &&
        is_contained(Facts.Blocks[B].Successors, Loop.Header)) {
      if (Before != NoIndex)
        return NoIndex;
      Before = B;
    }
  return Before;
}

/// The only block that follows loop \p L; NoIndex where there are several.
static uint32_t blockBehind(const KernelFacts &Facts, uint32_t L) {
  const gpuocc::Loop &Loop = Facts.Loops[L];
  uint32_t Behind = NoIndex;
  for (uint32_t B : Loop.Blocks)
    for (uint32_t S : Facts.Blocks[B].Successors)
      if (!is_contained(Loop.Blocks, S)) {
        if (Behind != NoIndex && Behind != S)
          return NoIndex;
        Behind = S;
      }
  return Behind;
}

namespace {

/// Finds accesses that are repeated.
class Finder {
public:
  Finder(const KernelFacts &Facts, const ExecutionProfile &Profile)
      : Facts(Facts), Profile(Profile), Tree(Dominators::of(graphOf(Facts))) {
    for (const MemoryAccess &A : Facts.Accesses)
      ArrayOf.push_back(arrayOfAccess(Facts, A));
  }

  AliasedAccesses find() {
    if (!knowsStores())
      return {};
    for (uint32_t B = 0; B != Facts.Blocks.size(); ++B)
      findInBlock(B);
    findUnderConditions();
    for (uint32_t L = 0; L != Facts.Loops.size(); ++L)
      findSums(L);
    return std::move(Out);
  }

private:
  const KernelFacts &Facts;
  const ExecutionProfile &Profile;
  const Dominators Tree;
  /// By access.
  std::vector<std::optional<uint64_t>> ArrayOf;
  std::set<uint64_t> Written;
  AliasedAccesses Out;

  /// True if each store goes to an array of its own name.
  bool knowsStores() {
    for (auto [A, Array] : zip(Facts.Accesses, ArrayOf)) {
      if (!isInArrays(A.Space) || A.Kind == AccessKind::Load ||
          A.Kind == AccessKind::AsyncCopy)
        continue;
      if (!Array)
        return false;
      Written.insert(*Array);
    }
    return !Written.empty();
  }

  const MemoryAccess *accessOf(uint32_t Op) const {
    const uint32_t I = Facts.Operations[Op].Access;
    return I != NoIndex && isInArrays(Facts.Accesses[I].Space)
               ? &Facts.Accesses[I]
               : nullptr;
  }

  /// A load that __restrict__ would set free.
  bool isOnlyRead(const MemoryAccess &A) const {
    const std::optional<uint64_t> Array =
        ArrayOf[Facts.Operations[A.Op].Access];
    return A.Kind == AccessKind::Load && !A.Volatile && !A.NonCoherent &&
           Array && !Written.count(*Array);
  }

  void findInBlock(uint32_t B) {
    std::map<std::tuple<uint32_t, uint8_t, int64_t, unsigned>, uint32_t> First;
    bool IsBehindStore = false;
    for (uint32_t I = Facts.Blocks[B].FirstOp, End = I + Facts.Blocks[B].NumOps;
         I != End; ++I) {
      const MemoryAccess *A = accessOf(I);
      if (!A)
        continue;
      IsBehindStore |= A->Kind != AccessKind::Load;
      if (!isOnlyRead(*A) || !A->Base.isValue())
        continue;
      auto [At, IsNew] = First.insert(
          {{A->Base.Index, A->Base.Result, A->OffsetBytes, A->BytesPerLane},
           I});
      if (!IsNew)
        Out.Repeated.push_back({At->second, I});
      else if (const uint32_t L = loopOfInvariant(*A); L != NoIndex)
        Out.Invariant.push_back({I, L});
      else if (IsBehindStore)
        Out.HeldBack.push_back(I);
    }
  }

  bool hasStore(uint32_t L) const {
    return any_of(Facts.Accesses, [&](const MemoryAccess &A) {
      return isInArrays(A.Space) && A.Kind != AccessKind::Load &&
             is_contained(Facts.Loops[L].Blocks, Facts.Operations[A.Op].Block);
    });
  }

  /// Every iteration of \p L gets to \p Block.
  bool isInEachIteration(uint32_t Block, uint32_t L) const {
    constexpr double AboutOne = 0.99;
    const BlockProfile &B = Profile.Blocks[Block];
    const BlockProfile &Header = Profile.Blocks[Facts.Loops[L].Header];
    return B.ExecutionsPerWarp > 0 &&
           B.ExecutionsPerWarp >= AboutOne * Header.ExecutionsPerWarp &&
           B.ActiveLaneFraction >= AboutOne * Header.ActiveLaneFraction;
  }

  /// No iteration of \p L gets around \p Block, whatever data decide: a store
  /// that one may leave out is none that compilers make behind the loop.
  bool isOnAllWays(uint32_t Block, uint32_t L) const {
    return all_of(Facts.Loops[L].Latches,
                  [&](uint32_t Latch) { return Tree.dominates(Block, Latch); });
  }

  /// The address of \p A is the same in all iterations of \p L.
  bool isInvariant(const MemoryAccess &A, uint32_t L) const {
    return A.Base.isValue() &&
           !is_contained(Facts.Loops[L].Blocks,
                         Facts.Operations[A.Base.Index].Block);
  }

  /// The outermost loop that \p A need not be in; NoIndex if there is none.
  uint32_t loopOfInvariant(const MemoryAccess &A) const {
    const uint32_t Block = Facts.Operations[A.Op].Block;
    uint32_t Outermost = NoIndex;
    for (uint32_t L = Facts.Blocks[Block].Loop; L != NoIndex;
         L = Facts.Loops[L].Parent) {
      if (!isInvariant(A, L) || !isInEachIteration(Block, L) || !hasStore(L) ||
          blockBefore(Facts, L) == NoIndex)
        break;
      Outermost = L;
    }
    return Outermost;
  }

  /// Loads that some iterations make again, behind a store, of words that leave
  /// the loop.
  void findUnderConditions() {
    for (const MemoryAccess &A : Facts.Accesses) {
      if (!isInArrays(A.Space) || !isOnlyRead(A))
        continue;
      const uint32_t Block = Facts.Operations[A.Op].Block;
      const auto First =
          find_if(Out.Invariant, [&](const AliasedAccesses::InLoop &Load) {
            const MemoryAccess &Of =
                Facts.Accesses[Facts.Operations[Load.Op].Access];
            return Load.Op != A.Op && isSameWord(Of, A) &&
                   is_contained(Facts.Loops[Load.Loop].Blocks, Block);
          });
      auto IsSeen = [&](const auto &Load) { return Load.Again == A.Op; };
      if (First == Out.Invariant.end() || any_of(Out.Repeated, IsSeen))
        continue;
      if (any_of(Out.Invariant,
                 [&](const auto &Load) { return Load.Op == A.Op; }))
        continue;
      erase(Out.HeldBack, A.Op);
      Out.Repeated.push_back({First->Op, A.Op});
    }
  }

  static bool isSameWord(const MemoryAccess &A, const MemoryAccess &B) {
    return A.Base == B.Base && A.OffsetBytes == B.OffsetBytes &&
           A.BytesPerLane == B.BytesPerLane;
  }

  /// The accesses of the blocks of \p L, in program order; none where what
  /// other threads do may matter.
  std::vector<const MemoryAccess *> accessesOf(uint32_t L) const {
    std::vector<const MemoryAccess *> Accesses;
    for (uint32_t B : Facts.Loops[L].Blocks)
      for (uint32_t I = Facts.Blocks[B].FirstOp,
                    End = I + Facts.Blocks[B].NumOps;
           I != End; ++I) {
        const Operation &Op = Facts.Operations[I];
        if (any_of(Op.Emits, [](const Emission &E) {
              return E.Class == InstClass::Barrier ||
                     E.Class == InstClass::MemBar;
            }))
          return {};
        if (const MemoryAccess *A = accessOf(I))
          Accesses.push_back(A);
      }
    llvm::sort(Accesses,
               [](const auto *A, const auto *B) { return A->Op < B->Op; });
    return Accesses;
  }

  void findSums(uint32_t L) {
    const std::vector<const MemoryAccess *> All = accessesOf(L);
    // Something else has to be in the way of the compiler.
    for (const MemoryAccess *A : All) {
      const std::optional<uint64_t> Array =
          ArrayOf[Facts.Operations[A->Op].Access];
      if (A->Kind == AccessKind::Store && Array && isInvariant(*A, L) &&
          !any_of(Out.Sums, [&](const AliasedAccesses::Accumulated &S) {
            return is_contained(S.Stores, A->Op);
          }))
        addSum(L, *A, *Array, All);
    }
  }

  void addSum(uint32_t L, const MemoryAccess &To, uint64_t Array,
              ArrayRef<const MemoryAccess *> All) {
    AliasedAccesses::Accumulated Sum;
    Sum.Loop = L;
    bool HasOthers = false;
    for (const MemoryAccess *A : All) {
      if (ArrayOf[Facts.Operations[A->Op].Access] != Array) {
        HasOthers = true;
        continue;
      }
      const uint32_t Block = Facts.Operations[A->Op].Block;
      if (!isSameWord(*A, To) || A->Volatile || isAtomic(A->Kind) ||
          Facts.Blocks[Block].Loop != L || !isInEachIteration(Block, L) ||
          !isOnAllWays(Block, L))
        return;
      if (A->Kind == AccessKind::Store)
        Sum.Stores.push_back(A->Op);
      else if (!Sum.Stores.empty())
        Sum.Reloads.push_back({A->Op, Sum.Stores.back()});
      else if (Sum.Load == NoIndex)
        Sum.Load = A->Op;
      else
        return;
    }
    if (HasOthers && blockBefore(Facts, L) != NoIndex &&
        blockBehind(Facts, L) != NoIndex)
      Out.Sums.push_back(std::move(Sum));
  }
};

/// Changes a kernel to what it would be.
class Changer {
public:
  explicit Changer(KernelVariant &V) : V(V) {}

  void run(const AliasedAccesses &Found) {
    for (const auto &Load : Found.Repeated) {
      replaceUses(V.Facts, Load.Again, Operand::value(Load.First));
      Dropped.push_back(Load.Again);
      setFree(Load.First);
    }
    for (const auto &Load : Found.Invariant) {
      setFree(Load.Op);
      Moves.push_back({Load.Op, blockBefore(V.Facts, Load.Loop)});
    }
    for (uint32_t Load : Found.HeldBack)
      setFree(Load);
    moveComputed(Found);
    for (const AliasedAccesses::Accumulated &Sum : Found.Sums)
      keepInRegister(Sum);
    dropOperations(V, Dropped);
    moveOperations(V, Moves);
  }

private:
  KernelVariant &V;
  std::vector<uint32_t> Dropped;
  std::vector<MoveOperation> Moves;

  void setFree(uint32_t Load) {
    V.Facts.Accesses[V.Facts.Operations[Load].Access].NonCoherent = true;
  }

  /// What is computed of loads that leave a loop, and of nothing else that the
  /// loop sets, leaves it with them.
  void moveComputed(const AliasedAccesses &Found) {
    std::map<uint32_t, std::set<uint32_t>> LoadsOf;
    for (const auto &Load : Found.Invariant)
      LoadsOf[Load.Loop].insert(Load.Op);
    for (const auto &[L, Loads] : LoadsOf)
      for (uint32_t I : computedOf(Loads, L))
        Moves.push_back({I, blockBefore(V.Facts, L)});
  }

  /// Operations of \p L that follow from \p Loads, with constants that they
  /// need.
  std::set<uint32_t> computedOf(const std::set<uint32_t> &Loads,
                                uint32_t L) const {
    const size_t Count = V.Facts.Operations.size();
    std::vector<bool> IsFixed(Count), Follows(Count);
    for (uint32_t Load : Loads)
      IsFixed[Load] = Follows[Load] = true;
    std::set<uint32_t> Found;
    // Operands of what is no phi lie before it.
    for (uint32_t I = 0; I != Count; ++I) {
      const Operation &Op = V.Facts.Operations[I];
      if (!isInLoop(L, Op.Block) || !computesOnly(Op))
        continue;
      IsFixed[I] = all_of(Op.Operands, [&](const Operand &O) {
        return !O.isValue() || IsFixed[O.Index] ||
               !isInLoop(L, V.Facts.Operations[O.Index].Block);
      });
      Follows[I] = IsFixed[I] && any_of(Op.Operands, [&](const Operand &O) {
                     return O.isValue() && Follows[O.Index];
                   });
      if (Follows[I])
        Found.insert(I);
    }
    SmallVector<uint32_t, 16> Work(Found.begin(), Found.end());
    while (!Work.empty())
      for (const Operand &O : V.Facts.Operations[Work.pop_back_val()].Operands)
        if (O.isValue() && IsFixed[O.Index] && !Loads.count(O.Index) &&
            Found.insert(O.Index).second)
          Work.push_back(O.Index);
    return Found;
  }

  bool isInLoop(uint32_t L, uint32_t Block) const {
    return is_contained(V.Facts.Loops[L].Blocks, Block);
  }

  /// Asks no other lane, and nothing that changes.
  static bool isArithmetic(const Emission &E) {
    switch (defaultPipe(E.Class)) {
    case Resource::Fma:
    case Resource::Fp16:
    case Resource::Fp64:
      return true;
    case Resource::Alu:
      return E.Class != InstClass::Vote && E.Class != InstClass::CS2R;
    case Resource::Xu:
      return E.Class != InstClass::Redux;
    default:
      return false;
    }
  }

  /// The result follows from the operands of the lane alone.
  static bool computesOnly(const Operation &Op) {
    if (Op.NumResults == 0 || Op.Access != NoIndex || Op.Guard.isValue())
      return false;
    switch (Op.What) {
    case Semantics::Opaque:
      return all_of(Op.Emits, isArithmetic);
    case Semantics::Load:
    case Semantics::Phi:
    case Semantics::SReg:
      return false;
    default:
      return !asksOtherLanes(Op.What);
    }
  }

  void keepInRegister(const AliasedAccesses::Accumulated &Sum) {
    const uint32_t Before = blockBefore(V.Facts, Sum.Loop);
    const uint32_t Last = Sum.Stores.back();
    for (auto [Load, Store] : Sum.Reloads) {
      const auto &Stored =
          V.Facts.Accesses[V.Facts.Operations[Store].Access].Stored;
      if (Stored.size() == 1)
        replaceUses(V.Facts, Load, Stored.front());
      Dropped.push_back(Load);
    }
    append_range(Dropped, ArrayRef(Sum.Stores).drop_back());
    Moves.push_back({Last, blockBehind(V.Facts, Sum.Loop), /*ToBegin=*/true});
    if (Sum.Load == NoIndex)
      return;
    Moves.push_back({Sum.Load, Before});
    const gpuocc::Loop &Loop = V.Facts.Loops[Sum.Loop];
    const MemoryAccess &To = V.Facts.Accesses[V.Facts.Operations[Last].Access];
    Operation Phi;
    Phi.Opcode = "PHI";
    Phi.What = Semantics::Phi;
    Phi.Bits = V.Facts.Operations[Sum.Load].Bits;
    Phi.Block = Loop.Header;
    Phi.Location = V.Facts.Operations[Sum.Load].Location;
    const uint32_t New = uint32_t(V.Facts.Operations.size());
    if (To.Stored.size() == 1)
      for (uint32_t Latch : Loop.Latches) {
        Phi.Operands.push_back(To.Stored.front());
        Phi.PhiBlocks.push_back(Latch);
      }
    replaceUses(V.Facts, Sum.Load, Operand::value(New));
    Phi.Operands.push_back(Operand::value(Sum.Load));
    Phi.PhiBlocks.push_back(Before);
    V.Facts.Operations.push_back(std::move(Phi));
    Moves.push_back({New, Loop.Header, /*ToBegin=*/true});
  }
};

} // namespace

AliasedAccesses gpuocc::aliasedAccesses(const KernelFacts &Facts,
                                        const ExecutionProfile &Profile) {
  return Finder(Facts, Profile).find();
}

Change gpuocc::assumeNoAlias(AliasedAccesses Found) {
  return makeChange(
      ChangeKind::AssumeNoAlias,
      [Found = std::move(Found)](KernelVariant &V) { Changer(V).run(Found); });
}
