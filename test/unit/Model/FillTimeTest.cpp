//===- FillTimeTest.cpp - Short streams -----------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Lanes/FactsBuilder.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace gpuocc::test;

namespace {

/// Blocks of 256 threads that each read 16 bytes from DRAM and, with
/// \p Writes, write them to lines that stay in L2.
class Stream {
public:
  explicit Stream(bool Writes) {
    FactsBuilder B;
    Operand In = B.pointer("in"), Out = B.pointer("out");
    Operand I = B.globalX();
    Operand Read = B.load(MemorySpace::Global, B.element(In, I, 16), 16);
    if (Writes)
      B.store(MemorySpace::Global, B.element(Out, I, 16), 16);
    else
      B.opaque({Read});
    Facts = B.finish();
    if (Writes)
      Facts.Operations.back().Operands.push_back(Read);
    Facts.Resources.RegistersPerThread = 16;
    for (Operation &Op : Facts.Operations)
      if (Op.Access == NoIndex)
        Op.Emits = {{InstClass::IAdd3, 1, 1}};
      else
        Op.Emits = {{Facts.Accesses[Op.Access].Kind == AccessKind::Store
                         ? InstClass::StGlobal
                         : InstClass::LdGlobal,
                     1, 1}};
    Profile.Blocks = {{1, 1}};
    for (const MemoryAccess &A : Facts.Accesses) {
      AccessProfile P;
      P.ExecutionsPerWarp = P.RequestsPerWarp = 1;
      P.SectorsPerRequest = P.IdealSectorsPerRequest = 16;
      P.LinesPerRequest = P.WavefrontsPerRequest = 4;
      P.L2HitFraction = A.Kind == AccessKind::Store;
      Profile.Accesses.push_back(P);
    }
  }

  /// SM cycles of a stream of \p Bytes, without the launch.
  double cycles(double Bytes) const {
    Launch L;
    L.Block.Value = {256, 1, 1};
    L.Grid = Sourced<Dim3>{{uint64_t(Bytes / 4096), 1, 1}, "test"};
    Prediction P = predict(Facts, Profile, L, Device);
    EXPECT_TRUE(P.Time);
    return P.Time ? (P.Time->Ns - P.Time->LaunchNs) * 1.98 : 0;
  }

private:
  DeviceModel Device = cantFail(loadDevice("nvidia-h200"));
  KernelFacts Facts;
  ExecutionProfile Profile;
};

} // namespace

// Measured on an H200 with Nsight Compute 2025.3.1, --cache-control all,
// driver 580.159.04, 2026-11-21: sm__cycles_active.max of kernels as above.

TEST(FillTime, ReadsOfFewMegabytes) {
  Stream Reads(/*Writes=*/false);
  EXPECT_NEAR(Reads.cycles(4.19e6) / 3475, 1, 0.2);
  EXPECT_NEAR(Reads.cycles(8.39e6) / 5309, 1, 0.12);
  EXPECT_NEAR(Reads.cycles(16.8e6) / 8895, 1, 0.1);
  EXPECT_NEAR(Reads.cycles(134e6) / 63087, 1, 0.1);
}

TEST(FillTime, WritesIntoL2WaitBehindWhatDramDelivers) {
  Stream Copies(/*Writes=*/true);
  EXPECT_NEAR(Copies.cycles(4.19e6) / 4844, 1, 0.12);
  EXPECT_NEAR(Copies.cycles(8.39e6) / 8322, 1, 0.1);
  EXPECT_NEAR(Copies.cycles(16.8e6) / 14919, 1, 0.1);
}
