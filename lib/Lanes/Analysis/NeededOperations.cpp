//===- NeededOperations.cpp - The operations that a slice has -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/NeededOperations.h"
#include "Analysis/FloatSemantics.h"
#include "gpuocc/Kernel/OperationTraits.h"
#include "gpuocc/Kernel/SlowPath.h"
#include "gpuocc/Kernel/SwapTest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

using namespace gpuocc;
using namespace llvm;

NeededOperations::NeededOperations(const KernelFacts &Facts,
                                   ArrayRef<StaticTraits> Traits,
                                   const FollowedMemory &Memory,
                                   const RecordedArrays &Recorded)
    : Facts(Facts), Traits(Traits), Memory(Memory), Recorded(Recorded),
      Needed(Facts.Operations.size()), PointerRoot(Facts.Operations.size()),
      DecidesPath(Facts.Operations.size()), IsLookedUp(Facts.Symbols.size()),
      HoldsKnown(Facts.Symbols.size()), Overwriting(Facts.Accesses.size()) {
  findHoldsKnown();
  markNeeded();
  markSlowPaths();
  findLookedUp();
  markPointerRoots();
}

Semantics NeededOperations::evaluatedAs(uint32_t Op) const {
  const Semantics What = Facts.Operations[Op].What;
  return isFloatingPoint(What) && (Traits[Op].Data || Traits[Op].Opaque)
             ? Semantics::Opaque
             : What;
}

bool NeededOperations::followsOperands(uint32_t Op) const {
  const Semantics What = evaluatedAs(Op);
  return What != Semantics::Opaque && What != Semantics::Load &&
         What != Semantics::WaitBarrier &&
         testedSwap(Facts, Facts.Operations[Op]) == NoIndex;
}

bool NeededOperations::isFollowedLoad(uint32_t Op) const {
  if (Facts.Operations[Op].What != Semantics::Load)
    return false;
  const uint32_t Symbol = Memory.symbolOfLoad(Facts, Facts.Operations[Op]);
  return Symbol != NoIndex && (!Traits[Op].Data || HoldsKnown[Symbol]);
}

/// Parts of one variable often hold unlike things: keys that are recorded
/// beside a sum of the blocks before, which nobody knows. A walk tells them
/// apart by their addresses.
void NeededOperations::findHoldsKnown() {
  auto IsKnown = [&](const Operand &O) {
    const StaticTraits T = traitsOf(Traits, O);
    return T.Varying && !T.Data && !T.Opaque && !T.Chosen;
  };
  for (uint32_t Symbol = 0; Symbol < Memory.StoresTo.size(); ++Symbol)
    HoldsKnown[Symbol] = any_of(Memory.StoresTo[Symbol], [&](uint32_t Store) {
      return any_of(writtenValues(Facts, Facts.Accesses[Store]), IsKnown);
    });
}

bool NeededOperations::isCounter(uint32_t I) const {
  const Operation &Op = Facts.Operations[I];
  return Op.What == Semantics::Load && Op.Access < Facts.Accesses.size() &&
         Op.Operands.size() > 1 && !Traits[I].Data &&
         isAtomic(Facts.Accesses[Op.Access].Kind);
}

bool NeededOperations::isLookedUp(uint32_t Access) const {
  return Memory.SymbolOf[Access] != NoIndex &&
         IsLookedUp[Memory.SymbolOf[Access]];
}

void NeededOperations::need(const Operand &O) {
  if (!O.isValue() || O.Index >= Needed.size() || Needed[O.Index])
    return;
  Needed[O.Index] = true;
  Worklist.push_back(O.Index);
}

void NeededOperations::markNeeded() {
  for (const Branch &B : Facts.Branches)
    need(B.Condition);
  for (const MemoryAccess &A : Facts.Accesses) {
    need(A.Base);
    if (A.Kind == AccessKind::AsyncCopy)
      need(A.SharedBase);
    if (A.Op < Facts.Operations.size()) {
      const Operation &Op = Facts.Operations[A.Op];
      need(Op.Guard);
      if (A.BytesOperand < Op.Operands.size())
        need(Op.Operands[A.BytesOperand]);
    }
  }
  needBehind();
}

bool NeededOperations::isFollowed(uint32_t Op) const {
  return Needed[Op] && !Traits[Op].Data && !Traits[Op].Opaque;
}

bool NeededOperations::isMadeOfRecorded(uint32_t Op) const {
  if (Recorded.isEmpty())
    return false;
  constexpr size_t MostOperations = 128;
  SmallVector<uint32_t, 16> Behind = {Op};
  bool HasRecorded = false;
  for (size_t At = 0; At != Behind.size(); ++At) {
    const Operation &Of = Facts.Operations[Behind[At]];
    if (Traits[Behind[At]].Data || Traits[Behind[At]].Opaque ||
        Behind.size() > MostOperations)
      return false;
    if (Recorded.isLoad(Of.Access)) {
      HasRecorded = true;
      continue;
    }
    // A division that is made of recorded values itself is needed already.
    HasRecorded |= DecidesPath[Behind[At]];
    // What loops carry would have to be walked turn by turn.
    if (Needed[Behind[At]])
      continue;
    if (!followsOperands(Behind[At]) ||
        (Of.What == Semantics::Phi && any_of(Facts.Loops, [&](const Loop &L) {
           return L.Header == Of.Block;
         })))
      return false;
    for (const Operand &O : Of.Operands)
      if (O.isValue() && O.Index < Facts.Operations.size() &&
          !is_contained(Behind, O.Index))
        Behind.push_back(O.Index);
  }
  return HasRecorded;
}

