//===- TruthFileTest.cpp - Measured kernels -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TruthFile.h"
#include "CaseSources.h"
#include "gmock/gmock.h"

using namespace gpuocc;
using namespace llvm;
using testing::ElementsAre;
using testing::HasSubstr;

static constexpr StringLiteral OneCase = R"([{
  "id": "suite/program/scale#big@clang", "suite": "suite",
  "program": "program", "repo": "github.com/owner/name",
  "files": ["a/scale.cu"], "compiler": "clang",
  "flags": "-O3 -Iinclude -DN=4 -std=c++17 -lineinfo",
  "kernel": {"name": "scale", "mangled": "_Z5scalePf"},
  "launch": {"grid": [3, 2, 1], "block": [40, 1, 1], "dynamic_smem": 16},
  "time": {"duration_ns": 1000},
  "resources": {"regs_per_thread": 16},
  "occupancy": {"theoretical_warps": 64, "achieved_warps": 50.5},
  "inst": {"warp_inst": 120},
  "sass_dyn": {"LDG": 12, "IMAD": 108},
  "cache": {"l2_sectors": {"read": 5, "write": 2}},
  "derived": {"limiter": "memory: DRAM 70%"},
  "lines": [{"file": "a/scale.cu", "line": 7,
    "mem": [{"space": "global", "op": "ld", "warp_inst": 12,
             "sectors_per_inst": 4}],
    "branch": [{"op": "BRA", "predicated": 1, "warp_inst": 12,
                "divergent_frac": 0.25}]}]
}])";

TEST(TruthFile, ReadsWhatIsCompared) {
  Expected<std::vector<TruthCase>> Cases = parseTruthFile(OneCase, "t.json");
  ASSERT_TRUE(bool(Cases)) << toString(Cases.takeError());
  ASSERT_EQ(Cases->size(), 1u);
  const TruthCase &C = Cases->front();
  EXPECT_TRUE(C.isClangBuild());
  EXPECT_EQ(C.key(), "suite/program/scale#big");
  EXPECT_EQ(C.variant(), "big");
  EXPECT_EQ(C.numWarps(), 12);
  EXPECT_EQ(C.L2Sectors, 7);
  EXPECT_EQ(C.Opcodes.at("IMAD"), 108);
  ASSERT_EQ(C.Lines.size(), 1u);
  EXPECT_EQ(C.Lines[0].Accesses[0].SectorsPerInst, 4);
  EXPECT_FALSE(C.Lines[0].Accesses[0].WavefrontsPerInst);
  EXPECT_EQ(C.Lines[0].Branches[0].DivergentFraction, 0.25);
}

TEST(TruthFile, ErrorsNameFileAndPlace) {
  Expected<std::vector<TruthCase>> NoArray = parseTruthFile("{}", "t.json");
  EXPECT_THAT(toString(NoArray.takeError()), HasSubstr("t.json"));
  Expected<std::vector<TruthCase>> NoId =
      parseTruthFile(R"([{"suite": "s"}])", "t.json");
  std::string Text = toString(NoId.takeError());
  EXPECT_THAT(Text, HasSubstr("t.json"));
  EXPECT_THAT(Text, HasSubstr("id"));
}

TEST(CaseSources, KeepsFlagsThatDecideWhatTheCodeMeans) {
  EXPECT_THAT(
      portableFlags("-O3 -Iinclude -I/abs -DN=4 -std=c++17 -lineinfo", "/src"),
      ElementsAre("-I/src/include", "-I/abs", "-DN=4", "-std=c++17"));
}

TEST(CaseSources, StaticKernelsHaveTwoNames) {
  EXPECT_TRUE(isSameKernel("_Z5scalePf", "_ZL5scalePf"));
  EXPECT_FALSE(isSameKernel("_Z5scalePf", "_Z5shiftPf"));
}
