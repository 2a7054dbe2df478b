//===- InstructionFetchTest.cpp - Loops that are long to fetch ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/InstructionFetch.h"
#include "Latency/WarpLatency.h"
#include "Numbers/Numbers.h"
#include "OneBlockLoop.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

/// A loop of 100 iterations: shared loads with 16-way conflicts, each from an
/// address that the one before brought, and independent additions.
struct LongLoop : OneBlockLoop {
  static constexpr double Iterations = 100;

  LongLoop(unsigned Loads, unsigned Additions) : OneBlockLoop(Iterations) {
    for (unsigned I = 0; I != Loads; ++I) {
      AccessProfile &P =
          addLoad(InstClass::LdShared, MemorySpace::Shared,
                  I ? Operand::value(I - 1) : Operand(), /*BytesPerLane=*/4);
      P.WavefrontsPerRequest = 16;
      P.IdealWavefrontsPerRequest = 1;
    }
    for (unsigned I = 0; I != Additions; ++I)
      add(Emission{InstClass::FAdd}, Operand());
  }

  static const DeviceModel &h200() {
    static const DeviceModel Device =
        cantFail(llvm::Expected<DeviceModel>(loadDevice("nvidia-h200")));
    return Device;
  }

  double cyclesPerIteration(const DeviceModel &Device = h200()) const {
    Numbers N(Device);
    return WarpLatency(Facts, Profile, 4, N).cycles(MemoryDelay()) / Iterations;
  }
};

double fetchCycles() {
  return LongLoop::h200().find(Quantity::InstructionFetch)->Value;
}

} // namespace

TEST(InstructionFetch, SchedulersMeetAtSharedMemoryInShortLoopsOnly) {
  // 16 wavefronts of each of four schedulers, or else 23 + 15 x 2 cycles of
  // latency, which the first load of an iteration does not wait for: 200 and
  // 400 instructions.
  EXPECT_NEAR(LongLoop(10, 190).cyclesPerIteration(), 640, 10);
  EXPECT_NEAR(LongLoop(10, 390).cyclesPerIteration(), 9 * 53 + 30, 10);
}

TEST(InstructionFetch, ALoopBeyondTheCacheWaitsForItsCode) {
  // 8 instructions a line. 2048 fill 256 lines; with 20 lines more, all sets
  // that these are in miss their five; with 64 more, every line is missed.
  auto Waits = [](unsigned Lines) {
    constexpr double CyclesOfAddition = 1.040859;
    return LongLoop(0, 8 * Lines).cyclesPerIteration() -
           8 * CyclesOfAddition * Lines;
  };
  // The eight instructions of a line issue while the next one is fetched.
  const double Wait = fetchCycles() - 8;
  EXPECT_NEAR(Waits(256), 0, 1);
  EXPECT_NEAR(Waits(276), 20 * 5 * Wait, 2);
  EXPECT_NEAR(Waits(400), 400 * Wait, 2);
}

TEST(InstructionFetch, WarpsFetchTheSidesThatTheyTake) {
  // 256 lines that all warps execute, which fit, and a side of 144 lines.
  auto Waits = [](double ShareOfSide) {
    LongLoop L(0, 8 * 400);
    BasicBlock Side = L.Facts.Blocks[0];
    L.Facts.Blocks[0].NumOps = Side.FirstOp = 8 * 256;
    Side.NumOps = 8 * 144;
    for (uint32_t I = Side.FirstOp; I != Side.FirstOp + Side.NumOps; ++I)
      L.Facts.Operations[I].Block = 1;
    L.Facts.Loops[0].Blocks.push_back(1);
    L.Facts.Blocks.push_back(Side);
    L.Profile.Blocks.push_back(L.Profile.Blocks[0]);
    L.Profile.Blocks[1].ExecutionsPerWarp *= ShareOfSide;
    std::vector<double> Most;
    for (const BlockProfile &B : L.Profile.Blocks)
      Most.push_back(B.ExecutionsPerWarp);
    Numbers N(LongLoop::h200());
    return InstructionFetch(L.Facts, L.Profile, Most, N.device()).waitCycles(0);
  };
  const double Wait = fetchCycles() - 8;
  EXPECT_EQ(Waits(0), 0);
  EXPECT_NEAR(Waits(1), 400 * Wait, 1e-6);
  EXPECT_NEAR(Waits(0.25), (256 + 0.25 * 144) * Wait, 1e-6);
}

TEST(InstructionFetch, LinesAndInstructionsHaveTheSizesOfTheDatabase) {
  auto Cycles = [](const DeviceModel &Device) {
    return LongLoop(0, 8 * 400).cyclesPerIteration(Device);
  };
  // The same time for twice as many instructions.
  DeviceModel Device = LongLoop::h200();
  Device.Quantities[Quantity::InstructionLineBytes].Value *= 2;
  EXPECT_NEAR(Cycles(LongLoop::h200()) - Cycles(Device),
              400 * (fetchCycles() - 8) - 200 * (fetchCycles() - 16), 2);
  // Nothing is known of code whose instructions have no size.
  Device.Architecture = "sm_60";
  EXPECT_NEAR(Cycles(Device), 8 * 400 * 1.040859, 2);
}
