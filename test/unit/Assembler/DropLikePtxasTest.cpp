//===- DropLikePtxasTest.cpp - Loops that ptxas deletes -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

/// What the loop does beside counting.
enum class Body { Nothing, Clock, Barrier, Load, Copies };

/// do { ++i; Body } while (i != 1000), and an addition behind it, of i if it
/// \p IsUsed.
KernelFacts countingLoop(Body Is, bool IsUsed = false) {
  KernelFacts F;
  auto Add = [&](uint32_t Block, Semantics What, InstClass Class,
                 std::initializer_list<Operand> Operands) -> uint32_t {
    Operation Op;
    Op.What = What;
    Op.Block = Block;
    Op.Operands = Operands;
    if (What != Semantics::Phi)
      Op.Emits.push_back({Class, 1, 1});
    F.Operations.push_back(std::move(Op));
    return F.Operations.size() - 1;
  };
  F.Blocks.resize(3);
  Add(0, Semantics::Copy, InstClass::Mov, {Operand::immediate(0)});
  F.Blocks[0].NumOps = 1;
  F.Blocks[0].Successors = {1};
  F.Blocks[1].FirstOp = 1;
  const uint32_t I = Add(1, Semantics::Phi, {}, {Operand::value(0)});
  const uint32_t Next = Add(1, Semantics::Add, InstClass::IAdd3,
                            {Operand::value(I), Operand::immediate(1)});
  F.Operations[I].Operands.push_back(Operand::value(Next));
  switch (Is) {
  case Body::Nothing:
    break;
  case Body::Clock:
    F.Operations[Add(1, Semantics::SReg, InstClass::S2R, {})].SReg =
        SpecialReg::Clock;
    break;
  case Body::Barrier:
    Add(1, Semantics::Opaque, InstClass::Barrier, {});
    break;
  case Body::Load:
    F.Operations[Add(1, Semantics::Load, InstClass::LdGlobal, {})].Access = 0;
    F.Accesses.emplace_back().Op = F.Operations.size() - 1;
    break;
  case Body::Copies:
    Add(1, Semantics::WaitCopies, InstClass::CpAsyncWait, {});
    break;
  }
  const uint32_t Stay = Add(1, Semantics::Compare, InstClass::ISetp,
                            {Operand::value(Next), Operand::immediate(1000)});
  Add(1, Semantics::Opaque, InstClass::Branch, {Operand::value(Stay)});
  F.Blocks[1].NumOps = F.Operations.size() - 1;
  F.Blocks[1].Successors = {1, 2};
  F.Blocks[1].Loop = 0;
  Loop L;
  L.Header = 1;
  L.Blocks = L.Latches = {1};
  F.Loops.push_back(L);
  F.Blocks[2].FirstOp = F.Operations.size();
  F.Blocks[2].NumOps = 1;
  Add(2, Semantics::Add, InstClass::IAdd3,
      {Operand::value(IsUsed ? Next : 0), Operand::immediate(1)});
  return F;
}

/// Instructions of the loop that are left.
double leftOf(KernelFacts F) {
  dropIdleLoopsLikePtxas(F);
  EXPECT_EQ(F.instructionsOf(0), 1);
  EXPECT_EQ(F.instructionsOf(2), 1);
  return F.instructionsOf(1);
}

TEST(DropLikePtxas, ALoopThatOnlyCountsCostsNothing) {
  EXPECT_EQ(leftOf(countingLoop(Body::Nothing)), 0);
}

TEST(DropLikePtxas, AResultKeepsTheLoop) {
  EXPECT_EQ(leftOf(countingLoop(Body::Nothing, /*IsUsed=*/true)), 3);
}

TEST(DropLikePtxas, WhatActsOrWaitsKeepsTheLoop) {
  for (Body Is : {Body::Clock, Body::Barrier, Body::Load, Body::Copies})
    EXPECT_EQ(leftOf(countingLoop(Is)), 4) << int(Is);
}

TEST(DropLikePtxas, TwoWaysOutKeepTheLoop) {
  KernelFacts F = countingLoop(Body::Nothing);
  F.Blocks.emplace_back();
  F.Blocks[1].Successors.push_back(3);
  EXPECT_EQ(leftOf(F), 3);
}

} // namespace
