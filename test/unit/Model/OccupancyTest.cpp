//===- OccupancyTest.cpp - The occupancy calculator -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/Occupancy.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace gpuocc;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace {

const ArchLimits &arch(llvm::StringRef Name) {
  return llvm::cantFail(archLimits(Name));
}

BlockResources block(unsigned Threads, unsigned Registers,
                     uint64_t SharedBytes = 0) {
  BlockResources Block;
  Block.Threads = Threads;
  Block.RegistersPerThread = Registers;
  Block.StaticSharedBytes = SharedBytes;
  return Block;
}

} // namespace

TEST(Occupancy, SmallKernelFillsTheWarps) {
  Occupancy O = occupancy(arch("sm_90"), block(256, 32));
  EXPECT_EQ(O.BlocksPerSm, 8u);
  EXPECT_EQ(O.WarpsPerSm, 64u);
  EXPECT_EQ(O.Fraction, 1.0);
  EXPECT_THAT(O.Limiters, ElementsAre(OccupancyLimiter::Warps,
                                      OccupancyLimiter::Registers));
  EXPECT_EQ(O.limiter(), OccupancyLimiter::Warps);
  EXPECT_EQ(O.blockLimit(OccupancyLimiter::Blocks), 32u);
  EXPECT_THAT(O.Unchecked, IsEmpty());
}

TEST(Occupancy, RegistersAreGivenToWarpsInUnits) {
  // 41 registers are 1312 a warp, rounded up to 1536: 10 warps of each of the
  // four parts of 16384, so 40 of an SM.
  Occupancy O = occupancy(arch("sm_90"), block(256, 41));
  EXPECT_EQ(O.AllocatedRegistersPerBlock, 1536u * 8);
  EXPECT_EQ(O.BlocksPerSm, 5u);
  EXPECT_EQ(O.limiter(), OccupancyLimiter::Registers);
}

TEST(Occupancy, WarpsOfOddBlocksLieInOnePart) {
  // kokkos pull request 5739: 92 registers, 7 warps a block. 65536 / 3072 = 21
  // warps is the naive answer; 5 of each part, 20 in all, is the right one.
  Occupancy O = occupancy(arch("sm_70"), block(224, 92));
  EXPECT_EQ(O.BlocksPerSm, 2u);
  EXPECT_EQ(O.WarpsPerSm, 14u);
}

TEST(Occupancy, SharedMemoryCountsTheReservedBytes) {
  // 233472 / (8192 + 1024) = 25.3
  Occupancy O = occupancy(arch("sm_90"), block(32, 16, 8192));
  EXPECT_EQ(O.AllocatedSharedBytesPerBlock, 9216u);
  EXPECT_EQ(O.BlocksPerSm, 25u);
  EXPECT_EQ(O.limiter(), OccupancyLimiter::Shared);
  EXPECT_EQ(O.CarveoutBytes, 233472u);
  // Without reserved bytes nothing is taken where nothing is used.
  EXPECT_EQ(occupancy(arch("sm_70"), block(32, 16))
                .blockLimit(OccupancyLimiter::Shared),
            std::nullopt);
}

TEST(Occupancy, SmallestCarveoutThatHoldsTheBlocks) {
  // 8 blocks of 5 KiB and 1 KiB reserved need 48 KiB: the step is 64 KiB.
  Occupancy O = occupancy(arch("sm_90"), block(256, 32, 5120));
  EXPECT_EQ(O.BlocksPerSm, 8u);
  EXPECT_EQ(O.CarveoutBytes, 65536u);
  EXPECT_EQ(occupancy(arch("sm_61"), block(256, 32, 5120)).CarveoutBytes,
            std::nullopt);
}

TEST(Occupancy, PreferredCarveoutLimitsButHoldsOneBlock) {
  BlockResources Block = block(128, 32, 16384);
  Block.CarveoutPercent = 0;
  Occupancy O = occupancy(arch("sm_90"), Block);
  EXPECT_EQ(O.BlocksPerSm, 1u);
  EXPECT_EQ(O.CarveoutBytes, 32768u);
  Block.CarveoutPercent = 50; // 114 KiB, so the step of 132 KiB.
  O = occupancy(arch("sm_90"), Block);
  EXPECT_EQ(O.BlocksPerSm, 7u);
  EXPECT_EQ(O.CarveoutBytes, 132u * 1024);
}

