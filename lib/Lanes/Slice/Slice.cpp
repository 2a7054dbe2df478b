//===- Slice.cpp - The operations that control and addresses need ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Slice/Slice.h"
#include "Analysis/BitFields.h"
#include "Analysis/FollowedMemory.h"
#include "Analysis/MathLibrary.h"
#include "Analysis/NeededOperations.h"
#include "Analysis/RunOffsets.h"
#include "Guess/ComparePriors.h"
#include "Slice/LoopForms.h"
#include "gpuocc/Kernel/Barriers.h"
#include "gpuocc/Kernel/Copies.h"
#include "gpuocc/Kernel/SwapTest.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Lays out what is needed.
class Slicer {
public:
  Slicer(const KernelFacts &Facts, const RecordedArrays &Recorded,
         const Mechanisms &Used)
      : Facts(Facts), Recorded(Recorded), Used(Used), Math(drawnArguments()),
        Memory(followedMemory()), Traits(traitsWith(Memory)),
        Needs(Facts, Traits, Memory, Recorded),
        SlotBase(Facts.Operations.size(), NoIndex),
        LivesOut(Facts.Operations.size(), false) {}

  Slice run() {
    S.Nest = LoopNest(Facts);
    S.Used = Used;
    if (Used.has(Mechanism::ParameterRoles))
      S.Roles = findParameterRoles(Facts, [this](const Operand &O) {
        return traitsOf(Traits, O).Varying;
      });
    assignSlots();
    build();
    findLoopForms(
        Facts, Traits, Recorded, [this](const Operand &O) { return slotOf(O); },
        S);
    return std::move(S);
  }

private:
  GuessContext context() const { return {Facts, Traits}; }

  /// The mathematical functions whose arguments are guessed.
  MathLibrary drawnArguments() const {
    if (guess({Facts, {}}, Used, Question::MathArgument, NoIndex))
      return findMathLibrary(Facts);
    const std::vector<bool> None(Facts.Operations.size());
    return {None, None};
  }

  std::vector<StaticTraits> traitsWith(const FollowedMemory &With) const {
    return findStaticTraits(Facts, LoopNest(Facts), With, Recorded,
                            Math.IsCondition, [&](uint32_t Access) {
                              return guess({Facts, {}}, Used, Question::Counter,
                                           Access)
                                  .has_value();
                            });
  }

  /// Variables with atomics are followed where the addresses of these are
  /// known. Elsewhere each of them would leave nothing known of any variable.
  FollowedMemory followedMemory() const {
    FollowedMemory All = findFollowedMemory(Facts);
    SmallVector<std::pair<uint32_t, uint32_t>, 8> Atomics;
    for (uint32_t Symbol = 0; Symbol < All.StoresTo.size(); ++Symbol)
      for (uint32_t Access : All.StoresTo[Symbol])
        if (isAtomic(Facts.Accesses[Access].Kind))
          Atomics.push_back({Symbol, Access});
    if (Atomics.empty())
      return All;
    const std::vector<StaticTraits> With = traitsWith(All);
    SmallVector<bool, 16> IsLost(Facts.Symbols.size());
    for (auto [Symbol, Access] : Atomics) {
      const StaticTraits Place = traitsOf(With, Facts.Accesses[Access].Base);
      IsLost[Symbol] |= Place.Data || Place.Opaque;
    }
    return is_contained(IsLost, true) ? findFollowedMemory(Facts, IsLost)
                                      : std::move(All);
  }

  bool isOperation(const Operand &O) const {
    return O.isValue() && O.Index < Facts.Operations.size();
  }

  void assignSlots() {
    for (size_t I = 0; I < Facts.Operations.size(); ++I) {
      if (!Needs.isNeeded(I))
        continue;
      SlotBase[I] = S.NumSlots;
      S.NumSlots += std::max<unsigned>(1, Facts.Operations[I].NumResults);
    }
  }

  /// The number of bytes of \p A that code computes, if it does.
  const Operand *bytesOf(const MemoryAccess &A) const {
    const auto &Operands = Facts.Operations[A.Op].Operands;
    return A.BytesOperand < Operands.size() ? &Operands[A.BytesOperand]
                                            : nullptr;
  }

