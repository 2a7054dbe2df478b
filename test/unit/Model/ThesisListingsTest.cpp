//===- ThesisListingsTest.cpp - Listings of Volkov 2016, chapter 3 --------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The issue cycles that the thesis writes beside its code, found by the walk
/// that predictions are made with, on the GPUs of the database.
///
//===----------------------------------------------------------------------===//

#include "Latency/WarpLatency.h"
#include "Numbers/Numbers.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/Launch.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Model/Prediction.h"
#include "gpuocc/Model/Worksheet.h"
#include "gpuocc/Support/InstClasses.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;
using testing::ElementsAre;

namespace {

DeviceModel device(StringRef Name) { return cantFail(loadDevice(Name)); }

/// Machine code that one warp executes from top to bottom.
class Listing {
public:
  Listing() {
    Facts.View = MachineView::Sass;
    Facts.Blocks.emplace_back();
    Profile.Blocks.emplace_back().ExecutionsPerWarp = 1;
  }

  /// The next instruction, which uses the results of \p Inputs. \returns its
  /// number.
  uint32_t add(InstClass Class, ArrayRef<uint32_t> Inputs = {}) {
    Operation Op;
    Op.NumResults = 1;
    Op.Block = uint32_t(Facts.Blocks.size() - 1);
    Op.Emits.push_back(Emission{Class});
    for (uint32_t I : Inputs)
      Op.Operands.push_back(Operand::value(I));
    Facts.Operations.push_back(Op);
    ++Facts.Blocks.back().NumOps;
    return uint32_t(Facts.Operations.size() - 1);
  }

  /// A coalesced access of 4 bytes a lane; of global memory, it goes to DRAM.
  uint32_t access(InstClass Class, MemorySpace Space, AccessKind Kind,
                  ArrayRef<uint32_t> Inputs = {}) {
    const uint32_t Op = add(Class, Inputs);
    MemoryAccess A;
    A.Op = Op;
    A.Space = Space;
    A.Kind = Kind;
    A.BytesPerLane = 4;
    if (!Inputs.empty())
      A.Base = Operand::value(Inputs.front());
    Facts.Operations[Op].Access = uint32_t(Facts.Accesses.size());
    if (Kind == AccessKind::Load)
      Facts.Operations[Op].What = Semantics::Load;
    Facts.Accesses.push_back(A);
    AccessProfile &P = Profile.Accesses.emplace_back();
    P.ExecutionsPerWarp = P.RequestsPerWarp = 1;
    P.SectorsPerRequest = P.IdealSectorsPerRequest = 4;
    return Op;
  }
  uint32_t load(ArrayRef<uint32_t> Inputs = {}) {
    return access(InstClass::LdGlobal, MemorySpace::Global, AccessKind::Load,
                  Inputs);
  }
  uint32_t store(ArrayRef<uint32_t> Inputs = {}) {
    return access(InstClass::StGlobal, MemorySpace::Global, AccessKind::Store,
                  Inputs);
  }

  /// A branch that no lane takes.
  void fallThrough() {
    Branch B;
    B.Op = add(InstClass::Branch);
    B.Block = uint32_t(Facts.Blocks.size() - 1);
    Facts.Blocks.back().Branch = uint32_t(Facts.Branches.size());
    Facts.Blocks.back().Successors = {B.Block + 1};
    Facts.Branches.push_back(B);
    Profile.Branches.emplace_back().TakenLaneFraction = 0;
    Facts.Blocks.emplace_back().FirstOp = B.Op + 1;
    Profile.Blocks.emplace_back().ExecutionsPerWarp = 1;
  }

  std::vector<double> issueCycles(const DeviceModel &Device,
                                  unsigned WarpsPerBlock = 1) const {
    Numbers N(Device);
    return WarpLatency(Facts, Profile, WarpsPerBlock, N).onePass().IssueCycle;
  }