TEST(Occupancy, MoreThanTheDefaultNeedsTheOptIn) {
  BlockResources Block = block(128, 32);
  Block.DynamicSharedBytes = 100 * 1024;
  EXPECT_EQ(occupancy(arch("sm_90"), Block).BlocksPerSm, 2u);
  Block.OptIn = SharedOptIn::No;
  EXPECT_EQ(occupancy(arch("sm_90"), Block).BlocksPerSm, 0u);
}

TEST(Occupancy, BarriersLimitFromHopperOn) {
  BlockResources Block = block(32, 16);
  Block.Barriers = 4;
  EXPECT_EQ(occupancy(arch("sm_90"), Block).limiter(),
            OccupancyLimiter::Barriers);
  EXPECT_EQ(occupancy(arch("sm_90"), Block).BlocksPerSm, 16u);
  EXPECT_EQ(occupancy(arch("sm_80"), Block).BlocksPerSm, 32u);
}

TEST(Occupancy, ClustersAreLegalOrNot) {
  BlockResources Block = block(256, 32);
  Block.ClusterBlocks = 16;
  EXPECT_EQ(occupancy(arch("sm_90"), Block).BlocksPerSm, 8u);
  Block.ClusterBlocks = 17;
  EXPECT_EQ(occupancy(arch("sm_90"), Block).BlocksPerSm, 0u);
  EXPECT_EQ(occupancy(arch("sm_90"), Block).limiter(),
            OccupancyLimiter::Cluster);
  Block.ClusterBlocks = 2;
  EXPECT_EQ(occupancy(arch("sm_80"), Block).BlocksPerSm, 0u);
}

TEST(Occupancy, UnstatedLimitsAreNamedNotInvented) {
  Occupancy O = occupancy(arch("sm_10"), block(256, 200, 16384));
  EXPECT_EQ(O.BlocksPerSm, 3u);
  EXPECT_EQ(O.WarpsPerSm, 24u);
  EXPECT_EQ(O.Unchecked.front(), "max_blocks_per_sm");
}

TEST(LaunchProblems, NameTheLimitAndBothNumbers) {
  EXPECT_THAT(launchProblems(arch("sm_90"), block(256, 32)), IsEmpty());
  EXPECT_THAT(
      launchProblems(arch("sm_90"), block(2048, 300, 300000)),
      ElementsAre("block has 2048 threads, sm_90 allows 1024",
                  "block has 300 registers per thread, sm_90 allows 256",
                  "block has 300000 bytes of shared memory, sm_90 allows "
                  "232448"));
  EXPECT_THAT(launchProblems(arch("sm_90"), block(1024, 128)),
              ElementsAre("block has 32 warps of 4096 registers, sm_90 allows "
                          "65536 per block, warps rounded up to a multiple of "
                          "4"));
  BlockResources Block = block(32, 32, 50000);
  Block.OptIn = SharedOptIn::No;
  Block.ClusterBlocks = 4;
  Block.Barriers = 17;
  EXPECT_THAT(
      launchProblems(arch("sm_80"), Block),
      ElementsAre("block has 4 blocks in its cluster, sm_80 allows 1",
                  "block has 17 barriers, sm_80 allows 16",
                  "block has 50000 bytes of shared memory, sm_80 allows 49152 "
                  "without opting in to more"));
}

TEST(NextSteps, LeastReductionOfRegistersAndNearestBlockSize) {
  // 5 warps in each of four parts: 2 blocks of 7. A third takes 6 of a part,
  // so 2560 registers a warp; 18 of the 20 warps are 3 blocks of 6.
  EXPECT_THAT(
      nextSteps(arch("sm_70"), block(224, 92)),
      ElementsAre(OccupancyStep{{{OccupancyLimiter::Registers, 92, 80}}, 3, 21},
                  OccupancyStep{{{OccupancyLimiter::Warps, 224, 192}}, 3, 18}));
}

TEST(NextSteps, NothingHelpsAtFullOccupancy) {
  EXPECT_THAT(nextSteps(arch("sm_90"), block(256, 32)), IsEmpty());
}