  uint32_t slotOf(const Operand &O) {
    switch (O.K) {
    case Operand::Kind::Value:
      if (isOperation(O) && SlotBase[O.Index] != NoIndex &&
          O.Result <
              std::max<unsigned>(1, Facts.Operations[O.Index].NumResults))
        return SlotBase[O.Index] + O.Result;
      break;
    case Operand::Kind::Immediate: {
      auto [It, New] = ConstantSlots.try_emplace(O.Imm, S.NumSlots);
      if (New)
        S.Constants.push_back({S.NumSlots++, O.Imm});
      return It->second;
    }
    case Operand::Kind::Symbol: {
      auto [It, New] = SymbolSlots.try_emplace(O.Index, S.NumSlots);
      if (New)
        S.Symbols.push_back({S.NumSlots++, O.Index});
      return It->second;
    }
    case Operand::Kind::Undef:
      break;
    }
    if (S.Undefined.empty())
      S.Undefined.push_back(S.NumSlots++);
    return S.Undefined.front();
  }

  /// Notes a use of \p O in \p Block; returns the outermost loop that holds
  /// the definition but not the use.
  uint32_t noteUse(const Operand &O, uint32_t Block) {
    if (!isOperation(O))
      return NoIndex;
    uint32_t Left = NoIndex;
    for (uint32_t L = S.Nest.innermost(Facts.Operations[O.Index].Block);
         L != NoIndex; L = S.Nest.parent(L))
      if (!S.contains(L, Block))
        Left = L;
    if (Left != NoIndex)
      LivesOut[O.Index] = true;
    return Left;
  }

  void noteUses() {
    for (size_t I = 0; I < Facts.Operations.size(); ++I) {
      const Operation &Op = Facts.Operations[I];
      if (!Needs.isNeeded(I) || !Needs.followsOperands(uint32_t(I)))
        continue;
      for (size_t K = 0; K < Op.Operands.size(); ++K)
        noteUse(Op.Operands[K],
                Op.What == Semantics::Phi && K < Op.PhiBlocks.size()
                    ? Op.PhiBlocks[K]
                    : Op.Block);
    }
    for (const Branch &B : Facts.Branches)
      noteUse(B.Condition, B.Block);
    for (const MemoryAccess &A : Facts.Accesses)
      if (A.Op < Facts.Operations.size()) {
        noteUse(A.Base, Facts.Operations[A.Op].Block);
        noteUse(A.SharedBase, Facts.Operations[A.Op].Block);
        if (const Operand *Bytes = bytesOf(A))
          noteUse(*Bytes, Facts.Operations[A.Op].Block);
        for (const Operand &O : writtenValues(Facts, A))
          noteUse(O, Facts.Operations[A.Op].Block);
      }
  }

  /// Notes loaded numbers that count rows: they are multiplied by an argument
  /// on the way to an address.
  void findRows() {
    RowLengthOf.assign(Facts.Operations.size(), Operand());
    for (const Operation &Op : Facts.Operations) {
      const bool IsProduct =
          Op.What == Semantics::Mul || Op.What == Semantics::MulWideS ||
          Op.What == Semantics::MulWideU || Op.What == Semantics::Mad ||
          Op.What == Semantics::MadWideS || Op.What == Semantics::MadWideU;
      for (unsigned F = 0; IsProduct && F < 2 && F < Op.Operands.size(); ++F) {
        const uint32_t Load = loadBehind(Op.Operands[F]);
        const Operand &Length = Op.Operands[1 - F];
        const StaticTraits T = traitsOf(Traits, Length);
        if (Load != NoIndex && isOperation(Length) && !T.Varying && !T.Data &&
            !T.Opaque && !T.PerBlock)
          RowLengthOf[Load] = Length;
      }
    }
  }

  /// The load of data behind \p O, through extensions; NoIndex for none.
  uint32_t loadBehind(Operand O) const {
    while (isOperation(O)) {
      const Operation &Op = Facts.Operations[O.Index];
      if (Op.What == Semantics::Load)
        return Traits[O.Index].Data ? O.Index : NoIndex;
      if (!passesOn(Op))
        return NoIndex;
      O = Op.Operands[0];
    }
    return NoIndex;
  }

