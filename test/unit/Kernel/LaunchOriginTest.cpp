//===- LaunchOriginTest.cpp - Tests of who gave a value of a launch -------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/LaunchOrigin.h"
#include "gtest/gtest.h"

using namespace gpuocc;

TEST(LaunchOrigin, ReadsWhatItWrites) {
  for (GivenBy By : {GivenBy::Nobody, GivenBy::LaunchBounds,
                     GivenBy::RequiredBlock, GivenBy::Option}) {
    const LaunchOrigin Origin(By);
    EXPECT_FALSE(Origin.text().empty());
    EXPECT_EQ(LaunchOrigin(Origin.text()).by(), By) << Origin.text();
    EXPECT_EQ(LaunchOrigin(Origin.text()), Origin);
  }
  const LaunchOrigin Host = LaunchOrigin::hostCode("demo.cu", 12);
  EXPECT_EQ(Host.text(), "launch at demo.cu:12");
  EXPECT_EQ(Host.by(), GivenBy::HostCode);
  EXPECT_EQ(Host.place(), "demo.cu:12");
  EXPECT_EQ(LaunchOrigin(Host.text()), Host);
}

TEST(LaunchOrigin, TakesAnyOtherTextForAUser) {
  for (const char *Text : {"", ".gpu-occupancy:4", "record", "defaults",
                           "a launch at demo.cu:12", "--launches"}) {
    const LaunchOrigin Origin(Text);
    EXPECT_EQ(Origin.by(), GivenBy::User) << Text;
    EXPECT_EQ(Origin.text(), Text);
    EXPECT_EQ(Origin.place(), Text);
  }
}

TEST(LaunchOrigin, TellsWhatIsGivenFromWhatFollows) {
  EXPECT_FALSE(LaunchOrigin(GivenBy::Nobody).isGiven());
  EXPECT_FALSE(LaunchOrigin(GivenBy::LaunchBounds).isGiven());
  EXPECT_FALSE(LaunchOrigin(GivenBy::RequiredBlock).isGiven());
  EXPECT_TRUE(LaunchOrigin::hostCode("a.cu", 1).isGiven());
  EXPECT_FALSE(LaunchOrigin::hostCode("a.cu", 1).isUsers());
  EXPECT_TRUE(LaunchOrigin(GivenBy::Option).isUsers());
  EXPECT_TRUE(LaunchOrigin(".gpu-occupancy:4").isUsers());
}
