//===- Finish.h - The end of a command -------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_DRIVER_FINISH_H
#define GPUOCC_TOOLS_DRIVER_FINISH_H

#include "gpuocc/Support/ExitStatus.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace gpuocc {

/// Makes what the system does to a process that writes into a full disk an
/// error of the write.
void expectFullDisks();

/// Prints \p E as an error of \p Program on standard error; what the message
/// quotes is escaped.
void printError(llvm::StringRef Program, llvm::Error E);

/// What \p Program returns from main(): the status in \p Result, or
/// StatusFailed, said on standard error, when that is an error or standard
/// output could not be written.
int finish(llvm::StringRef Program, llvm::Expected<ExitStatus> Result);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_DRIVER_FINISH_H
