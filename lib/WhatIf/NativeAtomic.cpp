//===- NativeAtomic.cpp - Loops of compare and swap -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/NativeAtomic.h"
#include "gpuocc/Kernel/Copies.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/WhatIf/ScaleBlock.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <optional>
#include <utility>

using namespace gpuocc;
using namespace llvm;

namespace {

/// What hardware does in one atomic.
struct NativeForm {
  Semantics What;
  const char *AtomicOp;
  bool OnFloats;
};

} // namespace

static constexpr NativeForm Forms[] = {
    {Semantics::Add, "add", false},  {Semantics::FAdd, "add", true},
    {Semantics::MinS, "min", false}, {Semantics::MinU, "min", false},
    {Semantics::MaxS, "max", false}, {Semantics::MaxU, "max", false},
    {Semantics::And, "and", false},  {Semantics::Or, "or", false},
    {Semantics::Xor, "xor", false},
};

/// A load that each turn of \p L repeats, since the word that is swapped may be
/// the one that it reads, for all the compiler knows.
static bool isRepeatedLoad(const KernelFacts &Facts, const gpuocc::Loop &L,
                           const Operation &Op) {
  if (Op.Access == NoIndex)
    return false;
  const MemoryAccess &A = Facts.Accesses[Op.Access];
  return A.Kind == AccessKind::Load && !A.Volatile &&
         isSetOutside(Facts, L, A.Base);
}

/// The form that makes \p Swapped of \p Seen and of what does not change in
/// \p L; null where there is none.
static const NativeForm *formOf(const KernelFacts &Facts, const gpuocc::Loop &L,
                                const Operand &Swapped, const Operand &Seen) {
  const Operation *Op = Facts.operationOf(behindCopies(Facts, Swapped));
  if (!Op || Op->Operands.size() != 2)
    return nullptr;
  auto DoesNotChange = [&](const Operand &O) {
    const Operation *From = Facts.operationOf(behindCopies(Facts, O));
    return isSetOutside(Facts, L, O) || isRepeatedLoad(Facts, L, *From);
  };
  const Operand &A = Op->Operands[0], &B = Op->Operands[1];
  const bool Fits =
      (behindCopies(Facts, A) == behindCopies(Facts, Seen) &&
       DoesNotChange(B)) ||
      (behindCopies(Facts, B) == behindCopies(Facts, Seen) && DoesNotChange(A));
  if (!Fits)
    return nullptr;
  for (const NativeForm &F : Forms)
    if (F.What == Op->What)
      return &F;
  return nullptr;
}

static uint32_t loadBefore(const KernelFacts &Facts, const gpuocc::Loop &L,
                           const Operand &Seen) {
  const Operand From = behindCopies(Facts, Seen);
  const Operation *Phi = Facts.operationOf(From);
  if (!Phi || Phi->What != Semantics::Phi)
    return NoIndex;
  for (const Operand &O : Phi->Operands) {
    const Operand First = behindCopies(Facts, O);
    const Operation *Load = Facts.operationOf(First);
    if (!Load || Load->Access == NoIndex || is_contained(L.Blocks, Load->Block))
      continue;
    const auto Uses = count_if(Facts.Operations, [&](const Operation &Op) {
      return is_contained(Op.Operands, First);
    });
    if (Facts.Accesses[Load->Access].Kind == AccessKind::Load && Uses == 1)
      return Load->Access;
  }
  return NoIndex;
}

