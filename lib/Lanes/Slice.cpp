//===- Slice.cpp - The operations that control and addresses need ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Slice.h"
#include "FollowedMemory.h"
#include "LoopForms.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>

using namespace gpuocc;
using namespace llvm;

bool gpuocc::isFloatingPoint(Semantics What) {
  return What >= Semantics::FAdd && What <= Semantics::FConvert;
}

bool Slice::contains(uint32_t Loop, uint32_t Block) const {
  if (Block >= InnermostLoop.size())
    return false;
  for (uint32_t L = InnermostLoop[Block]; L != NoIndex; L = LoopParent[L])
    if (L == Loop)
      return true;
  return false;
}

namespace {

bool isVaryingRegister(SpecialReg R) {
  switch (R) {
  case SpecialReg::TidX:
  case SpecialReg::TidY:
  case SpecialReg::TidZ:
  case SpecialReg::LaneId:
  case SpecialReg::LaneMaskEq:
  case SpecialReg::LaneMaskLt:
  case SpecialReg::LaneMaskLe:
  case SpecialReg::LaneMaskGt:
  case SpecialReg::LaneMaskGe:
    return true;
  default:
    return false;
  }
}

bool isBlockRegister(SpecialReg R) {
  return R == SpecialReg::CtaIdX || R == SpecialReg::CtaIdY ||
         R == SpecialReg::CtaIdZ;
}

bool isBarrier(const Operation &Op) {
  return any_of(Op.Emits, [](const Emission &E) {
    return E.Class == InstClass::Barrier;
  });
}

bool isUnknownRegister(SpecialReg R) {
  return R == SpecialReg::SmId || R == SpecialReg::Clock ||
         R == SpecialReg::GlobalTimer || R == SpecialReg::Other ||
         R == SpecialReg::None;
}

/// Cuts the slice in passes over the facts.
class Slicer {
public:
  explicit Slicer(const KernelFacts &Facts)
      : Facts(Facts), Traits(Facts.Operations.size()),
        Memory(findFollowedMemory(Facts)), ContentsOf(Facts.Symbols.size()),
        Needed(Facts.Operations.size(), false),
        PointerRoot(Facts.Operations.size(), false),
        SlotBase(Facts.Operations.size(), NoIndex),
        LivesOut(Facts.Operations.size(), false) {}

  Slice run() {
    copyLoopTree();
    findMeetings();
    findTraits();
    S.Roles = findParameterRoles(
        Facts, [this](const Operand &O) { return traitsOf(O).Varying; });
    markNeeded();
    findLookedUp();
    markPointerRoots();
    assignSlots();
    build();
    findLoopForms(
        Facts, Traits, [this](const Operand &O) { return slotOf(O); }, S);
    return std::move(S);
  }

private:
  const Operation *opOf(const Operand &O) const {
    return O.isValue() && O.Index < Facts.Operations.size()
               ? &Facts.Operations[O.Index]
               : nullptr;
  }

  void copyLoopTree() {
    auto Valid = [&](uint32_t L) {
      return L < Facts.Loops.size() ? L : NoIndex;
    };
    for (const BasicBlock &B : Facts.Blocks)
      S.InnermostLoop.push_back(Valid(B.Loop));
    for (uint32_t L = 0; L < Facts.Loops.size(); ++L) {
      uint32_t Parent = Valid(Facts.Loops[L].Parent);
      // A parent that is not shallower would make contains() run forever.
      bool Sane =
          Parent != NoIndex && Facts.Loops[Parent].Depth < Facts.Loops[L].Depth;
      S.LoopParent.push_back(Sane ? Parent : NoIndex);
    }
  }

  StaticTraits traitsOf(const Operand &O) const {
    if (opOf(O))
      return Traits[O.Index];
    StaticTraits T;
    T.Opaque = O.K == Operand::Kind::Undef;
    return T;
  }

  /// Whether the way at the end of \p Block rests on what nobody knows.
  bool endsInUnknownBranch(uint32_t Block) const {
    const uint32_t Branch = Facts.Blocks[Block].Branch;
    if (Branch >= Facts.Branches.size())
      return false;
    const StaticTraits T = traitsOf(Facts.Branches[Branch].Condition);
    return T.Data || T.Opaque || T.Chosen;
  }

