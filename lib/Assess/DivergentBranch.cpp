//===- DivergentBranch.cpp - Lanes of a warp on both sides ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DivergentLoop.h"
#include "Price.h"
#include "PricingBudget.h"
#include "gpuocc/Report/Selection.h"
#include "gpuocc/WhatIf/ControlChanges.h"
#include "gpuocc/WhatIf/ScaleBlock.h"
#include "gpuocc/WhatIf/SerialSection.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Copies of one branch in the source.
struct BranchGroup {
  std::vector<uint32_t> Members;
  /// Warp instructions between the branches and where their sides meet.
  double Instructions = 0;
};

} // namespace

static bool diverges(const BranchProfile &B) {
  switch (B.Class) {
  case BranchClass::Partial:
  case BranchClass::Divergent:
  case BranchClass::DataDependent:
    return B.DivergentFraction > 0 && B.ExecutionsPerWarp > 0;
  case BranchClass::Uniform:
  case BranchClass::WarpUniform:
  // A bounds check diverges in the warps at the edge only, and is there for a
  // reason.
  case BranchClass::Guard:
    return false;
  }
  return false;
}

/// A branch that leaves or repeats a loop is a matter of DivergentLoop.
static bool controlsLoop(const KernelFacts &Facts, uint32_t Index) {
  const gpuocc::Branch &B = Facts.Branches[Index];
  uint32_t Loop = Facts.Blocks[B.Block].Loop;
  if (Loop == NoIndex)
    return false;
  return any_of(B.Targets, [&](uint32_t Target) {
    return !is_contained(Facts.Loops[Loop].Blocks, Target) ||
           Target == Facts.Loops[Loop].Header;
  });
}

static SourceLocation locationOfBranch(const KernelFacts &Facts,
                                       uint32_t Index) {
  uint32_t Op = Facts.Branches[Index].Op;
  return locationOrKernel(Facts, Op == NoIndex ? NoIndex
                                               : Facts.Operations[Op].Location);
}

/// A branch that guards a loop of its own line, whose lanes leave at different
/// times, is a matter of DivergentLoop, too: `for` tests before the first turn.
static bool guardsDivergentLoop(const Case &C, uint32_t Index) {
  SourcePlace Own = placeToShow(locationOfBranch(C.Facts, Index));
  std::vector<uint32_t> Sides = blocksOfBranch(C.Facts, Index);
  for (uint32_t I = 0; I != C.Facts.Loops.size(); ++I) {
    const gpuocc::Loop &L = C.Facts.Loops[I];
    if (!isDivergentLoop(C, I) || !is_contained(Sides, L.Header))
      continue;
    SourcePlace Place = placeToShow(locationOrKernel(C.Facts, L.Location));
    if (Own.isValid() && Place.File == Own.File && Place.Line == Own.Line)
      return true;
  }
  return false;
}

static std::vector<BranchGroup> groupBranches(const Case &C) {
  std::map<std::tuple<std::string, unsigned, unsigned>, BranchGroup> Groups;
  for (uint32_t I = 0; I != C.Profile.Branches.size(); ++I) {
    if (!diverges(C.Profile.Branches[I]) || controlsLoop(C.Facts, I) ||
        guardsDivergentLoop(C, I))
      continue;
    SourcePlace Place = placeToShow(locationOfBranch(C.Facts, I));
    BranchGroup &Group = Groups[{Place.File, Place.Line, Place.Column}];
    Group.Members.push_back(I);
    for (uint32_t Block : blocksOfBranch(C.Facts, I))
      Group.Instructions += instructionsOfBlock(C.Facts, C.Profile, Block);
  }
  std::vector<BranchGroup> Sorted;
  for (auto &[Where, Group] : Groups)
    Sorted.push_back(std::move(Group));
  llvm::sort(Sorted, [](const BranchGroup &A, const BranchGroup &B) {
    return std::tie(B.Instructions, A.Members) <
           std::tie(A.Instructions, B.Members);
  });
  C.Budget.keepPriced(RuleId::DivergentBranch, Sorted);
  return Sorted;
}

