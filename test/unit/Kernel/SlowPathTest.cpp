//===- SlowPathTest.cpp - Slow paths of divisions and roots ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/SlowPath.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"
#include <limits>

using namespace gpuocc;
using namespace llvm;

namespace {

constexpr double Infinity = std::numeric_limits<double>::infinity();

bool isSlow32(Semantics What, float A, float B = 0) {
  return takesSlowPath(What, 32, bit_cast<uint32_t>(A), bit_cast<uint32_t>(B));
}

bool isSlow64(Semantics What, double A, double B = 0) {
  return takesSlowPath(What, 64, bit_cast<uint64_t>(A), bit_cast<uint64_t>(B));
}

// All as an H200 did (Nsight Compute, 2026-11-28).

TEST(SlowPath, DivisionsOfSingles) {
  for (auto [A, B] : {std::pair(0.0, 3.0),
                      {1e-40, 3.0},
                      {1e-36, 3.0},
                      {Infinity, 3.0},
                      {1.0, 1e-38},
                      {1.0, 2e38},
                      {0.0, 0.0},
                      {1.0, 0.0}})
    EXPECT_TRUE(isSlow32(Semantics::FDiv, float(A), float(B))) << A << ' ' << B;
  for (auto [A, B] : {std::pair(1.0, 3.0),
                      {1e-30, 3.0},
                      {1e-20, 3.0},
                      {1e30, 3.0},
                      {2e38, 3.0},
                      {1.0, 1e-30},
                      {1.0, 1e30},
                      {1e-20, 1e15},
                      {1e20, 1e-15}})
    EXPECT_FALSE(isSlow32(Semantics::FDiv, float(A), float(B)))
        << A << ' ' << B;
}

TEST(SlowPath, DivisionsOfDoubles) {
  for (auto [A, B] : {std::pair(0.0, 3.0),
                      {1e-310, 3.0},
                      {Infinity, 3.0},
                      {0.0, 0.0},
                      {1.0, 0.0}})
    EXPECT_TRUE(isSlow64(Semantics::FDiv, A, B)) << A << ' ' << B;
  for (auto [A, B] : {std::pair(1.0, 3.0),
                      {1e-290, 3.0},
                      {1e300, 3.0},
                      {1.0, 1e-300},
                      {1.0, 1e300},
                      {1e-200, 1e90}})
    EXPECT_FALSE(isSlow64(Semantics::FDiv, A, B)) << A << ' ' << B;
}

TEST(SlowPath, ReciprocalsAndRoots) {
  for (float A : {0.0F, 1e-40F, 2e38F, float(Infinity)})
    EXPECT_TRUE(isSlow32(Semantics::FRcp, A)) << A;
  for (float A : {3.0F, 1e-36F, 1e30F, 5e37F})
    EXPECT_FALSE(isSlow32(Semantics::FRcp, A)) << A;
  for (double A : {0.0, 1e-310, 1.7e308, Infinity})
    EXPECT_TRUE(isSlow64(Semantics::FRcp, A)) << A;
  for (double A : {3.0, 1e-290, 1e300})
    EXPECT_FALSE(isSlow64(Semantics::FRcp, A)) << A;
  for (float A : {0.0F, 1e-40F, 1e-36F, float(Infinity), -1.0F})
    EXPECT_TRUE(isSlow32(Semantics::FSqrt, A)) << A;
  for (float A : {3.0F, 1e-30F, 2e38F})
    EXPECT_FALSE(isSlow32(Semantics::FSqrt, A)) << A;
  for (double A : {0.0, 1e-310, Infinity, -1.0})
    EXPECT_TRUE(isSlow64(Semantics::FSqrt, A)) << A;
  for (double A : {3.0, 1e-290, 1e300})
    EXPECT_FALSE(isSlow64(Semantics::FSqrt, A)) << A;
}

TEST(SlowPath, DivisionsOfIntegersThatNeedMoreThan32Bits) {
  for (Semantics What : {Semantics::DivU, Semantics::RemS}) {
    EXPECT_FALSE(takesSlowPath(What, 64, 4000000000, 7));
    EXPECT_TRUE(takesSlowPath(What, 64, 5000000000, 7));
    EXPECT_TRUE(takesSlowPath(What, 64, 100, 6000000000));
    EXPECT_TRUE(takesSlowPath(What, 64, uint64_t(-100), 7));
  }
}

Operation operation(Semantics What, unsigned Bits) {
  Operation Op;
  Op.What = What;
  Op.Bits = uint8_t(Bits);
  Op.Emits = {{InstClass::MufuRcp}, {InstClass::Branch, 1, 0}};
  return Op;
}

double instructionsOf(const Operation &Op) {
  double Sum = 0;
  for (const Emission &E : Op.Emits)
    Sum += E.Count;
  return Sum;
}

TEST(SlowPath, ApproximationsHaveNone) {
  EXPECT_TRUE(mayTakeSlowPath(operation(Semantics::FDiv, 32)));
  EXPECT_TRUE(mayTakeSlowPath(operation(Semantics::DivS, 64)));
  EXPECT_FALSE(mayTakeSlowPath(operation(Semantics::DivS, 32)));
  Operation Approximate = operation(Semantics::FDiv, 32);
  Approximate.Emits.pop_back();
  EXPECT_FALSE(mayTakeSlowPath(Approximate));
}

TEST(SlowPath, WarpsIssueItAsOftenAsTheyTakeIt) {
  KernelFacts Facts;
  Facts.Operations = {operation(Semantics::FDiv, 64),
                      operation(Semantics::FDiv, 64),
                      operation(Semantics::DivU, 64)};
  ExecutionProfile Profile;
  Profile.SlowPaths = {{0, 1}, {1, 0.5}, {2, 0}};
  addSlowPaths(Profile, Facts);
  EXPECT_NEAR(instructionsOf(Facts.Operations[0]), 2 + 65, 1e-4);
  EXPECT_NEAR(instructionsOf(Facts.Operations[1]), 2 + 32.5, 1e-4);
  // What is taken to be slow where nothing is known is short here.
  EXPECT_NEAR(instructionsOf(Facts.Operations[2]), 23, 1e-4);
}

} // namespace
