//===- FunctionMap.h - Machine code and the facts made of it ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READLLVM_FUNCTIONMAP_H
#define GPUOCC_LIB_READLLVM_FUNCTIONMAP_H

#include "KernelSymbols.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/PtxSteps.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>

namespace llvm {
class MachineBasicBlock;
class MachineFunction;
class MachineInstr;
class MachineOperand;
class MachineRegisterInfo;
class Register;
} // namespace llvm

namespace gpuocc {

class OpcodeTable;

/// Where the blocks, instructions and operands of a machine function are in the
/// facts that are made of it.
class FunctionMap {
public:
  /// Adds the blocks of \p MF to \p Facts, and their operations, which are yet
  /// to be read.
  FunctionMap(const llvm::MachineFunction &MF, OpcodeTable &Opcodes,
              KernelFacts &Facts);

  /// False for what is no code: debug information, lifetimes, undefined values.
  bool hasOperation(const llvm::MachineInstr &MI) const {
    return Operations.contains(&MI);
  }
  uint32_t operationOf(const llvm::MachineInstr &MI) const {
    return Operations.at(&MI);
  }
  uint32_t blockOf(const llvm::MachineBasicBlock &MBB) const {
    return Blocks.at(&MBB);
  }

  /// The steps that \p MI is read as, one operation each; null where it is one
  /// operation. The last is that of operationOf().
  const PtxBlock *stepsOf(const llvm::MachineInstr &MI) const {
    auto It = Steps.find(&MI);
    return It == Steps.end() ? nullptr : It->second.get();
  }
  /// What \p Ref of the steps of \p MI stands for.
  Operand operand(const llvm::MachineInstr &MI, const PtxRef &Ref);

  /// \p MO as an operand; undefined where it is none that facts can name.
  Operand operand(const llvm::MachineOperand &MO);

  KernelSymbols &symbols() { return Symbols; }

private:
  uint32_t firstStep(const llvm::MachineInstr &MI) const;
  Operand ofRegister(llvm::Register Reg) const;

  const llvm::MachineRegisterInfo &Registers;
  llvm::DenseMap<const llvm::MachineInstr *, uint32_t> Operations;
  llvm::DenseMap<const llvm::MachineBasicBlock *, uint32_t> Blocks;
  llvm::DenseMap<const llvm::MachineInstr *, std::unique_ptr<PtxBlock>> Steps;
  KernelSymbols Symbols;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_READLLVM_FUNCTIONMAP_H
