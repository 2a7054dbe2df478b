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

TEST(KernelName, ParameterTypes) {
  const auto Types = parameterTypes(
      "void ns::step<float, 4>(Body<int, 2>*, unsigned int const*, float3 "
      "const*, void (*)(int), long)");
  ASSERT_EQ(Types.size(), 5u);
  EXPECT_EQ(Types[0], "Body<int, 2>*");
  EXPECT_EQ(Types[3], "void (*)(int)");
  EXPECT_TRUE(pointsToStructure(Types[0]));
  EXPECT_FALSE(pointsToStructure(Types[1]));
  EXPECT_TRUE(pointsToStructure(Types[2]));
  EXPECT_FALSE(pointsToStructure(Types[3]));
  EXPECT_FALSE(pointsToStructure(Types[4]));
  EXPECT_FALSE(pointsToStructure("float**"));
  EXPECT_TRUE(parameterTypes("k()").empty());
  EXPECT_TRUE(parameterTypes("vec_add").empty());
}

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

TEST(KernelName, LongNamesAreShortened) {
  // As it is where it fits.
  EXPECT_EQ(shortName("void ns::k<a::b<c>, 3>(float*)"),
            "void ns::k<a::b<c>, 3>(float*)");
  const std::string Long(130, 'x');
  EXPECT_EQ(shortName("void k<3>(" + Long + ")"), "k<3>(...)");
  EXPECT_EQ(shortName("void ns::k<a::b<c, " + Long + ">, (a::E)1, 7>(int)"),
            "ns::k<b<...>, 1, 7>(...)");
  EXPECT_EQ(shortName("void k<n::G<n::t<int, int, int>, n::M<" + Long +
                      ">, float>>(n::P)"),
            "k<G<t<...>, M<...>, float>>(...)");
  // Many arguments end in "...", none of several thousand characters stays.
  std::string Many = "void k<";
  for (int I = 0; I != 300; ++I)
    Many += "cute::C<" + std::to_string(I) + ">, ";
  const std::string Short = shortName(Many + "int>(int)");
  EXPECT_LT(Short.size(), 160u);
  EXPECT_NE(Short.find(", ...>(...)"), std::string::npos) << Short;
}

TEST(KernelName, WhatTellsFilesApartIsNotPartOfIt) {
  EXPECT_EQ(nameInSource("_ZL1kPf__intern__3ba387bbbb8d071e"), "_ZL1kPf");
  EXPECT_EQ(nameInSource("_ZL1kPf.static.3ba387bb"), "_ZL1kPf");
  EXPECT_EQ(nameInSource("k__static__wide"), "k__static__wide");
  EXPECT_EQ(nameInSource("k__intern__"), "k__intern__");
  EXPECT_EQ(nameInSource("__intern__12"), "__intern__12");
  EXPECT_EQ(nameInSource("__nv_static_21__e0dd8bce_4_n_cu_main__Z2stPi"),
            "_Z2stPi");
  EXPECT_EQ(nameInSource("__nv_static_99__short"), "__nv_static_99__short");
}

TEST(KernelName, CompilersAgreeOnComparableNames) {
  // Clang's name, nvcc's name.
  const std::pair<const char *, const char *> Pairs[] = {
      {"_ZL2stPi", "_Z2stPi"},
      {"_ZL2tmILi3EEvPi", "_Z2tmILi3EEvPi"},
      {"_ZN2nsL2inEPi", "_ZN2ns2inEPi"},
      {"_ZN12_GLOBAL__N_14anonEPi",
       "_ZN32_GLOBAL__N__e0dd8bce_4_n_cu_main4anonEPi"},
      {"_Z5byLocIN12_GLOBAL__N_13LocEEvPiT_",
       "_Z5byLocIN32_GLOBAL__N__e0dd8bce_4_n_cu_main3LocEEvPiT_"},
      {"_ZL2stPi", "__nv_static_21__e0dd8bce_4_n_cu_main__Z2stPi"}};
  for (const auto &[Clang, Nvcc] : Pairs)
    EXPECT_EQ(comparableName(Clang), comparableName(Nvcc)) << Clang;
  EXPECT_NE(comparableName("_Z1kILi3EEvPi"), comparableName("_Z1kILi4EEvPi"));
  EXPECT_NE(comparableName("_Z1kIL4Mode1EEvPi"),
            comparableName("_Z1kIL4Mode2EEvPi"));
  EXPECT_NE(comparableName("_Z1kPiS_"), comparableName("_Z1kPiPf"));
  // What is no mangled name, or ends early, stays.
  for (const char *Name : {"", "plain", "_Z", "_Z9k", "_ZL", "_ZS", "_Z1kA"})
    EXPECT_FALSE(Name[0] != 0 && comparableName(Name).empty()) << Name;
}

} // namespace
