//===- UnrolledLoopTest.cpp - Copies of a body that overlap ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/LoopCopies.h"
#include "Latency/WarpLatency.h"
#include "Numbers/Numbers.h"
#include "OneBlockLoop.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

/// sum += *p; p += 4; in a loop of 1024 iterations, whose loads go to DRAM.
/// Each lane has a pointer of its own, or all have the same.
struct SumLoop : OneBlockLoop {
  SumLoop(unsigned UnrolledBy, unsigned Registers, bool HasOnePointer = false)
      : OneBlockLoop(Iterations) {
    Facts.Architecture = "sm_90";
    Facts.Resources.RegistersPerThread = Registers;
    Facts.Loops[0].UnrolledBy = UnrolledBy;
    add({}, Operand::value(3)).What = Semantics::Phi;
    add({}, Operand::value(4)).What = Semantics::Phi;
    AccessProfile &P = addLoad(InstClass::LdGlobal, MemorySpace::Global,
                               Operand::value(0), /*BytesPerLane=*/4);
    P.SectorsPerRequest = P.IdealSectorsPerRequest = 4;
    const float Once = 1.0f / float(UnrolledBy);
    add(Emission{InstClass::IAdd3, Once, Once}, Operand::value(0)).What =
        Semantics::Add;
    add(Emission{InstClass::FAdd}, {Operand::value(1), Operand::value(2)});
    if (HasOnePointer)
      return;
    Operation &Thread = add({}, {});
    Thread.What = Semantics::SReg;
    Thread.SReg = SpecialReg::TidX;
    Facts.Operations[0].Operands.push_back(Operand::value(5));
  }

  double cyclesPerIteration() const {
    static const DeviceModel Device =
        cantFail(llvm::Expected<DeviceModel>(loadDevice("nvidia-h200")));
    Numbers N(Device);
    return WarpLatency(Facts, Profile, 1, N).cycles(MemoryDelay()) / Iterations;
  }

private:
  static constexpr double Iterations = 1024;
};

} // namespace

TEST(UnrolledLoop, LoadsOfAPassAreAwaitedTogether) {
  // Four sums behind one wait for DRAM.
  double Rolled = SumLoop(1, 32).cyclesPerIteration();
  double Unrolled = SumLoop(4, 32).cyclesPerIteration();
  EXPECT_GT(Rolled, 600);
  EXPECT_GT(Unrolled, Rolled / 4);
  EXPECT_LT(Unrolled, Rolled / 3);
}

TEST(UnrolledLoop, RegistersLimitTheLoadsThatMoveUp) {
  double Rolled = SumLoop(1, 32).cyclesPerIteration();
  // The data of two loads fit beside a pointer.
  EXPECT_NEAR(SumLoop(4, 12).cyclesPerIteration(), Rolled / 2, Rolled / 10);
  EXPECT_NEAR(SumLoop(4, 255).cyclesPerIteration(), Rolled, Rolled / 20);
}

TEST(UnrolledLoop, OnePointerOfAllLanesTakesNoRegisters) {
  double Rolled = SumLoop(1, 32, true).cyclesPerIteration();
  EXPECT_LT(SumLoop(4, 12, true).cyclesPerIteration(), Rolled / 3);
}

namespace {

/// The same where one lane walks over floats: each eighth begins a sector, of
/// which each other one came along with the one before.
struct WalkOfALane : SumLoop {
  explicit WalkOfALane(unsigned UnrolledBy) : SumLoop(UnrolledBy, 32, true) {
    AccessProfile &P = Profile.Accesses[0];
    P.SectorsPerRequest = P.IdealSectorsPerRequest = 1;
    P.L1HitFraction = 7.0 / 8;
    P.L1WaitFraction = P.LineVisitFraction = 1.0 / 8;
    P.FetchedAlongFraction = 0.5;
    P.Exact = Exactness::Exact;
  }

  /// The next \p Count floats of each iteration, in the sector of the first.
  void addRiders(unsigned Count) {
    const AccessProfile First = Profile.Accesses[0];
    for (unsigned I = 0; I != Count; ++I) {
      addLoad(InstClass::LdGlobal, MemorySpace::Global, Operand::value(0), 4) =
          First;
      Profile.Accesses.back().LineVisitFraction = 0;
      Facts.Accesses.back().OffsetBytes = 4 * (I + 1);
      const uint32_t Load = Facts.Operations.size() - 1;
      add(Emission{InstClass::FAdd}, {Operand::value(4), Operand::value(Load)});
    }
  }
};

} // namespace

TEST(UnrolledLoop, LoadsOfASectorWaitAsOne) {
  const double Alone = WalkOfALane(1).cyclesPerIteration();
  WalkOfALane Four(1);
  Four.addRiders(3);
  // Three more additions and issues, and no wait.
  EXPECT_LT(Four.cyclesPerIteration(), Alone + 20);
}

TEST(UnrolledLoop, CopiesWaitWhereOneOfThemDoes) {
  const double Alone = WalkOfALane(1).cyclesPerIteration();
  // The share of the iterations that wait is that of the passes, over four.
  EXPECT_LT(WalkOfALane(4).cyclesPerIteration(), Alone);
  EXPECT_GT(WalkOfALane(4).cyclesPerIteration(), 0.125 * (690 + 290) / 2);
}

TEST(UnrolledLoop, CopiesThatStoresHoldBackWaitEachForItself) {
  WalkOfALane Loop(4);
  auto ofPass = [&] {
    return inPassOf(4, Loop.Facts, 0, Loop.Profile.Accesses[0]);
  };
  EXPECT_EQ(ofPass().L1WaitFraction, 0.5);
  EXPECT_EQ(ofPass().FetchedAlongFraction, 0.5);
  Loop.Profile.Accesses[0].DrawnAddresses = 1000.0;
  EXPECT_EQ(ofPass().L1WaitFraction, 0.125);
  Loop.Profile.Accesses[0].DrawnAddresses =
      Known<double>::unknown("no loaded index");
  Loop.addLoad(InstClass::StGlobal, MemorySpace::Global, Operand::value(5), 4);
  Loop.Facts.Accesses.back().Kind = AccessKind::Store;
  EXPECT_EQ(ofPass().L1WaitFraction, 0.125);
}

TEST(UnrolledLoop, APassThatBringsWhatDramBringsWaitsForDram) {
  WalkOfALane Loop(4);
  Loop.Profile.Accesses[0].L1WaitFraction = 0.5;
  const AccessProfile P = inPassOf(4, Loop.Facts, 0, Loop.Profile.Accesses[0]);
  EXPECT_EQ(P.L1WaitFraction, 1);
  EXPECT_EQ(P.FetchedAlongFraction, 0);
}
