//===- SwapThreads.cpp - Neighbouring threads at neighbouring elements ----===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cures.h"
#include "SourceText.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Report/Problems.h"
#include "gpuocc/Report/Selection.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

/// Does what \p Facts compute depend on which threads of a block share a warp?
static bool knowsItsLanes(const KernelFacts &Facts) {
  return any_of(Facts.Operations, [](const Operation &Op) {
    switch (Op.What) {
    case Semantics::Shuffle:
    case Semantics::Ballot:
    case Semantics::VoteAny:
    case Semantics::VoteAll:
    case Semantics::MatchAny:
    case Semantics::ActiveMask:
      return true;
    case Semantics::SReg:
      return Op.SReg != SpecialReg::None && Op.SReg >= SpecialReg::LaneId &&
             Op.SReg <= SpecialReg::LaneMaskGe;
    default:
      return false;
    }
  });
}

/// Words of what works on whole warps and may be no operation of its own.
static constexpr StringLiteral WarpWords[] = {
    "asm", "__syncwarp", "wmma", "nvcuda", "cooperative_groups", "cg"};

/// The bodies of the kernels that \p Text defines.
static std::vector<TextRange> kernelBodies(StringRef Text) {
  std::vector<TextRange> Bodies;
  for (size_t At : placesOf(Text, "__global__")) {
    const size_t Open = Text.find('{', At);
    if (Open == StringRef::npos || !Text.slice(At, Open).contains('('))
      continue;
    Bodies.push_back(
        {Open, closerOf(Text, Open + 1, '{', '}').value_or(Text.size())});
  }
  return Bodies;
}

/// Do kernels alone read the place of their thread, so that \p Body has all of
/// its own words for it?
static bool onlyKernelsRead(StringRef Text, StringRef Word) {
  const std::vector<TextRange> Bodies = kernelBodies(Text);
  return all_of(placesOf(Text, Word), [&](size_t At) {
    return any_of(Bodies, [&](const TextRange &Body) {
      return At >= Body.From && At < Body.To;
    });
  });
}

std::vector<Cure> editor::swapThreads(const Patient &P) {
  constexpr StringLiteral Word = "threadIdx";
  const KernelReport &K = *P.What.Kernel;
  const Dim3 &Block = K.Launched.Block.Value;
  // In a square block the threads only change their places.
  if (!K.Launched.Block.Source.isGiven() || Block.X != Block.Y ||
      Block.X == 1 || Block.Z != 1 || knowsItsLanes(K.Facts))
    return {};
  StringRef Text = P.Text.text();
  const std::string Name = baseName(K.Facts.Demangled).str();
  const std::optional<FunctionText> Kernel = functionIn(Text, Name);
  if (!Kernel || !onlyKernelsRead(Text, Word))
    return {};
  StringRef Body = Kernel->Body.of(Text);
  if (any_of(WarpWords,
             [&](StringRef Of) { return !placesOf(Body, Of).empty(); }))
    return {};
  Cure C;
  bool ReadsX = false, ReadsY = false;
  for (size_t At : placesOf(Body, Word)) {
    const size_t Member = At + Word.size();
    StringRef Rest = Body.drop_front(Member);
    if (!Rest.starts_with(".x") && !Rest.starts_with(".y"))
      return {};
    const bool IsX = Rest[1] == 'x';
    (IsX ? ReadsX : ReadsY) = true;
    C.Edits.push_back({Kernel->Body.From + Member + 1, 1, IsX ? "y" : "x"});
  }
  if (!ReadsX || !ReadsY)
    return {};
  C.Title = "swap threadIdx.x and threadIdx.y in '" + Name +
            "' (the same result in square blocks)";
  return {std::move(C)};
}
