//===- Commands.h - The subcommands ----------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_COMMANDS_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_COMMANDS_H

#include "gpuocc/Support/ExitStatus.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace gpuocc {

/// The program as its messages name it.
constexpr llvm::StringLiteral ProgramName = "gpu-occupancy";

/// Each runs one subcommand with the arguments that follow its name; `--help`
/// among them prints its options. Returns how it ended, or why it could not do
/// any of its work.
llvm::Expected<ExitStatus>
runAnalyze(llvm::ArrayRef<llvm::StringRef> Arguments);
llvm::Expected<ExitStatus>
runExplain(llvm::ArrayRef<llvm::StringRef> Arguments);
llvm::Expected<ExitStatus>
runOccupancy(llvm::ArrayRef<llvm::StringRef> Arguments);
llvm::Expected<ExitStatus> runRecord(llvm::ArrayRef<llvm::StringRef> Arguments);
llvm::Expected<ExitStatus>
runProfile(llvm::ArrayRef<llvm::StringRef> Arguments);
llvm::Expected<ExitStatus>
runSummary(llvm::ArrayRef<llvm::StringRef> Arguments);
llvm::Expected<ExitStatus> runDiff(llvm::ArrayRef<llvm::StringRef> Arguments);
llvm::Expected<ExitStatus>
runCompare(llvm::ArrayRef<llvm::StringRef> Arguments);
llvm::Expected<ExitStatus> runCheck(llvm::ArrayRef<llvm::StringRef> Arguments);
llvm::Expected<ExitStatus> runLock(llvm::ArrayRef<llvm::StringRef> Arguments);
llvm::Expected<ExitStatus>
runExplainRule(llvm::ArrayRef<llvm::StringRef> Arguments);
llvm::Expected<ExitStatus> runLsp(llvm::ArrayRef<llvm::StringRef> Arguments);
llvm::Expected<ExitStatus> runDevice(llvm::ArrayRef<llvm::StringRef> Arguments);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_COMMANDS_H
