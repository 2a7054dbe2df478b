//===- AsyncGroupsTest.cpp - Work that runs beside a warp -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/AsyncGroups.h"
#include "Latency/WarpLatency.h"
#include "Numbers/Numbers.h"
#include "OneBlockLoop.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

GroupPart waitLeaving(unsigned MayRemain) {
  GroupPart Part;
  Part.Waits = true;
  Part.MayRemain = MayRemain;
  return Part;
}

TEST(AsyncGroups, WaitsLeaveTheYoungest) {
  AsyncGroups G;
  EXPECT_EQ(G.doneCycle(waitLeaving(0)), 0);
  G.add(100);
  G.add(90);
  // What is in no group yet is not waited for.
  EXPECT_EQ(G.doneCycle(waitLeaving(0)), 0);
  G.commit();
  G.add(200);
  G.commit();
  EXPECT_EQ(G.doneCycle(waitLeaving(0)), 200);
  EXPECT_EQ(G.doneCycle(waitLeaving(1)), 100);
  EXPECT_EQ(G.doneCycle(waitLeaving(2)), 0);
  G.add(300);
  GroupPart ForAll = waitLeaving(0);
  ForAll.WaitsForAll = true;
  EXPECT_EQ(G.doneCycle(ForAll), 300);
}

TEST(AsyncGroups, EndInOrder) {
  AsyncGroups G;
  G.add(500);
  G.commit();
  G.add(100);
  G.commit();
  EXPECT_EQ(G.doneCycle(waitLeaving(0)), 500);
}

TEST(AsyncGroups, MoveWithTheClock) {
  AsyncGroups G;
  G.add(100);
  G.commit();
  G.add(300);
  G.commit();
  G.shift(200, 1000);
  EXPECT_EQ(G.doneCycle(waitLeaving(1)), 100);
  EXPECT_EQ(G.doneCycle(waitLeaving(0)), 1300);
}

TEST(AsyncGroups, OfEarlierCodeKeepTheirTime) {
  AsyncGroups G;
  G.add(400);
  G.commit(AsyncKind::Arrival);
  G.add(450);
  const AsyncGroups Before = G;
  G.commit(AsyncKind::Arrival);
  G.add(600);
  // A fourth of the warps did that: the clock has gone back by 30 cycles.
  G.hasten(Before, 30);
  EXPECT_EQ(G.doneCycle(waitLeaving(1)), 400);
  EXPECT_EQ(G.doneCycle(waitLeaving(0)), 450);
  G.commit(AsyncKind::Arrival);
  EXPECT_EQ(G.doneCycle(waitLeaving(0)), 570);
}

GroupPart waitForOldest() {
  GroupPart Part;
  Part.Kind = AsyncKind::Arrival;
  Part.Waits = Part.WaitsForOldest = true;
  return Part;
}

TEST(Arrivals, PhasesEndInTheOrderInWhichTheyBegan) {
  AsyncGroups G;
  EXPECT_EQ(G.doneCycle(waitForOldest()), 0);
  // What expects bytes may come before the copies: it closes nothing then.
  G.commit(AsyncKind::Arrival);
  G.add(100);
  G.add(120);
  EXPECT_EQ(G.doneCycle(waitForOldest()), 120);
  G.commit(AsyncKind::Arrival);
  G.add(300);
  EXPECT_EQ(G.doneCycle(waitForOldest()), 120);
  G.dropOldest();
  EXPECT_EQ(G.doneCycle(waitForOldest()), 300);
  G.dropOldest();
  EXPECT_EQ(G.doneCycle(waitForOldest()), 0);
}

constexpr double Iterations = 100;

const DeviceModel &h200() {
  static const DeviceModel Device =
      cantFail(llvm::Expected<DeviceModel>(loadDevice("nvidia-h200")));
  return Device;
}

double cyclesOfIteration(OneBlockLoop &L, unsigned Warps = 4) {
  Numbers N(h200());
  return WarpLatency(L.Facts, L.Profile, Warps, N).unloaded().Cycles /
         Iterations;
}

void addGroupStep(OneBlockLoop &L, Semantics What, InstClass Class,
                  int64_t MayRemain = 0) {
  Operation &Op = L.add(Emission{Class, 1, 0}, {});
  Op.What = What;
  Op.Imm = MayRemain;
}

/// Cycles of an iteration that copies 16 bytes a lane to shared memory from L2
/// and waits until \p MayRemain copies are left.
double copyLoop(unsigned MayRemain) {
  OneBlockLoop L(Iterations);
  AccessProfile &P = L.addLoad(InstClass::CpAsync, MemorySpace::Global,
                               Operand::immediate(0), 16);
  P.SectorsPerRequest = 16;
  P.LinesPerRequest = 4;
  P.L2HitFraction = 1;
  L.Facts.Accesses[0].Kind = AccessKind::AsyncCopy;
  L.Facts.Operations[0].NumResults = 0;
  addGroupStep(L, Semantics::CommitCopies, InstClass::Nop);
  addGroupStep(L, Semantics::WaitCopies, InstClass::CpAsyncWait, MayRemain);
  return cyclesOfIteration(L);
}

