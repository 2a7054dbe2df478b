//===- LaunchInputsTest.cpp - What a launch gives to a walk ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/AssumptionLog.h"
#include "Walk/LaunchMemory.h"
#include "Walk/WalkAddresses.h"
#include "Walk/WarpPlace.h"
#include "gpuocc/Kernel/DeviceAddresses.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

Assumption assumption(std::string What, std::string Taken) {
  Assumption A;
  A.What = std::move(What);
  A.Taken = std::move(Taken);
  return A;
}

TEST(AssumptionLog, AnInputHasOneBit) {
  AssumptionLog Log;
  const TaintMask N = Log.addInput(1, assumption("argument n", "5"));
  const TaintMask M = Log.addInput(2, assumption("argument m", "7"));
  EXPECT_EQ(Log.addInput(1, assumption("argument n", "9")), N);
  EXPECT_NE(N, M);
  EXPECT_EQ(Log.list().size(), 2u);
  EXPECT_EQ(Log.describe(N), "assumes argument n = 5");
  EXPECT_EQ(Log.describe(N | M | DataTaint | EffortTaint),
            "depends on loaded data, assumes argument n = 5, assumes argument "
            "m = 7, extrapolated from a sample");
  EXPECT_EQ(Log.describe(0), "");
}

TEST(AssumptionLog, InputsBeyondTheLastBitShareIt) {
  AssumptionLog Log;
  TaintMask Last = 0;
  for (unsigned Key = 0; Key < LastInputBit + 8; ++Key)
    Last = Log.addInput(Key, assumption("argument", std::to_string(Key)));
  EXPECT_EQ(Last, TaintMask(1) << LastInputBit);
  EXPECT_EQ(Last & UnseenTaint, 0u);
}

TEST(AssumptionLog, DroppedTripCountsKeepOtherNames) {
  AssumptionLog Log;
  Log.addTripCount(3, assumption("trip count of the loop at a.cu:4", "16"));
  const TaintMask N = Log.addInput(1, assumption("argument n", "5"));
  EXPECT_TRUE(Log.hasTripCount(3));
  Log.dropTripCounts();
  EXPECT_FALSE(Log.hasTripCount(3));
  ASSERT_EQ(Log.list().size(), 1u);
  EXPECT_EQ(Log.list()[0].What, "argument n");
  EXPECT_EQ(Log.describe(N), "assumes argument n = 5");
}

TEST(WarpPlace, LanesBehindTheBlockHoldNoThreads) {
  WarpPlace Place({4, 2, 1}, {20, 2, 1}, {1, 1, 1}, 0, 0);
  EXPECT_EQ(Place.warpsPerBlock(), 2u);
  EXPECT_EQ(Place.select({3, 1, 0}, 0), AllLanes);
  EXPECT_EQ(Place.blockNumber(), 7u);
  // Threads 20 and up of the block are in its second row.
  EXPECT_EQ(Place.specialRegister(SpecialReg::TidX).lane(19), 19u);
  EXPECT_EQ(Place.specialRegister(SpecialReg::TidX).lane(20), 0u);
  EXPECT_EQ(Place.specialRegister(SpecialReg::TidY).lane(20), 1u);
  EXPECT_EQ(Place.select({0, 0, 0}, 1), 0xffu);
}

TEST(WarpPlace, ExtentsOfAnAssumedGridAreTainted) {
  WarpPlace Place({8, 1, 1}, {32, 1, 1}, {2, 1, 1}, 0, TaintMask(1));
  Place.select({5, 0, 0}, 0);
  EXPECT_EQ(Place.specialRegister(SpecialReg::NCtaIdX).taint(), TaintMask(1));
  EXPECT_EQ(Place.specialRegister(SpecialReg::CtaIdX).taint(), 0u);
  EXPECT_EQ(Place.specialRegister(SpecialReg::ClusterIdX).lane(0), 2u);
  EXPECT_EQ(Place.specialRegister(SpecialReg::ClusterCtaRank).lane(0), 1u);
  EXPECT_EQ(Place.specialRegister(SpecialReg::Clock).taint(), OpaqueTaint);
}

/// A kernel `(struct { int *A; int *B; } S, int *P)` with one constant table.
KernelFacts factsOfArrays() {
  KernelFacts Facts;
  Parameter S, P;
  S.SizeBytes = 16;
  P.SizeBytes = 8;
  P.OffsetBytes = 16;
  P.IsPointer = true;
  Facts.Parameters = {S, P};
  Symbol Table;
  Table.Space = MemorySpace::Constant;
  Table.SizeBytes = 8;
  Table.Contents = "0102030405060708";
  Facts.Symbols = {Table};
  return Facts;
}

TEST(WalkAddresses, ArraysAreFoundAgain) {
  const KernelFacts Facts = factsOfArrays();
  const auto InStruct = arrayAt(Facts, memberStart(0, 8) + 100);
  ASSERT_TRUE(InStruct);
  EXPECT_EQ(InStruct->Array, 8u);
  EXPECT_EQ(InStruct->Byte, 100u);
  const auto Alone = arrayAt(Facts, memberStart(1, 0) + 4);
  ASSERT_TRUE(Alone);
  EXPECT_EQ(Alone->Array, 16u);
  EXPECT_FALSE(arrayAt(Facts, memberStart(2, 0)));
  EXPECT_FALSE(arrayAt(Facts, sharedStart()));
  EXPECT_FALSE(arrayAt(Facts, symbolStart(0)));
  EXPECT_FALSE(arrayAt(Facts, loadedPointer(5)));
  EXPECT_FALSE(symbolAt(Facts, memberStart(0, 0)));
  EXPECT_FALSE(symbolAt(Facts, symbolStart(1)));
}

TEST(WalkAddresses, SeenPointersLeadBack) {
  EXPECT_EQ(seenAddress(pointerWhenSeen(FirstDeviceAddress + 64)),
            FirstDeviceAddress + 64);
  EXPECT_EQ(pointerWhenSeen(12), 12u);
  EXPECT_FALSE(seenAddress(memberStart(0, 0)));
}

TEST(LaunchMemory, StructsAndTablesAreRead) {
  const KernelFacts Facts = factsOfArrays();
  Launch L;
  L.StructBytes[0].Value = "1122334455667788"
                           "99aabbccddeeff00";
  const LaunchMemory Memory(Facts, L, nullptr);
  EXPECT_EQ(Memory.structWord(0, 4, 32), 0x88776655u);
  EXPECT_FALSE(Memory.structWord(0, 12, 64));
  EXPECT_FALSE(Memory.structWord(1, 0, 32));
  const auto Word = Memory.read(symbolStart(0) + 4, 4);
  ASSERT_TRUE(Word);
  EXPECT_EQ(Word->Word, 0x08070605u);
  // Somebody may have written the table since.
  EXPECT_EQ(Word->Table, 0u);
  EXPECT_FALSE(Memory.read(symbolStart(0) + 8, 4));
  EXPECT_FALSE(Memory.read(memberStart(1, 0), 4));
}

} // namespace
