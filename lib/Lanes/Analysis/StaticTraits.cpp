//===- StaticTraits.cpp - What is known without a walk --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/StaticTraits.h"
#include "gpuocc/Kernel/Barriers.h"
#include "gpuocc/Kernel/OperationTraits.h"
#include "gpuocc/Kernel/SwapTest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace gpuocc;
using namespace llvm;

StaticTraits &StaticTraits::operator|=(const StaticTraits &Other) {
  Varying |= Other.Varying;
  Data |= Other.Data;
  Opaque |= Other.Opaque;
  Chosen |= Other.Chosen;
  PerBlock |= Other.PerBlock;
  Drawn |= Other.Drawn;
  return *this;
}

StaticTraits gpuocc::traitsOf(ArrayRef<StaticTraits> Traits, const Operand &O) {
  if (O.isValue() && O.Index < Traits.size())
    return Traits[O.Index];
  StaticTraits T;
  T.Opaque = O.K == Operand::Kind::Undef;
  return T;
}

static bool isVaryingRegister(SpecialReg R) {
  switch (R) {
  case SpecialReg::TidX:
  case SpecialReg::TidY:
  case SpecialReg::TidZ:
    return true;
  default:
    return tellsLane(R);
  }
}

static bool isBlockRegister(SpecialReg R) {
  switch (R) {
  case SpecialReg::CtaIdX:
  case SpecialReg::CtaIdY:
  case SpecialReg::CtaIdZ:
  case SpecialReg::ClusterCtaIdX:
  case SpecialReg::ClusterCtaIdY:
  case SpecialReg::ClusterCtaIdZ:
  case SpecialReg::ClusterIdX:
  case SpecialReg::ClusterIdY:
  case SpecialReg::ClusterIdZ:
  case SpecialReg::ClusterCtaRank:
    return true;
  default:
    return false;
  }
}

static bool isUnknownRegister(SpecialReg R) {
  return R == SpecialReg::SmId || R == SpecialReg::Clock ||
         R == SpecialReg::GlobalTimer || R == SpecialReg::Other ||
         R == SpecialReg::None;
}

namespace {

/// Lets traits grow until they are those of all that a value is made of.
class TraitFinder {
public:
  TraitFinder(const KernelFacts &Facts, const LoopNest &Nest,
              const FollowedMemory &Memory, const RecordedArrays &Recorded,
              const std::vector<bool> &InLibrary,
              function_ref<bool(uint32_t)> IsGuessed)
      : Facts(Facts), Nest(Nest), Memory(Memory), Recorded(Recorded),
        InLibrary(InLibrary), IsGuessed(IsGuessed),
        Traits(Facts.Operations.size()), ContentsOf(Facts.Symbols.size()),
        MeetingOf(Facts.Blocks.size()), OneSideOf(Facts.Blocks.size()) {}

  std::vector<StaticTraits> run();

private:
  StaticTraits traits(const Operand &O) const { return traitsOf(Traits, O); }
  void findMeetings();
  void findContents();
  void addContents(const MemoryAccess &Store, StaticTraits &T) const;
  StaticTraits traitsFrom(uint32_t I) const;
  StaticTraits traitsAcross(const Operand &O, bool IntoLibrary) const;
  void addOwn(const Operation &Op, StaticTraits &T) const;
  bool endsInUnknownBranch(uint32_t Block) const;
  bool isChosenByBranch(const Operation &Phi) const;
  bool isChosenByLoop(const Operand &O, uint32_t Use) const;
  StaticTraits traitsOfChoice(const Operand &Condition) const;
  bool handsOutNumbers(const Operation &Op) const;

  const KernelFacts &Facts;
  const LoopNest &Nest;
  const FollowedMemory &Memory;
  const RecordedArrays &Recorded;
  const std::vector<bool> &InLibrary;
  function_ref<bool(uint32_t)> IsGuessed;
  std::vector<StaticTraits> Traits;
  /// By symbol: what the contents rest on.
  std::vector<StaticTraits> ContentsOf;
  /// For each block, those that end in a branch whose sides meet there, and
  /// those that end in a branch of which one side only leads there.
  std::vector<SmallVector<uint32_t, 2>> MeetingOf, OneSideOf;
};

} // namespace