  /// For each block, those that end in a branch whose sides meet there, and
  /// those that end in a branch of which one side only leads there.
  void findMeetings() {
    MeetingOf.resize(Facts.Blocks.size());
    OneSideOf.resize(Facts.Blocks.size());
    for (uint32_t B = 0; B < Facts.Blocks.size(); ++B) {
      if (Facts.Blocks[B].Branch >= Facts.Branches.size())
        continue;
      const uint32_t End = Facts.Blocks[B].PostDominator;
      // Sides that reach a block, two when it is reached by several.
      std::vector<uint8_t> Sides(Facts.Blocks.size());
      for (uint32_t First : Facts.Branches[Facts.Blocks[B].Branch].Targets) {
        std::vector<bool> Seen(Facts.Blocks.size());
        SmallVector<uint32_t, 16> Work = {First};
        while (!Work.empty()) {
          const uint32_t At = Work.pop_back_val();
          if (At >= Facts.Blocks.size() || Seen[At] || At == B)
            continue;
          Seen[At] = true;
          if (++Sides[At] == 2)
            MeetingOf[At].push_back(B);
          if (At != End)
            Work.append(Facts.Blocks[At].Successors.begin(),
                        Facts.Blocks[At].Successors.end());
        }
      }
      for (uint32_t At = 0; At < Sides.size(); ++At)
        if (Sides[At] == 1 && At != End)
          OneSideOf[At].push_back(B);
    }
  }

  /// The value of a phi is chosen by an unknown branch, or \p O leaves a loop
  /// that an unknown branch ends.
  bool isChosen(const Operation &Op, const Operand &O, uint32_t Use) const {
    if (Op.What == Semantics::Phi && Op.Operands.size() > 1 &&
        Op.Block < MeetingOf.size() &&
        any_of(
            MeetingOf[Op.Block],
            [&](uint32_t B) { return endsInUnknownBranch(B); }))
      return true;
    const Operation *Def = opOf(O);
    if (!Def || Def->Block >= S.InnermostLoop.size())
      return false;
    for (uint32_t L = S.InnermostLoop[Def->Block]; L != NoIndex;
         L = S.LoopParent[L])
      if (!S.contains(L, Use) && any_of(Facts.Loops[L].Blocks, [&](uint32_t B) {
            return B < Facts.Blocks.size() && endsInUnknownBranch(B) &&
                   any_of(
                       Facts.Blocks[B].Successors,
                       [&](uint32_t To) { return !S.contains(L, To); });
          }))
        return true;
    return false;
  }

  StaticTraits traitsFrom(const Operation &Op) const {
    StaticTraits T;
    auto Join = [&](const Operand &O) {
      StaticTraits From = traitsOf(O);
      T.Varying |= From.Varying;
      T.Data |= From.Data;
      T.Opaque |= From.Opaque;
      T.Chosen |= From.Chosen;
      T.PerBlock |= From.PerBlock;
    };
    bool IsPhi = Op.What == Semantics::Phi;
    for (size_t K = 0; K < Op.Operands.size(); ++K) {
      const Operand &O = Op.Operands[K];
      if (IsPhi && O.K == Operand::Kind::Undef)
        continue;
      Join(O);
      T.Chosen |= isChosen(
          Op, O, IsPhi && K < Op.PhiBlocks.size() ? Op.PhiBlocks[K] : Op.Block);
    }
    if (Op.Access < Facts.Accesses.size())
      Join(Facts.Accesses[Op.Access].Base);
    if (Op.What == Semantics::SReg) {
      T.Varying = isVaryingRegister(Op.SReg);
      T.Opaque = isUnknownRegister(Op.SReg);
      T.PerBlock = isBlockRegister(Op.SReg);
    } else if (Op.What == Semantics::Load) {
      const uint32_t Symbol = followedSymbol(Op);
      if (Symbol == NoIndex) {
        T.Data = true;
        T.Opaque = false;
      } else {
        T.Data |= ContentsOf[Symbol].Data || ContentsOf[Symbol].Opaque;
        T.Chosen |= ContentsOf[Symbol].Chosen;
        T.PerBlock = true;
        T.Varying |= Facts.Symbols[Symbol].Space == MemorySpace::Local;
        T.Opaque = false;
      }
    } else if (Op.What == Semantics::Opaque ||
               ((Op.What == Semantics::Compare ||
                 Op.What == Semantics::FCompare) &&
                Op.Compare == ComparePredicate::Other)) {
      T.Opaque = true;
    }
    if (Op.Access < Facts.Accesses.size() &&
        isAtomic(Facts.Accesses[Op.Access].Kind)) {
      T.Data = !handsOutNumbers(Op);
      T.Varying = true;
    }
    return T;
  }

