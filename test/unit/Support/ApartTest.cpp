//===- ApartTest.cpp ------------------------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/Apart.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace gpuocc;

TEST(Apart, AnswersReachAcrossAndChangesDoNot) {
  int Counter = 0;
  llvm::Expected<std::string> Answer = runApart([&] {
    Counter = 1;
    return std::string(200000, 'x');
  });
  ASSERT_TRUE(bool(Answer)) << llvm::toString(Answer.takeError());
  EXPECT_EQ(Answer->size(), 200000u);
  EXPECT_EQ(Counter, 0);
}

TEST(Apart, ACrashIsAnError) {
  llvm::Expected<std::string> Answer =
      runApart([]() -> std::string { abort(); });
  ASSERT_FALSE(bool(Answer));
  EXPECT_EQ(llvm::toString(Answer.takeError()),
            "the process of its own ended early");
}