std::vector<StaticTraits> TraitFinder::run() {
  findMeetings();
  // Traits only grow, so this ends; loops need one more pass per level.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (size_t I = 0; I < Facts.Operations.size(); ++I) {
      StaticTraits T = traitsFrom(uint32_t(I));
      T |= Traits[I];
      if (T != Traits[I]) {
        Traits[I] = T;
        Changed = true;
      }
    }
    findContents();
  }
  return std::move(Traits);
}

/// Whether the way at the end of \p Block rests on what is unknown.
bool TraitFinder::endsInUnknownBranch(uint32_t Block) const {
  const uint32_t Branch = Facts.Blocks[Block].Branch;
  if (Branch >= Facts.Branches.size())
    return false;
  const StaticTraits T = traits(Facts.Branches[Branch].Condition);
  return T.Data || T.Opaque || T.Chosen;
}

void TraitFinder::findMeetings() {
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

/// The value of \p Phi is chosen by an unknown branch.
bool TraitFinder::isChosenByBranch(const Operation &Phi) const {
  return Phi.Operands.size() > 1 && Phi.Block < MeetingOf.size() &&
         any_of(
             MeetingOf[Phi.Block],
             [&](uint32_t B) { return endsInUnknownBranch(B); });
}

/// \p O, used in block \p Use, leaves a loop that an unknown branch ends.
bool TraitFinder::isChosenByLoop(const Operand &O, uint32_t Use) const {
  if (!O.isValue() || O.Index >= Facts.Operations.size())
    return false;
  auto LeavesByUnknown = [&](uint32_t L, uint32_t B) {
    return B < Facts.Blocks.size() && endsInUnknownBranch(B) &&
           any_of(
               Facts.Blocks[B].Successors,
               [&](uint32_t To) { return !Nest.contains(L, To); });
  };
  for (uint32_t L = Nest.innermost(Facts.Operations[O.Index].Block);
       L != NoIndex; L = Nest.parent(L))
    if (!Nest.contains(L, Use) &&
        any_of(Facts.Loops[L].Blocks,
               [&](uint32_t B) { return LeavesByUnknown(L, B); }))
      return true;
  return false;
}

/// What a user of \p O rests on. At the begin of a mathematical function what
/// nobody knows is drawn; behind its end it is loaded data as before.
StaticTraits TraitFinder::traitsAcross(const Operand &O,
                                       bool IntoLibrary) const {
  StaticTraits T = traits(O);
  const bool FromLibrary =
      O.isValue() && O.Index < InLibrary.size() && InLibrary[O.Index];
  if (IntoLibrary && !FromLibrary) {
    T.Drawn |= T.Data || T.Opaque || T.Chosen;
    T.Data = T.Opaque = T.Chosen = false;
  } else if (!IntoLibrary && FromLibrary) {
    T.Data |= T.Drawn;
    T.Drawn = false;
  }
  return T;
}

/// True for a choice between two values that are computed, as compilers make of
/// a branch: a flag is one between constants.
static bool choosesValue(const Operation &Op) {
  return Op.What == Semantics::Select && Op.Operands.size() == 3 &&
         Op.Operands[0].isValue() && Op.Operands[1].isValue();
}

/// What a choice by \p Condition adds to the traits of the values.
StaticTraits TraitFinder::traitsOfChoice(const Operand &Condition) const {
  StaticTraits T = traits(Condition);
  T.Chosen |= T.Data || T.Opaque;
  T.Data = T.Opaque = false;
  return T;
}

StaticTraits TraitFinder::traitsFrom(uint32_t I) const {
  const Operation &Op = Facts.Operations[I];
  StaticTraits T;
  const bool IsPhi = Op.What == Semantics::Phi;
  for (size_t K = 0; K < Op.Operands.size(); ++K) {
    const Operand &O = Op.Operands[K];
    if (IsPhi && O.K == Operand::Kind::Undef)
      continue;
    if (K == 2 && !InLibrary[I] && choosesValue(Op)) {
      T |= traitsOfChoice(O);
      continue;
    }
    T |= traitsAcross(O, InLibrary[I]);
    T.Chosen |=
        (IsPhi && isChosenByBranch(Op)) ||
        isChosenByLoop(O, IsPhi && K < Op.PhiBlocks.size() ? Op.PhiBlocks[K]
                                                           : Op.Block);
  }
  if (Op.Access < Facts.Accesses.size())
    T |= traits(Facts.Accesses[Op.Access].Base);
  if (Op.What == Semantics::WaitBarrier)
    T = StaticTraits();
  addOwn(Op, T);
  // The addresses of the lanes tell which of them come first.
  if (const uint32_t Swap = testedSwap(Facts, Op); Swap != NoIndex) {
    T = StaticTraits();
    T.Varying = true;
    T.PerBlock = traits(Facts.Accesses[Swap].Base).PerBlock;
  }
  return T;
}

/// What \p Op does to the traits \p T of its operands.
void TraitFinder::addOwn(const Operation &Op, StaticTraits &T) const {
  if (Op.What == Semantics::SReg) {
    T.Varying = isVaryingRegister(Op.SReg);
    T.Opaque = isUnknownRegister(Op.SReg);
    T.PerBlock = isBlockRegister(Op.SReg);
  } else if (Op.What == Semantics::Load && Recorded.isLoad(Op.Access)) {
    // As known as its address, unless the kernel stores there.
    T.Data |= !Recorded.writesBefore(Op.Access).empty();
  } else if (Op.What == Semantics::Load) {
    const uint32_t Symbol = Memory.symbolOfLoad(Facts, Op);
    if (Symbol == NoIndex) {
      T.Data = true;
    } else {
      T.Data |= ContentsOf[Symbol].Data || ContentsOf[Symbol].Opaque;
      T.Chosen |= ContentsOf[Symbol].Chosen;
      T.PerBlock = true;
      T.Varying |= Facts.Symbols[Symbol].Space == MemorySpace::Local;
    }
    T.Opaque = false;
  } else if (Op.What == Semantics::Opaque ||
             Op.What == Semantics::ExpectBytes ||
             ((Op.What == Semantics::Compare ||
               Op.What == Semantics::FCompare) &&
              Op.Compare == ComparePredicate::Other)) {
    T.Opaque = true;
    // What the threads of a block agree on at a barrier.
    if (Op.What == Semantics::Opaque && meetsAtBarrier(Op)) {
      T.Varying = false;
      T.PerBlock = true;
    }
  }
  if (Op.Access < Facts.Accesses.size() &&
      isAtomic(Facts.Accesses[Op.Access].Kind) && !Recorded.isLoad(Op.Access)) {
    T.Data = !handsOutNumbers(Op);
    T.Varying = true;
  }
}

/// Is \p Op an atomic on a counter of the grid or the block, whose numbers are
/// guessed?
bool TraitFinder::handsOutNumbers(const Operation &Op) const {
  const MemoryAccess &A = Facts.Accesses[Op.Access];
  if (!IsGuessed(Op.Access))
    return false;
  const StaticTraits Place = traits(A.Base), Amount = traits(Op.Operands[1]);
  return !Place.Data && !Place.Opaque && !Place.Varying && !Place.Chosen &&
         (!Place.PerBlock || A.Space == MemorySpace::Shared) && !Amount.Data &&
         !Amount.Opaque && !Amount.Varying && !Amount.Chosen;
}

/// What the contents of followed memory rest on.
void TraitFinder::findContents() {
  for (uint32_t Symbol = 0; Symbol < Memory.StoresTo.size(); ++Symbol)
    for (uint32_t Store : Memory.StoresTo[Symbol])
      addContents(Facts.Accesses[Store], ContentsOf[Symbol]);
}

void TraitFinder::addContents(const MemoryAccess &Store,
                              StaticTraits &T) const {
  auto Join = [&](const StaticTraits &From) {
    T.Data |= From.Data;
    T.Opaque |= From.Opaque;
    T.Chosen |= From.Chosen;
  };
  Join(traits(Store.Base));
  for (const Operand &O : writtenValues(Facts, Store))
    Join(traits(O));
  if (Store.Op >= Facts.Operations.size())
    return;
  const Operation &Op = Facts.Operations[Store.Op];
  if (Op.Guard.K != Operand::Kind::Undef) {
    const StaticTraits Guard = traits(Op.Guard);
    T.Chosen |= Guard.Data || Guard.Opaque || Guard.Chosen;
  }
  if (Op.Block < OneSideOf.size())
    T.Chosen |= any_of(OneSideOf[Op.Block],
                       [&](uint32_t B) { return endsInUnknownBranch(B); });
}

std::vector<StaticTraits>
gpuocc::findStaticTraits(const KernelFacts &Facts, const LoopNest &Nest,
                         const FollowedMemory &Memory,
                         const RecordedArrays &Recorded,
                         const std::vector<bool> &InLibrary,
                         function_ref<bool(uint32_t)> IsGuessed) {
  return TraitFinder(Facts, Nest, Memory, Recorded, InLibrary, IsGuessed).run();
}
