//===- ParallelismTest.cpp - Chains, ILP and the occupancy roofline -------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/Parallelism.h"
#include "OneBlockLoop.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Kernel/Launch.h"
#include "gpuocc/Model/OccupancyRoofline.h"
#include "gpuocc/Model/Prediction.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

namespace {

const DeviceModel &h200() {
  static DeviceModel Device = cantFail(loadDevice("nvidia-h200"));
  return Device;
}

/// A loop of 1000 turns.
struct LoopOfChains : OneBlockLoop {
  LoopOfChains() : OneBlockLoop(1000) { Facts.View = MachineView::Sass; }

  /// A value that the next iteration takes from operation \p Latch.
  void addPhi(uint32_t Latch) {
    Operation &Phi = add({}, {Operand::immediate(0), Operand::value(Latch)});
    Phi.What = Semantics::Phi;
    Phi.PhiBlocks = {NoIndex, 0};
  }

  Parallelism parallel() const {
    Launch L;
    L.Block = {{32, 1, 1}, "test"};
    return parallelism(Facts, Profile, L, h200());
  }
};

/// \p Chains accumulators of one FFMA each.
LoopOfChains accumulators(unsigned Chains) {
  LoopOfChains Code;
  for (unsigned I = 0; I != Chains; ++I)
    Code.addPhi(Chains + I);
  for (unsigned I = 0; I != Chains; ++I)
    Code.add(Emission{InstClass::FFma},
             {Operand::value(I), Operand::value(I), Operand::value(I)});
  return Code;
}

TEST(Parallelism, OneAccumulatorIsOneChainWithAnIlpOfOne) {
  const Parallelism P = accumulators(1).parallel();
  ASSERT_EQ(P.Loops.size(), 1u);
  EXPECT_EQ(P.Loops[0].Chains, 1u);
  EXPECT_NEAR(P.Loops[0].ChainCycles, 4, 0.1);
  EXPECT_NEAR(P.Loops[0].CyclesPerIteration, 4, 0.1);
  EXPECT_NEAR(P.Loops[0].Ilp, 1, 0.05);
  EXPECT_NEAR(P.Ilp, 1, 0.05);
  EXPECT_FALSE(P.Loops[0].ChainLoads);
  // The whole life of the warp is a wait of the addition for itself.
  ASSERT_EQ(P.Chain.size(), 1u);
  EXPECT_EQ(P.Chain[0].Producer, 1u);
  EXPECT_EQ(P.Chain[0].Consumer, 1u);
  EXPECT_NEAR(P.Chain[0].Cycles, 3000, 100);
}

TEST(Parallelism, FourAccumulatorsAreFourChains) {
  const Parallelism P = accumulators(4).parallel();
  ASSERT_EQ(P.Loops.size(), 1u);
  EXPECT_EQ(P.Loops[0].Chains, 4u);
  EXPECT_NEAR(P.Loops[0].ChainCycles, 4, 0.1);
  EXPECT_GT(P.Loops[0].Ilp, 3.5);
  EXPECT_LT(P.Loops[0].Ilp, 4.1);
}

TEST(Parallelism, ValuesThatMeetAreOneChain) {
  LoopOfChains Code;
  Code.addPhi(2);
  Code.addPhi(3);
  // Each takes what the other has made.
  Code.add(Emission{InstClass::FFma}, {Operand::value(1)});
  Code.add(Emission{InstClass::FFma}, {Operand::value(0)});
  EXPECT_EQ(Code.parallel().Loops[0].Chains, 1u);
  EXPECT_NEAR(Code.parallel().Loops[0].ChainCycles, 4, 0.1);
}

TEST(Parallelism, CountersAreNoChains) {
  LoopOfChains Code;
  Code.addPhi(1);
  Code.add(Emission{InstClass::IAdd3},
           {Operand::value(0), Operand::immediate(4)});
  EXPECT_EQ(Code.parallel().Loops[0].Chains, 0u);
  // Sums of what changes are.
  LoopOfChains Sum;
  Sum.addPhi(2);
  Sum.addPhi(3);
  Sum.add(Emission{InstClass::IAdd3},
          {Operand::value(0), Operand::immediate(1)});
  Sum.add(Emission{InstClass::IAdd3}, {Operand::value(1), Operand::value(2)});
  EXPECT_EQ(Sum.parallel().Loops[0].Chains, 1u);
}

TEST(Parallelism, AListIsAChainThatLoads) {
  LoopOfChains Code;
  Code.addPhi(1);
  Code.addLoad(InstClass::LdGlobal, MemorySpace::Global, Operand::value(0), 8);
  const Parallelism P = Code.parallel();
  EXPECT_EQ(P.Loops[0].Chains, 1u);
  EXPECT_TRUE(P.Loops[0].ChainLoads);
  EXPECT_EQ(P.LoadsBeforeWait, 1u);
}

TEST(Parallelism, LoadsBeforeAWaitAreThoseUnderWay) {
  LoopOfChains Code;
  for (unsigned I = 0; I != 3; ++I)
    Code.addLoad(InstClass::LdGlobal, MemorySpace::Global, Operand(), 4);
  Code.add(Emission{InstClass::FAdd}, {Operand::value(0), Operand::value(1)});
  Code.addLoad(InstClass::LdGlobal, MemorySpace::Global, Operand(), 4);
  EXPECT_EQ(Code.parallel().Loops[0].LoadsBeforeWait, 3u);
}

TEST(OccupancyRoofline, ComesFromTheCurve) {
  InstTiming Timing;
  // Four schedulers with a latency of 4 cycles.
  for (unsigned Ilp : {1u, 2u})
    for (unsigned Warps : {4u, 8u, 12u, 16u, 32u})
      Timing.Curve.push_back(
          {Ilp, Warps, std::min(4.0, double(Ilp * Warps) / 4)});
  const std::vector<PipelinePoint> Points = pipelinePoints(Timing);
  ASSERT_EQ(Points.size(), 2u);
  EXPECT_EQ(Points[0], (PipelinePoint{1, 0.25, 4, 16}));
  EXPECT_EQ(Points[1], (PipelinePoint{2, 0.25, 2, 8}));
  EXPECT_DOUBLE_EQ(fractionOfPeak(Points[0], 8), 0.5);
  EXPECT_DOUBLE_EQ(fractionOfPeak(Points[0], 64), 1);
  EXPECT_DOUBLE_EQ(fractionOfPeak(Points[1], 8), 1);
}

TEST(OccupancyRoofline, WithoutACurveIsThatOfAPipe) {
  // Kepler, Table II of Lemeire et al.: SP 9 and 0.18 cycles.
  InstTiming Timing;
  EXPECT_TRUE(pipelinePoints(Timing).empty());
  Timing.LatencyCycles.emplace().Value = 9;
  Timing.ThroughputPerCycleSm.emplace().Value = 1 / 0.18;
  const std::vector<PipelinePoint> Points = pipelinePoints(Timing);
  ASSERT_EQ(Points.size(), 3u);
  EXPECT_DOUBLE_EQ(Points[0].IssueLatency, 0.18);
  EXPECT_DOUBLE_EQ(Points[0].CompletionLatency, 9);
  EXPECT_NEAR(Points[0].RidgeWarps, 0.95 * 50, 1e-9);
  EXPECT_DOUBLE_EQ(Points[1].CompletionLatency, 4.5);
  EXPECT_NEAR(Points[2].RidgeWarps, 0.95 * 12.5, 1e-9);
}

TEST(OccupancyRoofline, ThePipeIsWhatWasMeasuredOnTheH200) {
  // Ridges of the curves in calibration/results/nvidia-h200/2026-11-21.
  const double Measured[] = {16, 8, 4};
  const std::vector<PipelinePoint> Points =
      pipelinePoints(*h200().timing(InstClass::FFma));
  ASSERT_EQ(Points.size(), 3u);
  for (unsigned I = 0; I != 3; ++I)
    EXPECT_NEAR(Points[I].RidgeWarps, Measured[I], 0.05 * Measured[I]);
}

TEST(OccupancyRoofline, AKernelIsPlacedByWarpsAndIlp) {
  Prediction P;
  P.ActiveWarpsPerSm = 8;
  P.Mix = {{InstClass::FFma, 100}};
  Parallelism Of;
  Of.Ilp = 1;
  const OccupancyRoofline R = occupancyRoofline(P, Of, h200());
  ASSERT_EQ(R.Classes.size(), 1u);
  EXPECT_EQ(R.Classes[0].Class, InstClass::FFma);
  // 8 of the 16 warps that Little's law asks for.
  EXPECT_NEAR(R.Classes[0].FractionOfPeak, 0.5, 0.02);
}

} // namespace
