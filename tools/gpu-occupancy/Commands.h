//===- Commands.h - The subcommands ----------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_COMMANDS_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_COMMANDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace gpuocc {

/// Each runs one subcommand with the arguments that follow its name; `--help`
/// among them prints its options.
llvm::Error runAnalyze(llvm::ArrayRef<llvm::StringRef> Arguments);
llvm::Error runExplain(llvm::ArrayRef<llvm::StringRef> Arguments);
llvm::Error runOccupancy(llvm::ArrayRef<llvm::StringRef> Arguments);
llvm::Error runRecord(llvm::ArrayRef<llvm::StringRef> Arguments);
llvm::Error runDevice(llvm::ArrayRef<llvm::StringRef> Arguments);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_COMMANDS_H
