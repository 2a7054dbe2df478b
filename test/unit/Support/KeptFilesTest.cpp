//===- KeptFilesTest.cpp - Tests of what caches keep ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/KeptFiles.h"
#include "gpuocc/Support/BuildId.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

TEST(KeptFiles, ABodyComesBackAsItWas) {
  for (StringRef Body : {"", "one line", "two\nlines\n", "\n\n"})
    EXPECT_EQ(unsealed(sealed(Body)), Body);
}

TEST(KeptFiles, NoBitMayChange) {
  const std::string Whole = sealed("what was\nkept");
  for (size_t I = 0; I != Whole.size(); ++I)
    for (unsigned Bit = 0; Bit != 8; ++Bit) {
      std::string Damaged = Whole;
      Damaged[I] = char(Damaged[I] ^ (1 << Bit));
      EXPECT_FALSE(unsealed(Damaged)) << I;
    }
  for (size_t Size = 0; Size != Whole.size(); ++Size)
    EXPECT_FALSE(unsealed(StringRef(Whole).take_front(Size)));
  EXPECT_FALSE(unsealed(Whole + "x"));
}

TEST(KeptFiles, AnotherBuildOrVersionIsNoneOfOurs) {
  std::string Text = sealed("body");
  ASSERT_NE(StringRef(Text).find(buildId()), StringRef::npos);
  std::string Other = Text;
  Other.replace(Other.find(buildId()), buildId().size(), "0123");
  EXPECT_FALSE(unsealed(Other));
  Other = Text;
  Other.replace(0, Other.find(' '), "gpu-occupancy-cash");
  EXPECT_FALSE(unsealed(Other));
}

TEST(BuildId, IsAWord) {
  const std::string Id = buildId();
  EXPECT_GE(Id.size(), 8u);
  EXPECT_EQ(Id.find_first_of(" \n"), std::string::npos);
  EXPECT_EQ(Id, buildId());
}
