//===- HostLaunchTest.cpp - Tests of expressions of host code -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/HostLaunch.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

namespace {

HostExpr var(std::string Name) { return HostExpr::variable(std::move(Name)); }
HostExpr num(int64_t Value) { return HostExpr::number(Value); }
HostExpr op(std::string Name, std::vector<HostExpr> Operands) {
  return HostExpr::operation(std::move(Name), std::move(Operands));
}

/// (n + 255) / 256
HostExpr blocks() {
  return op("uint32", {op("/", {op("+", {var("n"), num(255)}), num(256)})});
}

HostVariables given(int64_t N) { return {{"n", {N, 0, false}}}; }

TEST(HostExpr, OperationsOfNumbersAreNumbers) {
  EXPECT_EQ(op("+", {num(1), op("*", {num(2), num(3)})}), num(7));
  EXPECT_EQ(op("?:", {num(0), num(1), num(2)}), num(2));
  EXPECT_EQ(op("int32", {num((int64_t(1) << 32) + 5)}), num(5));
}

TEST(HostExpr, VariablesBecomeNumbersWhenGiven) {
  EXPECT_FALSE(bool(evaluate(blocks(), {})));
  EXPECT_EQ(evaluate(blocks(), {}).reason(), "'n' is not known");
  EXPECT_EQ(evaluate(blocks(), given(2560))->Integer, 10);
}

TEST(HostExpr, RealNumbersKeepTheirFraction) {
  HostExpr Half = op("float64", {num(1)});
  EXPECT_TRUE(Half.Value.IsReal);
  HostExpr E =
      op("uint32", {op("ceil", {op("/", {op("float64", {var("n")}),
                                         op("float64", {num(256)})})})});
  EXPECT_EQ(evaluate(E, given(257))->Integer, 2);
}

TEST(HostExpr, WhatCHasNoValueForIsUnknown) {
  for (const char *Name : {"/", "%"})
    EXPECT_FALSE(bool(evaluate(op(Name, {var("n"), num(0)}), given(1))));
  EXPECT_FALSE(bool(evaluate(op("<<", {var("n"), num(64)}), given(1))));
  EXPECT_FALSE(bool(evaluate(op("no such", {var("n")}), given(1))));
}

TEST(HostExpr, PrintsAsCWithoutConversions) {
  EXPECT_EQ(hostExprText(blocks()), "(n + 255) / 256");
  EXPECT_EQ(hostExprText(op("-", {var("a"), op("-", {var("b"), var("c")})})),
            "a - (b - c)");
  EXPECT_EQ(hostExprText(op("neg", {op("+", {var("a"), num(1)})})), "-(a + 1)");
  EXPECT_EQ(hostExprText(op("min", {var("a"), num(8)})), "min(a, 8)");
  EXPECT_EQ(hostExtentText({var("w"), num(1), num(1)}), "w");
  EXPECT_EQ(hostExtentText({var("w"), num(2), num(1)}), "w x 2");
}

TEST(HostExpr, AVariableIsFoundThroughConversions) {
  EXPECT_EQ(variableOf(op("uint32", {var("n")})), "n");
  EXPECT_EQ(variableOf(blocks()), "");
}

TEST(HostLaunch, SurvivesJson) {
  HostLaunch L;
  L.Kernel = "_Z1kv";
  L.Place = {"dir/k.cu", 12, 3, "main"};
  L.Grid = {blocks(), num(1), num(1)};
  L.Block = {num(256), num(1), num(1)};
  L.DynamicSharedBytes = var("bytes");
  L.Cluster = HostExtent{num(2), num(1), num(1)};
  L.Arguments[1] = op("float32", {num(2)});
  L.Arguments[3] = var("n");
  L.ArrayBytes[0] = op("*", {var("n"), num(4)});
  L.InLoop = LaunchesOfLoop{HostExpr::variable("rows"), {0, 2}};
  Expected<std::vector<HostLaunch>> Back =
      parseHostLaunches(hostLaunchesText({L, HostLaunch()}));
  ASSERT_TRUE(bool(Back)) << toString(Back.takeError());
  EXPECT_EQ(*Back, (std::vector<HostLaunch>{L, HostLaunch()}));
}

TEST(HostLaunch, MalformedTextIsAnError) {
  for (const char *Text : {"", "{}", "[1]", "[{\"kernel\": \"k\"}]"}) {
    Expected<std::vector<HostLaunch>> Back = parseHostLaunches(Text);
    EXPECT_FALSE(bool(Back)) << Text;
    consumeError(Back.takeError());
  }
}

} // namespace
