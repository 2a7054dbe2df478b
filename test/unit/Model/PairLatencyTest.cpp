//===- PairLatencyTest.cpp - Latencies between classes, and their order ---===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/WarpLatency.h"
#include "Numbers/Numbers.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <tuple>

using namespace gpuocc;
using testing::ElementsAre;
using testing::ElementsAreArray;

namespace {

/// Straight code.
struct Code {
  KernelFacts Facts;
  ExecutionProfile Profile;

  Code() {
    Facts.Blocks.emplace_back();
    Profile.Blocks = {{1, 1}};
  }

  uint32_t op(InstClass Class, std::initializer_list<uint32_t> Inputs) {
    Operation Op;
    Op.Block = 0;
    Op.Emits = {Emission{Class}};
    for (uint32_t Input : Inputs)
      Op.Operands.push_back(Operand::value(Input));
    Facts.Operations.push_back(Op);
    return Facts.Blocks[0].NumOps++;
  }

  uint32_t sharedLoad(uint32_t Address) {
    uint32_t Op = op(InstClass::LdShared, {Address});
    MemoryAccess A;
    A.Op = Op;
    A.Space = MemorySpace::Shared;
    A.BytesPerLane = 4;
    A.Volatile = true;
    A.Base = Operand::value(Address);
    Facts.Operations[Op].What = Semantics::Load;
    Facts.Operations[Op].Access = Facts.Accesses.size();
    Facts.Accesses.push_back(A);
    AccessProfile P;
    P.ExecutionsPerWarp = P.RequestsPerWarp = 1;
    P.WavefrontsPerRequest = P.IdealWavefrontsPerRequest = 1;
    Profile.Accesses.push_back(P);
    return Op;
  }

  std::vector<double> issueCycles(llvm::StringRef Device) const {
    DeviceModel Model =
        cantFail(llvm::Expected<DeviceModel>(loadDevice(Device)));
    Numbers N(Model);
    return WarpLatency(Facts, Profile, 1, N).onePass().IssueCycle;
  }
};

} // namespace

TEST(PairLatency, TheConsumerDecidesWhenItCanBegin) {
  Code C;
  uint32_t Logic = C.op(InstClass::Lop3, {});
  uint32_t Root = C.op(InstClass::MufuRsq, {Logic});
  uint32_t Sum = C.op(InstClass::FAdd, {Root});
  uint32_t Bits = C.op(InstClass::Lop3, {Sum});
  uint32_t Count = C.op(InstClass::Popc, {Bits});
  C.op(InstClass::IMadWide, {Count});
  // int.logic -> mufu.rsq 6, mufu.rsq -> fp32.add 17, fp32.add -> int.logic 5,
  // int.logic -> popc 6, popc -> int.mad_wide 19.
  std::vector<double> Cycles = C.issueCycles("nvidia-h200");
  std::vector<double> Expected = {0, 6, 23, 28, 34, 53};
  for (auto [Cycle, At] : llvm::zip(Cycles, Expected))
    EXPECT_NEAR(Cycle, At, 0.2);
}

TEST(PairLatency, WithoutPairsItIsTheLatencyOfTheProducer) {
  Code C;
  uint32_t Logic = C.op(InstClass::Lop3, {});
  C.op(InstClass::MufuRsq, {Logic});
  DeviceModel Device =
      cantFail(llvm::Expected<DeviceModel>(loadDevice("nvidia-tesla-p100")));
  Device.forEachPair([](const Dependence &, double) { FAIL(); });
  Known<double> Own = Device.get(InstClass::Lop3, TimingField::LatencyCycles);
  ASSERT_TRUE(Own);
  EXPECT_THAT(C.issueCycles("nvidia-tesla-p100"), ElementsAre(0, *Own));
}

TEST(PairLatency, FourChainsAreOrderedAsInMachineCode) {
  // What ptxas 13.0 makes of four chains of shared loads, four additions each,
  // and the logic instruction in the next address (sm_90): the chain of each
  // instruction, from the loads on.
  Code C;
  std::vector<uint32_t> Chains;
  for (unsigned I = 0; I != 4; ++I)
    Chains.push_back(C.sharedLoad(C.op(InstClass::Lop3, {})));
  std::vector<unsigned> ChainOf(C.Facts.Operations.size());
  for (unsigned Step = 0; Step != 4; ++Step)
    for (unsigned I = 0; I != 4; ++I) {
      Chains[I] = C.op(InstClass::FAdd, {Chains[I]});
      ChainOf.push_back(I);
    }
  const uint32_t FirstAddition = ChainOf.size() - 16;
  for (unsigned I = 0; I != 4; ++I) {
    C.sharedLoad(C.op(InstClass::Lop3, {Chains[I]}));
    ChainOf.insert(ChainOf.end(), 2, I);
  }
  std::vector<double> Cycles = C.issueCycles("nvidia-h200");
  std::vector<uint32_t> Order;
  for (uint32_t Op = FirstAddition; Op != Cycles.size(); ++Op)
    Order.push_back(Op);
  llvm::sort(Order, [&](uint32_t A, uint32_t B) {
    return std::tie(Cycles[A], A) < std::tie(Cycles[B], B);
  });
  std::vector<unsigned> Found;
  for (uint32_t Op : Order)
    Found.push_back(ChainOf[Op]);
  EXPECT_THAT(Found, ElementsAreArray({0, 1, 0, 2, 1, 0, 3, 2, 1, 0, 3, 2,
                                       1, 3, 2, 0, 3, 1, 2, 0, 3, 1, 2, 3}));
}
