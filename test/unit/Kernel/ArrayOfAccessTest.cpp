//===- ArrayOfAccessTest.cpp - The array that an access touches -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

/// Adds an operation to \p Facts and returns its result.
Operand add(KernelFacts &Facts, Semantics What,
            std::initializer_list<Operand> Operands = {}) {
  Operation Op;
  Op.What = What;
  Op.Operands = Operands;
  Facts.Operations.push_back(Op);
  return Operand::value(uint32_t(Facts.Operations.size()) - 1);
}

TEST(IsLoadedIndex, LooksBehindArithmetic) {
  KernelFacts Facts;
  const Operand Thread = add(Facts, Semantics::SReg);
  const Operand Loaded = add(Facts, Semantics::Load, {Thread});
  const Operand Index =
      add(Facts, Semantics::Mad, {Loaded, Operand::immediate(256), Thread});
  const Operand Own =
      add(Facts, Semantics::Mad, {Thread, Operand::immediate(256), Thread});
  EXPECT_TRUE(isLoadedIndex(Facts, Index));
  EXPECT_FALSE(isLoadedIndex(Facts, Own));
  EXPECT_FALSE(isLoadedIndex(Facts, Operand::immediate(4)));
}

// As in a bisection: the condition, which comes last, is loaded; the index is
// not.
TEST(IsLoadedIndex, LeavesOutWhatConditionsChooseBetween) {
  KernelFacts Facts;
  const Operand Thread = add(Facts, Semantics::SReg);
  const Operand Loaded = add(Facts, Semantics::Load, {Thread});
  const Operand Either =
      add(Facts, Semantics::Select, {Thread, Operand::immediate(1), Loaded});
  EXPECT_FALSE(isLoadedIndex(Facts, Either));
}

} // namespace