  /// The symbol that the load \p Op reads from, if it is followed.
  uint32_t followedSymbol(const Operation &Op) const {
    return Op.Access < Memory.SymbolOf.size() &&
                   Facts.Accesses[Op.Access].Kind == AccessKind::Load
               ? Memory.SymbolOf[Op.Access]
               : NoIndex;
  }

  /// Is \p Op an atomic on a counter of the grid or the block?
  bool handsOutNumbers(const Operation &Op) const {
    const MemoryAccess &A = Facts.Accesses[Op.Access];
    if (!isCounter(Facts, A))
      return false;
    const StaticTraits Place = traitsOf(A.Base),
                       Amount = traitsOf(Op.Operands[1]);
    return !Place.Data && !Place.Opaque && !Place.Varying && !Place.Chosen &&
           (!Place.PerBlock || A.Space == MemorySpace::Shared) &&
           !Amount.Data && !Amount.Opaque && !Amount.Varying && !Amount.Chosen;
  }

  /// What the contents of followed memory rest on.
  void findContents() {
    for (uint32_t S = 0; S < Memory.StoresTo.size(); ++S)
      for (uint32_t Store : Memory.StoresTo[S]) {
        const MemoryAccess &A = Facts.Accesses[Store];
        const Operation *Op =
            A.Op < Facts.Operations.size() ? &Facts.Operations[A.Op] : nullptr;
        StaticTraits &T = ContentsOf[S];
        auto Join = [&](const StaticTraits &From) {
          T.Data |= From.Data;
          T.Opaque |= From.Opaque;
          T.Chosen |= From.Chosen;
        };
        Join(traitsOf(A.Base));
        for (const Operand &O : A.Stored)
          Join(traitsOf(O));
        if (!Op)
          continue;
        if (Op->Guard.K != Operand::Kind::Undef) {
          const StaticTraits Guard = traitsOf(Op->Guard);
          T.Chosen |= Guard.Data || Guard.Opaque || Guard.Chosen;
        }
        if (Op->Block < OneSideOf.size())
          T.Chosen |= any_of(OneSideOf[Op->Block], [&](uint32_t B) {
            return endsInUnknownBranch(B);
          });
      }
  }

  void findTraits() {
    // Traits only grow, so this ends; loops need one more pass per level.
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (size_t I = 0; I < Facts.Operations.size(); ++I) {
        StaticTraits T = traitsFrom(Facts.Operations[I]);
        T.Varying |= Traits[I].Varying;
        T.Data |= Traits[I].Data;
        T.Opaque |= Traits[I].Opaque;
        T.Chosen |= Traits[I].Chosen;
        T.PerBlock |= Traits[I].PerBlock;
        if (T != Traits[I]) {
          Traits[I] = T;
          Changed = true;
        }
      }
      findContents();
    }
  }

  void need(const Operand &O) {
    if (!opOf(O) || Needed[O.Index])
      return;
    Needed[O.Index] = true;
    Worklist.push_back(O.Index);
  }

  /// What operation \p I is evaluated as. Floating-point values that rest on
  /// loaded data are not worth a walk through what they are made of.
  Semantics evaluatedAs(uint32_t I) const {
    Semantics What = Facts.Operations[I].What;
    return isFloatingPoint(What) && (Traits[I].Data || Traits[I].Opaque)
               ? Semantics::Opaque
               : What;
  }

  bool followsOperands(uint32_t I) const {
    Semantics What = evaluatedAs(I);
    return What != Semantics::Opaque && What != Semantics::Load;
  }

