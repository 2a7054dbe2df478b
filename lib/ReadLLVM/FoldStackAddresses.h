//===- FoldStackAddresses.h - Addresses of objects on the stack -*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READLLVM_FOLDSTACKADDRESSES_H
#define GPUOCC_LIB_READLLVM_FOLDSTACKADDRESSES_H

#include "llvm/CodeGen/MachineFunctionPass.h"

namespace gpuocc {

/// Makes addresses of parts of the stack of what final code adds to the address
/// of all of it. Final code has one variable for the stack of a function, and
/// the objects in it at offsets, which cost ptxas no instruction.
class FoldStackAddresses : public llvm::MachineFunctionPass {
public:
  static char ID;
  FoldStackAddresses() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override {
    return "gpu-occupancy stack address folder";
  }
  bool runOnMachineFunction(llvm::MachineFunction &MF) override;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_READLLVM_FOLDSTACKADDRESSES_H
