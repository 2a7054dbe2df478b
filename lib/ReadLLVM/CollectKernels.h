//===- CollectKernels.h - The machine pass that reads kernels --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READLLVM_COLLECTKERNELS_H
#define GPUOCC_LIB_READLLVM_COLLECTKERNELS_H

#include "CallCosts.h"
#include "NumberInstructions.h"
#include "gpuocc/Assembler/RegisterPressure.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Support/Mechanism.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include <functional>

namespace llvm {
class TargetPassConfig;
namespace legacy {
class PassManagerBase;
} // namespace legacy
} // namespace llvm

namespace gpuocc {

/// Reads each kernel that passes by in SSA form, and the functions that kernels
/// call; code generation frees a machine function soon after. Changes nothing
/// and needs no analysis of its pipeline, so that what comes out of that is the
/// same with and without it.
class CollectKernels : public llvm::MachineFunctionPass {
public:
  /// Gets the kernels of a module when all have passed.
  using Sink = std::function<void(std::vector<KernelFacts>)>;

  static char ID;
  CollectKernels(const RegisterFile &Registers, const Mechanisms &Used,
                 Sink Done)
      : MachineFunctionPass(ID), Registers(Registers), Used(Used),
        Done(std::move(Done)) {}

  /// The module was numbered; \p Places are what its lines stand for.
  void setNumbered(const NumberedPlaces *Places) { Numbered = Places; }

  llvm::StringRef getPassName() const override {
    return "gpu-occupancy machine view";
  }
  void getAnalysisUsage(llvm::AnalysisUsage &AU) const override;
  bool runOnMachineFunction(llvm::MachineFunction &MF) override;
  bool doInitialization(llvm::Module &M) override;
  bool doFinalization(llvm::Module &M) override;

private:
  /// A kernel that was read but for the costs of its calls.
  struct Waiting {
    size_t Kernel;
    std::vector<CallSite> Calls;
  };

  void complete(KernelFacts &Facts) const;

  RegisterFile Registers;
  Mechanisms Used;
  Sink Done;
  /// Null when the module is not numbered.
  const NumberedPlaces *Numbered = nullptr;
  std::vector<KernelFacts> Kernels;
  /// Functions that kernels call, directly or not.
  llvm::DenseSet<const llvm::Function *> Called;
  CallCosts Costs;
  std::vector<Waiting> WaitForCalls;
};

/// Adds instruction selection and the optimizations of the target's SSA machine
/// code to \p PM, as far as CollectKernels reads; false if the target refuses.
bool addPassesUpToReading(llvm::TargetPassConfig &Config,
                          llvm::legacy::PassManagerBase &PM);

/// The same for final code, one basic block a statement: instructions are
/// selected as in optimized code, and nothing is optimized before or after.
bool addPassesOfFinalCode(llvm::TargetPassConfig &Config,
                          llvm::legacy::PassManagerBase &PM);

/// Puts \p Reader, which is handed over, at the same place of a pipeline that
/// goes on.
void insertReader(llvm::TargetPassConfig &Config, CollectKernels *Reader);

} // namespace gpuocc

#endif // GPUOCC_LIB_READLLVM_COLLECTKERNELS_H
