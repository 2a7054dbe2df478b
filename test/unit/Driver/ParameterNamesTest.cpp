//===- ParameterNamesTest.cpp - Names of parameters from the source -------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/ParameterNames.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

using Names = std::vector<std::string>;

TEST(ParameterNames, TypesDefaultsAndArrays) {
  EXPECT_EQ(
      parameterNamesInSource("__global__ void k(float *out,\n"
                             "  const float *__restrict__ in, int n = 3,\n"
                             "  unsigned (count), float4 v[2]) {}",
                             1, "k"),
      (Names{"out", "in", "n", "", "v"}));
}

TEST(ParameterNames, TemplatesAndBounds) {
  EXPECT_EQ(parameterNamesInSource(
                "template <int N> __global__ void\n"
                "__launch_bounds__(256, 2) scale(Pair<int, 4> p, T *data)",
                1, "scale"),
            (Names{"p", "data"}));
}

TEST(ParameterNames, CommentsAndOtherWords) {
  EXPECT_EQ(parameterNamesInSource("// k(int wrong)\n"
                                   "void kk(int wrong);\n"
                                   "void k(/* first, */ int a, // b\n int c)",
                                   1, "k"),
            (Names{"a", "c"}));
}

TEST(ParameterNames, LineNumbersSelectOverloads) {
  EXPECT_EQ(
      parameterNamesInSource("void k(int a);\nvoid k(int b, int c);", 2, "k"),
      (Names{"b", "c"}));
}

TEST(ParameterNames, NothingThere) {
  EXPECT_EQ(parameterNamesInSource("void k(void)", 1, "k"), Names{});
  EXPECT_EQ(parameterNamesInSource("void k()", 1, "k"), Names{});
  EXPECT_EQ(parameterNamesInSource("void k(int", 1, "k"), Names{});
  EXPECT_EQ(parameterNamesInSource("", 1, "k"), Names{});
  EXPECT_EQ(parameterNamesInSource("void k(int)", 9, "k"), Names{});
  EXPECT_EQ(parameterNamesInSource("void k(int)", 1, "k"), Names{""});
  EXPECT_EQ(parameterNamesInSource("/* void k(int a)", 1, "k"), Names{});
}

} // namespace
