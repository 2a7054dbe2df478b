//===- PublishedTest.cpp - The golden numbers of Volkov's thesis ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PublishedGpus.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

static std::vector<PublishedGpu> gpus() {
  return cantFail(
      readPublishedGpus(GPUOCC_SOURCE_DIR "/test/golden/volkov/gpus.json"));
}

TEST(Published, OurModelFollowsTheLinesOfTable42) {
  ASSERT_EQ(gpus().size(), 5u);
  for (const PublishedGpu &Gpu : gpus()) {
    LineDistance D = cantFail(lineDistance(Gpu));
    EXPECT_GT(D.Lowest, 0.99) << Gpu.Name;
    EXPECT_LT(D.Highest, 1.01) << Gpu.Name;
  }
}

TEST(Published, ThroughputsOfTable41FollowFromTable64) {
  for (const PublishedGpu &Gpu : gpus())
    EXPECT_NEAR(memoryPerCycle(Gpu.PeakGBps, Gpu.Sms, Gpu.Ghz),
                Gpu.Mix.MemPerCycle, 0.005 * Gpu.Mix.MemPerCycle)
        << Gpu.Name;
}

TEST(Published, LinearEstimatesOfTable64) {
  for (const PublishedGpu &Gpu : gpus())
    EXPECT_NEAR(volkov::neededWarps(Gpu.at(0)) / Gpu.Schedulers,
                Gpu.NeededLinear, 0.2)
        << Gpu.Name;
}

TEST(Published, AdditionsNeedWhatTable63Says) {
  // To a whole number of warps per scheduler.
  for (const PublishedGpu &Gpu : gpus()) {
    double Needed =
        Gpu.Mix.AluLatencyCycles * Gpu.Mix.AluPerCycle / Gpu.Schedulers;
    EXPECT_NEAR(Needed, Gpu.NeededAdd, 0.5) << Gpu.Name;
  }
}

TEST(Published, ContentionExplainsTheOccupancyFor90Percent) {
  // Measured occupancies are whole warps; the fit of the G80 is loose (section
  // 6.4) and its points scatter.
  for (const PublishedGpu &Gpu : gpus()) {
    double Needed =
        volkov::refinedNeededWarps(Gpu.at(0), Gpu.contention(), 0.9) /
        Gpu.Schedulers;
    EXPECT_NEAR(Needed, Gpu.Needed90, 0.15 * Gpu.Needed90) << Gpu.Name;
  }
}

TEST(Published, FileErrorsNameTheFile) {
  Expected<std::vector<PublishedGpu>> Gpus = readPublishedGpus("/none.json");
  ASSERT_FALSE(bool(Gpus));
  EXPECT_NE(toString(Gpus.takeError()).find("/none.json"), std::string::npos);
}
