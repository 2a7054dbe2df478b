//===- PlaceParameters.h - Loads parameters where code does ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READLLVM_PLACEPARAMETERS_H
#define GPUOCC_LIB_READLLVM_PLACEPARAMETERS_H

#include "llvm/CodeGen/MachineFunctionPass.h"

namespace gpuocc {

/// Turns copies of parameters, which final code has where it loads them, into
/// these loads. Instruction selection loads all parameters at the entry.
class PlaceParameters : public llvm::MachineFunctionPass {
public:
  static char ID;
  PlaceParameters() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override {
    return "gpu-occupancy parameter placer";
  }
  bool runOnMachineFunction(llvm::MachineFunction &MF) override;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_READLLVM_PLACEPARAMETERS_H
