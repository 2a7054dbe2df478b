//===- MergeDependence.cpp - What differs between merged threads ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MergeDependence.h"
#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "gpuocc/Kernel/OperationTraits.h"
#include "gpuocc/WhatIf/ScaleBlock.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace gpuocc;
using namespace llvm;

bool gpuocc::isMergedCoordinate(SpecialReg R, const Merge &M) {
  constexpr SpecialReg Tid[] = {SpecialReg::TidX, SpecialReg::TidY,
                                SpecialReg::TidZ};
  constexpr SpecialReg CtaId[] = {SpecialReg::CtaIdX, SpecialReg::CtaIdY,
                                  SpecialReg::CtaIdZ};
  return R == (M.What == MergeOf::Blocks ? CtaId : Tid)[M.Dimension];
}

/// Registers whose value \p M changes in ways that no copy makes up for: warps
/// and, where threads are merged, lanes of one are others afterwards.
static bool isUnmergeable(SpecialReg R, const Merge &M) {
  return R == SpecialReg::WarpId || R == SpecialReg::NWarpId ||
         (M.What != MergeOf::Blocks && tellsLane(R));
}

std::vector<uint32_t> gpuocc::symbolsOf(const KernelFacts &Facts,
                                        Operand Address) {
  std::vector<uint32_t> Symbols;
  std::vector<bool> Seen(Facts.Operations.size());
  SmallVector<Operand, 16> Work = {Address};
  while (!Work.empty()) {
    const Operand O = Work.pop_back_val();
    if (O.K == Operand::Kind::Symbol && !is_contained(Symbols, O.Index))
      Symbols.push_back(O.Index);
    if (!O.isValue() || O.Index >= Seen.size() || Seen[O.Index])
      continue;
    Seen[O.Index] = true;
    append_range(Work, Facts.Operations[O.Index].Operands);
  }
  return Symbols;
}

/// The side of \p A that is in shared memory; Undef when none is.
static Operand sharedSide(const MemoryAccess &A) {
  if (A.Kind == AccessKind::AsyncCopy)
    return A.SharedBase;
  return A.Space == MemorySpace::Shared ? A.Base : Operand();
}

MergeDependence::MergeDependence(const KernelFacts &Facts,
                                 const ExecutionProfile &Profile,
                                 const Merge &M)
    : Facts(Facts), Profile(Profile), M(M), Depends(Facts.Operations.size()),
      Multiplied(Facts.Symbols.size()) {
  if (M.What != MergeOf::Blocks)
    return;
  for (const MemoryAccess &A : Facts.Accesses)
    SharedSymbols.push_back(symbolsOf(Facts, sharedSide(A)));
}

bool MergeDependence::find() {
  if (any_of(Facts.Operations,
             [this](const Operation &Op) { return isUnmergeable(Op.SReg, M); }))
    return false;
  for (uint32_t I = 0; I != Facts.Operations.size(); ++I)
    Depends[I] = isSeed(Facts.Operations[I]);
  do {
    Changed = false;
    for (uint32_t I = 0; I != Facts.Operations.size(); ++I)
      if (!Depends[I] && readsDependent(I))
        Depends[I] = Changed = true;
    if (M.What == MergeOf::Blocks)
      multiplySymbols();
    markMeetings();
  } while (Changed);
  return haveLoopsOneLength();
}

bool MergeDependence::isSeed(const Operation &Op) const {
  if (Op.What == Semantics::SReg && isMergedCoordinate(Op.SReg, M))
    return true;
  if (Op.Access == NoIndex)
    return false;
  // What each thread does by itself, however its address is made.
  const MemoryAccess &A = Facts.Accesses[Op.Access];
  return A.Space == MemorySpace::Local || isAtomic(A.Kind) || A.Volatile ||
         A.Bulk;
}

bool MergeDependence::depends(const Operand &O) const {
  return O.isValue() && O.Index < Depends.size() && Depends[O.Index];
}

