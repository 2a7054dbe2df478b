//===- BranchFree.cpp - Boundary conditions worth predication -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PriceMerge.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/WhatIf/BoundaryBranches.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

/// The change touches what is allocated, or every index.
static constexpr double WorthwhileBranchFree = 1.1;

void gpuocc::findBranchFree(const Case &C, Findings &Out) {
  if (C.Facts.isInIssueOrder() || C.Facts.Branches.empty())
    return;
  const std::vector<uint32_t> Branches =
      boundaryBranches({C.Facts, C.Profile, C.Launched});
  if (Branches.empty())
    return;
  std::optional<KernelVariant> V = changed(C, predicateSides(Branches));
  if (!V || !estimateMoreRegisters(C, V->Facts))
    return;
  const Price P = priceVariant(C, std::move(*V));
  if (P.Gain < WorthwhileBranchFree)
    return;
  const uint32_t First = Branches.front();
  const uint32_t Op = C.Facts.Branches[First].Op;
  FindingWriter W(
      RuleId::BranchFree,
      locationOrKernel(
          C.Facts, Op == NoIndex ? NoIndex : C.Facts.Operations[Op].Location));
  W.finding().Branch = First;
  W.finding().Exact = C.Profile.Branches[First].Exact;
  W << named("Branches", Twine(Branches.size()))
    << (Branches.size() == 1 ? " branch keeps" : " branches keep")
    << " loads that nearly all lanes make from beginning with those before; "
       "pad the array at its edges, or load from a clamped index and choose "
       "the value afterwards";
  addPrice(W, P);
  Out.push_back(std::move(W.finding()));
}
