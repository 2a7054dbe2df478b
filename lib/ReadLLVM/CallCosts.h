//===- CallCosts.h - What calls cost ----------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READLLVM_CALLCOSTS_H
#define GPUOCC_LIB_READLLVM_CALLCOSTS_H

#include "Calls.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>

namespace gpuocc {

/// Gives calls of functions that were not inlined the instructions of these
/// functions. Every instruction of a function is counted once a call, also
/// those of its loops, and those of a recursive call only the first time;
/// KernelFacts::Gaps says where this falls short. The memory accesses of a
/// function cost their instructions; their addresses are not followed.
class CallCosts {
public:
  /// Takes \p Body, a function named \p Name that makes \p Calls.
  void add(llvm::StringRef Name, const KernelFacts &Body,
           llvm::ArrayRef<CallSite> Calls);

  /// Adds the costs of \p Calls to their operations in \p Facts. All functions
  /// were added before.
  void apply(KernelFacts &Facts, llvm::ArrayRef<CallSite> Calls);

private:
  struct Function {
    /// One entry for each class.
    llvm::SmallVector<Emission, 8> Emits;
    bool HasLoops = false;
    std::vector<std::string> Callees;
  };
  /// What a call comes to, with the calls that it leads to.
  struct Sum {
    llvm::SmallVector<Emission, 8> Emits;
    /// One entry for each function.
    llvm::SmallVector<QueuedCall, 0> Queued;
    /// What is not counted; true where it is work of unknown size.
    std::map<std::string, bool> Gaps;
    /// It is being summed up, and was met again meanwhile.
    bool IsOpen = false, IsRecursive = false;
  };

  const Sum &sumOf(llvm::StringRef Callee);

  std::map<std::string, Function, std::less<>> Functions;
  std::map<std::string, Sum> Sums;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_READLLVM_CALLCOSTS_H