  void markNeeded() {
    for (const Branch &B : Facts.Branches)
      need(B.Condition);
    for (const MemoryAccess &A : Facts.Accesses) {
      need(A.Base);
      if (A.Kind == AccessKind::AsyncCopy)
        need(A.SharedBase);
      if (A.Op < Facts.Operations.size())
        need(Facts.Operations[A.Op].Guard);
    }
    while (!Worklist.empty()) {
      const uint32_t I = Worklist.back();
      const Operation &Op = Facts.Operations[I];
      Worklist.pop_back();
      need(Op.Guard);
      if (followsOperands(I))
        for (const Operand &O : Op.Operands)
          need(O);
      if (isFollowedLoad(I))
        for (uint32_t Store : Memory.StoresTo[followedSymbol(Op)])
          for (const Operand &O : Facts.Accesses[Store].Stored)
            need(O);
      if (isSlicedCounter(I))
        need(Op.Operands[1]);
    }
  }

  /// A load that is looked up. What holds loaded data anyway is not worth it.
  bool isFollowedLoad(uint32_t I) const {
    return Facts.Operations[I].What == Semantics::Load && !Traits[I].Data &&
           followedSymbol(Facts.Operations[I]) != NoIndex;
  }

  bool isSlicedCounter(uint32_t I) const {
    const Operation &Op = Facts.Operations[I];
    return Op.What == Semantics::Load && Op.Access < Facts.Accesses.size() &&
           !Traits[I].Data && isAtomic(Facts.Accesses[Op.Access].Kind);
  }

  /// Is the symbol of access \p A looked up by some load of the slice?
  void findLookedUp() {
    IsLookedUp.resize(Facts.Symbols.size());
    for (uint32_t I = 0; I < Facts.Operations.size(); ++I)
      if (Needed[I] && isFollowedLoad(I))
        IsLookedUp[followedSymbol(Facts.Operations[I])] = true;
  }
  bool isLookedUp(uint32_t Access) const {
    return Memory.SymbolOf[Access] != NoIndex &&
           IsLookedUp[Memory.SymbolOf[Access]];
  }

  void markPointerRoots() {
    std::vector<bool> Seen(Facts.Operations.size(), false);
    auto Visit = [&](const Operand &O) {
      const Operation *Op = opOf(O);
      if (Op && Op->Bits == 64 && !Seen[O.Index]) {
        Seen[O.Index] = true;
        Worklist.push_back(O.Index);
      }
    };
    for (const MemoryAccess &A : Facts.Accesses)
      if (A.Space != MemorySpace::Shared)
        Visit(A.Base);
    while (!Worklist.empty()) {
      uint32_t I = Worklist.back();
      Worklist.pop_back();
      const Operation &Op = Facts.Operations[I];
      switch (Op.What) {
      case Semantics::Param:
      case Semantics::Load:
        PointerRoot[I] = true;
        break;
      case Semantics::Mad:
      case Semantics::MadWideS:
      case Semantics::MadWideU:
        if (Op.Operands.size() == 3)
          Visit(Op.Operands[2]);
        break;
      case Semantics::Add:
      case Semantics::Sub:
      case Semantics::Copy:
      case Semantics::Phi:
      case Semantics::Select:
      case Semantics::Or:
        for (const Operand &O : Op.Operands)
          Visit(O);
        break;
      default:
        break;
      }
    }
  }

  void assignSlots() {
    for (size_t I = 0; I < Facts.Operations.size(); ++I) {
      if (!Needed[I])
        continue;
      SlotBase[I] = S.NumSlots;
      S.NumSlots += std::max<unsigned>(1, Facts.Operations[I].NumResults);
    }
  }

