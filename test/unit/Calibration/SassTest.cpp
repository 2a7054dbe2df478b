//===- SassTest.cpp - Opcodes of recorded loops ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "stats/Sass.h"
#include "kernels/Arithmetic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>

using namespace gpuocc::calibration;
using namespace llvm;

/// What nvdisasm 13.0 printed for a module of ours, assembled for sm_90.
static std::string recorded(const std::string &Name) {
  auto Buffer = MemoryBuffer::getFile(
      GPUOCC_SOURCE_DIR "/test/unit/Calibration/data/" + Name + ".sass");
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

static const ArithmeticSpec &spec(StringRef Key) {
  for (const ArithmeticSpec &Spec : arithmeticSpecs())
    if (Key == Spec.Key)
      return Spec;
  ADD_FAILURE() << "no row " << Key.str();
  return arithmeticSpecs().front();
}

class RecordedLoop : public ::testing::TestWithParam<const char *> {};

TEST_P(RecordedLoop, IsAsClaimedForEachNumberOfChains) {
  const ArithmeticSpec &Spec = spec(GetParam());
  std::string Text = recorded(GetParam());
  ASSERT_FALSE(Text.empty());
  double Expected = Spec.Unroll * Spec.PerStep;
  for (unsigned Ilp : IlpSteps) {
    if (Ilp > Spec.MaxIlp)
      continue;
    LoopCount Count = countLoop(Text, arithmeticKernelName(Ilp), Spec.Opcode);
    EXPECT_EQ(Count.verdict(Expected), "as claimed") << "chains: " << Ilp;
  }
}

INSTANTIATE_TEST_SUITE_P(Sass, RecordedLoop,
                         ::testing::Values("match", "redux", "mma.f16.m16n8k16",
                                           "membar.cta"));

TEST(CountLoop, SaysWhenItFindsNothing) {
  LoopCount Count = countLoop(recorded("match"), "ilp1", "FADD");
  EXPECT_EQ(Count.Found, 0);
  EXPECT_GT(Count.Others, 60);
  EXPECT_EQ(Count.verdict(64), "opcode not found");
  EXPECT_EQ(countLoop(recorded("match"), "nosuch", "FADD").Others, 0);
}

TEST(CountLoop, SeesSpills) {
  LoopCount Count = countLoop(".text.k:\n"
                              ".L_x_0:\n"
                              "        /*0100*/  LDL R1, [R2] ;\n"
                              "        /*0110*/  FADD R1, R1, R3 ;\n"
                              "        /*0120*/  @P0 BRA `(.L_x_0) ;\n",
                              "k", "FADD");
  EXPECT_EQ(Count.Found, 1);
  EXPECT_EQ(Count.verdict(1), "spills");
}

TEST(BankConflict, NeedsThreeRegistersOfOneParity) {
  EXPECT_TRUE(hasBankConflict(" R5, R5, R3, R7 ;"));
  EXPECT_FALSE(hasBankConflict(" R5, R5, R3, R8 ;"));
  EXPECT_FALSE(hasBankConflict(" R5, R5, R3.reuse, R7 ;"));
  EXPECT_FALSE(hasBankConflict(" R5, R5, R3, R3 ;"));
  EXPECT_FALSE(hasBankConflict(" R5, R5, R3, RZ ;"));
  EXPECT_FALSE(hasBankConflict(" R5, R5, UR3, c[0x0][0x210] ;"));
}
