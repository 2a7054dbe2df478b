//===- PtxasTest.cpp - Tests of reading the assembler's log ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/Ptxas.h"
#include "gpuocc/Toolchain/Process.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

namespace {

constexpr StringRef Log = R"(ptxas info    : 0 bytes gmem, 128 bytes cmem[3]
ptxas info    : Compiling entry function '_Z4tilePf' for 'sm_90'
ptxas info    : Function properties for _Z4tilePf
    40 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads
ptxas info    : Used 38 registers, used 1 barriers, 40 bytes cumulative stack size, 4224 bytes smem, 536 bytes cmem[0]
ptxas info    : Compile time = 6.432 ms
ptxas info    : Function properties for helper
    8 bytes stack frame, 1 bytes spill stores, 2 bytes spill loads
ptxas info    : Compiling entry function 'plain' for 'sm_90'
ptxas info    : Function properties for plain
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers, 360 bytes cmem[0]
)";

TEST(Ptxas, LogOfTwoKernelsAndAFunction) {
  AssembledKernels Kernels = parsePtxasLog(Log, "ptxas 13.0");
  ASSERT_EQ(Kernels.size(), 2u);
  const AssembledKernel &Tile = Kernels.at("_Z4tilePf");
  EXPECT_EQ(Tile.Resources.RegistersPerThread, 38u);
  EXPECT_EQ(Tile.Resources.Barriers, 1u);
  EXPECT_EQ(Tile.Resources.StackBytes, 40u);
  EXPECT_EQ(Tile.Resources.SpillStoreBytes, 12u);
  EXPECT_EQ(Tile.Resources.SpillLoadBytes, 16u);
  EXPECT_EQ(Tile.SharedBytes, 4224u);
  EXPECT_EQ(Tile.Resources.Source, "ptxas 13.0");
  EXPECT_FALSE(Tile.Resources.IsEstimate);
  // ptxas says 8; the driver gives no fewer than 16.
  EXPECT_EQ(Kernels.at("plain").Resources.RegistersPerThread, 16u);
}

TEST(Ptxas, AdvisoriesOfOneKernelAndOfAny) {
  const std::string Text =
      "ptxas info    : (C7508) Potential Performance Loss: 'setmaxnreg' "
      "ignored; unable to determine register count at entry.\n"
      "ptxas info    : (C7508) Potential Performance Loss: 'setmaxnreg' "
      "ignored; unable to determine register count at entry.\n"
      "ptxas info    : (C7511) Potential Performance Loss: wgmma.mma_async "
      "instructions are serialized due to insufficient register resources for "
      "the wgmma pipeline in the function 'plain'\n"
      "ptxas warning : Stack size for entry function '_Z4tilePf' cannot be "
      "statically determined\n" +
      Log.str();
  AssembledKernels Kernels = parsePtxasLog(Text, "x");
  ASSERT_EQ(Kernels.size(), 2u);
  const auto &Plain = Kernels.at("plain").Resources.Advisories;
  ASSERT_EQ(Plain.size(), 2u);
  EXPECT_EQ(Plain[0].Code, "C7511");
  EXPECT_EQ(Plain[1].Code, "C7508");
  EXPECT_EQ(Plain[1].Text, "Potential Performance Loss: 'setmaxnreg' ignored; "
                           "unable to determine register count at entry");
  const auto &Tile = Kernels.at("_Z4tilePf").Resources.Advisories;
  ASSERT_EQ(Tile.size(), 2u);
  EXPECT_EQ(Tile[0].Code, "");
  EXPECT_EQ(Tile[0].Text.find("Stack size"), 0u);
  EXPECT_TRUE(parsePtxasLog(Log, "x").at("plain").Resources.Advisories.empty());
}

TEST(Ptxas, LogsWithoutKernels) {
  EXPECT_TRUE(parsePtxasLog("", "x").empty());
  EXPECT_TRUE(parsePtxasLog("ptxas fatal : no", "x").empty());
}

TEST(Ptxas, Version) {
  EXPECT_EQ(parsePtxasVersion("Cuda compilation tools, release 13.0, V13.0.88"),
            "13.0");
  EXPECT_EQ(parsePtxasVersion("something else"), "");
}

TEST(Ptxas, TargetOfPtx) {
  EXPECT_EQ(targetOfPtx("//\n.version 8.8\n.target sm_90a, debug\n"), "sm_90a");
  EXPECT_EQ(targetOfPtx("nothing"), "");
}

TEST(Process, OutputErrorsAndStatus) {
  Expected<ProcessResult> R =
      runProcess("/bin/sh", {"-c", "echo out; echo err >&2; exit 3"});
  ASSERT_TRUE(bool(R)) << toString(R.takeError());
  EXPECT_EQ(R->Status, 3);
  EXPECT_EQ(R->Output, "out\n");
  EXPECT_EQ(R->ErrorOutput, "err\n");
}

TEST(Process, ProgramsThatAreNotThere) {
  Expected<ProcessResult> R = runProcess("/no/such/program", {});
  ASSERT_FALSE(bool(R));
  EXPECT_NE(toString(R.takeError()).find("/no/such/program"),
            std::string::npos);
  Expected<AssembledKernels> K =
      runPtxas("/no/such/ptxas", "\n.target sm_90\n");
  EXPECT_TRUE(errorToBool(K.takeError()));
}

TEST(PtxasLog, OtherArchitecturesAreLeftOut) {
  StringRef Log =
      "ptxas info    : Compiling entry function 'k' for 'sm_80'\n"
      "ptxas info    : Used 33 registers, 360 bytes cmem[0]\n"
      "ptxas info    : Compiling entry function 'k' for 'sm_90'\n"
      "ptxas info    : Used 44 registers, 360 bytes cmem[0]\n"
      "ptxas info    : Compiling entry function 'other' for 'sm_80'\n"
      "ptxas info    : Used 55 registers, 360 bytes cmem[0]\n";
  AssembledKernels Kernels = parsePtxasLog(Log, "log", "sm_90");
  ASSERT_EQ(Kernels.size(), 1u);
  EXPECT_EQ(Kernels.at("k").Resources.RegistersPerThread, 44u);
  EXPECT_EQ(parsePtxasLog(Log, "log").size(), 2u);
}

} // namespace
