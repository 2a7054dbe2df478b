//===- TensorCoresTest.cpp - Products of matrices in scalar code ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/TensorCores.h"
#include "KernelCode.h"
#include "gpuocc/Kernel/VerifyFacts.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// sum = in[y] * out[x] + sum in a loop, or out[x] twice.
KernelVariant sumOfProducts(bool OfRowAndColumn = true) {
  Code C;
  const Operand X = C.special(SpecialReg::TidX),
                Y = C.special(SpecialReg::TidY);
  const Operand Out = C.parameter(0), In = C.parameter(8);
  auto At = [&](Operand Index, Operand Array) {
    return Operand::value(C.add(Semantics::MadWideU, InstClass::IMadWide,
                                {Index, Operand::immediate(4), Array}, 64));
  };
  const Operand Row = At(OfRowAndColumn ? Y : X, In), Column = At(X, Out);
  C.F.Blocks[0].Successors = {1};
  C.block();
  const uint32_t Phi = C.add(Semantics::Phi, InstClass::Mov, {});
  C.F.Operations[Phi].Emits.clear();
  const Operand A = Operand::value(C.access(AccessKind::Load, Row));
  const Operand B = Operand::value(C.access(AccessKind::Load, Column));
  const uint32_t Sum =
      C.add(Semantics::FFma, InstClass::FFma, {A, B, Operand::value(Phi)});
  C.F.Operations[Phi].Operands = {Operand::immediate(0), Operand::value(Sum)};
  C.F.Operations[Phi].PhiBlocks = {0, 1};
  KernelVariant V = C.loopOnItself(64);
  V.Launched.Block = {{32, 32, 1}, "test"};
  return V;
}

TEST(TensorCore, RowTimesColumnIsAProduct) {
  const KernelVariant V = sumOfProducts();
  const std::vector<uint32_t> Products = productsOfMatrices(V);
  ASSERT_EQ(Products.size(), 1u);
  EXPECT_EQ(V.Facts.Operations[Products[0]].What, Semantics::FFma);
}

TEST(TensorCore, OtherSumsAreNone) {
  EXPECT_TRUE(productsOfMatrices(sumOfProducts(false)).empty());
  KernelVariant V = sumOfProducts();
  V.Launched.Block = {{256, 1, 1}, "test"};
  EXPECT_TRUE(productsOfMatrices(V).empty());
}

// m16n8k8 makes 1024 multiply-adds, FFMA of a warp 32.
TEST(TensorCore, OneProductForThirtyTwoMultiplyAdds) {
  KernelVariant V = sumOfProducts();
  const std::vector<uint32_t> Products = productsOfMatrices(V);
  V = cantFail(useTensorCores(Products).Apply(V));
  cantFail(verifyFacts(V.Facts));
  const Emission &E = V.Facts.Operations[Products[0]].Emits.front();
  EXPECT_EQ(E.Class, InstClass::MmaTf32K8);
  EXPECT_EQ(E.Count, 1.0f / 32);
  for (const AccessProfile &P : V.Profile.Accesses) {
    EXPECT_EQ(P.RequestsPerWarp, 2);
    // The one miss of 64 requests is one of two.
    EXPECT_EQ(P.L1HitFraction, 0.5);
  }
}

} // namespace
