//===- RegisterValues.cpp - Values that take registers --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterValues.h"
#include "gpuocc/Kernel/Uniformity.h"
#include "gpuocc/Kernel/UpperHalves.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

static constexpr unsigned BitsPerRegister = 32;

static unsigned wordsOf(unsigned Bits) {
  return (Bits + BitsPerRegister - 1) / BitsPerRegister;
}

static bool isPredicate(const Operation &Op) {
  return Op.Bits <= 1 || Op.What == Semantics::Compare ||
         Op.What == Semantics::FCompare;
}

/// Classes that the uniform datapath has, or whose results it holds.
static bool isUniformClass(InstClass C) {
  return is_contained({InstClass::IAdd3, InstClass::IMad, InstClass::IMadWide,
                       InstClass::Lea, InstClass::Lop3, InstClass::Shf,
                       InstClass::ISetp, InstClass::IMnMx, InstClass::Sel,
                       InstClass::Mov, InstClass::Prmt, InstClass::Sgxt,
                       InstClass::UInt, InstClass::Uldc, InstClass::S2UR,
                       InstClass::Ldc, InstClass::S2R},
                      C);
}

/// True if the result is an operand from elsewhere: a constant, an immediate,
/// a uniform register.
static bool isNoRegister(const Operation &Op) {
  if (Op.What == Semantics::SymbolAddress)
    return true;
  return all_of(Op.Emits, [](const Emission &E) {
    return E.Class == InstClass::UInt || E.Class == InstClass::Uldc ||
           E.Class == InstClass::S2UR;
  });
}

RegisterValues::RegisterValues(const KernelFacts &Facts, RegisterUse Use)
    : Facts(Facts), First(Facts.Operations.size() + 1),
      IsKnown(Facts.Operations.size()), ReadFrom(Facts.Operations.size()) {
  for (size_t I = 0; I != Facts.Operations.size(); ++I)
    First[I + 1] =
        First[I] + std::max<unsigned>(1, Facts.Operations[I].NumResults);
  Words.assign(First.back(), 0);
  IsWide = upperHalvesUsed(Facts);
  std::vector<bool> IsUniform;
  if (Use == RegisterUse::Thrifty)
    IsUniform = uniformOperations(Facts);
  for (uint32_t I = 0; I != Facts.Operations.size(); ++I) {
    const Operation &Op = Facts.Operations[I];
    bool IsElsewhere = !IsUniform.empty() && IsUniform[I] &&
                       all_of(Op.Emits, [](const Emission &E) {
                         return isUniformClass(E.Class);
                       });
    if (!IsElsewhere)
      weigh(I);
  }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (uint32_t I = 0; I != Facts.Operations.size(); ++I)
      if (Facts.Operations[I].What == Semantics::Phi)
        Changed |= weighPhi(I);
  }
  if (Use == RegisterUse::Thrifty)
    IsRemade = sumsOfOtherBlocks();
}

uint32_t RegisterValues::operationOf(uint32_t Value) const {
  return uint32_t(llvm::upper_bound(First, Value) - First.begin()) - 1;
}

bool RegisterValues::isParameter(uint32_t Op) const {
  const Operation &O = Facts.Operations[Op];
  if (O.What == Semantics::Param || O.Access == NoIndex)
    return O.What == Semantics::Param;
  const MemoryAccess &A = Facts.Accesses[O.Access];
  return A.Space == MemorySpace::Param && A.Kind == AccessKind::Load &&
         (A.Base.K == Operand::Kind::Symbol ||
          (A.Base.isValue() &&
           Facts.Operations[A.Base.Index].What == Semantics::SymbolAddress));
}

bool RegisterValues::isWritten(uint32_t Op) const {
  const Operation &O = Facts.Operations[Op];
  if (O.What == Semantics::Phi)
    return true;
  return !O.Emits.empty() && (IsRemade.empty() || !IsRemade[Op]);
}

