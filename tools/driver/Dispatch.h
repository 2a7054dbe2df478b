//===- Dispatch.h - Programs made of commands -------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_DRIVER_DISPATCH_H
#define GPUOCC_TOOLS_DRIVER_DISPATCH_H

#include "gpuocc/Support/ExitStatus.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace gpuocc {

/// One command of a program.
struct Command {
  llvm::StringLiteral Name;
  llvm::StringLiteral Summary;
  /// Gets the arguments behind the name; `--help` among them prints options.
  llvm::Expected<ExitStatus> (*Run)(llvm::ArrayRef<llvm::StringRef> Arguments);
};

/// The status of a command that only succeeds or fails.
template <llvm::Error (*Run)(llvm::ArrayRef<llvm::StringRef>)>
llvm::Expected<ExitStatus> orFail(llvm::ArrayRef<llvm::StringRef> Arguments) {
  if (llvm::Error E = Run(Arguments))
    return std::move(E);
  return StatusGood;
}

/// Runs the command of \p Commands that \p Arguments begin with; `--help`
/// lists them, `--version` prints the version. Fails where there is none of
/// that name.
llvm::Expected<ExitStatus> dispatch(llvm::StringRef Program,
                                    llvm::ArrayRef<Command> Commands,
                                    llvm::ArrayRef<llvm::StringRef> Arguments);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_DRIVER_DISPATCH_H
