//===- RunInSubprocess.h - Work in a process of its own ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_RUNINSUBPROCESS_H
#define GPUOCC_SUPPORT_RUNINSUBPROCESS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace gpuocc {

/// Runs \p Work in a copy of this process and returns what it wrote; what it
/// changes in memory is gone with the copy. An error if no process can be made
/// or it ends before its answer is written: a crash there, also a fatal error
/// of LLVM, is an error here that says why. Nobody else hears of it: the copy
/// runs no handler of this process and removes none of its files.
llvm::Expected<std::string>
runInSubprocess(llvm::function_ref<void(llvm::raw_ostream &)> Work);

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_RUNINSUBPROCESS_H
