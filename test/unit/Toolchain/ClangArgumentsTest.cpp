//===- ClangArgumentsTest.cpp - clang's command line, for an analysis -----===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/ClangArguments.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using testing::ElementsAre;
using testing::IsEmpty;

static TranslatedArguments selected(std::vector<std::string> Arguments) {
  return selectClangArguments(Arguments, "/");
}

TEST(ClangArguments, OptionsOfTheLanguageStay) {
  EXPECT_THAT(selected({"-std=c++17", "-I", "a", "-Ib", "-isystem", "c", "-DX",
                        "-O2", "-ffast-math"})
                  .Clang,
              ElementsAre("-std=c++17", "-I/a", "-I/b", "-isystem", "/c", "-DX",
                          "-O2", "-ffast-math"));
}

TEST(ClangArguments, PhasesOutputsAndInputsGo) {
  TranslatedArguments T =
      selected({"-x", "cuda", "-c", "k.cu", "-o", "k.o", "-MD", "-MF", "k.d",
                "-MT", "k.o", "-fpass-plugin=GpuOccupancy.so"});
  EXPECT_THAT(T.Clang, IsEmpty());
  EXPECT_THAT(T.Inputs, ElementsAre("k.cu"));
  EXPECT_THAT(T.Dropped, ElementsAre("-fpass-plugin=GpuOccupancy.so"));
}

TEST(ClangArguments, ArchitecturesStandApart) {
  TranslatedArguments T =
      selected({"--cuda-gpu-arch=sm_80", "--offload-arch=sm_90,sm_80",
                "--offload-arch=native"});
  EXPECT_THAT(T.Clang, IsEmpty());
  EXPECT_THAT(T.Architectures, ElementsAre("sm_80", "sm_90"));
}
