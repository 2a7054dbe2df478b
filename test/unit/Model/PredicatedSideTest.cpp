//===- PredicatedSideTest.cpp - Sides that are scheduled with their block -===//
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
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

/// sum = *p; if (c) sum += *q; sum + 1, with both loads from DRAM.
struct GuardedSum {
  KernelFacts Facts;
  ExecutionProfile Profile;

  explicit GuardedSum(bool IsPredicated) {
    for (uint32_t Block : {0, 1, 2}) {
      BasicBlock &B = Facts.Blocks.emplace_back();
      B.FirstOp = 3 * Block;
      B.NumOps = 3;
      Profile.Blocks.emplace_back().ExecutionsPerWarp = 1;
    }
    Facts.Blocks[0].Successors = {1, 2};
    Facts.Blocks[1].Successors = {2};
    add(0, Semantics::Compare, {{InstClass::ISetp, 1, 1}}, {});
    load(0);
    add(0, Semantics::Opaque, {{InstClass::FAdd, 1, 1}}, {Operand::value(1)});
    load(1);
    add(1, Semantics::Opaque, {{InstClass::FAdd, 1, 1}},
        {Operand::value(2), Operand::value(3)});
    add(1, Semantics::Opaque, {}, {});
    add(2, Semantics::Phi, {}, {Operand::value(2), Operand::value(4)});
    Facts.Operations.back().PhiBlocks = {0, 1};
    add(2, Semantics::Opaque, {{InstClass::FAdd, 1, 1}}, {Operand::value(6)});
    add(2, Semantics::Opaque, {{InstClass::Exit, 1, 1}}, {Operand::value(7)});
    Branch Guard;
    Guard.Block = 0;
    Guard.Condition = Operand::value(0);
    Facts.Branches.push_back(Guard);
    Facts.Blocks[0].Branch = 0;
    if (IsPredicated)
      Facts.Blocks[1].PredicatedInto = 0;
  }

  double cycles() const {
    static const DeviceModel Device =
        cantFail(llvm::Expected<DeviceModel>(loadDevice("nvidia-h200")));
    Numbers N(Device);
    return WarpLatency(Facts, Profile, 1, N).cycles(MemoryDelay());
  }

private:
  void add(uint32_t Block, Semantics What, std::vector<Emission> Emits,
           std::initializer_list<Operand> Operands) {
    Operation &Op = Facts.Operations.emplace_back();
    Op.Block = Block;
    Op.What = What;
    Op.NumResults = 1;
    Op.Emits.append(Emits.begin(), Emits.end());
    Op.Operands.append(Operands.begin(), Operands.end());
  }

  void load(uint32_t Block) {
    add(Block, Semantics::Load, {{InstClass::LdGlobal, 1, 1}}, {});
    MemoryAccess A;
    A.Op = uint32_t(Facts.Operations.size() - 1);
    A.Space = MemorySpace::Global;
    Facts.Operations.back().Access = uint32_t(Facts.Accesses.size());
    Facts.Accesses.push_back(A);
    AccessProfile P;
    P.ExecutionsPerWarp = P.RequestsPerWarp = 1;
    P.SectorsPerRequest = P.IdealSectorsPerRequest = 4;
    Profile.Accesses.push_back(P);
  }
};

} // namespace

TEST(PredicatedSide, ItsLoadsAreAwaitedWithThoseOfItsBlock) {
  double Branched = GuardedSum(false).cycles();
  double Predicated = GuardedSum(true).cycles();
  EXPECT_GT(Branched, 1200);
  EXPECT_GT(Predicated, 600);
  EXPECT_LT(Predicated, 0.65 * Branched);
}
