//===- LoadBurstTest.cpp - Loads that a block issues at once --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Throughput/LoadBurst.h"
#include "Numbers/Numbers.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

/// One block of coalesced loads that miss L1.
struct Loads {
  KernelFacts Facts;
  ExecutionProfile Profile;

  explicit Loads(unsigned Count) {
    Facts.Resources.RegistersPerThread = 64;
    Facts.Blocks.emplace_back().NumOps = Count;
    Profile.Blocks.emplace_back().ExecutionsPerWarp = 1;
    for (unsigned I = 0; I != Count; ++I) {
      MemoryAccess A;
      A.Op = I;
      A.Space = MemorySpace::Global;
      Facts.Accesses.push_back(A);
      Operation Op;
      Op.Block = 0;
      Op.Access = I;
      Op.Emits.push_back({InstClass::LdGlobal, 1, 1});
      Facts.Operations.push_back(Op);
      AccessProfile P;
      P.ExecutionsPerWarp = P.RequestsPerWarp = 1;
      P.SectorsPerRequest = 4;
      P.LinesPerRequest = 1;
      P.L2HitFraction = 1;
      Profile.Accesses.push_back(P);
    }
  }

  static const DeviceModel &device() {
    static const DeviceModel Device =
        cantFail(llvm::Expected<DeviceModel>(loadDevice("nvidia-h200")));
    return Device;
  }

  double burst(unsigned WarpsPerBlock) const {
    Numbers N(device());
    return loadBurstCycles(Facts, Profile, WarpsPerBlock, N);
  }

  double startSpread(unsigned WarpsPerBlock) const {
    Numbers N(device());
    return startSpreadCycles(Facts, Profile, WarpsPerBlock, N);
  }
};

} // namespace

TEST(StartSpread, WarpsOfABlockQueueAtTheAddressUnit) {
  // Two constants and a special register take 2 cycles each.
  Loads Block(1);
  Operation Start;
  Start.Block = 0;
  Start.Emits.push_back({InstClass::Ldc, 2, 2});
  Start.Emits.push_back({InstClass::S2R, 1, 1});
  Block.Facts.Operations.push_back(Start);
  EXPECT_EQ(Block.startSpread(1), 0);
  EXPECT_NEAR(Block.startSpread(2), 6, 0.1);
  EXPECT_DOUBLE_EQ(Block.startSpread(32), 31 * Block.startSpread(2));
}

TEST(StartSpread, IsNoneWhereNothingIsReadBeforeLoops) {
  EXPECT_EQ(Loads(1).startSpread(32), 0);
  Loads InLoop(1);
  Operation Constant;
  Constant.Block = 0;
  Constant.Emits.push_back({InstClass::Ldc, 10, 10});
  InLoop.Facts.Operations.push_back(Constant);
  InLoop.Facts.Blocks[0].Loop = 0;
  EXPECT_EQ(InLoop.startSpread(2), 0);
}

TEST(LoadBurst, GrowsWithTheWarpsAndTheLoadsOfABlock) {
  EXPECT_EQ(Loads(1).burst(1), 0);
  double Second = Loads(1).burst(2);
  EXPECT_GT(Second, 0);
  EXPECT_DOUBLE_EQ(Loads(1).burst(17), 16 * Second);
  EXPECT_NEAR(Loads(10).burst(17), 169 * Second, 1e-9);
}

TEST(LoadBurst, RegistersBoundWhatIsAwaitedAtOnce) {
  EXPECT_NEAR(Loads(256).burst(8), Loads(64).burst(8), 1e-9);
}

TEST(LoadBurst, WarpsThatWerePartedInALoopStayApart) {
  Loads InLoop(4);
  InLoop.Facts.Blocks[0].Loop = 0;
  EXPECT_EQ(InLoop.burst(16), 0);
}

TEST(LoadBurst, NobodyWaitsForStores) {
  Loads Stores(4);
  for (MemoryAccess &A : Stores.Facts.Accesses)
    A.Kind = AccessKind::Store;
  EXPECT_EQ(Stores.burst(16), 0);
}