  SliceOp makeOp(uint32_t I) {
    const Operation &Op = Facts.Operations[I];
    SliceOp O;
    O.Op = I;
    O.What = Needs.evaluatedAs(I);
    O.Bits = std::max<uint8_t>(1, Op.Bits);
    if (O.What == Semantics::Opaque && Op.What == Semantics::FCompare)
      O.Bits = 1;
    O.FromBits = Op.FromBits ? Op.FromBits : 32;
    O.NumResults = std::max<uint8_t>(1, Op.NumResults);
    O.LivesOutOfLoop = LivesOut[I];
    O.IsPointerRoot = Needs.isPointerRoot(I);
    O.IsMathArgument = Math.IsArgument[I];
    if (Needs.decidesPath(I))
      for (const Operand &Of : Op.Operands)
        O.PathOperands.push_back(slotOf(Of));
    O.IsBitField = BitFields[I];
    O.IsRunOffset = Runs && Runs->Loads[I];
    if (isOperation(RowLengthOf[I]) &&
        SlotBase[RowLengthOf[I].Index] != NoIndex)
      O.RowLength = slotOf(RowLengthOf[I]);
    O.SReg = Op.SReg;
    O.Compare = Op.Compare;
    O.Shuffle = Op.Shuffle;
    if (std::optional<Guess> Probability =
            guess(context(), Used, Question::Condition, I)) {
      O.HoldsShare = Probability->Value;
      O.HoldsForWarp = Probability->ForWarp;
    }
    O.OfConditions =
        Op.What == Semantics::Compare && all_of(Op.Operands, [&](auto &Of) {
          return isMadeOfConditions(Facts, Of);
        });
    O.Traits = Traits[I];
    O.Imm = Op.Imm;
    O.Dst = SlotBase[I];
    if (Op.Guard.K != Operand::Kind::Undef) {
      O.Guard = slotOf(Op.Guard);
      O.GuardNegated = Op.GuardNegated;
    }
    if (Op.What == Semantics::Load && Op.Access < Facts.Accesses.size()) {
      O.Src.push_back(slotOf(Facts.Accesses[Op.Access].Base));
      O.Imm = Facts.Accesses[Op.Access].OffsetBytes;
      O.IsFollowed = Needs.isFollowedLoad(I);
      O.IsCounter = Needs.isCounter(I);
      O.IsRecorded = Recorded.isLoad(Op.Access);
      O.SignExtendedTo = Facts.Accesses[Op.Access].SignExtendedTo;
      if (O.IsCounter)
        O.Src.push_back(slotOf(Op.Operands[1]));
    } else if (Needs.followsOperands(I)) {
      for (const Operand &Source : Op.Operands) {
        O.Src.push_back(slotOf(Source));
        uint32_t Left = noteUse(Source, Op.Block);
        if (Left != NoIndex)
          O.LeavesLoop = Left;
      }
    }
    O.Swap = testedSwap(Facts, Op);
    if (O.Swap != NoIndex && Recorded.isLoad(O.Swap))
      O.Swap = NoIndex;
    if (O.Swap != NoIndex)
      S.Accesses[O.Swap].IsRetried = true;
    else if (!hasEnoughOperands(O))
      O.What = Semantics::Opaque;
    return O;
  }

  static bool hasEnoughOperands(const SliceOp &O) {
    static constexpr int Arity[] = {
#define SEMANTICS(Enum, Text, Arity) Arity,
#include "gpuocc/Kernel/Semantics.def"
    };
    int Wanted = Arity[size_t(O.What)];
    // The clamp of a shuffle has a default.
    if (O.What == Semantics::Shuffle)
      Wanted = 2;
    return Wanted <= int(O.Src.size());
  }

