//===- DevicePrintTest.cpp - printf of kernels ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DevicePrint.h"
#include "DirectedRounding.h"
#include "gtest/gtest.h"
#include <cstdint>

using namespace gpuocc::execute;

TEST(DevicePrint, ArgumentsLieAtMultiplesOfTheirSize) {
  struct {
    int32_t I;
    double D;
    int64_t L;
    const char *Text;
    int32_t Char, Width, Last;
  } Packed = {-3, 2.5, int64_t(1) << 40, "word", 'x', 6, 42};
  int32_t Count = 0;
  EXPECT_EQ(formatPacked("%d %.2f %ld '%s' %c %*d 100%%\n", &Packed, Count),
            "-3 2.50 1099511627776 'word' x     42 100%\n");
  EXPECT_EQ(Count, 7);
}

TEST(DevicePrint, UnknownDirectivesArePrinted) {
  int32_t Count = 0;
  const int64_t None = 0;
  EXPECT_EQ(formatPacked("%y", &None, Count), "%y");
  EXPECT_EQ(formatPacked("%", &None, Count), "");
}

TEST(DirectedRounding, RoundsAsItsNameSays) {
  auto Div = [](const char *Name) {
    auto *F = reinterpret_cast<float (*)(float, float)>(directedRounding(Name));
    return F ? F(1, 3) : 0;
  };
  EXPECT_LT(Div("gpuocc_div_rz_f"), Div("gpuocc_div_rp_f"));
  EXPECT_EQ(Div("gpuocc_div_rm_f"), Div("gpuocc_div_rz_f"));
  EXPECT_EQ(directedRounding("gpuocc_div_rn_f"), nullptr);
  auto *ToFloat =
      reinterpret_cast<float (*)(int32_t)>(directedRounding("gpuocc_i2f_rz"));
  EXPECT_EQ(ToFloat(16777219), 16777218.0f);
}
