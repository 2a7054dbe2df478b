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
/// these loads, and places the others ahead of their uses and in no loop, as
/// ptxas does: a warp that a guard ends has loaded what the guard reads.
/// Instruction selection loads all parameters at the entry.
///
/// Source: SASS of ptxas 13.0 for sm_90, kernels with a guard: stack pointer,
/// index, size and bound come before EXIT, pointers and the descriptor of
/// memory behind it.
class PlaceParameters : public llvm::MachineFunctionPass {
public:
  static char ID;
  PlaceParameters() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override {
    return "gpu-occupancy parameter placer";
  }
  void getAnalysisUsage(llvm::AnalysisUsage &Usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &MF) override;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_READLLVM_PLACEPARAMETERS_H
