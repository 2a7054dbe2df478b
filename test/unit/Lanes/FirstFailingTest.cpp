//===- FirstFailingTest.cpp - When linear conditions end a loop -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Slice/LoopForms.h"
#include "gtest/gtest.h"
#include <random>

using namespace gpuocc;

namespace {

/// By trying all numbers of 8 bits.
std::optional<uint64_t> byTrying(ComparePredicate Stay, uint8_t Left,
                                 uint8_t Step, uint8_t Right) {
  for (uint64_t K = 0; K < 256; ++K, Left = uint8_t(Left + Step)) {
    const bool Stays = Stay == ComparePredicate::LTU   ? Left < Right
                       : Stay == ComparePredicate::LEU ? Left <= Right
                       : Stay == ComparePredicate::GTU ? Left > Right
                                                       : Left >= Right;
    if (!Stays)
      return K;
  }
  return std::nullopt;
}

TEST(FirstFailing, UnsignedValuesAreFollowedWhenTheyWrap) {
  std::minstd_rand Random(7);
  for (unsigned I = 0; I != 20000; ++I) {
    const auto Left = uint8_t(Random()), Step = uint8_t(Random() >> 3),
               Right = uint8_t(Random() >> 5);
    for (ComparePredicate Stay : {ComparePredicate::LTU, ComparePredicate::LEU,
                                  ComparePredicate::GTU, ComparePredicate::GEU})
      EXPECT_EQ(firstFailing(Stay, 8, Left, uint8_t(Left + Step), Right, Right),
                byTrying(Stay, Left, Step, Right))
          << "left " << +Left << " step " << +Step << " right " << +Right;
  }
}

TEST(FirstFailing, AResidueByAMultiplicationEndsALoop) {
  // x % 11 == 0, where x grows by 7 from 1, as compilers compute it.
  constexpr uint32_t Inverse = 3123612579u;
  const auto Of = [&](uint32_t K) { return uint32_t((1 + 7 * K) * Inverse); };
  EXPECT_EQ(firstFailing(ComparePredicate::GTU, 32, Of(0), Of(1), 390451572u,
                         390451572u),
            3u);
}

TEST(FirstFailing, NobodyMeansToRunThroughAllNumbers) {
  EXPECT_EQ(firstFailing(ComparePredicate::GTU, 32, 5, 6, 0, 0), std::nullopt);
}

} // namespace