/// Unrolled code divides what was a counter.
bool NeededOperations::isConstantZero(uint32_t Op) const {
  const Operation &Of = Facts.Operations[Op];
  return Of.What == Semantics::Copy && Of.Operands.size() == 1 &&
         Of.Operands[0].isImmediate() && Of.Operands[0].Imm == 0;
}

void NeededOperations::markSlowPaths() {
  for (uint32_t I = 0; I < Facts.Operations.size(); ++I) {
    if (!mayTakeSlowPath(Facts.Operations[I]))
      continue;
    // Indices are followed anyway. A numerator of 0 is enough.
    for (const Operand &O : Facts.Operations[I].Operands)
      if (O.isValue() && O.Index < Needed.size() &&
          (isFollowed(O.Index) || isConstantZero(O.Index) ||
           isMadeOfRecorded(O.Index))) {
        DecidesPath[I] = true;
        need(O);
      }
    if (DecidesPath[I])
      need(Operand::value(I));
  }
  needBehind();
}

void NeededOperations::needBehind() {
  while (!Worklist.empty()) {
    const uint32_t I = Worklist.back();
    const Operation &Op = Facts.Operations[I];
    Worklist.pop_back();
    need(Op.Guard);
    if (followsOperands(I))
      for (const Operand &O : Op.Operands)
        need(O);
    if (isFollowedLoad(I))
      for (uint32_t Store : Memory.StoresTo[Memory.symbolOfLoad(Facts, Op)])
        for (const Operand &O : writtenValues(Facts, Facts.Accesses[Store]))
          need(O);
    if (isCounter(I))
      need(Op.Operands[1]);
    for (uint32_t Write : Recorded.writesBefore(Op.Access)) {
      Overwriting[Write] = true;
      for (const Operand &O : Facts.Accesses[Write].Stored)
        need(O);
    }
  }
}

void NeededOperations::findLookedUp() {
  for (uint32_t I = 0; I < Facts.Operations.size(); ++I)
    if (Needed[I] && isFollowedLoad(I))
      IsLookedUp[Memory.symbolOfLoad(Facts, Facts.Operations[I])] = true;
}

namespace {

/// What a 64-bit value may be the sum of.
struct AddressRoots {
  /// A pointer among the parameters, or a word of a structure.
  bool IsGiven = false;
  bool IsLoaded = false;
};

} // namespace

/// What \p From is the sum of; nothing for long sums, which each of their
/// additions would ask for anew.
static std::optional<AddressRoots> addressRoots(const KernelFacts &Facts,
                                                const Operand &From) {
  constexpr uint64_t WordBytes = 8;
  constexpr size_t MostOperations = 64;
  AddressRoots Roots;
  SmallVector<uint32_t, 8> Worklist, Seen;
  auto Visit = [&](const Operand &O) {
    if (O.isValue() && O.Index < Facts.Operations.size() &&
        Facts.Operations[O.Index].Bits == 64 && !is_contained(Seen, O.Index)) {
      Seen.push_back(O.Index);
      Worklist.push_back(O.Index);
    }
  };
  Visit(From);
  while (!Worklist.empty()) {
    if (Seen.size() > MostOperations)
      return std::nullopt;
    const Operation &Op = Facts.Operations[Worklist.pop_back_val()];
    if (Op.What == Semantics::Param)
      Roots.IsGiven |= any_of(Facts.Parameters, [&](const Parameter &P) {
        return uint64_t(Op.Imm) - P.OffsetBytes < P.SizeBytes &&
               (P.IsPointer || P.SizeBytes > WordBytes);
      });
    Roots.IsLoaded |= Op.What == Semantics::Load;
    for_each(addressOperands(Op), Visit);
  }
  return Roots;
}

/// The operand of the sum \p Op that is the pointer, where the other is an
/// index that was loaded: of bytes, which nothing multiplies.
static const Operand *pointerOfSum(const KernelFacts &Facts,
                                   const Operation &Op) {
  if (Op.What != Semantics::Add || Op.Operands.size() != 2)
    return nullptr;
  const std::optional<AddressRoots> First = addressRoots(Facts, Op.Operands[0]),
                                    Second =
                                        addressRoots(Facts, Op.Operands[1]);
  if (!First || !Second)
    return nullptr;
  if (First->IsGiven && !Second->IsGiven && Second->IsLoaded)
    return &Op.Operands[0];
  if (Second->IsGiven && !First->IsGiven && First->IsLoaded)
    return &Op.Operands[1];
  return nullptr;
}

void NeededOperations::markPointerRoots() {
  std::vector<bool> Seen(Facts.Operations.size(), false);
  auto Visit = [&](const Operand &O) {
    if (O.isValue() && O.Index < Seen.size() && !Seen[O.Index] &&
        Facts.Operations[O.Index].Bits == 64) {
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
    PointerRoot[I] = Op.What == Semantics::Param || Op.What == Semantics::Load;
    if (const Operand *Pointer = pointerOfSum(Facts, Op))
      Visit(*Pointer);
    else
      for_each(addressOperands(Op), Visit);
  }
}