TEST(NextSteps, ResourcesThatBindAlikeMoveTogether) {
  // Registers and shared memory both allow 4 blocks of 256 threads.
  BlockResources Block = block(256, 64, 50 * 1024);
  std::vector<OccupancyStep> Steps = nextSteps(arch("sm_90"), Block);
  ASSERT_FALSE(Steps.empty());
  EXPECT_THAT(
      Steps[0].Changes,
      ElementsAre(ResourceChange{OccupancyLimiter::Registers, 64, 48},
                  ResourceChange{OccupancyLimiter::Shared, 51200, 45568}));
  EXPECT_EQ(Steps[0].BlocksPerSm, 5u);
}

TEST(StepTo, LowersWhatBindsSoFar) {
  // 4 blocks of 48000 B; 8 leave 28 KiB for each, less 1 KiB that is reserved.
  const BlockResources Block = block(128, 16, 48000);
  std::optional<OccupancyStep> Twice = stepTo(arch("sm_90"), Block, 8);
  ASSERT_TRUE(Twice);
  EXPECT_EQ(Twice->BlocksPerSm, 8u);
  EXPECT_THAT(Twice->Changes,
              ElementsAre(ResourceChange{OccupancyLimiter::Shared, 48000,
                                         27 * 1024 + 512}));
  EXPECT_FALSE(stepTo(arch("sm_90"), Block, 4));
  // Then warps bind.
  EXPECT_FALSE(stepTo(arch("sm_90"), Block, 17));
}

TEST(NextSteps, EachStepGainsAndIsTheLeast) {
  // Property over a grid: undoing a unit of the change loses the gain.
  for (llvm::StringRef Name : {"sm_60", "sm_75", "sm_86", "sm_90", "sm_120"})
    for (unsigned Threads : {32u, 96u, 224u, 512u, 1024u})
      for (unsigned Registers : {24u, 41u, 92u, 168u, 255u})
        for (uint64_t Shared : {0u, 3000u, 20000u, 48000u}) {
          BlockResources Block = block(Threads, Registers, Shared);
          Occupancy Now = occupancy(arch(Name), Block);
          for (const OccupancyStep &Step : nextSteps(arch(Name), Block)) {
            if (Step.Changes[0].Resource == OccupancyLimiter::Warps) {
              EXPECT_GT(Step.WarpsPerSm, Now.WarpsPerSm);
              continue;
            }
            EXPECT_GT(Step.BlocksPerSm, Now.BlocksPerSm);
            if (Step.Changes.size() != 1)
              continue;
            BlockResources Less = Block;
            if (Step.Changes[0].Resource == OccupancyLimiter::Registers)
              Less.RegistersPerThread = Step.Changes[0].To + 1;
            else
              Less.StaticSharedBytes = Step.Changes[0].To + 1;
            EXPECT_EQ(occupancy(arch(Name), Less).BlocksPerSm, Now.BlocksPerSm);
          }
        }
}

TEST(NoBlockRuns, IffALaunchProblemSaysWhy) {
  for (const ArchLimits &Limits : allArchLimits())
    for (unsigned Threads : {1u, 224u, 1024u, 1025u})
      for (unsigned Registers : {0u, 64u, 65u, 128u, 255u, 257u})
        for (uint64_t Shared : {0u, 49152u, 49153u, 101376u, 240000u}) {
          BlockResources Block = block(Threads, Registers, Shared);
          EXPECT_EQ(occupancy(Limits, Block).BlocksPerSm == 0,
                    !launchProblems(Limits, Block).empty())
              << Limits.Name << " " << Threads << " " << Registers << " "
              << Shared;
        }
}

TEST(MaxResources, AreTheLargestThatHoldTheBlocks) {
  BlockResources Block = block(256, 0);
  EXPECT_EQ(maxRegistersFor(arch("sm_90"), Block, 8), 32u);
  EXPECT_EQ(maxRegistersFor(arch("sm_90"), Block, 1), 255u);
  EXPECT_EQ(maxRegistersFor(arch("sm_90"), Block, 9), std::nullopt);
  // 233472 / 8 = 29184, less 1024 reserved.
  EXPECT_EQ(maxSharedBytesFor(arch("sm_90"), block(256, 32), 8), 28160u);
  EXPECT_EQ(maxSharedBytesFor(arch("sm_90"), block(256, 32), 9), std::nullopt);
}
