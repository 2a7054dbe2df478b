//===- BoundaryBranches.cpp - Branches at the edge of the work ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/BoundaryBranches.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

static ArrayRef<Operation> operationsOf(const KernelFacts &Facts,
                                        uint32_t Block) {
  const BasicBlock &B = Facts.Blocks[Block];
  return ArrayRef(Facts.Operations).slice(B.FirstOp, B.NumOps);
}

/// Longer code is better left to branches.
static bool isShort(const KernelFacts &Facts, uint32_t Block) {
  constexpr double MostInstructions = 48;
  return Facts.instructionsOf(Block) <= MostInstructions &&
         none_of(operationsOf(Facts, Block), [](const Operation &Op) {
           return any_of(Op.Emits, [](const Emission &E) {
             return E.Class == InstClass::Barrier ||
                    E.Class == InstClass::Call || E.Class == InstClass::Exit;
           });
         });
}

static bool loads(const KernelFacts &Facts, uint32_t Block) {
  return any_of(operationsOf(Facts, Block), [&](const Operation &Op) {
    return Op.Access != NoIndex &&
           Facts.Accesses[Op.Access].Kind == AccessKind::Load;
  });
}

/// The sides of \p B: one block, or two, between it and where they meet.
static SmallVector<uint32_t, 2> sidesOf(const KernelFacts &Facts,
                                        const gpuocc::Branch &B) {
  const uint32_t Meet = Facts.Blocks[B.Block].PostDominator;
  SmallVector<uint32_t, 2> Sides;
  if (Meet == NoIndex || B.Indexed || B.Targets.size() != 2)
    return Sides;
  for (uint32_t T : B.Targets) {
    if (T == Meet)
      continue;
    const BasicBlock &Side = Facts.Blocks[T];
    const unsigned Entries =
        unsigned(count_if(Facts.Blocks, [&](const BasicBlock &P) {
          return is_contained(P.Successors, T);
        }));
    if (Side.Successors.size() != 1 || Side.Successors[0] != Meet ||
        Entries != 1 || Side.PredicatedInto != NoIndex ||
        Side.Loop != Facts.Blocks[B.Block].Loop || !isShort(Facts, T))
      return {};
    Sides.push_back(T);
  }
  return Sides;
}

static bool isDecidedByPlace(const BranchProfile &P) {
  switch (P.Class) {
  case BranchClass::Guard:
  case BranchClass::Partial:
  case BranchClass::WarpUniform:
  case BranchClass::Divergent:
    return P.ExecutionsPerWarp > 0 && P.Exact != Exactness::DataDependent &&
           P.Exact != Exactness::Unknown;
  case BranchClass::Uniform:
  case BranchClass::DataDependent:
    return false;
  }
  return false;
}

std::vector<uint32_t> gpuocc::boundaryBranches(const KernelVariant &V) {
  constexpr double NearlyAll = 0.75;
  std::vector<uint32_t> Found;
  for (uint32_t I = 0; I != V.Facts.Branches.size(); ++I) {
    const BranchProfile &P = V.Profile.Branches[I];
    const gpuocc::Branch &B = V.Facts.Branches[I];
    if (!isDecidedByPlace(P))
      continue;
    // The first target is that of taken lanes.
    const bool MostTake = P.TakenLaneFraction >= NearlyAll;
    if (!MostTake && P.TakenLaneFraction > 1 - NearlyAll)
      continue;
    const SmallVector<uint32_t, 2> Sides = sidesOf(V.Facts, B);
    if (!Sides.empty() && is_contained(Sides, B.Targets[MostTake ? 0 : 1]) &&
        loads(V.Facts, B.Targets[MostTake ? 0 : 1]))
      Found.push_back(I);
  }
  return Found;
}

/// \p Side issues whenever \p Into does.
static void issueWith(KernelVariant &V, uint32_t Side, uint32_t Into) {
  V.Facts.Blocks[Side].PredicatedInto = Into;
  BlockProfile &B = V.Profile.Blocks[Side];
  const double Issues = V.Profile.Blocks[Into].ExecutionsPerWarp;
  if (Issues > 0)
    B.ActiveLaneFraction *= B.ExecutionsPerWarp / Issues;
  B.ExecutionsPerWarp = Issues;
  for (WarpSample &S : V.Profile.Samples)
    if (Side < S.BlockExecutions.size() && Into < S.BlockExecutions.size())
      S.BlockExecutions[Side] = S.BlockExecutions[Into];
  for (const Operation &Op : operationsOf(V.Facts, Side))
    if (Op.Access != NoIndex)
      V.Profile.Accesses[Op.Access].ExecutionsPerWarp = Issues;
}

static void predicate(KernelVariant &V, ArrayRef<uint32_t> Branches) {
  for (uint32_t I : Branches) {
    const gpuocc::Branch &B = V.Facts.Branches[I];
    for (uint32_t Side : sidesOf(V.Facts, B)) {
      const BasicBlock &S = V.Facts.Blocks[Side];
      // The jump at its end.
      for (uint32_t Op = S.FirstOp; Op != S.FirstOp + S.NumOps; ++Op)
        erase_if(V.Facts.Operations[Op].Emits, [](const Emission &E) {
          return E.Class == InstClass::Branch;
        });
      issueWith(V, Side, B.Block);
    }
    if (B.Op != NoIndex)
      V.Facts.Operations[B.Op].Emits.clear();
    V.Profile.Branches[I].DivergentFraction = 0;
  }
}

Change gpuocc::predicateSides(std::vector<uint32_t> Branches) {
  return makeChange(ChangeKind::PredicateSides,
                    [Branches = std::move(Branches)](KernelVariant &V) {
                      predicate(V, Branches);
                    });
}