  void build() {
    noteUses();
    findRows();
    S.Blocks.resize(Facts.Blocks.size());
    S.Accesses.resize(Facts.Accesses.size());
    for (size_t I = 0; I < Facts.Accesses.size(); ++I) {
      const MemoryAccess &A = Facts.Accesses[I];
      SliceAccess &Out = S.Accesses[I];
      Out.IsInRuns = Runs && Runs->Accesses[I];
      Out.Base = slotOf(A.Base);
      if (A.Kind == AccessKind::AsyncCopy && !A.Bulk)
        Out.SharedBase = slotOf(A.SharedBase);
      if (A.Op >= Facts.Operations.size())
        continue;
      if (const Operand *Bytes = bytesOf(A))
        Out.Bytes = slotOf(*Bytes);
      if (Needs.isLookedUp(uint32_t(I)))
        Out.IsLocal =
            Facts.Symbols[Memory.SymbolOf[I]].Space == MemorySpace::Local;
      if (isAtomic(A.Kind) && Needs.isLookedUp(uint32_t(I)))
        Out.Atomic = followedAtomic(Facts, A);
      if ((A.Kind == AccessKind::Store || Out.Atomic != FollowedAtomic::None) &&
          Needs.isLookedUp(uint32_t(I))) {
        Out.IsFollowed = S.FollowsMemory = true;
        for (const Operand &O : writtenValues(Facts, A))
          Out.Stored.push_back(slotOf(O));
      }
      if (Needs.isOverwriting(uint32_t(I))) {
        Out.Overwrites = true;
        for (const Operand &O : A.Stored)
          Out.Stored.push_back(slotOf(O));
      }
      const Operation &Op = Facts.Operations[A.Op];
      if (Op.Guard.K != Operand::Kind::Undef) {
        Out.Guard = slotOf(Op.Guard);
        Out.GuardNegated = Op.GuardNegated;
      }
    }
    for (size_t B = 0; B < Facts.Blocks.size(); ++B)
      buildBlock(uint32_t(B));
    for (uint32_t L = 0; L < Facts.Loops.size(); ++L)
      if (Facts.Loops[L].Header < S.Blocks.size())
        S.Blocks[Facts.Loops[L].Header].HeaderOf = L;
  }

  void buildBlock(uint32_t Index) {
    const BasicBlock &Block = Facts.Blocks[Index];
    SliceBlock &Out = S.Blocks[Index];
    uint64_t End = std::min<uint64_t>(uint64_t(Block.FirstOp) + Block.NumOps,
                                      Facts.Operations.size());
    for (uint32_t I = Block.FirstOp; I < End; ++I) {
      const Operation &Op = Facts.Operations[I];
      if (Needs.isNeeded(I) && Op.What == Semantics::Phi) {
        SlicePhi Phi;
        Phi.Op = I;
        Phi.Dst = SlotBase[I];
        Phi.LivesOutOfLoop = LivesOut[I];
        for (size_t K = 0; K < Op.Operands.size() && K < Op.PhiBlocks.size();
             ++K)
          if (Op.Operands[K].K != Operand::Kind::Undef)
            Phi.In.push_back({Op.PhiBlocks[K], slotOf(Op.Operands[K])});
        Out.Phis.push_back(std::move(Phi));
        continue;
      }
      if (Op.Access < Facts.Accesses.size())
        Out.Steps.push_back({SliceStep::Access, Op.Access});
      if (S.FollowsMemory && meetsAtBarrier(Op))
        Out.Steps.push_back({SliceStep::Barrier, 0});
      if (!Needs.isNeeded(I))
        continue;
      if (Op.What == Semantics::SReg)
        noteRegister(Op.SReg);
      // The numbers of a counter follow those of the blocks.
      if (Needs.isCounter(I))
        std::fill(std::begin(S.UsesCtaId), std::end(S.UsesCtaId), true);
      Out.Steps.push_back({SliceStep::Evaluate, uint32_t(S.Ops.size())});
      S.Ops.push_back(makeOp(I));
    }
    if (Block.Branch < Facts.Branches.size()) {
      const Operand &Condition = Facts.Branches[Block.Branch].Condition;
      Out.Condition = slotOf(Condition);
      Out.ConditionIsData = isDecided(Facts, Traits, Condition);
      if (Out.ConditionIsData)
        Out.Bound = boundOf(Condition);
      const StaticTraits T = traitsOf(Traits, Condition);
      Out.IsOfBlock = Out.ConditionIsData && T.PerBlock && !T.Varying;
      Out.Probability = guess(context(), Used, Question::Branch, Block.Branch);
      if (Out.ConditionIsData && !Out.Probability &&
          Used.has(Mechanism::RecordProbability))
        Out.Record = recordTurns(Facts, S.Nest, Block.Branch);
      noteLeaves(Index, Facts.Branches[Block.Branch].Targets, Out);
    }
  }

