//===- FoldImmediates.h - Immediates instead of registers ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READLLVM_FOLDIMMEDIATES_H
#define GPUOCC_LIB_READLLVM_FOLDIMMEDIATES_H

#include "llvm/CodeGen/MachineFunctionPass.h"

namespace gpuocc {

/// Gives instructions that take a moved constant in a register the form that
/// takes it as an immediate, as final code has it. Intrinsics, the high half of
/// a product among them, are selected with registers only.
class FoldImmediates : public llvm::MachineFunctionPass {
public:
  static char ID;
  FoldImmediates() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override {
    return "gpu-occupancy immediate folder";
  }
  bool runOnMachineFunction(llvm::MachineFunction &MF) override;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_READLLVM_FOLDIMMEDIATES_H
