//===- FollowedMemory.cpp - Objects whose contents are followed -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/FollowedMemory.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// Operations that are looked at behind an address.
constexpr unsigned MaxOperations = 64;

/// The symbols that an address may be in.
struct Roots {
  SmallVector<uint32_t, 2> Symbols;
  /// There may be others.
  bool AreComplete = true;
};

Roots rootsOf(const KernelFacts &Facts, const Operand &Address) {
  Roots Found;
  SmallVector<Operand, 8> Work = {Address};
  SmallVector<uint32_t, 16> Seen;
  while (!Work.empty()) {
    const Operand O = Work.pop_back_val();
    if (O.K == Operand::Kind::Symbol) {
      if (!is_contained(Found.Symbols, O.Index))
        Found.Symbols.push_back(O.Index);
      continue;
    }
    if (!O.isValue() || O.Index >= Facts.Operations.size() ||
        is_contained(Seen, O.Index))
      continue;
    if (Seen.size() == MaxOperations) {
      Found.AreComplete = false;
      break;
    }
    Seen.push_back(O.Index);
    const Operation &Op = Facts.Operations[O.Index];
    if (Op.What == Semantics::Load || Op.What == Semantics::Opaque)
      continue;
    Work.append(Op.Operands.begin(), Op.Operands.end());
  }
  return Found;
}

bool isOwnSpace(MemorySpace S) {
  return S == MemorySpace::Shared || S == MemorySpace::Local;
}

} // namespace

FollowedMemory gpuocc::findFollowedMemory(const KernelFacts &Facts) {
  FollowedMemory Out;
  Out.SymbolOf.assign(Facts.Accesses.size(), NoIndex);
  Out.StoresTo.resize(Facts.Symbols.size());
  std::vector<bool> IsLost(Facts.Symbols.size());
  // All dynamic shared variables begin at the same place.
  uint32_t Dynamic = NoIndex;
  for (uint32_t I = 0; I < Facts.Symbols.size(); ++I)
    if (Facts.Symbols[I].IsDynamicShared && Dynamic == NoIndex)
      Dynamic = I;
  auto LoseSpace = [&](MemorySpace Space) {
    for (uint32_t I = 0; I < Facts.Symbols.size(); ++I)
      if (Space == MemorySpace::Generic || Facts.Symbols[I].Space == Space)
        IsLost[I] = true;
  };
  auto Visit = [&](uint32_t Access, const Operand &Base, MemorySpace Space,
                   bool IsStoreOfValues, bool Writes) {
    Roots Found = rootsOf(Facts, Base);
    llvm::erase_if(Found.Symbols, [&](uint32_t S) {
      return S >= Facts.Symbols.size() || !isOwnSpace(Facts.Symbols[S].Space);
    });
    const bool MayBeOwn = isOwnSpace(Space) || !Found.Symbols.empty();
    if (!MayBeOwn)
      return;
    if (Found.Symbols.size() != 1 || !Found.AreComplete) {
      if (!Writes)
        return;
      if (Found.Symbols.empty() || !Found.AreComplete)
        LoseSpace(Space);
      for (uint32_t S : Found.Symbols)
        IsLost[S] = true;
      return;
    }
    uint32_t Symbol = Found.Symbols.front();
    if (Facts.Symbols[Symbol].IsDynamicShared)
      Symbol = Dynamic;
    Out.SymbolOf[Access] = Symbol;
    if (Writes && !IsStoreOfValues)
      IsLost[Symbol] = true;
    if (IsStoreOfValues)
      Out.StoresTo[Symbol].push_back(Access);
  };
  for (uint32_t I = 0; I < Facts.Accesses.size(); ++I) {
    const MemoryAccess &A = Facts.Accesses[I];
    if (A.Kind == AccessKind::AsyncCopy) {
      Visit(I, A.SharedBase, MemorySpace::Shared, false, true);
      continue;
    }
    const bool IsPlain = A.Kind == AccessKind::Store && !A.Stored.empty() &&
                         A.BytesPerLane / A.Stored.size() <= 8;
    Visit(I, A.Base, A.Space, IsPlain, A.Kind != AccessKind::Load);
  }
  for (uint32_t &Symbol : Out.SymbolOf)
    if (Symbol != NoIndex && (IsLost[Symbol] || Out.StoresTo[Symbol].empty()))
      Symbol = NoIndex;
  for (uint32_t S = 0; S < IsLost.size(); ++S)
    if (IsLost[S])
      Out.StoresTo[S].clear();
  return Out;
}

bool gpuocc::isCounter(const KernelFacts &Facts, const MemoryAccess &A) {
  if (A.Kind != AccessKind::Atomic || A.Op >= Facts.Operations.size())
    return false;
  ArrayRef<Operand> Operands = Facts.Operations[A.Op].Operands;
  return Operands.size() == 2 &&
         (A.AtomicOp == "inc" ||
          (A.AtomicOp == "add" && Operands[1].isImmediate()));
}
