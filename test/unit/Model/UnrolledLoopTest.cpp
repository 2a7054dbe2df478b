//===- UnrolledLoopTest.cpp - Copies of a body that overlap ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numbers.h"
#include "WarpLatency.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

/// sum += *p; p += 4; in a loop of 1024 iterations, whose loads go to DRAM.
struct SumLoop {
  KernelFacts Facts;
  ExecutionProfile Profile;

  SumLoop(unsigned UnrolledBy, unsigned Registers) {
    Facts.Resources.RegistersPerThread = Registers;
    Loop L;
    L.Header = 0;
    L.Blocks = {0};
    L.UnrolledBy = UnrolledBy;
    Facts.Loops.push_back(L);
    BasicBlock B;
    B.Loop = 0;
    B.NumOps = 5;
    B.Successors = {0};
    Facts.Blocks.push_back(B);

    add(Semantics::Phi, {}, {Operand::value(3)});
    add(Semantics::Phi, {}, {Operand::value(4)});
    add(Semantics::Load, {{InstClass::LdGlobal, 1, 1}}, {Operand::value(0)});
    const float Once = 1.0f / float(UnrolledBy);
    add(Semantics::Add, {{InstClass::IAdd3, Once, Once}}, {Operand::value(0)});
    add(Semantics::Opaque, {{InstClass::FAdd, 1, 1}},
        {Operand::value(1), Operand::value(2)});
    MemoryAccess A;
    A.Op = 2;
    A.Space = MemorySpace::Global;
    A.Base = Operand::value(0);
    Facts.Accesses.push_back(A);
    Facts.Operations[2].Access = 0;

    Profile.Blocks.emplace_back().ExecutionsPerWarp = Iterations;
    Profile.Loops.emplace_back().TripCount = Iterations;
    AccessProfile P;
    P.ExecutionsPerWarp = P.RequestsPerWarp = Iterations;
    P.SectorsPerRequest = P.IdealSectorsPerRequest = 4;
    Profile.Accesses.push_back(P);
  }

  double cyclesPerIteration() const {
    static const DeviceModel Device =
        cantFail(llvm::Expected<DeviceModel>(loadDevice("nvidia-h200")));
    Numbers N(Device);
    return WarpLatency(Facts, Profile, 1, N).cycles(MemoryDelay()) / Iterations;
  }

private:
  static constexpr double Iterations = 1024;

  void add(Semantics What, std::vector<Emission> Emits,
           std::initializer_list<Operand> Operands) {
    Operation Op;
    Op.Block = 0;
    Op.What = What;
    Op.NumResults = 1;
    Op.Emits.append(Emits.begin(), Emits.end());
    Op.Operands.append(Operands.begin(), Operands.end());
    Facts.Operations.push_back(std::move(Op));
  }
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
  // Two loads with their addresses fit, then none.
  EXPECT_NEAR(SumLoop(4, 14).cyclesPerIteration(), Rolled / 2, Rolled / 10);
  EXPECT_NEAR(SumLoop(4, 255).cyclesPerIteration(), Rolled, Rolled / 20);
}