bool MergeDependence::readsDependent(uint32_t I) const {
  const Operation &Op = Facts.Operations[I];
  if (any_of(Op.Operands, [&](const Operand &O) { return depends(O); }) ||
      depends(Op.Guard))
    return true;
  if (Op.Access == NoIndex)
    return false;
  const MemoryAccess &A = Facts.Accesses[Op.Access];
  if (depends(A.Base) || depends(A.SharedBase) ||
      any_of(A.Stored, [&](const Operand &O) { return depends(O); }))
    return true;
  return !SharedSymbols.empty() &&
         any_of(SharedSymbols[Op.Access],
                [&](uint32_t S) { return Multiplied[S]; });
}

/// Shared arrays that the merged blocks fill differently.
void MergeDependence::multiplySymbols() {
  for (uint32_t I = 0; I != Facts.Accesses.size(); ++I) {
    const MemoryAccess &A = Facts.Accesses[I];
    if (A.Kind == AccessKind::Load || !Depends[A.Op] ||
        sharedSide(A).K == Operand::Kind::Undef)
      continue;
    std::vector<uint32_t> Symbols = SharedSymbols[I];
    if (Symbols.empty())
      for (uint32_t S = 0; S != Multiplied.size(); ++S)
        Symbols.push_back(S);
    for (uint32_t S : Symbols)
      if (!Multiplied[S])
        Multiplied[S] = Changed = true;
  }
}

/// Where sides of a dependent branch meet, values are chosen by it; and each
/// copy that goes there stores to arrays for itself, be it the same word.
void MergeDependence::markMeetings() {
  for (uint32_t Index = 0; Index != Facts.Branches.size(); ++Index) {
    const gpuocc::Branch &B = Facts.Branches[Index];
    if (!depends(B.Condition))
      continue;
    const std::vector<uint32_t> Sides = blocksOfBranch(Facts, Index);
    for (const MemoryAccess &A : Facts.Accesses)
      if (isInArrays(A.Space) && A.Kind == AccessKind::Store &&
          !Depends[A.Op] && is_contained(Sides, Facts.Operations[A.Op].Block))
        Depends[A.Op] = Changed = true;
    const uint32_t Meet = Facts.Blocks[B.Block].PostDominator;
    if (Meet == NoIndex)
      continue;
    const BasicBlock &Block = Facts.Blocks[Meet];
    for (uint32_t I = Block.FirstOp; I != Block.FirstOp + Block.NumOps; ++I)
      if (Facts.Operations[I].What == Semantics::Phi &&
          Facts.Operations[I].Operands.size() > 1 && !Depends[I])
        Depends[I] = Changed = true;
  }
}

/// Iterations of merged threads run together, so that their loops must end
/// together.
bool MergeDependence::haveLoopsOneLength() const {
  constexpr double AboutOne = 0.98;
  for (uint32_t L = 0; L != Facts.Loops.size(); ++L) {
    const gpuocc::Loop &Loop = Facts.Loops[L];
    const bool EndDepends = any_of(Facts.Branches, [&](const auto &B) {
      return depends(B.Condition) && is_contained(Loop.Blocks, B.Block) &&
             any_of(B.Targets,
                    [&](uint32_t T) { return !is_contained(Loop.Blocks, T); });
    });
    if (EndDepends && (Profile.Loops[L].LaneBalance < AboutOne ||
                       Profile.Loops[L].Exact == Exactness::DataDependent ||
                       !haveWarpsOneLength(Loop.Header)))
      return false;
  }
  return true;
}

bool MergeDependence::haveWarpsOneLength(uint32_t Header) const {
  constexpr double AboutOne = 1.1;
  double Most = 0, Sum = 0, Weight = 0;
  for (const WarpSample &S : Profile.Samples)
    if (Header < S.BlockExecutions.size()) {
      Most = std::max(Most, S.BlockExecutions[Header]);
      Sum += S.Weight * S.BlockExecutions[Header];
      Weight += S.Weight;
    }
  return Weight == 0 || Most * Weight <= AboutOne * Sum;
}

std::optional<std::vector<bool>>
gpuocc::dependsOnMerged(const KernelFacts &Facts,
                        const ExecutionProfile &Profile, const Merge &M) {
  MergeDependence D(Facts, Profile, M);
  if (!D.find())
    return std::nullopt;
  return D.operations();
}
