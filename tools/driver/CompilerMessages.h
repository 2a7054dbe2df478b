//===- CompilerMessages.h - Errors that a compiler explains -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_DRIVER_COMPILERMESSAGES_H
#define GPUOCC_TOOLS_DRIVER_COMPILERMESSAGES_H

#include "llvm/Support/Error.h"
#include <string>

namespace gpuocc {

/// A source that a compiler did not take, with what it printed.
class CompilerMessages : public llvm::ErrorInfo<CompilerMessages> {
public:
  static char ID;

  /// \p Why is one line that names the file.
  CompilerMessages(std::string Messages, std::string Why)
      : Messages(std::move(Messages)), Why(std::move(Why)) {}

  llvm::StringRef messages() const { return Messages; }
  /// The line that names the file.
  llvm::StringRef why() const { return Why; }

  /// The line alone: \see printError for the messages.
  void log(llvm::raw_ostream &OS) const override;
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string Messages, Why;
};

} // namespace gpuocc

#endif // GPUOCC_TOOLS_DRIVER_COMPILERMESSAGES_H