  uint32_t slotOf(const Operand &O) {
    switch (O.K) {
    case Operand::Kind::Value:
      if (opOf(O) && SlotBase[O.Index] != NoIndex &&
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
    const Operation *Def = opOf(O);
    if (!Def || Def->Block >= S.InnermostLoop.size())
      return NoIndex;
    uint32_t Left = NoIndex;
    for (uint32_t L = S.InnermostLoop[Def->Block]; L != NoIndex;
         L = S.LoopParent[L])
      if (!S.contains(L, Block))
        Left = L;
    if (Left != NoIndex)
      LivesOut[O.Index] = true;
    return Left;
  }

  void noteUses() {
    for (size_t I = 0; I < Facts.Operations.size(); ++I) {
      const Operation &Op = Facts.Operations[I];
      if (!Needed[I] || !followsOperands(uint32_t(I)))
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
        for (const Operand &O : A.Stored)
          noteUse(O, Facts.Operations[A.Op].Block);
      }
  }

  SliceOp makeOp(uint32_t I) {
    const Operation &Op = Facts.Operations[I];
    SliceOp O;
    O.Op = I;
    O.What = evaluatedAs(I);
    O.Bits = std::max<uint8_t>(1, Op.Bits);
    if (O.What == Semantics::Opaque && Op.What == Semantics::FCompare)
      O.Bits = 1;
    O.FromBits = Op.FromBits ? Op.FromBits : 32;
    O.NumResults = std::max<uint8_t>(1, Op.NumResults);
    O.LivesOutOfLoop = LivesOut[I];
    O.IsPointerRoot = PointerRoot[I];
    O.SReg = Op.SReg;
    O.Compare = Op.Compare;
    O.Shuffle = Op.Shuffle;
    O.Prior = comparePrior(Facts, Op);
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
      O.IsFollowed = isFollowedLoad(I);
      O.IsCounter = isSlicedCounter(I);
      if (O.IsCounter)
        O.Src.push_back(slotOf(Op.Operands[1]));
    } else if (followsOperands(I)) {
      for (const Operand &Source : Op.Operands) {
        O.Src.push_back(slotOf(Source));
        uint32_t Left = noteUse(Source, Op.Block);
        if (Left != NoIndex)
          O.LeavesLoop = Left;
      }
    }
    if (!hasEnoughOperands(O))
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
    S.Blocks.resize(Facts.Blocks.size());
    S.Accesses.resize(Facts.Accesses.size());
    for (size_t I = 0; I < Facts.Accesses.size(); ++I) {
      const MemoryAccess &A = Facts.Accesses[I];
      SliceAccess &Out = S.Accesses[I];
      Out.Base = slotOf(A.Base);
      if (A.Kind == AccessKind::AsyncCopy)
        Out.SharedBase = slotOf(A.SharedBase);
      if (A.Op >= Facts.Operations.size())
        continue;
      if (isLookedUp(uint32_t(I)))
        Out.IsLocal =
            Facts.Symbols[Memory.SymbolOf[I]].Space == MemorySpace::Local;
      if (A.Kind == AccessKind::Store && isLookedUp(uint32_t(I))) {
        Out.IsFollowed = S.FollowsMemory = true;
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
      if (Needed[I] && Op.What == Semantics::Phi) {
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
      if (S.FollowsMemory && isBarrier(Op))
        Out.Steps.push_back({SliceStep::Barrier, 0});
      if (!Needed[I])
        continue;
      if (Op.What == Semantics::SReg)
        noteRegister(Op.SReg);
      // The numbers of a counter follow those of the blocks.
      if (isSlicedCounter(I))
        std::fill(std::begin(S.UsesCtaId), std::end(S.UsesCtaId), true);
      Out.Steps.push_back({SliceStep::Evaluate, uint32_t(S.Ops.size())});
      S.Ops.push_back(makeOp(I));
    }
    if (Block.Branch < Facts.Branches.size()) {
      const Operand &Condition = Facts.Branches[Block.Branch].Condition;
      Out.Condition = slotOf(Condition);
      Out.ConditionIsData = isDecided(Facts, Traits, Condition);
    }
  }

  void noteRegister(SpecialReg R) {
    if (R == SpecialReg::CtaIdX)
      S.UsesCtaId[0] = true;
    if (R == SpecialReg::CtaIdY)
      S.UsesCtaId[1] = true;
    if (R == SpecialReg::CtaIdZ)
      S.UsesCtaId[2] = true;
  }

  const KernelFacts &Facts;
  Slice S;
  std::vector<StaticTraits> Traits;
  FollowedMemory Memory;
  /// By symbol: what the contents rest on, and whether the slice loads them.
  std::vector<StaticTraits> ContentsOf;
  std::vector<bool> IsLookedUp;
  std::vector<SmallVector<uint32_t, 2>> MeetingOf, OneSideOf;
  std::vector<bool> Needed, PointerRoot;
  std::vector<uint32_t> SlotBase;
  std::vector<bool> LivesOut;
  std::vector<uint32_t> Worklist;
  std::map<int64_t, uint32_t> ConstantSlots;
  std::map<uint32_t, uint32_t> SymbolSlots;
};

} // namespace

Slice gpuocc::sliceKernel(const KernelFacts &Facts) {
  return Slicer(Facts).run();
}
