//===- MemoryOrderTest.cpp - Accesses that are issued together ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/MemoryOrder.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Support/InstClasses.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using testing::ElementsAre;

/// One block: a load, an operation of \p Between, another load.
static KernelFacts loadsAround(InstClass Between) {
  KernelFacts Facts;
  Facts.Blocks.emplace_back().NumOps = 3;
  for (InstClass Class : {InstClass::LdGlobal, Between, InstClass::LdGlobal}) {
    Operation &Op = Facts.Operations.emplace_back();
    Op.Block = 0;
    Op.Emits.push_back(Emission(Class));
    if (Class != InstClass::LdGlobal)
      continue;
    Op.Access = uint32_t(Facts.Accesses.size());
    MemoryAccess &A = Facts.Accesses.emplace_back();
    A.Op = uint32_t(Facts.Operations.size()) - 1;
    A.Kind = AccessKind::Load;
    A.Space = MemorySpace::Global;
  }
  return Facts;
}

TEST(MemoryOrder, LoadsOfStraightCodeAreIssuedTogether) {
  EXPECT_THAT(groupsIssuedTogether(loadsAround(InstClass::FAdd)),
              ElementsAre(0, 0));
}

// The slow path of a division, a call.
TEST(MemoryOrder, LoadsMoveOverNoWayOut) {
  EXPECT_THAT(groupsIssuedTogether(loadsAround(InstClass::Branch)),
              ElementsAre(0, 1));
  EXPECT_THAT(groupsIssuedTogether(loadsAround(InstClass::Call)),
              ElementsAre(0, 1));
}
