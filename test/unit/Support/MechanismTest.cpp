//===- MechanismTest.cpp - What predictions can do without ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/Mechanism.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <set>

using namespace gpuocc;
using namespace llvm;

TEST(Mechanism, KeysAreNotUsedTwice) {
  std::set<StringRef> Keys;
  for (unsigned M = 0; M != NumMechanisms; ++M)
    EXPECT_TRUE(Keys.insert(mechanismInfo(Mechanism(M)).Key).second)
        << mechanismInfo(Mechanism(M)).Key.str();
}

TEST(Mechanism, AllAreUsedUntilLeftOut) {
  Mechanisms Used;
  EXPECT_TRUE(Used.hasAll());
  EXPECT_FALSE(leaveOut("tag-banks,unroll-loops", Used));
  EXPECT_FALSE(Used.hasAll());
  EXPECT_FALSE(Used.has(Mechanism::TagBanks));
  EXPECT_FALSE(Used.has(Mechanism::UnrollLoops));
  EXPECT_TRUE(Used.has(Mechanism::FillTime));
  EXPECT_EQ(Used.leftOut(), (SmallVector<Mechanism, 2>{
                                Mechanism::TagBanks, Mechanism::UnrollLoops}));
}

TEST(Mechanism, NamesTheNearestOfAMistake) {
  Mechanisms Used;
  EXPECT_EQ(toString(leaveOut("tag-bank", Used)),
            "there is no mechanism 'tag-bank'; did you mean 'tag-banks'?");
  EXPECT_TRUE(Used.hasAll());
}

// A new mechanism comes with its row.
TEST(Mechanism, HasARowInTheAblationTable) {
  auto Page =
      MemoryBuffer::getFile(GPUOCC_SOURCE_DIR "/docs/model/ablation.md");
  ASSERT_TRUE(Page);
  for (unsigned M = 0; M != NumMechanisms; ++M) {
    const std::string Row =
        ("\n| `" + mechanismInfo(Mechanism(M)).Key + "` |").str();
    EXPECT_TRUE((*Page)->getBuffer().contains(Row)) << Row;
  }
}
