//===- BoundaryBranchesTest.cpp - Branches at the edge of the work --------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/BoundaryBranches.h"
#include "KernelCode.h"
#include "gpuocc/Kernel/VerifyFacts.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// if (tid != 0) load; in 9 of 10 warps, by 31 of 32 lanes.
KernelVariant loadBehindBranch() {
  Code C;
  const Operand In = C.parameter(8), X = C.special(SpecialReg::TidX);
  const Operand Inside = Operand::value(
      C.add(Semantics::Compare, InstClass::ISetp, {X, Operand::immediate(0)}));
  const uint32_t Jump = C.add(Semantics::Opaque, InstClass::Branch, {Inside});
  C.F.Operations[Jump].NumResults = 0;
  C.F.Blocks[0].Successors = {1, 2};
  C.F.Blocks[0].PostDominator = 2;
  C.F.Blocks[0].Branch = 0;
  Branch B;
  B.Op = Jump;
  B.Block = 0;
  B.Condition = Inside;
  B.Targets = {1, 2};
  C.F.Branches = {B};
  C.block();
  C.access(AccessKind::Load, In);
  C.F.Blocks[1].Successors = {2};
  C.F.Blocks[1].PostDominator = 2;
  C.block();
  C.exit();
  KernelVariant V;
  V.Facts = std::move(C.F);
  V.Profile.Blocks = {{1, 1}, {0.9, 0.9}, {1, 1}};
  V.Profile.Branches.resize(1);
  V.Profile.Branches[0].ExecutionsPerWarp = 1;
  V.Profile.Branches[0].TakenLaneFraction = 0.9;
  V.Profile.Branches[0].Class = BranchClass::Guard;
  V.Profile.Branches[0].Exact = Exactness::Exact;
  V.Profile.Accesses.resize(1);
  V.Profile.Accesses[0].ExecutionsPerWarp = 0.9;
  V.Profile.Accesses[0].RequestsPerWarp = 0.9;
  return V;
}

TEST(BoundaryBranches, FindsLoadsThatNearlyAllMake) {
  EXPECT_EQ(boundaryBranches(loadBehindBranch()).size(), 1u);
}

TEST(BoundaryBranches, DataAndHalvesAreNoBoundary) {
  KernelVariant V = loadBehindBranch();
  V.Profile.Branches[0].Class = BranchClass::DataDependent;
  EXPECT_TRUE(boundaryBranches(V).empty());
  V = loadBehindBranch();
  V.Profile.Branches[0].TakenLaneFraction = 0.5;
  EXPECT_TRUE(boundaryBranches(V).empty());
  // What few lanes do is better skipped.
  V.Profile.Branches[0].TakenLaneFraction = 0.1;
  EXPECT_TRUE(boundaryBranches(V).empty());
}

// All warps issue the load; as many of them as before have a lane for it.
TEST(BoundaryBranches, SidesIssueWithTheCodeAround) {
  KernelVariant V = loadBehindBranch();
  V = cantFail(predicateSides(boundaryBranches(V)).Apply(V));
  cantFail(verifyFacts(V.Facts));
  EXPECT_EQ(V.Facts.Blocks[1].PredicatedInto, 0u);
  EXPECT_EQ(V.Profile.Blocks[1].ExecutionsPerWarp, 1);
  EXPECT_DOUBLE_EQ(V.Profile.Blocks[1].ActiveLaneFraction, 0.81);
  EXPECT_EQ(V.Profile.Accesses[0].ExecutionsPerWarp, 1);
  EXPECT_EQ(V.Profile.Accesses[0].RequestsPerWarp, 0.9);
  EXPECT_TRUE(V.Facts.Operations[V.Facts.Branches[0].Op].Emits.empty());
}

} // namespace
