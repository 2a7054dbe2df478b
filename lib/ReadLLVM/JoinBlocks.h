//===- JoinBlocks.h - Joins blocks that follow one another -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READLLVM_JOINBLOCKS_H
#define GPUOCC_LIB_READLLVM_JOINBLOCKS_H

#include "llvm/CodeGen/MachineFunctionPass.h"

namespace gpuocc {

/// Joins each machine block with the only block that it goes on to, where
/// nothing else does. Final code, whose instructions were selected one by one,
/// becomes blocks again that end where code branches or is branched to.
class JoinBlocks : public llvm::MachineFunctionPass {
public:
  static char ID;
  JoinBlocks() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override {
    return "gpu-occupancy block joiner";
  }
  bool runOnMachineFunction(llvm::MachineFunction &MF) override;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_READLLVM_JOINBLOCKS_H