  void noteLeaves(uint32_t Block, ArrayRef<uint32_t> Targets, SliceBlock &Out) {
    if (Targets.size() != 2)
      return;
    for (uint32_t L = S.Nest.innermost(Block); L != NoIndex;
         L = S.Nest.parent(L))
      if (S.contains(L, Targets[0]) != S.contains(L, Targets[1]))
        Out.Leaves.push_back(L);
  }

  /// The bound that \p Condition compares a loaded number with.
  std::optional<SliceBound> boundOf(const Operand &Condition) {
    if (!isOperation(Condition))
      return std::nullopt;
    const Operation &Compare = Facts.Operations[Condition.Index];
    if (Compare.What != Semantics::Compare || Compare.Operands.size() != 2)
      return std::nullopt;
    const Operand &Value = Compare.Operands[0], &Limit = Compare.Operands[1];
    const StaticTraits OfLimit = traitsOf(Traits, Limit);
    if (!isOperation(Value) ||
        Facts.Operations[Value.Index].What != Semantics::Load ||
        !Traits[Value.Index].Data || OfLimit.Data || OfLimit.Opaque)
      return std::nullopt;
    switch (Compare.Compare) {
    case ComparePredicate::LTS:
    case ComparePredicate::LTU:
      return SliceBound{slotOf(Value), slotOf(Limit), true, false};
    case ComparePredicate::LES:
    case ComparePredicate::LEU:
      return SliceBound{slotOf(Value), slotOf(Limit), true, true};
    case ComparePredicate::GES:
    case ComparePredicate::GEU:
      return SliceBound{slotOf(Value), slotOf(Limit), false, false};
    case ComparePredicate::GTS:
    case ComparePredicate::GTU:
      return SliceBound{slotOf(Value), slotOf(Limit), false, true};
    case ComparePredicate::EQ:
    case ComparePredicate::NE:
    case ComparePredicate::Other:
      return std::nullopt;
    }
    return std::nullopt;
  }

  void noteRegister(SpecialReg R) {
    switch (R) {
    case SpecialReg::CtaIdX:
    case SpecialReg::ClusterCtaIdX:
    case SpecialReg::ClusterIdX:
      S.UsesCtaId[0] = true;
      break;
    case SpecialReg::CtaIdY:
    case SpecialReg::ClusterCtaIdY:
    case SpecialReg::ClusterIdY:
      S.UsesCtaId[1] = true;
      break;
    case SpecialReg::CtaIdZ:
    case SpecialReg::ClusterCtaIdZ:
    case SpecialReg::ClusterIdZ:
      S.UsesCtaId[2] = true;
      break;
    case SpecialReg::ClusterCtaRank:
      S.UsesCtaId[0] = S.UsesCtaId[1] = S.UsesCtaId[2] = true;
      break;
    default:
      break;
    }
  }

  const KernelFacts &Facts;
  const RecordedArrays &Recorded;
  const Mechanisms &Used;
  Slice S;
  const MathLibrary Math;
  const FollowedMemory Memory;
  const std::vector<bool> BitFields = findBitFields(Facts);
  std::vector<StaticTraits> Traits;
  const std::optional<RunOffsets> Runs =
      Used.has(Mechanism::RunOffsets)
          ? std::optional(findRunOffsets(Facts, Traits))
          : std::nullopt;
  const NeededOperations Needs;
  std::vector<uint32_t> SlotBase;
  std::vector<bool> LivesOut;
  /// By load; undefined for none.
  std::vector<Operand> RowLengthOf;
  std::map<int64_t, uint32_t> ConstantSlots;
  std::map<uint32_t, uint32_t> SymbolSlots;
};

} // namespace

Slice gpuocc::sliceKernel(const KernelFacts &Facts,
                          const RecordedArrays &Recorded,
                          const Mechanisms &Used) {
  return Slicer(Facts, Recorded, Used).run();
}
