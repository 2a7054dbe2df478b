//===- KernelNameTest.cpp - Tests of what people call a kernel ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/KernelName.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

TEST(KernelName, FunctionsTemplatesAndNamespaces) {
  EXPECT_EQ(qualifiedName("k(float*, int)"), "k");
  EXPECT_EQ(qualifiedName("void ns::k<float, (int)4>(float*)"),
            "ns::k<float, (int)4>");
  EXPECT_EQ(baseName("void ns::k<a::b<c>, 3>(float (*)(int))"), "k");
  EXPECT_EQ(baseName("(anonymous namespace)::k(int)"), "k");
  EXPECT_EQ(qualifiedName("void (anonymous namespace)::k<1>(int)"),
            "(anonymous namespace)::k<1>");
  EXPECT_EQ(baseName("plain_c_name"), "plain_c_name");
  EXPECT_EQ(baseName(""), "");
}

TEST(KernelName, WhatTellsFilesApartIsNotPartOfIt) {
  EXPECT_EQ(nameInSource("_ZL1kPf__intern__3ba387bbbb8d071e"), "_ZL1kPf");
  EXPECT_EQ(nameInSource("_ZL1kPf.static.3ba387bb"), "_ZL1kPf");
  EXPECT_EQ(nameInSource("k__static__wide"), "k__static__wide");
  EXPECT_EQ(nameInSource("k__intern__"), "k__intern__");
  EXPECT_EQ(nameInSource("__intern__12"), "__intern__12");
}

} // namespace
