//===- StableNameTest.cpp - Names that survive refactoring ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Lock/StableName.h"
#include "gtest/gtest.h"

using namespace gpuocc;

TEST(StableName, IsDemangledWithoutReturnType) {
  EXPECT_EQ(stableName("_Z4statPf"), "stat(float*)");
  EXPECT_EQ(stableName("_Z5scaleIfEvPT_S0_i"),
            "scale<float>(float*, float, int)");
  EXPECT_EQ(stableName("unmangled"), "unmangled");
  EXPECT_EQ(stableName(""), "");
}

TEST(StableName, LambdasHaveNoNumbers) {
  const std::string First = stableName("_Z4eachIZ3runPfEUliE_EviT_");
  EXPECT_EQ(First, stableName("_Z4eachIZ3runPfEUliE0_EviT_"));
  EXPECT_NE(First, stableName("_Z4eachIZ3runPfEUlfE_EviT_"));
  EXPECT_NE(First, stableName("_Z4eachIZ4walkPfEUliE_EviT_"));
}

TEST(StableName, FilesDoNotShow) {
  const std::string Own = "(anonymous namespace)::hid(float*)";
  EXPECT_EQ(stableName("_ZN12_GLOBAL__N_13hidEPf"), Own);
  EXPECT_EQ(stableName("_ZN36_GLOBAL__N__c239a62e_4_n_cu__Z3runPf3hidEPf"),
            Own);
  EXPECT_EQ(stableName("__nv_static_25__c239a62e_4_n_cu__Z3runPf__ZN36_GLOBAL__"
                       "N__c239a62e_4_n_cu__Z3runPf3hidEPf"),
            Own);
  EXPECT_EQ(stableName("__nv_static_25__c239a62e_4_n_cu__Z3runPf__Z4statPf"),
            "stat(float*)");
  EXPECT_EQ(stableName("_ZL4statPf__intern__3ba387bbbb8d071e"), "stat(float*)");
}

TEST(StableName, CompilersSuffixesDoNotShow) {
  EXPECT_EQ(stableName("_Z4statPf.constprop.0"), "stat(float*)");
  EXPECT_EQ(stableName("_Z4statB5cxx11Pf"), "stat(float*)");
}

TEST(StableName, WrappedLambdasHaveNoNumbers) {
  const std::string First =
      stableName("_Z4eachI17__nv_dl_wrapper_tI11__nv_dl_tagIPFvPfEXadL_Z3runPfE"
                 "ELj1EEJS1_EEEviT_");
  EXPECT_EQ(First.find("each<__nv_dl_wrapper_t<__nv_dl_tag<"), 0u);
  EXPECT_EQ(First.find("1u"), std::string::npos);
  EXPECT_EQ(First, stableName("_Z4eachI17__nv_dl_wrapper_tI11__nv_dl_tagIPFvPfE"
                              "XadL_Z3runPfEELj2EEJS1_EEEviT_"));
}

TEST(StableName, DamagedNamesAreReadWithoutHarm) {
  for (const char *Text : {"__nv_static_", "__nv_static_99999__x", "_Z", "_ZN",
                           "'lambda", "__nv_dl_tag<", "[abi:", "\n\x1b"})
    EXPECT_EQ(stableName(Text).find('\n'), std::string::npos);
}
