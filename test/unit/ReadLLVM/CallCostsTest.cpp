//===- CallCostsTest.cpp - What calls cost --------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallCosts.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpuocc;

namespace {

/// A function of operations that each issue \p Emits; each uses the one before.
KernelFacts chainOf(std::initializer_list<Emission> Emits) {
  KernelFacts F;
  for (const Emission &E : Emits) {
    Operation Op;
    Op.Emits = {E};
    if (!F.Operations.empty())
      Op.Operands = {Operand::value(F.Operations.size() - 1)};
    F.Operations.push_back(std::move(Op));
  }
  return F;
}

/// A kernel that is one call.
KernelFacts caller() { return chainOf({{InstClass::Call, 1, 1}}); }

const Emission Add = {InstClass::FAdd, 1, 1}, Mul = {InstClass::FMul, 1, 1};

TEST(CallCosts, ACallCostsTheFunctionAndWhatItCalls) {
  CallCosts Costs;
  Costs.add("leaf", chainOf({Add, Mul, Add}), {});
  Costs.add("inner", chainOf({Mul}), {{0, "leaf"}, {0, "leaf"}});
  KernelFacts F = caller();
  Costs.apply(F, {{0, "inner"}});
  ASSERT_EQ(F.Operations[0].Emits.size(), 3u);
  EXPECT_EQ(F.Operations[0].Emits[1], (Emission{InstClass::FMul, 3, 3}));
  EXPECT_EQ(F.Operations[0].Emits[2], (Emission{InstClass::FAdd, 4, 4}));
  EXPECT_TRUE(F.Gaps.empty());
}

TEST(CallCosts, TheWayBackIsAPartOfTheCall) {
  CallCosts Costs;
  Costs.add("leaf", chainOf({Add, {InstClass::Exit, 1, 1}}), {});
  KernelFacts F = caller();
  Costs.apply(F, {{0, "leaf"}});
  ASSERT_EQ(F.Operations[0].Emits.size(), 2u);
  EXPECT_EQ(F.Operations[0].Emits[1], Add);
}

TEST(CallCosts, OnlyTheLongestChainIsWaitedFor) {
  KernelFacts Body = chainOf({Add, Mul});
  Body.Operations[1].Operands.clear();
  Body.Operations[1].Emits[0].OnPath = 2;
  CallCosts Costs;
  Costs.add("f", Body, {});
  KernelFacts F = caller();
  Costs.apply(F, {{0, "f"}});
  EXPECT_EQ(F.Operations[0].Emits[1], (Emission{InstClass::FAdd, 1, 0}));
  EXPECT_EQ(F.Operations[0].Emits[2], (Emission{InstClass::FMul, 1, 2}));
}

TEST(CallCosts, RecursionIsCountedOnceAndNamed) {
  CallCosts Costs;
  Costs.add("even", chainOf({Add}), {{0, "odd"}});
  Costs.add("odd", chainOf({Mul}), {{0, "even"}});
  KernelFacts F = caller();
  Costs.apply(F, {{0, "even"}});
  EXPECT_EQ(F.Operations[0].Emits[1], (Emission{InstClass::FAdd, 1, 1}));
  EXPECT_EQ(F.Operations[0].Emits[2], (Emission{InstClass::FMul, 1, 1}));
  ASSERT_EQ(F.Gaps.size(), 1u);
  EXPECT_EQ(F.Gaps[0].What, "recursive call of 'even': counted once, since its "
                            "depth is not known");
}

TEST(CallCosts, WhatIsNotCountedIsNamed) {
  CallCosts Costs;
  KernelFacts Looping = chainOf({Add});
  Looping.Loops.resize(1);
  Costs.add("looping", Looping, {});
  KernelFacts F = caller();
  Costs.apply(F, {{0, "looping"}, {0, "vprintf"}, {0, ""}, {0, "_Z3fari"}});
  ASSERT_EQ(F.Gaps.size(), 4u);
  EXPECT_NE(F.Gaps[0].What.find("has loops"), std::string::npos);
  EXPECT_EQ(F.Gaps[1].What.find("device printf"), 0u);
  EXPECT_EQ(F.Gaps[2].What.find("call through a pointer"), 0u);
  EXPECT_EQ(F.Gaps[3].What.find("call of 'far(int)'"), 0u);
}

TEST(CallCosts, TheRuntimeCostsWhatAGpuTook) {
  constexpr float FewestOfPrintf = 6500, MostOfPrintf = 9000;
  CallCosts Costs;
  KernelFacts F = caller();
  Costs.apply(F, {{0, "vprintf"}});
  float Count = 0;
  for (const Emission &E : F.Operations[0].Emits)
    Count += E.Count;
  EXPECT_GT(Count, FewestOfPrintf);
  EXPECT_LT(Count, MostOfPrintf);
  ASSERT_EQ(F.Gaps.size(), 1u);
  EXPECT_NE(F.Gaps[0].What.find("as measured on an H100"), std::string::npos);
}

TEST(CallCosts, CallersOfTheRuntimeQueue) {
  CallCosts Costs;
  Costs.add("log", chainOf({Add}),
            {{0, "vprintf"}, {0, "malloc"}, {0, "vprintf"}});
  KernelFacts F = caller();
  Costs.apply(F, {{0, "log"}});
  ASSERT_EQ(F.Operations[0].Queued.size(), 2u);
  EXPECT_EQ(F.Operations[0].Queued[0], (QueuedCall{QueuedFunction::Printf, 2}));
  EXPECT_EQ(F.Operations[0].Queued[1], (QueuedCall{QueuedFunction::Malloc, 1}));
  // What a failed assertion does is not counted, and other functions wait for
  // nobody.
  KernelFacts Others = caller();
  Costs.add("leaf", chainOf({Add}), {});
  Costs.apply(Others, {{0, "leaf"}, {0, "__assertfail"}});
  EXPECT_TRUE(Others.Operations[0].Queued.empty());
}

TEST(CallCosts, DeepChainsOfCallsAreSummedOnce) {
  CallCosts Costs;
  constexpr unsigned Depth = 60;
  for (unsigned I = 0; I != Depth; ++I) {
    const std::string Next = "f" + std::to_string(I + 1);
    Costs.add("f" + std::to_string(I), chainOf({Add}), {{0, Next}, {0, Next}});
  }
  Costs.add("f" + std::to_string(Depth), chainOf({Add}), {});
  KernelFacts F = caller();
  Costs.apply(F, {{0, "f0"}});
  EXPECT_NEAR(F.Operations[0].Emits[1].Count, std::exp2(Depth + 1), 1e12);
}

} // namespace
