//===- Calls.h - Calls that stay in machine code ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READLLVM_CALLS_H
#define GPUOCC_LIB_READLLVM_CALLS_H

#include "gpuocc/Kernel/Operation.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace llvm {
class MachineBasicBlock;
class MachineInstr;
} // namespace llvm

namespace gpuocc {

/// A call in a function that was read.
struct CallSite {
  /// Index in KernelFacts::Operations of the caller.
  uint32_t Op = 0;
  /// Mangled name; empty if a register holds the address.
  std::string Callee;
  bool operator==(const CallSite &) const = default;
};

/// The function that \p Call calls; empty if a register holds its address.
llvm::StringRef calleeOf(const llvm::MachineInstr &Call);

/// True if every way from \p MBB on ends in a trap or in a call that does not
/// return, such as a failed assertion. Such ways are as good as never taken
/// (the unreachable heuristic of LLVM's BranchProbabilityInfo).
bool endsInTrap(const llvm::MachineBasicBlock &MBB);

/// True if \p MBB calls printf. What a kernel prints where data ask for it is
/// a message about data that should not be: a launch that is timed has none.
bool prints(const llvm::MachineBasicBlock &MBB);

/// A function of the CUDA runtime, of which there is no code.
struct RuntimeFunction {
  llvm::StringRef Symbol;
  /// What users call it ("printf").
  llvm::StringRef Name;
  bool Returns = true;
  /// What a call of a warp costs, as in PtxOpcodes.def; empty if not known.
  llvm::StringRef Emits;
  /// The queue in which its callers wait for one another.
  std::optional<QueuedFunction> Queue;
  /// What is assumed of that.
  llvm::StringRef Assumed;
};

/// The function of the CUDA runtime that \p Callee is; null if it is none.
const RuntimeFunction *runtimeFunction(llvm::StringRef Callee);

} // namespace gpuocc

#endif // GPUOCC_LIB_READLLVM_CALLS_H
