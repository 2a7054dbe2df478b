//===- InlineBudget.h - What is inlined into kernels ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READLLVM_INLINEBUDGET_H
#define GPUOCC_LIB_READLLVM_INLINEBUDGET_H

#include "llvm/ADT/StringMap.h"
#include <string>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace gpuocc {

/// IR instructions that a function may have after inlining: functions that call
/// others twice grow exponentially with the depth of their calls.
constexpr uint64_t MaxInstructionsInlined = 1 << 13;

/// True for a device function that we make a part of the kernels that call it
/// (KeptCalls.h has what the calls cost).
bool isInlined(const llvm::Function &F);

/// Marks what AlwaysInliner is to inline: the calls of each device function of
/// \p M that stays within MaxInstructionsInlined with all of them, and those of
/// kernels, in the order of the code, as far as they do. The others stay calls,
/// whose cost is added up without a copy (CallCosts). \returns for each kernel
/// and function in which calls stay, by name, the function that the first of
/// these calls.
llvm::StringMap<std::string> markInlined(llvm::Module &M);

} // namespace gpuocc

#endif // GPUOCC_LIB_READLLVM_INLINEBUDGET_H
