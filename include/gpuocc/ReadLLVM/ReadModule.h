//===- ReadModule.h - LLVM modules to kernel facts -------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_READLLVM_READMODULE_H
#define GPUOCC_READLLVM_READMODULE_H

#include "gpuocc/Assembler/RegisterPressure.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Support/Mechanism.h"
#include <functional>

namespace llvm {
class Function;
class Module;
class TargetMachine;
} // namespace llvm

namespace gpuocc {

/// Options of the machine view.
struct ReadOptions {
  /// Also print the PTX of the clone into ModuleFacts::Ptx (for ptxas).
  bool WantPtx = false;
  /// Also number the instructions (Operation::Origin), in the line tables of
  /// the PTX too, so that what the assembler makes of them can be joined to
  /// the facts.
  bool WantOrigins = false;
  /// The IR stands for final code, as that lifted from PTX does, one basic
  /// block a statement: instructions are selected, but no pass of the backend
  /// optimizes before or after, and blocks are joined where code goes on.
  bool IsFinalCode = false;
  /// The registers of the architecture, for the estimate of what ptxas assigns.
  RegisterFile Registers;
  /// What ptxas is taken to do, and which priors of branches are noted.
  Mechanisms Used;
};

/// What a module holds. Names of kernels are those of the module.
struct ModuleFacts {
  std::vector<KernelFacts> Kernels;
  std::string Ptx;
  /// Which kernels are missing, and why; empty: none is.
  std::string Problem;
};

/// True for modules that this reader understands (NVPTX).
bool isDeviceModule(const llvm::Module &M);

/// Reads every kernel of \p M as the NVPTX backend would emit it: in a copy of
/// this process, clones the module, runs the target's instruction selection
/// over the clone with \p TM and reads the machine functions. Neither \p M nor
/// what \p TM emits for it later changes. What cannot be read is in
/// KernelFacts::Gaps; a kernel that LLVM cannot generate code for, and so
/// crashes on, is missing and in ModuleFacts::Problem.
ModuleFacts readModule(const llvm::Module &M, llvm::TargetMachine &TM,
                       const ReadOptions &Options);

/// The same without a clone: \p Then is called with the facts while the
/// compiler generates the code of \p M with \p TM, when all functions have
/// passed. Nothing is done, and false returned, where that code generation is
/// not what is read: where kernels call functions that were not inlined, or
/// instructions are numbered. Another plugin that generates the code itself
/// keeps \p Then from being called.
bool readDuringCodeGen(const llvm::Module &M, llvm::TargetMachine &TM,
                       const ReadOptions &Options,
                       std::function<void(ModuleFacts)> Then);

} // namespace gpuocc

#endif // GPUOCC_READLLVM_READMODULE_H
