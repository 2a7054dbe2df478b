//===- OneBlockLoop.h - A loop for tests of the model -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TEST_UNIT_MODEL_ONEBLOCKLOOP_H
#define GPUOCC_TEST_UNIT_MODEL_ONEBLOCKLOOP_H

#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuocc {

/// A kernel that is one loop with a body of one block.
struct OneBlockLoop {
  KernelFacts Facts;
  ExecutionProfile Profile;

  explicit OneBlockLoop(double Iterations) {
    Loop L;
    L.Header = 0;
    L.Blocks = {0};
    Facts.Loops.push_back(L);
    BasicBlock B;
    B.Loop = 0;
    B.Successors = {0};
    Facts.Blocks.push_back(B);
    Profile.Blocks.emplace_back().ExecutionsPerWarp = Iterations;
    Profile.Loops.emplace_back().TripCount = Iterations;
  }

  /// The next operation of the body.
  Operation &add(llvm::ArrayRef<Emission> Emits,
                 llvm::ArrayRef<Operand> Operands) {
    Operation Op;
    Op.Block = 0;
    Op.NumResults = 1;
    Op.Emits.assign(Emits.begin(), Emits.end());
    Op.Operands.assign(Operands.begin(), Operands.end());
    Facts.Operations.push_back(Op);
    ++Facts.Blocks[0].NumOps;
    return Facts.Operations.back();
  }

  /// The next operation, which loads \p BytesPerLane in every iteration.
  AccessProfile &addLoad(InstClass Class, MemorySpace Space, Operand Address,
                         unsigned BytesPerLane) {
    MemoryAccess A;
    A.Op = Facts.Operations.size();
    A.Space = Space;
    A.BytesPerLane = BytesPerLane;
    A.Base = Address;
    Operation &Op = add(Emission{Class}, Address);
    Op.What = Semantics::Load;
    Op.Access = Facts.Accesses.size();
    Facts.Accesses.push_back(A);
    AccessProfile &P = Profile.Accesses.emplace_back();
    P.ExecutionsPerWarp = P.RequestsPerWarp =
        Profile.Blocks[0].ExecutionsPerWarp;
    return P;
  }
};

} // namespace gpuocc

#endif // GPUOCC_TEST_UNIT_MODEL_ONEBLOCKLOOP_H
