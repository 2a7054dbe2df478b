//===- MixKernelTest.cpp - The bench's mixes through the real model -------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MixKernel.h"
#include "MixModels.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Kernel/VerifyFacts.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

static constexpr MixKind Kinds[] = {MixKind::DramLoad, MixKind::RandomLoad,
                                    MixKind::Mufu, MixKind::Shared,
                                    MixKind::SharedTwoWay};

TEST(MixKernel, FactsFitTogether) {
  for (MixKind Kind : Kinds)
    for (unsigned Alpha : {0u, 1u, 512u})
      for (unsigned Ilp : {1u, 4u})
        EXPECT_EQ(toString(verifyFacts(mixKernel({Kind, Alpha, Ilp}).Facts)),
                  "");
}

static double perGroup(const Prediction &P, InstClass Class, double Groups) {
  for (const ClassCount &C : P.Mix)
    if (C.Class == Class)
      return C.PerWarp / Groups;
  return 0;
}

TEST(MixKernel, HasAlphaAdditionsAndOneSlowInstructionAGroup) {
  DeviceModel H200 = cantFail(loadDevice("nvidia-h200"));
  for (unsigned Ilp : {1u, 2u}) {
    MixKernel K = mixKernel({MixKind::Mufu, 23, Ilp});
    Prediction P = predict(K.Facts, K.Profile, K.How, H200);
    EXPECT_NEAR(perGroup(P, InstClass::FAdd, K.GroupsPerWarp), 23, 1e-9);
    EXPECT_NEAR(perGroup(P, InstClass::MufuRsq, K.GroupsPerWarp), 1, 1e-9);
  }
}

TEST(MixKernel, LatencyGrowsByOneAdditionEach) {
  DeviceModel H200 = cantFail(loadDevice("nvidia-h200"));
  double Add = *H200.get(InstClass::FAdd, TimingField::LatencyCycles);
  auto Latency = [&](unsigned Alpha) {
    MixKernel K = mixKernel({MixKind::DramLoad, Alpha, 1});
    Prediction P = predict(K.Facts, K.Profile, K.How, H200);
    return (P.Latency.CyclesPerWarp - P.Latency.ReplacementCycles) /
           K.GroupsPerWarp;
  };
  EXPECT_NEAR(Latency(64) - Latency(32), 32 * Add, 0.02 * 32 * Add);
}

/// Loads of several chains are in flight together. Where latencies vary, the
/// warp waits for the slowest of them.
TEST(MixKernel, ChainsOverlap) {
  DeviceModel H200 = cantFail(loadDevice("nvidia-h200"));
  DeviceModel Even = H200;
  Even.Quantities.erase(Quantity::DramLatencyDeviation);
  MixKernel One = mixKernel({MixKind::DramLoad, 8, 1});
  MixKernel Four = mixKernel({MixKind::DramLoad, 8, 4});
  auto PerGroup = [](const MixKernel &K, const DeviceModel &Device) {
    return predict(K.Facts, K.Profile, K.How, Device).Latency.CyclesPerWarp /
           K.GroupsPerWarp;
  };
  EXPECT_NEAR(PerGroup(One, Even) / PerGroup(Four, Even), 4, 0.25);
  double Varying = PerGroup(One, H200) / PerGroup(Four, H200);
  EXPECT_GT(Varying, 3);
  EXPECT_LT(Varying, 3.9);
}

/// Lines in a row come together, so that several take little longer than one.
TEST(MixKernel, NeighboursComeTogether) {
  DeviceModel H200 = cantFail(loadDevice("nvidia-h200"));
  DeviceModel Apart = H200;
  Apart.Quantities.erase(Quantity::DramNeighborBytes);
  MixKernel Four = mixKernel({MixKind::DramLoad, 8, 4});
  auto PerGroup = [&](const DeviceModel &Device) {
    Prediction P = predict(Four.Facts, Four.Profile, Four.How, Device);
    return (P.Latency.CyclesPerWarp - P.Latency.ReplacementCycles) * 4 /
           Four.GroupsPerWarp;
  };
  // The greatest of four normal draws is 1.03 deviations above the mean.
  const double OfLinesApart = H200.find(Quantity::DramLatencyDeviation)->Value;
  const double OfLinesInARow =
      H200.find(Quantity::DramNeighborDeviation)->Value;
  EXPECT_NEAR(PerGroup(Apart) - PerGroup(H200),
              1.03 * (OfLinesApart - OfLinesInARow), 15);
}

/// Of Table 4.1 of Volkov 2016; the project's database has the published GPUs.
TEST(AlphaMix, MaxwellIsThatOfTable41) {
  DeviceModel Maxwell = cantFail(loadDevice("nvidia-gtx-980"));
  AlphaMix M = cantFail(alphaMix({MixKind::Mufu, 8, 1}, Maxwell));
  EXPECT_EQ(M.AluLatencyCycles, 6);
  EXPECT_EQ(M.AluPerCycle, 4);
  EXPECT_EQ(M.MemLatencyCycles, 13);
  EXPECT_EQ(M.MemPerCycle, 1);
}

TEST(AlphaMix, NamesTheNumberThatIsMissing) {
  DeviceModel Empty;
  Empty.Name = "empty";
  Expected<AlphaMix> M = alphaMix({MixKind::Mufu, 8, 1}, Empty);
  ASSERT_FALSE(bool(M));
  EXPECT_NE(toString(M.takeError()).find("empty"), std::string::npos);
}

TEST(MixModels, RefinedNeverExceedsBasic) {
  DeviceModel H200 = cantFail(loadDevice("nvidia-h200"));
  MixGrid NoGrid;
  for (MixKind Kind : Kinds)
    for (unsigned Alpha : {0u, 8u, 64u, 256u}) {
      MixCase Case = cantFail(mixCase({Kind, Alpha, 1}, H200, NoGrid));
      for (double Warps = 4; Warps <= 64; Warps += 4)
        EXPECT_LE(mixModels()[0].Throughput(Case, Warps),
                  mixModels()[1].Throughput(Case, Warps) * 1.0001)
            << unsigned(Kind) << " " << Alpha << " " << Warps;
    }
}