/// One thread of the block works and the others wait: no condition of another
/// form would help.
static void writeSerialSection(const Case &C, const BranchGroup &Group,
                               SerialSection Section, FindingWriter &W) {
  constexpr uint64_t LanesPerWarp = 32;
  const bool IsOfWarp = Section.IsOfWarp;
  const uint64_t Threads =
      IsOfWarp ? LanesPerWarp : C.Launched.threadsPerBlock();
  const double Warps = IsOfWarp ? 1 : double(C.Launched.warpsPerBlock());
  const bool Copies = Section.Results == 0;
  W << "serial section: one " << (IsOfWarp ? "lane of each warp" : "thread")
    << (Copies ? " copies " : " combines ")
    << named("Values", formatCount(Section.Values, "value")) << " ("
    << named("Instructions", formatNumber(Group.Instructions * Warps))
    << " warp instructions per " << (IsOfWarp ? "warp" : "block")
    << ") while the other " << named("Waiting", Twine(Threads - 1))
    << " of its " << (IsOfWarp ? "warp" : "block")
    << " do not work; let each of them " << (Copies ? "copy" : "combine")
    << " every " << named("Threads", Twine(Threads)) << "th value";
  if (!Copies)
    W << ", and combine their results by shuffles";
  addPrice(W, C, shareSection(std::move(Section)));
}

/// Do \p Groups, branches of \p V, gain too little even together? Large kernels
/// have dozens of them.
static bool gainTooLittle(const Case &C, const KernelVariant &V,
                          ArrayRef<BranchGroup> Groups) {
  if (!C.Deciding.empty() || Groups.size() <= 2)
    return false;
  std::vector<uint32_t> All;
  for (const BranchGroup &Group : Groups) {
    if (isOfOneThread(V, Group.Members.front()))
      return false;
    append_range(All, Group.Members);
  }
  return isTooSmall(C, RuleId::DivergentBranch,
                    price(C, convergeBranches(std::move(All))));
}

void gpuocc::findDivergentBranch(const Case &C, Findings &Out) {
  const std::vector<BranchGroup> Groups = groupBranches(C);
  if (Groups.empty())
    return;
  const KernelVariant V{C.Facts, C.Profile, C.Launched};
  if (gainTooLittle(C, V, Groups))
    return;
  for (const BranchGroup &Group : Groups) {
    uint32_t First = Group.Members.front();
    const BranchProfile &B = C.Profile.Branches[First];
    FindingWriter W(RuleId::DivergentBranch, locationOfBranch(C.Facts, First));
    W.finding().Branch = First;
    W.finding().Exact = B.Exact;
    if (!C.wants(W.finding()))
      continue;
    if (isOfOneThread(V, First)) {
      std::optional<SerialSection> Section = serialSection(V, First);
      if (!Section)
        continue;
      writeSerialSection(C, Group, std::move(*Section), W);
      Out.push_back(std::move(W.finding()));
      continue;
    }
    W << "divergent branch: in "
      << named("DivergentFraction", formatPercent(B.DivergentFraction))
      << " of its executions the lanes of a warp go both ways and the warp "
         "walks both sides ("
      << named("Instructions", formatNumber(Group.Instructions)) << " warp "
      << plural(formatNumber(Group.Instructions), "instruction")
      << " per warp, "
      << named("TakenLaneFraction", formatPercent(B.TakenLaneFraction))
      << " of the lanes on one side)";
    if (B.Class == BranchClass::DataDependent)
      W << "; the condition is loaded data, so sort or bin the work";
    else
      W << "; let the condition agree within each 32 lanes";
    addPrice(W, C, convergeBranches(Group.Members));
    Out.push_back(std::move(W.finding()));
  }
}
