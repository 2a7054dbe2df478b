//===- WorkingSide.cpp - The side of a branch that has the work -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/ReachedBlocks.h"
#include "Guess/Guessers.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"

using namespace gpuocc;
using namespace llvm;

/// Does \p Op load, update or wait?
static bool isWork(const KernelFacts &Facts, const Operation &Op) {
  if (Op.Access < Facts.Accesses.size() &&
      Facts.Accesses[Op.Access].Kind != AccessKind::Store)
    return true;
  return any_of(Op.Emits, [](const Emission &E) {
    return E.Class == InstClass::Barrier || E.Class == InstClass::Call;
  });
}

/// Is there work on the way from \p Start to the end of the kernel?
static bool leadsToWork(const KernelFacts &Facts, uint32_t Start) {
  const std::vector<bool> Reached = reachedBlocks(Facts, Start);
  return any_of(seq<uint32_t>(0, Facts.Blocks.size()), [&](uint32_t Block) {
    if (!Reached[Block])
      return false;
    const BasicBlock &B = Facts.Blocks[Block];
    const uint64_t End = std::min<uint64_t>(uint64_t(B.FirstOp) + B.NumOps,
                                            Facts.Operations.size());
    for (uint64_t I = B.FirstOp; I < End; ++I)
      if (isWork(Facts, Facts.Operations[I]))
        return true;
    return any_of(Facts.Loops,
                  [&](const Loop &L) { return L.Header == Block; });
  });
}

/// Is anything stored or repeated on a way to \p Block?
static bool comesBehindWork(const KernelFacts &Facts, uint32_t Block) {
  auto Stores = [&](const MemoryAccess &A) {
    return A.Kind != AccessKind::Load && A.Op < Facts.Operations.size();
  };
  SmallVector<uint32_t, 8> Starts;
  for (const Loop &L : Facts.Loops)
    Starts.push_back(L.Header);
  for (const MemoryAccess &A : Facts.Accesses)
    if (Stores(A))
      Starts.push_back(Facts.Operations[A.Op].Block);
  return reachedBlocks(Facts, Starts)[Block];
}

/// Index of the target of branch \p Branch that goes on with the kernel where
/// the other ends it: what is loaded decides once for the whole grid (`if
/// (*done) return`), and the other side loads nothing, waits for nobody and has
/// no loop; nor was anything stored or repeated before.
static std::optional<unsigned> workingSide(const KernelFacts &Facts,
                                           ArrayRef<StaticTraits> Traits,
                                           uint32_t Branch) {
  const gpuocc::Branch &B = Facts.Branches[Branch];
  if (B.Indexed || B.Targets.size() != 2 || !B.Condition.isValue() ||
      B.Condition.Index >= Traits.size() ||
      any_of(B.Targets, [&](uint32_t T) { return T >= Facts.Blocks.size(); }))
    return std::nullopt;
  // Exits of loops have trip counts.
  if (any_of(Facts.Loops,
             [&](const Loop &L) { return is_contained(L.Blocks, B.Block); }))
    return std::nullopt;
  const StaticTraits &T = Traits[B.Condition.Index];
  if (!T.Data || T.Varying || T.PerBlock)
    return std::nullopt;
  const bool First = leadsToWork(Facts, B.Targets[0]);
  const bool Second = leadsToWork(Facts, B.Targets[1]);
  if (First == Second || comesBehindWork(Facts, B.Block))
    return std::nullopt;
  return First ? 0 : 1;
}

/// A launch that does nothing is not the one that is asked about.
std::optional<Guess> gpuocc::guessWorkingSide(const GuessContext &Context,
                                              int64_t Index) {
  const std::optional<unsigned> Side =
      workingSide(Context.Facts, Context.Traits, uint32_t(Index));
  if (!Side)
    return std::nullopt;
  Guess G;
  G.Value = *Side == 0 ? 1 : 0;
  G.Evidence = "the other side ends the kernel before it did anything";
  return G;
}