static std::optional<CasLoop> casLoop(const KernelFacts &Facts,
                                      uint32_t Access) {
  const MemoryAccess &A = Facts.Accesses[Access];
  const Operation &Cas = Facts.Operations[A.Op];
  const uint32_t Index = Facts.Blocks[Cas.Block].Loop;
  // Behind the address.
  constexpr size_t Compared = 1, Swapped = 2;
  if (A.AtomicOp != "cas" || A.Kind != AccessKind::Atomic || Index == NoIndex ||
      Cas.Operands.size() <= Swapped ||
      (A.BytesPerLane != 4 && A.BytesPerLane != 8))
    return std::nullopt;
  const gpuocc::Loop &L = Facts.Loops[Index];
  const NativeForm *Form =
      formOf(Facts, L, Cas.Operands[Swapped], Cas.Operands[Compared]);
  auto IsOther = [&](const Operation &Op) {
    return Op.Access != NoIndex && Op.Access != Access &&
           is_contained(L.Blocks, Op.Block) && !isRepeatedLoad(Facts, L, Op);
  };
  if (!Form || any_of(Facts.Operations, IsOther))
    return std::nullopt;
  CasLoop Out;
  Out.Loop = Index;
  Out.Access = Access;
  Out.FirstLoad = loadBefore(Facts, L, Cas.Operands[Compared]);
  Out.AtomicOp = Form->AtomicOp;
  Out.OnFloats = Form->OnFloats;
  Out.IsResultUsed = any_of(Facts.Operations, [&](const Operation &Op) {
    return !is_contained(L.Blocks, Op.Block) &&
           is_contained(Op.Operands, Operand::value(A.Op));
  });
  return Out;
}

std::vector<CasLoop> gpuocc::nativeCasLoops(const KernelFacts &Facts) {
  std::vector<CasLoop> Found;
  for (uint32_t I = 0; I != Facts.Accesses.size(); ++I)
    if (std::optional<CasLoop> L = casLoop(Facts, I))
      Found.push_back(std::move(*L));
  return Found;
}

static void replace(KernelVariant &V, const CasLoop &Of) {
  MemoryAccess &A = V.Facts.Accesses[Of.Access];
  LoopProfile &Trips = V.Profile.Loops[Of.Loop];
  const std::vector<AccessProfile> Before = V.Profile.Accesses;
  for (uint32_t Block : V.Facts.Loops[Of.Loop].Blocks) {
    scaleBlock(V.Facts, V.Profile, Block, 1 / std::max(1.0, Trips.TripCount));
    const BasicBlock &B = V.Facts.Blocks[Block];
    for (uint32_t Op = B.FirstOp; Op != B.FirstOp + B.NumOps; ++Op)
      if (Op != A.Op && V.Facts.Operations[Op].Access == NoIndex)
        V.Facts.Operations[Op].Emits.clear();
  }
  // The first turn of all lanes is what is left.
  for (auto [P, First] : zip(V.Profile.Accesses, Before)) {
    const double Requests = P.RequestsPerWarp, Executions = P.ExecutionsPerWarp;
    P = First;
    P.RequestsPerWarp = Requests;
    P.ExecutionsPerWarp = Executions;
  }
  Trips.TripCount = Trips.LaneBalance = 1;
  A.AtomicOp = Of.AtomicOp;
  A.OnFloats = Of.OnFloats;
  A.Combining = LaneCombining::None;
  A.Kind = Of.IsResultUsed ? AccessKind::Atomic : AccessKind::Reduction;
  if (A.Space != MemorySpace::Shared)
    V.Facts.Operations[A.Op].Emits = {
        {Of.IsResultUsed ? InstClass::AtomGlobal : InstClass::RedGlobal, 1, 1}};
  if (Of.FirstLoad != NoIndex) {
    V.Facts.Operations[V.Facts.Accesses[Of.FirstLoad].Op].Emits.clear();
    V.Profile.Accesses[Of.FirstLoad].ExecutionsPerWarp = 0;
    V.Profile.Accesses[Of.FirstLoad].RequestsPerWarp = 0;
  }
}

Change gpuocc::useNativeAtomics(std::vector<CasLoop> Loops) {
  return makeChange(ChangeKind::NativeAtomic,
                    [Loops = std::move(Loops)](KernelVariant &V) {
                      for (const CasLoop &L : Loops)
                        replace(V, L);
                    });
}
