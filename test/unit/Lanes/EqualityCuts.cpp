//===- EqualityCuts.cpp - Blocks that an equality picks -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/EqualityCuts.h"
#include "gtest/gtest.h"
#include <limits>

using namespace gpuocc;

namespace {

using Cuts = std::vector<uint64_t>;

/// The cuts of 200 blocks along x, of which the first warp of number b asks
/// whether two numbers are equal that are Base + Step b apart, and in its last
/// lane \p Spread more.
Cuts cutsOf(int64_t Base, int64_t Step, int64_t Spread = 0) {
  GridCuts Result = {Cuts{0, 200}, Cuts{0, 1}, Cuts{0, 1}};
  addEqualityCuts(
      {200, 1, 1}, {true, false, false}, 4,
      [&](Dim3 Block, WalkObserver &Observer) {
        // Numbers of 64 bits wrap.
        const auto Apart = int64_t(uint64_t(Base) + uint64_t(Step) * Block.X);
        Observer.onEquality(0, Apart, Apart + Spread);
      },
      Result);
  return Result[0];
}

TEST(EqualityCuts, OneBlockIsACell) {
  EXPECT_EQ(cutsOf(-77, 1), (Cuts{0, 77, 78, 200}));
  EXPECT_EQ(cutsOf(77, -1), (Cuts{0, 77, 78, 200}));
}

TEST(EqualityCuts, OneThreadIsInABlock) {
  // blockIdx.x * 256 + threadIdx.x == 19800.
  EXPECT_EQ(cutsOf(-19800, 256, 31), (Cuts{0, 77, 78, 200}));
}

TEST(EqualityCuts, NothingIsPickedWhereTheSidesNeverMeet) {
  EXPECT_EQ(cutsOf(-77, 2), (Cuts{0, 200}));
  EXPECT_EQ(cutsOf(-500, 1), (Cuts{0, 200}));
  EXPECT_EQ(cutsOf(5, 1), (Cuts{0, 200}));
  EXPECT_EQ(cutsOf(-77, 0), (Cuts{0, 200}));
}

TEST(EqualityCuts, DifferencesThatWrapPickNothing) {
  constexpr int64_t Least = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(cutsOf(Least + 100, -1), (Cuts{0, 200}));
  EXPECT_EQ(cutsOf(Least, 1), (Cuts{0, 200}));
}

} // namespace