TEST(AsyncCopies, StagesShareTheLatency) {
  const double Alone = copyLoop(0);
  EXPECT_GT(Alone, 250);
  // Two iterations in flight take half as long each, until what a warp issues
  // is all that is left.
  EXPECT_NEAR(copyLoop(1), Alone / 2, 0.1 * Alone);
  EXPECT_NEAR(copyLoop(3), Alone / 4, 0.1 * Alone);
  EXPECT_LT(copyLoop(15), 0.25 * Alone);
}

/// Cycles of an iteration of a load from shared memory that is awaited, behind
/// \p Copies of 16 bytes a lane that nobody awaits, in each of \p Warps of a
/// block.
double loadBehindCopies(unsigned Copies, unsigned Warps) {
  OneBlockLoop L(Iterations);
  for (unsigned I = 0; I != Copies; ++I) {
    AccessProfile &P = L.addLoad(InstClass::CpAsync, MemorySpace::Global,
                                 Operand::immediate(0), 16);
    P.SectorsPerRequest = 16;
    P.LinesPerRequest = P.WavefrontsPerRequest = 4;
    P.L2HitFraction = 1;
    L.Facts.Accesses[I].Kind = AccessKind::AsyncCopy;
    L.Facts.Operations[I].NumResults = 0;
  }
  L.addLoad(InstClass::LdShared, MemorySpace::Shared, Operand::immediate(0), 4)
      .WavefrontsPerRequest = 1;
  L.add(Emission{InstClass::IAdd3}, Operand::value(Copies));
  return cyclesOfIteration(L, Warps);
}

TEST(AsyncCopies, PassTheStageOfSharedMemoryBeforeLaterLoads) {
  // Four wavefronts each, in one warp and in those of four schedulers.
  const double None = loadBehindCopies(0, 1), OfFour = loadBehindCopies(0, 4);
  EXPECT_NEAR(loadBehindCopies(4, 1) - None, 4 * 4, 4);
  EXPECT_NEAR(loadBehindCopies(4, 4) - OfFour, 4 * 4 * 4, 4);
}

/// Cycles of an iteration that begins a bulk copy of \p Bytes from L2 and
/// waits for it at its barrier.
double bulkLoop(unsigned Bytes) {
  OneBlockLoop L(Iterations);
  AccessProfile &P = L.addLoad(InstClass::CpAsync, MemorySpace::Global,
                               Operand::immediate(0), Bytes);
  P.SectorsPerRequest = Bytes / 32.0;
  P.LinesPerRequest = P.WavefrontsPerRequest = Bytes / 128.0;
  P.L2HitFraction = 1;
  L.Facts.Accesses[0].Kind = AccessKind::AsyncCopy;
  L.Facts.Accesses[0].Bulk = true;
  L.Facts.Operations[0].NumResults = 0;
  addGroupStep(L, Semantics::ExpectBytes, InstClass::AtomShared);
  addGroupStep(L, Semantics::WaitBarrier, InstClass::AtomShared, 1);
  return cyclesOfIteration(L);
}

TEST(BulkCopies, ABarrierWaitsForWhatArrives) {
  const double Small = bulkLoop(1024);
  EXPECT_GT(Small, 340);
  EXPECT_LT(Small, 500);
  // A line a cycle more.
  EXPECT_NEAR(bulkLoop(16384) - Small, (16384 - 1024) / 128.0, 10);
}

/// Cycles of an iteration with four products that add to the same sums and a
/// wait that leaves \p MayRemain groups.
double productLoop(InstClass Class, unsigned MayRemain) {
  constexpr unsigned Products = 4;
  OneBlockLoop L(Iterations);
  for (unsigned I = 0; I != Products; ++I)
    L.add(Emission{Class}, I == 0 ? Operand() : Operand::value(I - 1));
  addGroupStep(L, Semantics::CommitProducts, InstClass::Nop);
  addGroupStep(L, Semantics::WaitProducts, InstClass::Nop, MayRemain);
  return cyclesOfIteration(L);
}

TEST(WarpGroupProducts, FollowEachOtherWithoutWaiting) {
  // 32 cycles each of the tensor cores (m64n64k16, H200), and 105 from the
  // fence to the end of the wait of one.
  EXPECT_NEAR(productLoop(InstClass::WgmmaN64, 1), 4 * 32, 8);
  EXPECT_NEAR(productLoop(InstClass::WgmmaN64, 0), 3 * 32 + 105, 16);
  EXPECT_NEAR(productLoop(InstClass::WgmmaN256, 1), 4 * 128, 8);
}

} // namespace