  KernelFacts Facts;
  ExecutionProfile Profile;
};

/// Listing 3.5.
Listing vectorAdd() {
  Listing L;
  L.add(InstClass::Mov);
  const uint32_t Thread = L.add(InstClass::S2R);
  const uint32_t Block = L.add(InstClass::S2R);
  const uint32_t Index = L.add(InstClass::IMad, {Thread, Block});
  const uint32_t A = L.add(InstClass::Lea, {Index});
  const uint32_t B = L.add(InstClass::Lea, {Index});
  const uint32_t FromA = L.load({A}), FromB = L.load({B});
  const uint32_t C = L.add(InstClass::Lea, {Index});
  L.store({C, L.add(InstClass::FAdd, {FromA, FromB})});
  L.add(InstClass::Exit);
  return L;
}

} // namespace

TEST(ThesisListings, DependentInstructionsOfListing31EndAtCycle343) {
  Listing L;
  uint32_t Value = L.load();
  Value = L.access(InstClass::LdShared, MemorySpace::Shared, AccessKind::Load,
                   {Value});
  Value = L.add(InstClass::FAdd, {Value});
  Value = L.add(InstClass::MufuRsq, {Value});
  L.store({Value});
  EXPECT_THAT(L.issueCycles(device("nvidia-gtx-680")),
              ElementsAre(0, 301, 325, 334, 343));
}

TEST(ThesisListings, IndependentAddsOfListing32IssueEverySixCycles) {
  Listing L;
  for (unsigned I = 0; I != 7; ++I)
    L.add(InstClass::FAdd);
  EXPECT_THAT(L.issueCycles(device("nvidia-gtx-480")),
              ElementsAre(0, 6, 12, 18, 24, 30, 36));
}

TEST(ThesisListings, StoresOfListing32IssueEvery34Cycles) {
  Listing L;
  for (unsigned I = 0; I != 7; ++I)
    L.store();
  EXPECT_THAT(L.issueCycles(device("nvidia-gtx-480")),
              ElementsAre(0, 34, 68, 102, 136, 170, 204));
}

TEST(ThesisListings, TheBarrierOfListing33LetsBothWarpsGoOnAtCycle580) {
  // The warp that is later there: it falls through the branch and loads.
  Listing L;
  L.fallThrough();
  const uint32_t Value = L.load();
  L.add(InstClass::FAdd, {Value});
  L.add(InstClass::Barrier);
  L.add(InstClass::FAdd);
  DeviceModel Fermi = device("nvidia-gtx-480");
  // What the listing takes a load to need; Table 6.2 has 513.
  Fermi.Quantities[Quantity::DramLatency].Value = 512;
  EXPECT_THAT(L.issueCycles(Fermi, /*WarpsPerBlock=*/2),
              ElementsAre(0, 28, 540, 546, 580));
}

TEST(ThesisListings, VectorAddOfSection38Takes544Cycles) {
  const Listing L = vectorAdd();
  const DeviceModel Kepler = device("nvidia-gtx-680");
  Numbers N(Kepler);
  // With the pairs that the listing marks.
  const std::vector<double> Cycles =
      WarpLatency(L.Facts, L.Profile, 1, N).onePass().IssueCycle;
  EXPECT_THAT(Cycles,
              ElementsAre(0, 0, 3, 12, 21, 21, 30, 33, 33, 334, 343, 343));
  EXPECT_EQ(Cycles.back() + N.get(Quantity::BlockReplacement), 544);
}

TEST(ThesisListings, VectorAddOfSection38Issues8TimesAWarp) {
  const Listing L = vectorAdd();
  Launch Launched;
  Launched.Block = {{32, 1, 1}, "test"};
  const Prediction P = predict(L.Facts, L.Profile, Launched,
                               device("nvidia-gtx-680"), PredictDetail::Full);
  for (const Bound &B : P.Bounds)
    if (B.What == Resource::Issue)
      EXPECT_EQ(B.CyclesPerWarp, 2);
  EXPECT_NEAR(warpThroughputBound(P.Bounds), 0.0445, 0.0002);
}

TEST(ThesisListings, NothingIssuesTogetherWhereTheDeviceDoesNotSaySo) {
  const std::vector<double> Cycles =
      vectorAdd().issueCycles(device("nvidia-gtx-980"));
  for (size_t I = 1; I != Cycles.size(); ++I)
    EXPECT_GT(Cycles[I], Cycles[I - 1]);
}