/// Value + constant that is used in other blocks only, where it can be computed
/// again (ptxas 13.0: thirty of them that one value stands for take 8 registers
/// at most).
std::vector<bool> RegisterValues::sumsOfOtherBlocks() {
  std::vector<bool> IsSum(Facts.Operations.size());
  for (uint32_t I = 0; I != Facts.Operations.size(); ++I) {
    const Operation &Op = Facts.Operations[I];
    if ((Op.What != Semantics::Add && Op.What != Semantics::Sub &&
         Op.What != Semantics::Or) ||
        Op.Operands.size() != 2 || !Op.Operands[1].isImmediate())
      continue;
    ValueSet From;
    appendTo(Op.Operands[0], From);
    IsSum[I] =
        words(First[I]) != 0 && From.size() <= 1 &&
        all_of(From, [&](uint32_t V) { return words(V) <= words(First[I]); });
  }
  // What was found so far knew of no sums.
  IsKnown.assign(IsKnown.size(), false);
  for (const Operation &Op : Facts.Operations)
    for (size_t K = 0; K != Op.Operands.size(); ++K) {
      const Operand &O = Op.Operands[K];
      uint32_t UsedIn = Op.What == Semantics::Phi ? Op.PhiBlocks[K] : Op.Block;
      if (O.isValue() && UsedIn == Facts.Operations[O.Index].Block)
        IsSum[O.Index] = false;
    }
  return IsSum;
}

void RegisterValues::weigh(uint32_t Op) {
  const Operation &O = Facts.Operations[Op];
  if (O.What == Semantics::Phi || !isWritten(Op) || O.NumResults == 0 ||
      isPredicate(O) || isNoRegister(O) || isParameter(Op))
    return;
  unsigned Bits = O.Bits;
  if (O.Access != NoIndex && O.NumResults > 1)
    Bits = Facts.Accesses[O.Access].BytesPerLane * 8 / O.NumResults;
  else if (O.Access == NoIndex && !IsWide[Op])
    Bits = std::min(Bits, BitsPerRegister);
  for (uint32_t V = First[Op]; V != First[Op + 1]; ++V)
    Words[V] = wordsOf(Bits);
}

/// A phi is as wide as what flows into it, which comes to registers for it.
/// \returns true if it grew.
bool RegisterValues::weighPhi(uint32_t Op) {
  const Operation &Phi = Facts.Operations[Op];
  if (Phi.Bits <= 1)
    return false;
  unsigned Most = 0;
  for (const Operand &O : Phi.Operands) {
    if (O.isImmediate())
      Most = std::max(Most, 1u);
    if (!O.isValue())
      continue;
    const Operation &In = Facts.Operations[O.Index];
    if (In.What == Semantics::Phi)
      Most = std::max<unsigned>(Most, Words[First[O.Index]]);
    else if (!isPredicate(In))
      Most = std::max(Most, wordsOf(In.Bits));
  }
  if (!IsWide[Op])
    Most = std::min(Most, 1u);
  if (Most <= Words[First[Op]])
    return false;
  Words[First[Op]] = Most;
  return true;
}

void RegisterValues::appendTo(const Operand &O, ValueSet &Out) {
  if (!O.isValue())
    return;
  auto Add = [&](uint32_t V) {
    if (Words[V] != 0 && !is_contained(Out, V))
      Out.push_back(V);
  };
  uint32_t Op = O.Index;
  if (isWritten(Op)) {
    bool HasResult = O.Result < Facts.Operations[Op].NumResults;
    Add(First[Op] + (HasResult ? O.Result : 0));
    return;
  }
  for (uint32_t V : readFrom(Op))
    Add(V);
}

const ValueSet &RegisterValues::readFrom(uint32_t Op) {
  if (IsKnown[Op])
    return ReadFrom[Op];
  IsKnown[Op] = true;
  ValueSet Out;
  for (const Operand &O : Facts.Operations[Op].Operands)
    appendTo(O, Out);
  return ReadFrom[Op] = Out;
}
