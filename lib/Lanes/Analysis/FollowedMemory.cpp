//===- FollowedMemory.cpp - Objects whose contents are followed -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/FollowedMemory.h"
#include "Analysis/SymbolRoots.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace gpuocc;
using namespace llvm;

namespace {

bool isOwnSpace(MemorySpace S) {
  return S == MemorySpace::Shared || S == MemorySpace::Local;
}

} // namespace

FollowedAtomic gpuocc::followedAtomic(const KernelFacts &Facts,
                                      const MemoryAccess &A) {
  constexpr unsigned WordBytes = 4, LongBytes = 8;
  if (!isAtomic(A.Kind) || A.OnFloats || A.Op >= Facts.Operations.size() ||
      Facts.Operations[A.Op].Operands.size() != 2 ||
      (A.BytesPerLane != WordBytes && A.BytesPerLane != LongBytes))
    return FollowedAtomic::None;
  return StringSwitch<FollowedAtomic>(A.AtomicOp)
      .Case("add", FollowedAtomic::Add)
      .Case("and", FollowedAtomic::And)
      .Case("or", FollowedAtomic::Or)
      .Case("xor", FollowedAtomic::Xor)
      .Default(FollowedAtomic::None);
}

ArrayRef<Operand> gpuocc::writtenValues(const KernelFacts &Facts,
                                        const MemoryAccess &A) {
  if (followedAtomic(Facts, A) == FollowedAtomic::None)
    return A.Stored;
  return ArrayRef(Facts.Operations[A.Op].Operands).drop_front();
}

FollowedMemory gpuocc::findFollowedMemory(const KernelFacts &Facts,
                                          ArrayRef<bool> Lost) {
  FollowedMemory Out;
  Out.SymbolOf.assign(Facts.Accesses.size(), NoIndex);
  Out.StoresTo.resize(Facts.Symbols.size());
  std::vector<bool> IsLost(Lost.begin(), Lost.end());
  IsLost.resize(Facts.Symbols.size());
  const SymbolRoots Roots(Facts);
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
    SymbolRoots::Symbols Found = Roots.of(Base);
    llvm::erase_if(Found, [&](uint32_t S) {
      return S >= Facts.Symbols.size() || !isOwnSpace(Facts.Symbols[S].Space);
    });
    const bool MayBeOwn = isOwnSpace(Space) || !Found.empty();
    if (!MayBeOwn)
      return;
    if (Found.size() != 1) {
      if (!Writes)
        return;
      if (Found.empty())
        LoseSpace(Space);
      for (uint32_t S : Found)
        IsLost[S] = true;
      return;
    }
    uint32_t Symbol = Found.front();
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
    const bool IsPlain = (A.Kind == AccessKind::Store && !A.Stored.empty() &&
                          A.BytesPerLane / A.Stored.size() <= 8) ||
                         (A.Space != MemorySpace::Local &&
                          followedAtomic(Facts, A) != FollowedAtomic::None);
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
